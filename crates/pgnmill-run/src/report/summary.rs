//! The summary of a run: a few lines for the user, a table or a JSON object for programs.
//!
//! In: the totals of a run, or the summaries of several. Out: lines; `summary.csv`; an object with every row.
//! Invariants: the keys of the table are in one order; games = accepted + repaired + rejected (+ not_selected +
//! selected), and text_bytes = game_bytes + between_bytes; the same run gives the same text. Cost: the number of rows.
//!
//! ```text
//! {"schema_version":"3",…,"games":3,"accepted":2,"repaired":1,…,"deviations":[{"name":…,"class":…,"count":1}],…}
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;
use std::time::Duration;

use pgnmill_core::engine::Counted;
use pgnmill_core::pgn::deviation::{Class, Deviation, Profile};
use pgnmill_core::tables::summary::{
    FAILURES_MAX, KEYS, MEASURED_ON, SCHEMA, is_words, place as place_of_known,
};
use pgnmill_core::tables::{Rows, SCHEMA_VERSION, TableError};
use pgnmill_io::archive::{ArchiveSplit, RecordKind};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{CsvSink, FileSet, Sink};
use serde_json::Value;

use crate::host::{Host, Ink, Screen, Stream};
use crate::report::totals::{Failure, Totals};
use crate::text::numbers::{count, count_of, grouped, rate, size};
use crate::text::records::{Records, object};
use crate::text::shell::{AND, separated};

/// What a summary is about.
#[derive(Debug)]
pub(crate) struct Summarized<'r> {
    pub(crate) totals: &'r Totals,
    pub(crate) split: Option<&'r ArchiveSplit>,
    pub(crate) profile: &'r Profile,
    pub(crate) elapsed: Duration,
    /// What was read: games, or positions.
    pub(crate) records: RecordKind,
    /// Print each note, and where each byte is.
    pub(crate) verbose: bool,
}

/// Prints the summary.
pub(crate) fn print(run: &Summarized<'_>, host: &dyn Host) {
    let Summarized { totals, split, profile, elapsed, records, verbose } = *run;
    let Counted { counts, text_bytes, damaged_bytes, .. } = &totals.counted;
    let (text_bytes, damaged_bytes) = (*text_bytes, *damaged_bytes);
    let seconds = elapsed.as_secs_f64().max(1e-6);
    let plies = counts.plies + counts.variation_plies;
    let per_second = if records != RecordKind::Lines { plies } else { counts.games() };
    let not_selected = match totals.selects {
        true => format!(" + {} not selected", grouped(counts.not_selected)),
        false => String::new(),
    };
    let screen = host.screen(Stream::Errors);
    let paint = |ink, number: u64, words: &str| {
        let text = format!("{} {words}", grouped(number));
        if number > 0 { screen.paint(ink, &text) } else { text }
    };
    let mut text = format!(
        "{} read ({} of text): {} accepted + {} + {}{}, in {}\n",
        count_of(records, counts.games()),
        size(text_bytes),
        grouped(counts.accepted),
        paint(Ink::Yellow, counts.repaired, "repaired"),
        paint(Ink::Red, counts.rejected, "rejected"),
        not_selected,
        place_of(totals, split),
    );
    let variations = match verbose {
        true => format!(" ({} in variations)", grouped(counts.variation_plies)),
        false => String::new(),
    };
    let _ = writeln!(
        text,
        "{} validated{variations} in {seconds:.1} s: {} {}/s, {}",
        match records {
            RecordKind::Games | RecordKind::GameLines => count(plies, "ply", "plies"),
            RecordKind::Lines => count(plies, "move", "moves"),
        },
        grouped((per_second as f64 / seconds) as u64),
        match records {
            RecordKind::Games | RecordKind::GameLines => "plies",
            RecordKind::Lines => "positions",
        },
        rate(text_bytes as f64, seconds),
    );
    if verbose {
        let _ = writeln!(
            text,
            "{} = {} of {of} + {} between {of}",
            count(text_bytes, "byte", "bytes"),
            grouped(text_bytes - counts.between_bytes),
            grouped(counts.between_bytes),
            of = if records != RecordKind::Lines { "games" } else { "positions" },
        );
    }
    // Bytes that a truncated archive lacks are not counted here: its stored bytes can all be intact.
    if counts.deviations[Deviation::FrameDamaged as usize] > 0 {
        let _ = writeln!(
            text,
            "{} = {} read + {} damaged",
            count(totals.stored_bytes, "stored byte", "stored bytes"),
            grouped(totals.stored_bytes.saturating_sub(damaged_bytes)),
            grouped(damaged_bytes),
        );
    }
    add_deviations(&mut text, totals, profile, verbose, screen);
    add_failures(&mut text, &totals.failures, records, screen);
    host.print(&text);
}

