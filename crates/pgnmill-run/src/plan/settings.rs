//! The settings of the engine that arguments request.
//!
//! In: capabilities, a purpose. Out: [`Settings`], with the selection. Invariant: a name that names nothing is refused
//! with the names that may be meant. Cost: that of an expression.

use std::sync::Arc;

use pgnmill_core::engine::{Rejects, Settings, THREADS_MAX};
use pgnmill_core::notation;
use pgnmill_core::select::{SelectError, Selection};
use pgnmill_io::archive::{FRAME_TEXT_BYTES_MAX, Options};
use pgnmill_io::error::{Error, Result};
use pgnmill_simd::Level;

use crate::args::capabilities::Capabilities;
use crate::args::messages::ListFormat;
use crate::args::names::{find_notation, find_rules, profile};
use crate::args::reading::Reading;
use crate::args::selecting::{Expression, positions_of_file};
use crate::host::Host;

use super::purpose::{Purpose, Selects};

/// With a table of notes, frames that decode to more than this are read in order.
const NOTED_TEXT_BYTES_MAX: u64 = 16 << 20;

/// The settings of a run. `is_split`: its faults have lines and games that a person cannot look up.
pub(super) fn settings(
    of: Capabilities<'_>,
    purpose: &Purpose,
    condition: Option<&Expression>,
    is_split: bool,
    host: &dyn Host,
) -> Result<Settings> {
    let Reading { from, rules, strict, allow, deny, machine, .. } = of.reading;
    let rejects = match () {
        () if of.files.rejects.is_some() => Rejects::Apart,
        () if purpose.keep_rejects => Rejects::Kept,
        () => Rejects::Dropped,
    };
    let from = match from.as_str() {
        "auto" => None,
        name if of.reads_game_lines() => match notation::find_of_games(name) {
            Some(notation) => Some(notation),
            None => Some(find_notation(name)?),
        },
        name => Some(find_notation(name)?),
    };
    let all = || std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    let prints = !of.messages.quiet && of.format == ListFormat::Text && !is_split;
    let shown = purpose.faults_shown.filter(|_| prints && of.files.faults.is_none());
    let level = level(machine)?;
    Ok(Settings {
        rejects,
        faults: of.files.faults.is_some() || shown.is_some(),
        faults_max: shown.map_or(u64::MAX, |most| most as u64),
        notes: of.files.notes.is_some(),
        profile: profile(*strict, allow, deny)?,
        from,
        rules: find_rules(rules)?,
        options: options(of, purpose, level, host),
        threads: if of.reading.threads == 0 { all() } else { of.reading.threads },
        level,
        selection: selection(of, &purpose.selects, condition)?.map(Arc::new),
    })
}

/// How archives are divided into jobs and blocks.
fn options(of: Capabilities<'_>, purpose: &Purpose, level: Level, host: &dyn Host) -> Options {
    let Reading { block_bytes, range_bytes, skip_damaged, .. } = *of.reading;
    let options = Options::default();
    // The notes and repairs of a job can be several times as long as its text, and stay in memory until their turn.
    let most = if of.files.notes.is_some() { NOTED_TEXT_BYTES_MAX } else { FRAME_TEXT_BYTES_MAX };
    Options {
        block_bytes,
        range_bytes: range_bytes.unwrap_or(purpose.range_bytes),
        skip_damaged,
        frame_stored_bytes_max: purpose.frame_stored_bytes_max.min(options.frame_stored_bytes_max),
        frame_text_bytes_max: purpose.frame_text_bytes_max.min(most),
        level,
        map: host.maps_files(),
        ..options
    }
}

/// How an expression becomes one word.
const UNQUOTED: &str = "\n    the shell has cut the expression at its blanks: write it in single quotes, --where 'White == \"Tal, Mihail\"'";

/// Are the words after the expression its rest, as a shell divides an expression without quotes?
fn is_cut(reading: &Reading, condition: &Expression) -> bool {
    const OPERATORS: [&str; 16] = [
        "==", "=", "!=", "<>", "<=", ">=", "=~", "!~", "and", "or", "in", "is", "like", "ilike",
        "not", "between",
    ];
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let has_operator = reading.inputs.iter().any(|input| {
        input.to_str().is_some_and(|word| OPERATORS.contains(&word)) && !input.exists()
    });
    // `>` and what follows it is not for the program: a shell writes a file.
    let is_one_name = |text: &str| !text.is_empty() && is_name(text);
    has_operator
        || is_one_name(condition.text().trim())
            && reading.inputs.iter().any(|input| !input.exists())
}

/// The selection of `--where`, and of what the command adds to it.
fn selection(
    of: Capabilities<'_>,
    selects: &Selects,
    condition: Option<&Expression>,
) -> Result<Option<Selection>> {
    let refuse = |error: SelectError| {
        let is_cut = condition.is_some_and(|it| is_cut(of.reading, it));
        let quotes = if is_cut { UNQUOTED } else { "" };
        Error::usage(format!("--where: {error}{quotes}"))
    };
    let parse = |it: &Expression| Selection::parse_with(it.text(), positions_of_file);
    let given = condition.map(|it| parse(it).map_err(refuse)).transpose()?;
    let each = |given: Option<Selection>| given.unwrap_or_else(Selection::all);
    Ok(match selects {
        Selects::AsGiven => given,
        Selects::Each => Some(each(given)),
        Selects::Keys(option, key) => {
            Some(each(given).with_keys(key.text()).map_err(|error| failed(option, &error))?)
        }
        Selects::Order(option, by) => {
            Some(each(given).with_order(by).map_err(|error| failed(option, &error))?)
        }
    })
}

/// The error of an expression of another option.
fn failed(option: &str, error: &SelectError) -> Error {
    Error::usage(format!("{option}: {error}"))
}

/// The instruction set; each one that the processor supports can be requested, so that all can be compared.
fn level(name: &str) -> Result<Level> {
    let best = (name == "best").then(Level::best);
    best.or_else(|| Level::find(name)).ok_or_else(|| {
        let names: Vec<&str> = Level::all().map(Level::name).collect();
        let names = names.join(", ");
        Error::usage(format!(
            "--machine takes best, or what this processor has: {names}; not {name}"
        ))
    })
}
