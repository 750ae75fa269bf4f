//! `stats`: a run that counts what is in archives.
//!
//! In: archives. Out: a screenful of lines, an object of JSON or a table on standard output; with a directory
//! `stats.csv`. Cost: that of [`pgnmill_core::tasks::stats`].

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{Base, JobResult};
use pgnmill_core::replay::Counts;
use pgnmill_core::tables;
use pgnmill_core::tasks;
use pgnmill_core::tasks::stats::{
    COMPARED_PLIES_MIN, Found, SECTIONS, SectionKind, SectionRow, UNKNOWN,
};
use pgnmill_io::archive::{Input, RANGE_BYTES, RecordKind};
use pgnmill_io::error::{Error, Result, Shown as _};
use pgnmill_io::sink::{CsvSink, FileSet, Sink};
use serde_json::{Map, Value, json};

use crate::args::capabilities::Capabilities;
use crate::args::files::RunFiles;
use crate::args::messages::{ListFormat, Messages};
use crate::args::options::{defaults, options};
use crate::args::output_path::Written;
use crate::args::reading::{Failures, GameLines, Reading};
use crate::args::sample::SampleArgs;
use crate::args::selecting::Selecting;
use crate::args::splitting::Splitting;
use crate::args::values::from_one;
use crate::host::{Completion, Host, Stream};
use crate::outputs::destination::Resumed;
use crate::plan::{Place, Plan, Purpose, Request, is_split};
use crate::run::{Executed, PartSink, execute};
use crate::text::numbers::grouped;
use crate::text::terminal::{COLUMNS, clean, wrap};

/// The table.
pub(crate) const TABLE: &str = tables::stats::SCHEMA.file;
/// Values of a section on the screen.
const SHOWN_MAX: usize = 5;
/// Texts of tag pairs in JSON, the most frequent ones; the table has all.
const JSON_MAX: usize = 20;
/// Columns before the values.
const LABEL: usize = 14;
/// Columns of the narrowest screen.
const COLUMNS_MIN: usize = 40;

/// Counts what is in archives: results, players, ratings, openings.
#[derive(Debug, clap::Args)]
pub struct Stats {
    /// What is read, and how.
    #[command(flatten)]
    pub reading: Reading,
    /// Whether each line is a game.
    #[command(flatten)]
    pub game_lines: GameLines,
    /// Which games are read.
    #[command(flatten)]
    pub selecting: Selecting,
    /// What becomes of inputs that cannot be read.
    #[command(flatten)]
    pub failures: Failures,
    /// The split that is read.
    #[command(flatten)]
    pub splitting: Splitting,
    /// The tables of the run.
    #[command(flatten)]
    pub files: RunFiles,
    /// What is printed.
    #[command(flatten)]
    pub messages: Messages,
    /// Which of the selected games are counted.
    #[command(flatten)]
    pub sample: SampleArgs,
    /// The format on standard output: text, json (one object) or csv (the table)
    #[arg(
        long,
        value_enum,
        default_value = "text",
        value_name = "FORMAT",
        hide_possible_values = true
    )]
    pub format: ListFormat,
    /// List so many of the most frequent players, events, openings and others [default: 5; in JSON 20; in CSV all]
    ///
    /// Counts are exact for the first 1,048,576 different texts of a section, or 128 MiB of them, which bounds the
    /// memory; the games of others are counted together.
    #[arg(long, value_name = "N")]
    pub top: Option<u64>,
    /// Also write the table stats.csv, with all values, into this directory; of a split with --ledger
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

impl Stats {
    /// Examples of its help: what a command does, and the command.
    pub(crate) const EXAMPLES: &[(&str, &str)] = &[
        ("What is in an archive", "pgnmill stats games.pgn.zst"),
        ("The same for a program", "pgnmill stats --format json games.pgn.zst"),
        ("The fifty players with the most games", "pgnmill stats --top 50 games.pgn.zst"),
        ("All players, events and openings with their games", "pgnmill stats -o tables/ archives/"),
        ("Of a file of positions", "pgnmill stats suite.epd"),
        ("Of some games", "pgnmill stats --where 'rating_min >= 2500' archives/"),
    ];

