//! What is in the archives: results, players, years, ratings, openings, clocks.
//!
//! One figure for each section of `stats` whose games are divided by it, and a table with more of its rows.

use std::collections::BTreeMap;

use pgnmill_core::tables;
use pgnmill_core::tasks::stats::{SECTIONS, Section as Counted, UNKNOWN};

use super::super::draw::{Bar, Bars};
use super::super::holdings::{Held, Holdings};
use super::super::ink::Ink;
use super::super::number::{decimal, grouped, ratio};
use super::super::page::{Cell, Chart, Figure, Grid, Page, Section, TABLES_ON_PAPER};

const TITLE: &str = "What is in the archives";
/// Bars of a figure.
const BARS_MAX: usize = 20;
/// Rows of a table.
const ROWS_MAX: usize = 100;
/// Characters of a name in a figure.
const NAME_MAX: usize = 28;
/// The sections that have a figure: the games are divided by them.
const DRAWN: [&str; 8] =
    ["result", "player", "year", "rating", "speed", "opening", "length", "has"];

/// The page of archives without a measurement.
pub(in super::super) fn page_of_archives(holdings: &Holdings) -> Page {
    let [accepted, repaired, rejected] =
        ["accepted", "repaired", "rejected"].map(|verdict| holdings.games(verdict));
    let all = accepted.saturating_add(repaired).saturating_add(rejected);
    let lead = format!(
        "{} games: {} accepted, {} repaired, {} rejected. Every move was checked; rejected games are counted for their \
         deviations alone.",
        grouped(all),
        grouped(accepted),
        grouped(repaired),
        grouped(rejected)
    );
    let page = Page {
        title: TITLE.to_string(),
        lead: vec![lead],
        measured: format!("{} games", grouped(all)),
        on_paper: TABLES_ON_PAPER,
        sections: vec![section_of("What was counted", holdings)],
    };
    page.with_different_names()
}

/// The section.
pub(super) fn section(holdings: &Holdings) -> Section {
    section_of(TITLE, holdings)
}

fn section_of(title: &str, holdings: &Holdings) -> Section {
    let mut section = Section::new(
        title,
        "Shares are those of the games that are not rejected. A game counts for both of its players.",
    );
    let games = holdings.games("accepted").saturating_add(holdings.games("repaired"));
    for (counted, held) in SECTIONS.iter().zip(&holdings.sections) {
        if held.rows.is_empty() || held.rows.iter().all(|(value, _)| value == UNKNOWN) {
            continue;
        }
        if DRAWN.contains(&counted.name) {
            section.figure(figure(counted, held, games));
        }
        section.grid(grid(counted, held, games));
    }
    section
}

/// What is drawn of a section: all rows if they are few; of years decades; of others those with the most games,
/// openings by the part of the name before a colon.
fn drawn(name: &str, held: &Held) -> (Vec<(String, u64)>, &'static str) {
    let mut rows = held.rows.clone();
    if name == "opening" {
        rows = sums(&rows, |value| value.split(':').next().unwrap_or_default().to_string());
    }
    if name == "year" && rows.len() > BARS_MAX {
        let decade = |value: &str| match value.char_indices().nth(3) {
            Some((at, _)) if value != UNKNOWN => format!("{}0s", &value[..at]),
            _ => value.to_string(),
        };
        return (sums(&rows, decade), "by decade");
    }
    let is_ordered = matches!(name, "rating" | "length" | "has" | "result" | "speed");
    if rows.len() <= BARS_MAX && is_ordered || matches!(name, "rating" | "length") {
        return (rows, "");
    }
    rows.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let words = if rows.len() > BARS_MAX { "those with the most games" } else { "" };
    rows.truncate(BARS_MAX);
    (rows, words)
}

/// The rows of equal names, added.
fn sums(rows: &[(String, u64)], name: impl Fn(&str) -> String) -> Vec<(String, u64)> {
    let mut sums = BTreeMap::<String, u64>::new();
    for (value, games) in rows {
        let sum = sums.entry(name(value)).or_default();
        *sum = sum.saturating_add(*games);
    }
    sums.into_iter().collect()
}

fn figure(counted: &Counted, held: &Held, games: u64) -> Figure {
    let (rows, words) = drawn(counted.name, held);
    let bar = |(value, number): &(String, u64)| {
        let share = format!("{} %", decimal(100.0 * ratio(*number, games), 1));
        let name: String = value.chars().take(NAME_MAX).collect();
        let is_cut = name.len() < value.len();
        Bar {
            name: if is_cut { name + "…" } else { name },
            parts: vec![(ratio(*number, games), Ink::Series(0))],
            hover: format!("{value}: {} games, {share}", grouped(*number)),
            number: share,
        }
    };
    let bars = Bars {
        hover: format!("Share of the games by {}", counted.name),
        bars: rows.iter().map(bar).collect(),
    };
    let words = if words.is_empty() { String::new() } else { format!(", {words}") };
    let chart = Chart {
        caption: format!("Games by {}{words}", counted.name),
        wide: bars.draw(760),
        narrow: bars.draw(350),
    };
    Figure::single(&format!("archives {}", counted.name), chart)
}

fn grid(counted: &Counted, held: &Held, games: u64) -> Grid {
    let row = |(value, number): &(String, u64)| {
        let share = 100.0 * ratio(*number, games);
        let value = if value.is_empty() { "others" } else { value };
        vec![Cell::Text(value.to_string()), Cell::Count(*number), Cell::Ratio(share, 2)]
    };
    let shown = held.rows.len().min(ROWS_MAX);
    let caption = match held.values_count {
        count if count > shown as u64 => {
            format!("{}: the first {shown} of {} values", counted.name, grouped(count))
        }
        _ => counted.name.to_string(),
    };
    let of_games = if counted.name == "deviation" { "occurrences" } else { "games" };
    let share = if counted.name == "deviation" { "per 100 games" } else { "per cent" };
    Grid {
        caption,
        is_open: false,
        source: tables::stats::SCHEMA.file.to_string(),
        note: String::new(),
        head: [counted.name, of_games, share].map(String::from).to_vec(),
        rows: held.rows.iter().take(ROWS_MAX).map(row).collect(),
    }
}
