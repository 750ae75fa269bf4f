//! One row of the ledger: a split, the run that read it, what it holds.
//!
//! In: a split and the totals of a run over it, or a record of `ledger.csv`. Out: an [`Entry`], or a record. Invariant:
//! what is written is read back as it was. Cost: constant.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use pgnmill_core::engine::Survey;
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_core::replay::Counts;
use pgnmill_core::tables::{Rows, TableError, ledger};
use pgnmill_io::archive::{ArchiveSplit, Split, SplitBase, Version};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::CsvSink;

use crate::of_split::OfSplit;
use crate::totals::Totals;

/// What a run has read of a split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The split. Its base is what the rows of the run's tables begin with; see [`Entry::before`].
    pub(crate) split: ArchiveSplit,
    pub(crate) program_version: String,
    pub(crate) command: String,
    pub(crate) options: String,
    /// What the numbers in the tables of the run already include.
    pub(crate) before: SplitBase,
    pub(crate) text_bytes: u64,
    pub(crate) lines: u64,
    pub(crate) accepted: u64,
    pub(crate) repaired: u64,
    pub(crate) rejected: u64,
    pub(crate) not_selected: u64,
    pub(crate) plies: u64,
    pub(crate) variation_plies: u64,
    pub(crate) between_bytes: u64,
    pub(crate) texts_between: u64,
    pub(crate) games_without_tags: u64,
    pub(crate) survey: Survey,
    /// The seals of the tables beside the ledger.
    pub(crate) tables: String,
}

/// What a missing time or tag is in the table.
const NONE: &str = "";

impl Entry {
    /// The row of a run of this command over a split.
    pub(crate) fn of(
        split: &ArchiveSplit,
        command: &str,
        options: String,
        totals: &Totals,
        read: &OfSplit,
    ) -> Entry {
        let counts = &totals.counts;
        Entry {
            split: split.clone(),
            program_version: env!("CARGO_PKG_VERSION").to_string(),
            command: command.to_string(),
            options,
            before: read.before,
            text_bytes: totals.text_bytes,
            lines: read.lines,
            accepted: counts.accepted,
            repaired: counts.repaired,
            rejected: counts.rejected,
            not_selected: counts.not_selected,
            plies: counts.plies,
            variation_plies: counts.variation_plies,
            between_bytes: counts.between_bytes,
            texts_between: counts.deviations[Deviation::BytesBetweenGames as usize],
            games_without_tags: counts.deviations[Deviation::GameWithoutTags as usize],
            survey: read.survey,
            tables: String::new(),
        }
    }

    /// The games of the split.
    pub(crate) fn games(&self) -> u64 {
        // Numbers of a table of any origin.
        let numbers = [self.accepted, self.repaired, self.rejected, self.not_selected];
        numbers.into_iter().fold(0, u64::saturating_add)
    }

