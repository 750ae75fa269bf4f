//! A table of positions as the contents of a page.
//!
//! In: the path of a table, the position, how many plies. Out: what [`pgnmill_report`] makes a page of. Invariants:
//! numbers are those that `explore` shows; the moves are as many as a page has room for; what a file states of itself
//! is shown and not believed. Cost: that of [`Explore`], and the number of rows, for which CSV and JSON lines are read
//! once more.

use std::io;
use std::path::Path;

use pgnmill_columns::{METADATA_PREFIX, PositionRow, PositionTable, SumsTable};
use pgnmill_core::chess::rules::{AnyPosition, RulesKind};
use pgnmill_core::openings::{Opening, Openings};
use pgnmill_core::tasks::positions::record_of;
use pgnmill_io::error::{Error, ErrorKind, Result, Shown as _};
use pgnmill_report::{Branch, Explorer, MOVES_MAX, PLIES_MAX, Played};

use crate::args::names::{find_notation, find_rules};
use crate::args::values::Share;
use crate::commands::positions::sums::SumsFact;
use crate::explore::{Explore, Explored, after_move, games_of, numbered, sample_command};
use crate::host::Host;

use super::Report;
use super::source::{is_book, no_table};

/// The plies of the tree, where none are given.
const PLIES: u32 = 4;
/// The least share of the games of a move of the tree, in percent, where none is given.
const SHARE_MIN: f64 = 1.0;
/// Archives that are named, at most.
const ARCHIVES_MAX: usize = 10;

/// Looks up what the page shows.
///
/// # Errors
/// A position that cannot be read; a file that is no table of positions, or a damaged one.
pub(super) fn explorer(args: &Report, host: &dyn Host) -> Result<Explorer> {
    let rules = find_rules(args.rules.as_deref().unwrap_or(RulesKind::NAMES[0]))?;
    let from = match args.from.as_deref() {
        None | Some("auto") => None,
        Some(name) => Some(find_notation(name)?),
    };
    let table = PositionTable::open(&args.tables).map_err(|error| match error.kind() {
        ErrorKind::Io { source, .. } if source.kind() == io::ErrorKind::InvalidData => {
            no_table(&error)
        }
        _ => error,
    })?;
    if table.is_book() {
        return Err(is_book(&args.tables));
    }
    let plies = args.depth.map_or(Ok(PLIES), plies_of)?;
    let share_min = args.share.map_or(SHARE_MIN, |share| share.0);
    if !(0.0..=100.0).contains(&share_min) {
        return Err(Error::usage(format!("--share takes {}; not {share_min}", Share::EXPECTED)));
    }
    let question = Explore {
        from,
        rules,
        depth: Some(plies),
        share: Some(share_min),
        ..Explore::new(&args.tables, args.position.clone().unwrap_or_default())
    };
    let explored = question.answer(host.stop())?;
    let position = &explored.requested.position;
    let rows = &explored.tree.rows;
    Ok(Explorer {
        table: args.tables.shown().to_string(),
        rows_count: table.rows_count()?,
        facts: facts(&table, &args.tables),
        name: match rules {
            RulesKind::Chess => explored.name(),
            rules => format!("{}, {}", explored.name(), rules.title()),
        },
        record: record_of(position),
        total: played(&explored.total()),
        moves: rows.iter().take(MOVES_MAX).map(|row| branch(position, row)).collect(),
        moves_count: rows.len() as u64,
        tree: tree(&explored),
        plies,
        share_min,
        is_cut: explored.tree.is_cut,
    })
}

/// The plies of a tree, of a request that no command line has read.
fn plies_of(depth: usize) -> Result<u32> {
    let plies = u32::try_from(depth).ok().filter(|plies| (1..=PLIES_MAX).contains(plies));
    plies.ok_or_else(|| {
        Error::usage(format!("--depth takes a number of plies, 1 to {PLIES_MAX}; not {depth}"))
    })
}

/// What a table states of itself.
fn facts(table: &PositionTable, path: &Path) -> Vec<(String, String)> {
    let fact = |name: &str, key: &str| {
        let value = table.fact(&format!("{METADATA_PREFIX}{key}"))?;
        Some((name.to_string(), value.to_string()))
    };
    let mut facts: Vec<(String, String)> = [
        fact("written by pgnmill", "program_version"),
        fact("options", "command"),
        fact("ruleset", "rules"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let sums = SumsTable::open(path).and_then(|table| SumsFact::of(&table));
    if let Ok(sums) = sums {
        let mut archives: Vec<String> = sums.archives.iter().take(ARCHIVES_MAX).cloned().collect();
        let more = sums.archives.len().saturating_sub(ARCHIVES_MAX);
        archives.extend((more > 0).then(|| format!("and {more} more")));
        facts.push(("sums of".to_string(), archives.join(", ")));
        let splits = sums.splits.len();
        facts.extend((splits > 0).then(|| ("splits".to_string(), splits.to_string())));
    }
    facts
}

fn played(row: &PositionRow) -> Played {
    let results = row.white.zip(row.draws).zip(row.black);
    Played {
        games: games_of(row),
        results: results.map(|((white, draws), black)| [white, draws, black]),
        rating: row.rating_mean,
        year: row.last_date.as_deref().and_then(|date| date.get(..4)).map(str::to_string),
    }
}

/// The opening of a position.
fn opening_of(position: &AnyPosition) -> Option<&'static Opening> {
    let position = position.chess().filter(|position| !position.is_chess960())?;
    Openings::standard().find(position)
}

/// A move without those after it.
fn branch(before: &AnyPosition, row: &PositionRow) -> Branch {
    let text = if row.san.is_empty() { &row.uci } else { &row.san };
    let after = after_move(before, &row.uci);
    let opening = after.as_ref().and_then(opening_of);
    Branch {
        name: numbered(before, text),
        opening: opening.map(|opening| format!("{} ({})", opening.name, opening.eco)),
        record: after.as_ref().map(record_of),
        played: played(row),
        sample: sample_command(row, before.rules()),
        next: Vec::new(),
    }
}

/// The moves in lists of lists.
fn tree(explored: &Explored) -> Vec<Branch> {
    let mut first = Vec::new();
    // A move, the last one after it, the last one after that, and so on.
    let mut line: Vec<Branch> = Vec::new();
    let mut close = |line: &mut Vec<Branch>, depth: usize| {
        while line.len() > depth {
            let Some(done) = line.pop() else { break };
            line.last_mut().map_or(&mut first, |before| &mut before.next).push(done);
        }
    };
    explored.tree.visit(|it, before| {
        close(&mut line, before.len());
        line.push(branch(&it.before, &it.row));
    });
    close(&mut line, 0);
    first
}