/// Adds the deviations, a line each: faults, then repairs, then notes, which are one line unless `verbose`. Then the
/// values that could not be read.
fn add_deviations(
    text: &mut String,
    totals: &Totals,
    profile: &Profile,
    verbose: bool,
    screen: Screen,
) {
    let deviations = &totals.counted.counts.deviations;
    let of_class = |class: Class| {
        let all = Deviation::ALL.iter().copied();
        let met = all.filter(|&deviation| deviations[deviation as usize] > 0);
        met.filter(move |&deviation| profile.class(deviation) == class)
    };
    for (class, ink) in
        [(Class::Fault, Some(Ink::Red)), (Class::Repair, Some(Ink::Yellow)), (Class::Note, None)]
    {
        if class == Class::Note && !verbose {
            let number = of_class(class).map(|deviation| deviations[deviation as usize]).sum();
            if number > 0 {
                let notes = count(number, "note", "notes");
                let _ = writeln!(text, "{notes}: -v counts them, --notes FILE lists them");
            }
            continue;
        }
        let shown = ink.map_or(class.name().to_string(), |ink| screen.paint(ink, class.name()));
        for deviation in of_class(class) {
            let number = grouped(deviations[deviation as usize]);
            let _ = writeln!(text, "{number:>14} {:<28} {shown}", deviation.name());
        }
    }
    for (fault, number) in totals.counted.unreadable.iter() {
        let number = grouped(number);
        let _ = writeln!(text, "{number:>14} {:<28} {UNREADABLE}", fault.name());
    }
}

/// What was read.
fn place_of(totals: &Totals, split: Option<&ArchiveSplit>) -> String {
    match split {
        Some(split) => split.to_string(),
        None => count(totals.archives, "archive", "archives"),
    }
}

fn add_failures(text: &mut String, failures: &[Failure], records: RecordKind, screen: Screen) {
    for Failure { input, games, error } in failures {
        let (games, failed) = (count_of(records, *games), screen.paint(Ink::Red, "failed"));
        let _ = writeln!(text, "{failed} after {games}: {}: {error}", input.shown());
    }
}

/// What becomes of a value that cannot be read.
const UNREADABLE: &str = "null";
/// Before the name of an input that could not be read to its end.
const FAILED: &str = "failed";

/// A key and its value.
pub(crate) type Fact = (String, String);

/// The maximum number of rows of a summary.
const FACTS_MAX: usize = 1000;

/// Does a command copy games without validating them? It has counts of its own.
pub(crate) fn copies_games(command: &str) -> bool {
    matches!(command, "select" | "sort")
}

