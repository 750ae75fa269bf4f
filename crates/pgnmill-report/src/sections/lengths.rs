//! How long single moves are: a histogram for each of the main notations.

use std::collections::BTreeMap;

use pgnmill_core::tables;
use pgnmill_core::tables::notations::names;

use super::super::draw::Columns;
use super::super::ink::Ink;
use super::super::number::{decimal, grouped, ratio};
use super::super::page::{Cell, Chart, Figure, Grid, Layout, Section};
use super::super::prose::code;
use super::super::study::Study;

const TITLE: &str = "How long single moves are";
/// Those that have a histogram.
const SHOWN: [&str; 9] = [
    names::LONG,
    names::UCI,
    names::SAN,
    names::LETTERS,
    names::SQUARES,
    names::PRIORITY,
    names::CHESS99,
    "geographical",
    "descriptive",
];

/// Plies by length.
type Histogram = BTreeMap<u64, u64>;

/// The section.
pub(super) fn section(study: &Study) -> Section {
    let Some(lengths) = &study.lengths else {
        return Section::missing(TITLE, tables::lengths::SCHEMA.file, "");
    };
    let shown: Vec<(&str, &Histogram)> =
        SHOWN.iter().filter_map(|&name| lengths.get(name).map(|lengths| (name, lengths))).collect();
    // One scale for all, so that they can be compared; what is rarer than a pixel is in the table.
    let seen = |histogram: &Histogram| {
        histogram
            .keys()
            .copied()
            .filter(|&length| share(histogram, length) >= 0.05)
            .collect::<Vec<_>>()
    };
    let all: Vec<u64> = shown.iter().flat_map(|(_, histogram)| seen(histogram)).collect();
    let (Some(&shortest), Some(&longest)) = (all.iter().min(), all.iter().max()) else {
        return Section::new(TITLE, "No move was measured.");
    };
    let most = shown
        .iter()
        .flat_map(|(_, histogram)| histogram.keys().map(|&length| share(histogram, length)))
        .fold(0.0, f64::max);
    let chart = |(name, histogram): &(&str, &Histogram)| {
        let column = |length: u64| {
            let plies = histogram.get(&length).copied().unwrap_or(0);
            let part = share(histogram, length);
            (
                length,
                part,
                format!(
                    "{name}, {length} characters: {} plies, {} %",
                    grouped(plies),
                    decimal(part, 2)
                ),
            )
        };
        let columns = Columns {
            hover: format!("Shares of the lengths of moves in {name}, in per cent"),
            ink: Ink::of(name),
            columns: (shortest..=longest).map(column).collect(),
            lengths: (shortest, longest),
            most: (most / 20.0).ceil() * 20.0,
        };
        let caption = code(name);
        let (wide, narrow) = (columns.draw((225, 150)), columns.draw((175, 130)));
        Chart { caption, wide, narrow }
    };
    let mut section =
        Section::new(TITLE, "How many characters the text of one move has, check suffix included.");
    let title = "Share of the plies by the length of their text in characters, in per cent";
    let charts = shown.iter().map(chart).collect();
    section.figure(Figure {
        note: "All charts have one scale; lengths that fewer than 1 in 2,000 plies have in every \
               notation shown are in the table only."
            .to_string(),
        ..Figure::new("lengths", title.to_string(), Layout::Small, charts)
    });
    section.grid(grid(&shown));
    section
}

/// The share of a length in per cent.
fn share(histogram: &Histogram, length: u64) -> f64 {
    let all = histogram.values().sum::<u64>();
    100.0 * ratio(histogram.get(&length).copied().unwrap_or(0), all)
}

fn grid(shown: &[(&str, &Histogram)]) -> Grid {
    let rows = shown.iter().flat_map(|(name, histogram)| {
        histogram.iter().map(|(&length, &plies)| {
            vec![
                Cell::Name(name.to_string()),
                Cell::Count(length),
                Cell::Count(plies),
                Cell::Ratio(share(histogram, length), 2),
            ]
        })
    });
    Grid {
        caption: "Plies by length".to_string(),
        is_open: false,
        source: tables::lengths::SCHEMA.file.to_string(),
        note: String::new(),
        head: ["notation", "characters", "plies", "per cent of plies"].map(String::from).to_vec(),
        rows: rows.collect(),
    }
}
