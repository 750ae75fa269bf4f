//! The result: a bar and a row for each notation.

use pgnmill_core::tables;
use pgnmill_core::tables::notations::is_localized;
use pgnmill_core::tables::notations::names;

use super::super::draw::{Bar, Bars};
use super::super::ink::Ink;
use super::super::number::{decimal, grouped, ratio, signed};
use super::super::page::{Cell, Chart, Figure, Grid, Section};
use super::super::prose::code;
use super::super::study::Study;
use super::super::sums::Sum;
use super::archives;

/// The change against another notation, in per cent.
fn against(sum: &Sum, than: Option<&Sum>) -> f64 {
    than.map_or(f64::NAN, |than| sum.change_percent(than))
}

fn grid(study: &Study, caption: &str, rows: &[&(String, Sum)], is_open: bool) -> Grid {
    let (san, letters) = (study.total(names::SAN), study.total(names::LETTERS));
    // What is compared comes first: on a narrow page the rest is beyond the edge.
    let head = [
        "notation",
        "characters a ply",
        "against `san`",
        "against `economical-letters`",
        "bytes a ply",
        "characters",
        "bytes",
        "games",
        "plies",
    ];
    let row = |(name, sum): &&(String, Sum)| {
        vec![
            Cell::Name(name.clone()),
            Cell::Ratio(sum.per_ply(), 3),
            Cell::Change(against(sum, san), 1),
            Cell::Change(against(sum, letters), 1),
            Cell::Ratio(ratio(sum.bytes, sum.plies), 3),
            Cell::Count(sum.characters),
            Cell::Count(sum.bytes),
            Cell::Count(sum.games),
            Cell::Count(sum.plies),
        ]
    };
    Grid {
        caption: caption.to_string(),
        is_open,
        source: tables::notations::SCHEMA.file.to_string(),
        note: String::new(),
        head: head.map(String::from).to_vec(),
        rows: rows.iter().map(row).collect(),
    }
}

/// The result in a sentence: the shortest notation that was measured, against SAN.
pub(super) fn sentence(study: &Study) -> Option<String> {
    let san = study.total(names::SAN)?;
    let written = study.notations.iter().filter(|(name, sum)| sum.plies > 0 && !is_localized(name));
    let (name, least) = written.min_by(|a, b| a.1.per_ply().total_cmp(&b.1.per_ply()))?;
    let change = against(least, Some(san));
    let whole = whole_change(study, name).map_or_else(String::new, |change| {
        format!(" With spaces, move numbers and results it is {} %.", decimal(-change, 1))
    });
    (change < 0.0).then(|| {
        format!(
            "The shortest notation is {}: {} characters a ply, {} % fewer than SAN ({}){}.{whole}",
            code(name),
            decimal(least.per_ply(), 3),
            decimal(-change, 1),
            decimal(san.per_ply(), 3),
            interval(study, name, change).unwrap_or_default()
        )
    })
}

/// The interval of 95 % of a change against SAN, in words: the widest of those by game, event and player.
fn interval(study: &Study, name: &str, change: f64) -> Option<String> {
    let spread = study.spread.as_ref()?;
    let half = spread.half_95(name, |errors| errors.changes[0])?;
    let ends = [-change - half, -change + half].map(|end| decimal(end, 2));
    Some(format!(", with an interval of 95 % from {} to {} %", ends[0], ends[1]))
}

/// The change of whole movetext against SAN, in per cent.
fn whole_change(study: &Study, name: &str) -> Option<f64> {
    let parts = study.movetext.as_ref()?;
    let characters = |name: &str| {
        let own = parts.iter().filter(|fact| fact.names[0] == name);
        own.fold(0, |sum: u64, fact| sum.saturating_add(fact.counts[0]))
    };
    let (own, san) = (characters(name), characters(names::SAN));
    (own > 0 && san > 0).then(|| 100.0 * (ratio(own, san) - 1.0))
}

/// The section.
pub(super) fn section(study: &Study) -> Section {
    let mut rows: Vec<&(String, Sum)> =
        study.notations.iter().filter(|(_, sum)| sum.plies > 0).collect();
    if rows.is_empty() {
        return Section::new("What a move costs", "No game was measured.");
    }
    // The longest first; of equals, as in the registry.
    rows.sort_by(|a, b| b.1.per_ply().total_cmp(&a.1.per_ply()));
    let (languages, written): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|(name, _)| is_localized(name));
    let bar = |(name, sum): &&(String, Sum)| {
        let number = decimal(sum.per_ply(), 3);
        let more = signed(against(sum, study.total(names::SAN)), 1);
        let hover = format!(
            "{name}: {number} characters a ply, {} in all{}",
            grouped(sum.characters),
            if more.is_empty() || name == names::SAN {
                String::new()
            } else {
                format!("; {more} % against SAN")
            }
        );
        Bar { name: name.clone(), parts: vec![(sum.per_ply(), Ink::of(name))], number, hover }
    };
    let bars = Bars {
        hover: "Characters a ply of each notation, the longest first".to_string(),
        bars: written.iter().map(bar).collect(),
    };
    let extremes = written.first().zip(written.last());
    let text = match extremes {
        Some(((longest, most), (shortest, least))) => format!(
            "From {} characters a ply in {} to {} in {}.",
            decimal(most.per_ply(), 3),
            code(longest),
            decimal(least.per_ply(), 3),
            code(shortest)
        ),
        None => "Languages only.".to_string(),
    };
    let mut section = Section::new("What a move costs", text);
    archives::without_largest(study).into_iter().for_each(|text| section.text(text));
    section
        .aside("Every figure of this page has its table below it, and shows its values on hover.");
    let chart = Chart {
        caption: "Characters a ply, by notation".to_string(),
        wide: bars.draw(760),
        narrow: bars.draw(350),
    };
    let note = "In colour: the notations that the other figures compare.".to_string();
    section.figure(Figure { note, ..Figure::single("notations", chart) });
    section.grid(grid(study, "Every notation but SAN in other languages", &written, true));
    if !languages.is_empty() {
        section.grid(grid(study, "SAN in the letters of other languages", &languages, false));
    }
    section
}