/// The rows of a run.
pub(crate) fn rows(command: &str, totals: &Totals, profile: &Profile) -> Vec<Fact> {
    let Counted { counts, unreadable, .. } = &totals.counted;
    let read = [("archives", totals.archives), ("stored_bytes", totals.stored_bytes)];
    let has_key = |(key, _): &(&str, u64)| match *key {
        "not_selected" => totals.selects,
        "selected" => copies_games(command),
        key => place_of_known(key).is_some(),
    };
    let numbers = read.into_iter().chain(totals.counted.facts().into_iter().filter(has_key));
    let met = Deviation::ALL.iter().map(|&deviation| {
        let key = format!("{}:{}", profile.class(deviation).name(), deviation.name());
        (key, counts.deviations[deviation as usize])
    });
    let numbers = numbers.map(|(key, number)| (key.to_string(), number));
    let unreadable =
        unreadable.iter().map(|(fault, number)| (format!("{UNREADABLE}:{}", fault.name()), number));
    let failures = totals.failures.iter().take(FAILURES_MAX);
    let failures = failures.map(|it| (format!("{FAILED}:{}", it.input), it.games));
    let met = met.filter(|(_, number)| *number > 0);
    let numbers = numbers.chain(met).chain(unreadable).chain(failures);
    let words = [
        ("schema_version", SCHEMA_VERSION.to_string()),
        ("program_version", env!("CARGO_PKG_VERSION").to_string()),
        ("command", command.to_string()),
    ];
    let words = words.into_iter().map(|(key, words)| (key.to_string(), words));
    words.chain(numbers.map(|(key, number)| (key, number.to_string()))).collect()
}

/// Writes the rows of `summary.csv`, ordered by key.
pub(crate) fn fill(table: &mut CsvSink, rows: Vec<Fact>) -> Result<()> {
    sorted(rows).iter().try_for_each(|(key, value)| table.row(&[key, value]))
}

/// The rows in the order of the table.
pub(crate) fn sorted(mut rows: Vec<Fact>) -> Vec<Fact> {
    rows.sort_by_cached_key(|(key, _)| order(key));
    rows
}

/// The table as text.
pub(crate) fn csv(rows: Vec<Fact>) -> Result<String> {
    let [key, value] = [SCHEMA.columns[0].name, SCHEMA.columns[1].name];
    let mut records = Records::of(&[key, value]);
    for (key, value) in sorted(rows) {
        records.add([key.into(), value.into()]);
    }
    records.csv()
}

/// The rows as one JSON object on one line, counts as numbers, with what they do not contain: failures, remarks.
pub(crate) fn json(rows: Vec<Fact>, totals: &Totals, is_clean: bool) -> String {
    let (mut keys, mut values) = (Vec::<String>::new(), Vec::<Value>::new());
    let mut deviations = Vec::new();
    let mut unreadable = Vec::new();
    for (key, value) in sorted(rows) {
        let number = || value.parse::<u64>().map_or(Value::Null, Value::from);
        match key.split_once(':') {
            _ if is_words(&key) => {
                keys.push(key);
                values.push(value.into());
            }
            None => {
                values.push(number());
                keys.push(key);
            }
            Some(("null", name)) => {
                unreadable.push(object(&["name", "count"], &[name.into(), number()]))
            }
            Some(("failed", _)) => {}
            Some((class, name)) => {
                let values = [name.into(), class.into(), number()];
                deviations.push(object(&["name", "class", "count"], &values));
            }
        }
    }
    let failures = totals.failures.iter().map(|failure| {
        let values =
            [failure.input.as_str().into(), failure.games.into(), failure.error.as_str().into()];
        object(&["input", "games", "error"], &values)
    });
    let remarks = totals.remarks.iter().map(|(archive, remark)| {
        let values = [archive.as_str().into(), remark.to_string().into(), remark.is_fault().into()];
        object(&["archive", "remark", "is_fault"], &values)
    });
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let begin = object(&keys, &values);
    let begin = begin.trim_end_matches('}');
    format!(
        "{begin},\"is_clean\":{is_clean},\"deviations\":[{}],\"unreadable\":[{}],\"failures\":[{}],\"remarks\":[{}]}}\n",
        deviations.join(","),
        unreadable.join(","),
        failures.collect::<Vec<_>>().join(","),
        remarks.collect::<Vec<_>>().join(","),
    )
}