    /// Archives; the other fields have the defaults of the command line.
    pub fn new(inputs: impl IntoIterator<Item = impl Into<PathBuf>>) -> Stats {
        let mut request: Stats = defaults();
        request.reading.inputs = inputs.into_iter().map(Into::into).collect();
        request
    }
}

/// What all jobs have found.
#[derive(Debug, Default)]
struct Parts {
    found: Found,
    /// The table, before it is written.
    files: Option<FileSet>,
}

impl Parts {
    /// Reserves the table, if there is one.
    fn begin(plan: &Plan) -> Result<Parts> {
        let reserve = |path| FileSet::reserve(path, &plan.outputs.paths, plan.files.overwrite);
        let files = plan.outputs.place.path().map(reserve).transpose()?;
        Ok(Parts { found: Found::default(), files })
    }
}

impl PartSink for Parts {
    type Part = Found;

    fn part(&mut self, _: &str, _: Base, result: &mut JobResult<Found>, _: &Pool) -> Result<()> {
        self.found.merge(&result.part);
        Ok(())
    }
}

impl Request for Stats {
    const NAME: &'static str = "stats";
    type Task = tasks::Stats;

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            failures: self.failures,
            game_lines: Some(self.game_lines),
            sample: self.sample,
            splitting: Some(&self.splitting),
            ..Capabilities::of(&self.reading, &self.selecting, &self.files, &self.messages)
        }
    }

    fn check_positions(&self) -> Option<Result<()>> {
        Some(Ok(()))
    }

    fn inputs_mut(&mut self) -> &mut Vec<PathBuf> {
        &mut self.reading.inputs
    }

    fn check(&self) -> Result<()> {
        from_one("--top", self.top)
    }

    fn purpose(&self, inputs: &[Input], _: &dyn Host) -> Result<(Purpose, tasks::Stats)> {
        if let Some(directory) = &self.output
            && self.splitting.ledger.is_none()
            && is_split(inputs)
        {
            return Err(Error::usage(format!(
                "the table of a split is added with its ledger, by which `merge` finds that one is missing: give \
                 --ledger {}",
                directory.join("ledger.csv").shown()
            )));
        }
        let place = |directory: &PathBuf| Place::Tables {
            directory: directory.clone(),
            names: vec![TABLE.to_string()],
        };
        let purpose = Purpose {
            place: self.output.as_ref().map_or(Place::Nothing, place),
            written: Some(Written::Directory),
            range_bytes: RANGE_BYTES,
            words: self.sample.options(),
            shows_result: true,
            ..Purpose::default()
        };
        Ok((purpose, tasks::Stats))
    }

    fn execute(self, plan: Plan, task: tasks::Stats, host: &Arc<dyn Host>) -> Result<Completion> {
        let parts = |plan: &Plan, _: Option<Resumed<'_, '_>>| Parts::begin(plan);
        let mut done = match execute(plan, &task, parts, host)? {
            Executed::Now(done) => done,
            Executed::Before(completion) => return Ok(completion),
        };
        let Parts { mut found, files } = std::mem::take(done.sink_mut());
        let counts = done.counted().counts.clone();
        let read = Read { selects: done.selects(), records: done.plan.records(), counts: &counts };
        found.add_counts(&counts);
        let sink = files.map(|mut files| write(&mut files, &found)).transpose()?;
        done.publish_with(&[], sink.into_iter().collect(), |_| Ok(Vec::new()))?;
        host.show(&self.shown(&found, read, &**host)?)?;
        Ok(done.completion())
    }
}

impl Stats {
    /// The counts in the requested format.
    fn shown(&self, found: &Found, read: Read<'_>, host: &dyn Host) -> Result<String> {
        let top =
            |default| self.top.map_or(default, |top| usize::try_from(top).unwrap_or(usize::MAX));
        Ok(match self.format {
            ListFormat::Text => {
                let columns = host.screen(Stream::Output).columns.unwrap_or(COLUMNS);
                text(found, read, columns, top(SHOWN_MAX))
            }
            ListFormat::Json => format!("{:#}\n", json(found, read, top(JSON_MAX))),
            ListFormat::Csv => csv(found, top(usize::MAX))?,
        })
    }
}

/// The games of the run: read = accepted + repaired + rejected (+ not selected, of a run with a selection).
#[derive(Clone, Copy)]
struct Read<'c> {
    selects: bool,
    records: RecordKind,
    counts: &'c Counts,
}

