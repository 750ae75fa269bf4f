//! One row of the ledger: a split, the run that read it, what it holds.
//!
//! In: a split and the totals of a run over it, or a record of `ledger.csv`. Out: an [`Entry`], or a record. Invariant:
//! what is written is read back as it was. Cost: constant.

use std::fs::File;
use std::path::Path;

use pgnmill_core::engine::{Counted, Survey};
use pgnmill_core::tables::rows::count;
use pgnmill_core::tables::{Kind, Rows, TableError, ledger};
use pgnmill_io::archive::{ArchiveSplit, SplitBase};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::CsvSink;

use crate::ledger::split_json::Sealed;
use crate::text::json::{Object, Record as _};
use crate::text::records::plain;

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
    pub(crate) counted: Counted,
    /// The seals of the tables beside the ledger.
    pub(crate) tables: String,
}

/// Before the names of the columns of [`Entry::before`].
const BEFORE: &str = "before_";

impl Entry {
    /// The row of a run of this command over a split.
    pub(crate) fn of(
        split: &ArchiveSplit,
        command: &str,
        options: String,
        before: SplitBase,
        counted: &Counted,
    ) -> Entry {
        Entry {
            split: split.clone(),
            program_version: env!("CARGO_PKG_VERSION").to_string(),
            command: command.to_string(),
            options,
            before,
            counted: counted.clone(),
            tables: String::new(),
        }
    }

    /// The fields, in the order of the columns.
    pub(crate) fn record(&self) -> Vec<String> {
        let mut fields = Sealed::new(&self.split).object();
        let before = self.before.object().into_iter();
        fields.extend(before.map(|(name, number)| (format!("{BEFORE}{name}"), number)));
        let facts = self.counted.facts().into_iter();
        fields.extend(facts.map(|(name, number)| (name.to_string(), number.into())));
        let Entry { program_version, command, options, tables, .. } = self;
        let texts = [
            ("program_version", program_version.clone()),
            ("command", command.clone()),
            ("options", options.clone()),
            ("survey", self.counted.survey.words()),
            (ledger::TABLES.name, tables.clone()),
        ];
        fields.extend(texts.map(|(name, text)| (name.to_string(), text.into())));
        let field = |name: &&str| fields.get(*name).map_or_else(String::new, plain);
        ledger::SCHEMA.header().iter().map(field).collect()
    }

    /// The entry of the fields of a record, in the order of the columns.
    pub(crate) fn parse<'r>(record: impl Iterator<Item = &'r str>) -> Result<Entry, TableError> {
        let (mut fields, mut before) = (Object::new(), Object::new());
        let (mut counted, mut games) = (Counted::default(), 0);
        for (column, field) in ledger::SCHEMA.columns.iter().zip(record) {
            // Of the version of an archive only one is known.
            let is_version = matches!(column.name, "modified_ns" | "etag");
            if is_version && field.is_empty() {
                continue;
            }
            let name = column.name.to_string();
            if column.kind != Kind::Count && column.name != "modified_ns" {
                fields.insert(name, field.into());
                continue;
            }
            let number = count(field)?;
            match name.strip_prefix(BEFORE) {
                Some(name) => drop(before.insert(name.to_string(), number.into())),
                None if name == "games" => games = number,
                None if counted.set(&name, number) => {}
                None => drop(fields.insert(name, number.into())),
            }
        }
        let text = |name: &str| fields.get(name).map_or_else(String::new, plain);
        let lacks = |name: &str| TableError::Row(format!("a row has no valid {name}"));
        let split = Sealed::take(&fields).map_err(lacks)?.open().map_err(TableError::Row)?;
        let survey = text("survey");
        counted.survey = Survey::of_words(&survey)
            .ok_or_else(|| TableError::Row(format!("{survey:?} is no survey")))?;
        if games != counted.counts.games() {
            let why = format!("{split} was altered: its games are not the sum");
            return Err(TableError::Row(why));
        }
        Ok(Entry {
            program_version: text("program_version"),
            command: text("command"),
            options: text("options"),
            before: SplitBase::take(&before).map_err(lacks)?,
            counted,
            tables: text(ledger::TABLES.name),
            split,
        })
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
    let mut entries = Vec::new();
    while let Some(record) = rows.next_row().map_err(refuse)? {
        let entry = Entry::parse(record.iter());
        entries.push(entry.map_err(|error| refuse(error.at_line(rows.line())))?);
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgnmill_io::archive::{Split, Version};

    #[test]
    fn the_fields_are_those_of_the_columns() {
        let stored = b"[Event \"a\"]\n\n*\n".as_slice();
        let split = Split::all("a", stored, 1).unwrap().remove(3);
        let split = ArchiveSplit::new("a, \"b\"", Version::of_etag("x"), split);
        let mut counted = Counted { text_bytes: 77, lines: 9, ..Counted::default() };
        (counted.counts.accepted, counted.counts.plies) = (2, 30);
        counted.survey = Survey::of_words("other crlf").unwrap();
        let before = SplitBase { text_bytes: 1, lines: 2, games: 3 };
        let entry = Entry::of(&split, "measure", "--strict".to_string(), before, &counted);
        let record = entry.record();
        let header = ledger::SCHEMA.header();
        assert_eq!(record.len(), header.len());
        let fields = |record: &[String]| Entry::parse(record.iter().map(String::as_str));
        assert_eq!(fields(&record).unwrap(), entry);
        for (at, name) in header.iter().enumerate().take(12) {
            let mut altered = record.clone();
            altered[at] = if *name == "container" { "text 1".into() } else { "5".into() };
            assert!(fields(&altered).is_err(), "{name}");
        }
    }
}