/// The file of `--summary`, before its rows: JSON if its name ends in .json.
#[derive(Debug)]
pub(crate) enum SummaryFile {
    Csv(Box<CsvSink>),
    Json(Box<Sink>),
}

impl SummaryFile {
    /// Creates the file, before the run: a name that cannot be written ends it at once.
    pub(crate) fn create(path: &Path, overwrite: bool) -> Result<SummaryFile> {
        let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        Ok(match is_json {
            true => SummaryFile::Json(Box::new(Sink::create(path, overwrite)?)),
            false => {
                SummaryFile::Csv(Box::new(CsvSink::create(path, overwrite, &SCHEMA.header())?))
            }
        })
    }

    /// The file with these rows; to be published.
    pub(crate) fn fill(self, rows: Vec<Fact>, totals: &Totals, is_clean: bool) -> Result<Sink> {
        match self {
            SummaryFile::Csv(mut table) => {
                fill(&mut table, rows)?;
                table.into_sink()
            }
            SummaryFile::Json(mut file) => {
                file.add(json(rows, totals, is_clean).as_bytes())?;
                Ok(*file)
            }
        }
    }
}

/// Writes `summary.csv`.
pub(crate) fn write(files: &mut FileSet, rows: Vec<Fact>) -> Result<()> {
    let mut table = CsvSink::begin(files.open(SCHEMA.file)?, &SCHEMA.header())?;
    fill(&mut table, rows)?;
    files.add(table.into_sink()?)
}

/// Reads `summary.csv`.
pub(crate) fn read(path: &Path) -> Result<Vec<Fact>> {
    let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
    let refuse = |why: String| Error::usage(format!("{}: {why}", path.shown()));
    let broken = |error: TableError| refuse(error.to_string());
    let mut rows = Vec::new();
    let mut read = Rows::new(file).map_err(broken)?;
    while let Some(record) = read.next_row().map_err(broken)? {
        // There are far fewer keys.
        if rows.len() > FACTS_MAX {
            return Err(refuse(format!("it has more than {FACTS_MAX} rows")));
        }
        let (Some(key), Some(value)) = (record.get(0), record.get(1)) else {
            return Err(refuse("a row has two fields, a key and its value".to_string()));
        };
        if !is_words(key) && value.parse::<u64>().is_err() {
            return Err(refuse(format!("{key}: {value:?} is no count")));
        }
        rows.push((key.to_string(), value.to_string()));
    }
    Ok(rows)
}

/// The facts of several runs: counts are added, texts that differ are listed, the date is the latest.
pub(crate) fn merged(runs: &[Vec<Fact>]) -> Vec<Fact> {
    let mut all: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (key, value) in runs.iter().flatten() {
        all.entry(key).or_default().push(value);
    }
    let merge = |(key, values): (&str, Vec<&str>)| {
        let value = match is_words(key) {
            true => {
                let words = values.iter().flat_map(|value| separated(value));
                let words: BTreeSet<&str> = words.collect();
                let latest = words.last().copied().unwrap_or_default().to_string();
                let listed = words.into_iter().collect::<Vec<_>>().join(AND);
                if key == MEASURED_ON.name { latest } else { listed }
            }
            false => {
                // `read` has checked that they are numbers.
                let numbers = values.iter().filter_map(|value| value.parse::<u128>().ok());
                numbers.sum::<u128>().to_string()
            }
        };
        (key.to_string(), value)
    };
    all.into_iter().map(merge).collect()
}

/// The sort key of a key: known ones, others, deviations.
fn order(key: &str) -> (usize, String) {
    let known = place_of_known(key);
    let name = key.split_once(':').and_then(|(_, name)| Deviation::from_name(name));
    let deviation = name.map(|deviation| KEYS.len() + 1 + deviation as usize);
    let order = known.or(deviation).unwrap_or(KEYS.len());
    (order, key.to_string())
}