impl Read<'_> {
    /// Names and numbers, those that are read first.
    fn games(self) -> impl Iterator<Item = (&'static str, u64)> {
        let Read { selects, records, counts } = self;
        let name = if records != RecordKind::Lines { "games" } else { "positions" };
        let games = [
            (name, counts.games()),
            ("accepted", counts.accepted),
            ("repaired", counts.repaired),
            ("rejected", counts.rejected),
        ];
        games.into_iter().chain(selects.then_some(("not_selected", counts.not_selected)))
    }
}

/// The rows of the table; of texts the `top` most frequent ones.
fn records(found: &Found, top: usize) -> impl Iterator<Item = [String; 3]> {
    let sections = SECTIONS.iter().enumerate();
    sections.flat_map(move |(index, section)| {
        let rows = found.rows(index).into_iter().take(listed_max(index, top));
        rows.map(|SectionRow { value, games }| [section.name.into(), value, games.to_string()])
    })
}

/// How many values of a section are listed: of texts the `top` most frequent ones, of groups all.
fn listed_max(section: usize, top: usize) -> usize {
    if is_text(section) { top } else { usize::MAX }
}

/// Writes the table, with all values: the tables of several runs can be added.
pub(crate) fn write(files: &mut FileSet, found: &Found) -> Result<Sink> {
    let mut table = CsvSink::begin(files.open(TABLE)?, &tables::stats::SCHEMA.header())?;
    records(found, usize::MAX).try_for_each(|record| table.row(&record))?;
    table.into_sink()
}