    /// The counts that decide whether an archive is one of games.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts {
            accepted: self.accepted,
            repaired: self.repaired,
            rejected: self.rejected,
            not_selected: self.not_selected,
            plies: self.plies,
            variation_plies: self.variation_plies,
            between_bytes: self.between_bytes,
            ..Counts::default()
        };
        counts.deviations[Deviation::BytesBetweenGames as usize] = self.texts_between;
        counts.deviations[Deviation::GameWithoutTags as usize] = self.games_without_tags;
        counts
    }

    /// The fields, in the order of the columns.
    fn record(&self) -> Vec<String> {
        let Entry { split: ArchiveSplit { archive, version, split, .. }, before, .. } = self;
        let line = split.to_string();
        let mut fields = vec![archive.clone()];
        fields.extend(line.split(' ').map(str::to_string));
        fields.push(version.modified_ns.map_or_else(|| NONE.to_string(), |time| time.to_string()));
        fields.push(version.etag.clone().unwrap_or_default());
        fields.push(format!("{:016x}", self.split.seal()));
        fields.extend([&self.program_version, &self.command, &self.options].map(String::clone));
        let numbers = [
            before.text_bytes,
            before.lines,
            before.games,
            self.text_bytes,
            self.lines,
            self.games(),
            self.accepted,
            self.repaired,
            self.rejected,
            self.not_selected,
            self.plies,
            self.variation_plies,
            self.between_bytes,
            self.texts_between,
            self.games_without_tags,
        ];
        fields.extend(numbers.map(|number| number.to_string()));
        fields.push(self.survey.words());
        fields.push(self.tables.clone());
        fields
    }

    /// The entry of a record.
    fn parse(fields: &HashMap<&str, &str>) -> Result<Entry, TableError> {
        let text = |name: &str| fields.get(name).copied().unwrap_or_default();
        let number = |name: &str| {
            let field = text(name);
            field.parse::<u64>().map_err(|_| TableError::NotACount(field.to_string()))
        };
        let names = ["begin", "end", "stored_bytes", "target_bytes", "frames", "ordinal", "count"];
        let numbers = names.map(text).join(" ");
        let line = format!("{} {numbers}", text("container"));
        let split: Split =
            line.parse().map_err(|_| TableError::Row(format!("{line:?} is no split")))?;
        let mut version = Version::default();
        if text("modified_ns") != NONE {
            version.modified_ns = Some(number("modified_ns")?);
        }
        if text("etag") != NONE {
            version.etag = Some(text("etag").to_string());
        }
        let split = ArchiveSplit::new(text("archive"), version, split);
        if text("seal") != format!("{:016x}", split.seal()) {
            let why = format!("{split} was altered: its seal is not that of its fields");
            return Err(TableError::Row(why));
        }
        let entry = Entry {
            program_version: text("program_version").to_string(),
            command: text("command").to_string(),
            options: text("options").to_string(),
            before: SplitBase {
                text_bytes: number("before_text_bytes")?,
                lines: number("before_lines")?,
                games: number("before_games")?,
            },
            text_bytes: number("text_bytes")?,
            lines: number("lines")?,
            accepted: number("accepted")?,
            repaired: number("repaired")?,
            rejected: number("rejected")?,
            not_selected: number("not_selected")?,
            plies: number("plies")?,
            variation_plies: number("variation_plies")?,
            between_bytes: number("between_bytes")?,
            texts_between: number("texts_between")?,
            games_without_tags: number("games_without_tags")?,
            survey: Survey::of_words(text("survey"))
                .ok_or_else(|| TableError::Row(format!("{:?} is no survey", text("survey"))))?,
            tables: text(ledger::TABLES.name).to_string(),
            split,
        };
        if number("games")? != entry.games() {
            let why = format!("{} was altered: its games are not the sum", entry.split);
            return Err(TableError::Row(why));
        }
        Ok(entry)
    }
}

/// Writes the rows of `ledger.csv`.
pub(crate) fn write(table: &mut CsvSink, entries: &[Entry]) -> Result<()> {
    entries.iter().try_for_each(|entry| {
        let record = entry.record();
        let fields: Vec<&str> = record.iter().map(String::as_str).collect();
        table.row(&fields)
    })
}

/// Reads `ledger.csv`.
///
/// # Errors
/// What the system refuses; a table of another kind; a row that was altered.
pub(crate) fn read(path: &Path) -> Result<Vec<Entry>> {
    let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
    let refuse = |error: TableError| Error::usage(format!("{}: {error}", path.shown()));
    let mut rows = Rows::of(file, &ledger::SCHEMA).map_err(refuse)?;
    let header = ledger::SCHEMA.header();
    let mut entries = Vec::new();
    while let Some(record) = rows.next_row().map_err(refuse)? {
        let fields = header.iter().copied().zip(record.iter()).collect();
        let entry = Entry::parse(&fields);
        drop(fields);
        entries.push(entry.map_err(|error| refuse(error.at_line(rows.line())))?);
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_are_those_of_the_columns() {
        let stored = b"[Event \"a\"]\n\n*\n".as_slice();
        let split = Split::all("a", stored, 1).unwrap().remove(3);
        let split = ArchiveSplit::new("a, \"b\"", Version::of_etag("x"), split);
        let mut totals = Totals::default();
        (totals.text_bytes, totals.counts.accepted, totals.counts.plies) = (77, 2, 30);
        let mut read = OfSplit::default();
        (read.before, read.lines) = (SplitBase { text_bytes: 1, lines: 2, games: 3 }, 9);
        read.survey = Survey::of_words("other crlf").unwrap();
        let entry = Entry::of(&split, "measure", "--strict".to_string(), &totals, &read);
        let record = entry.record();
        let header = ledger::SCHEMA.header();
        assert_eq!(record.len(), header.len());
        let fields = |record: &[String]| {
            let fields = header.iter().copied().zip(record.iter().map(String::as_str));
            Entry::parse(&fields.collect())
        };
        assert_eq!(fields(&record).unwrap(), entry);
        for (at, name) in header.iter().enumerate().take(12) {
            let mut altered = record.clone();
            altered[at] = if *name == "container" { "text 1".into() } else { "5".into() };
            assert!(fields(&altered).is_err(), "{name}");
        }
    }
}