/// The table as text.
fn csv(found: &Found, top: usize) -> Result<String> {
    let failed = |error: csv::Error| Error::usage(error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(tables::stats::SCHEMA.header()).map_err(failed)?;
    records(found, top).try_for_each(|record| writer.write_record(record)).map_err(failed)?;
    let bytes = writer.into_inner().map_err(|error| Error::usage(error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// All counts as an object: sections of groups with all values, of texts with the most frequent ones.
fn json(found: &Found, read: Read<'_>, top: usize) -> Value {
    let mut object = Map::new();
    read.games().for_each(|(name, number)| drop(object.insert(name.into(), number.into())));
    match read.records {
        RecordKind::Games | RecordKind::GameLines => {
            object.insert("plies".into(), found.plies.into());
            object.insert("plies_max".into(), found.plies_max.into());
            object.insert("repeated_games".into(), json!(found.repeated()));
        }
        RecordKind::Lines => {
            object.insert("moves_of_operations".into(), found.plies.into());
            object.insert("repeated_positions".into(), json!(found.repeated()));
        }
    }
    let of_positions = read.records == RecordKind::Lines;
    let is_of = |kind: SectionKind| kind.of_positions().is_none_or(|of| of == of_positions);
    let sections = SECTIONS.iter().enumerate().filter(|(_, section)| is_of(section.kind));
    for (index, section) in sections {
        let values_count = found.values_count(index);
        let rows = found.rows(index).into_iter().take(listed_max(index, top));
        let values: Vec<Value> =
            rows.map(|row| json!({"value": row.value, "games": row.games})).collect();
        object.insert(
            section.name.replace('-', "_"),
            json!({"different": values_count, "values": values}),
        );
    }
    Value::Object(object)
}

/// Are the values of a section texts, the most frequent ones first?
fn is_text(section: usize) -> bool {
    SECTIONS[section].kind.is_text()
}

/// A share as `12.3%`; less than half of a thousandth that is not nothing as `<0.1%`.
fn share(part: u64, whole: u64) -> String {
    let percent = 100.0 * part as f64 / whole.max(1) as f64;
    match part {
        0 => "0%".to_string(),
        _ if part == whole => "100%".to_string(),
        _ if percent < 0.05 => "<0.1%".to_string(),
        _ => format!("{percent:.1}%"),
    }
}

/// A screenful of lines, none longer than the screen.
fn text(found: &Found, read: Read<'_>, columns: usize, top: usize) -> String {
    let mut page = String::new();
    let columns = columns.clamp(COLUMNS_MIN, COLUMNS);
    let mut line = |label: &str, text: &str| {
        wrap(&mut page, columns, &format!("{label:<LABEL$}"), &clean(text.as_bytes()));
    };
    let parts = read.games().skip(1);
    let parts = parts.map(|(name, games)| format!("{} {}", grouped(games), name.replace('_', " ")));
    let games = grouped(read.counts.games());
    let of_positions = read.records == RecordKind::Lines;
    let what = if of_positions { "positions" } else { "games" };
    line(what, &format!("{games}: {}", parts.collect::<Vec<_>>().join(", ")));
    if found.games == 0 {
        return page;
    }
    if !of_positions {
        let mean = found.plies as f64 / found.games as f64;
        let most = grouped(found.plies_max.into());
        line("length", &format!("{mean:.1} plies on average, {most} at most"));
    }
    for (index, section) in SECTIONS.iter().enumerate() {
        let rows = found.rows(index);
        let is_known = rows.iter().any(|row| row.value != UNKNOWN);
        // The averages are enough of the lengths; verdicts are in the first line.
        if is_known && !matches!(section.name, "length" | "verdict") {
            line(section.name, &section_text(found, index, rows, top));
        }
    }
    if of_positions {
        let repeated = match found.repeated() {
            Some(0) => "no position is there twice, move clocks apart".to_string(),
            Some(number) => {
                format!("{} are those of earlier lines, move clocks apart", grouped(number))
            }
            None => "not counted in so many positions".to_string(),
        };
        line("repeated", &repeated);
        return page;
    }
    let repeated = match found.repeated() {
        Some(0) => "no game has the moves of another".to_string(),
        Some(number) => format!("{} have the moves of an earlier game", grouped(number)),
        None => "not counted in so many games: `pgnmill duplicates`".to_string(),
    };
    line("repeated", &format!("{repeated} (from {COMPARED_PLIES_MIN} plies)"));
    page
}

/// The values of a section: of years the range; of texts how many there are, and the most frequent ones; of groups
/// those with the most games, of openings by the part of the name before a colon.
fn section_text(found: &Found, index: usize, mut rows: Vec<SectionRow>, top: usize) -> String {
    let (name, games) = (SECTIONS[index].name, found.games);
    let mut text = String::new();
    let mut known = rows.iter().filter(|row| row.value != UNKNOWN);
    if let ("year", Some(first)) = (name, known.next()) {
        let last = known.next_back().unwrap_or(first);
        let _ = write!(text, "{} to {}; most games: ", first.value, last.value);
    } else if is_text(index) && found.values_count(index) > top {
        let count = grouped(found.values_count(index) as u64);
        let others = rows.last().is_some_and(|row| row.value.is_empty());
        let more = if others { "more than " } else { "" };
        let most = if name == "opcode" { "most often" } else { "most games" };
        let _ = write!(text, "{more}{count} different; {most}: ");
    }
    if name == "opening" {
        let mut families = BTreeMap::<String, u64>::new();
        for SectionRow { value, games } in rows {
            let family = value.split(':').next().unwrap_or_default().to_string();
            *families.entry(family).or_default() += games;
        }
        rows = families.into_iter().map(|(value, games)| SectionRow { value, games }).collect();
    }
    if name != "has" {
        // Stable: of values with as many games the first one stays first.
        rows.sort_by_key(|row| Reverse(row.games));
        rows.truncate(top);
    }
    let has_counts = is_text(index) && name != "notation" || matches!(name, "deviation" | "moves");
    let shown = rows.iter().map(|row| match has_counts {
        true if row.value.is_empty() => format!("others ({})", grouped(row.games)),
        true => format!("{} ({})", row.value, grouped(row.games)),
        false => format!("{} {}", row.value, share(row.games, games)),
    });
    // Names of players have commas.
    text + &shown.collect::<Vec<_>>().join("; ")
}

options!(Stats:
    reading game_lines selecting files sample;
    without failures splitting messages format output top);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_and_never_hidden() {
        let cases = [(0, 9), (9, 9), (1, 3), (1, 10_000), (9_999, 10_000)];
        let shares = cases.map(|(part, whole)| share(part, whole));
        assert_eq!(shares, ["0%", "100%", "33.3%", "<0.1%", "100.0%"]);
        // What is rounded to a tenth is not below it.
        let shares = [4, 6, 9, 10].map(|part| share(part, 10_000));
        assert_eq!(shares, ["<0.1%", "0.1%", "0.1%", "0.1%"]);
    }
}
