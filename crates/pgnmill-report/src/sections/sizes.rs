//! What movetext holds besides moves, how often SAN needs more than piece and square, and what less would have done.

use pgnmill_core::notation::TCN;
use pgnmill_core::tables;
use pgnmill_core::tables::notations::{is_localized, names};

use super::super::draw::{Bar, Bars};
use super::super::ink::Ink;
use super::super::number::{decimal, ratio};
use super::super::page::{Cell, Chart, Figure, Grid, Key, Section, absent};
use super::super::prose::{code, literal};
use super::super::study::{Fact, Study};

/// The parts of movetext, with their inks.
const PARTS: [(&str, Ink); 4] = [
    ("moves", Ink::Series(0)),
    ("separators", Ink::Series(1)),
    ("numbers", Ink::Series(2)),
    ("results", Ink::Series(3)),
];
/// How long the line is for which plies are given.
const LINE_CHARACTERS: u64 = 80;

/// What the rows of `facts.csv` count.
fn meaning(fact: &str) -> String {
    let words = match fact {
        "piece-and-square-enough" => "plies for which piece type and target square are enough",
        "piece-and-square-enough-for-pieces" => {
            "the same, of moves of pieces alone (no pawns, no castling)"
        }
        "square-enough" => "plies for which the target square alone is enough, among legal moves",
        "square-enough-by-steps" => "the same among all movements of the pieces, legal or not",
        "pawn-capture-square-enough" => "captures by pawns for which the target square is enough",
        "pawn-capture-files-enough" => "captures by pawns for which the two files are enough",
        "legality-shortens-squares" => "plies that legality makes shorter in `economical-squares`",
        "legality-saves-squares" => "characters that legality saves in `economical-squares`",
        "legality-shortens-priority" => {
            "plies that legality makes shorter in `economical-priority`"
        }
        "legality-saves-priority" => "characters that legality saves in `economical-priority`",
        other => return literal(other),
    };
    words.to_string()
}

fn strings<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(String::from).to_vec()
}

/// The section.
pub(super) fn section(study: &Study, has_claims: bool) -> Section {
    let mut section = Section::new(
        "Where the characters go",
        "Whole movetext in export format: moves, the spaces between them, move numbers, results.",
    );
    match &study.movetext {
        Some(parts) => movetext(study, parts, &mut section),
        None => section.text(absent(tables::movetext::SCHEMA.file, "")),
    }
    match &study.disambiguation {
        Some(said) => {
            section.text("What SAN contains of the origin, by piece type.");
            section.grid(disambiguation(said));
        }
        None => section.text(absent(tables::disambiguation::SCHEMA.file, "")),
    }
    match &study.facts {
        Some(facts) => {
            let beside = match has_claims {
                true => {
                    " Those that a source claims are in “What the sources claim, and what was counted”, too: that table has \
                     the claims, of other kinds as well, this one all counts of this kind, with what legality saves."
                }
                false => "",
            };
            section.text(format!("How often less would have been enough.{beside}"));
            section.grid(enough(facts));
        }
        None => section.text(absent(tables::facts::SCHEMA.file, "")),
    }
    section
}

fn movetext(study: &Study, parts: &[Fact], section: &mut Section) {
    if parts.iter().any(|fact| fact.names[0] == TCN.info().name) {
        section.text(format!(
            "{} is the code of a whole game, a line of two characters a move without numbers, spaces and result; no \
             other table has it.",
            code(TCN.info().name)
        ));
    }
    let of = |notation: &str, part: &str| {
        let found = parts.iter().find(|fact| fact.names[0] == notation && fact.names[1] == part);
        found.map(|fact| fact.counts[0])
    };
    let shown = study.notations.iter().filter(|(name, sum)| sum.plies > 0 && !is_localized(name));
    let shown = shown.map(|(name, sum)| (name.as_str(), sum.plies));
    // The code of a game, which is none of the notations of movetext.
    let of_game = study.total(names::SAN).filter(|sum| sum.plies > 0);
    let of_game = of_game.map(|sum| (TCN.info().name, sum.plies));
    let mut shown: Vec<(&str, u64, u64)> = shown
        .chain(of_game)
        .filter_map(|(name, plies)| of(name, "total").map(|total| (name, total, plies)))
        .collect();
    shown.sort_by(|a, b| ratio(b.1, b.2).total_cmp(&ratio(a.1, a.2)));
    let bar = |(name, total, plies): &(&str, u64, u64)| {
        let each = PARTS.map(|(part, ink)| (part, ratio(of(name, part).unwrap_or(0), *plies), ink));
        let words = each.map(|(part, value, _)| format!("{part} {}", decimal(value, 3)));
        let number = decimal(ratio(*total, *plies), 3);
        let hover = format!("{name}: {number} characters a ply: {}", words.join(", "));
        let parts = each.map(|(_, value, ink)| (value, ink)).to_vec();
        Bar { name: name.to_string(), parts, number, hover }
    };
    let bars = Bars {
        hover: "Characters of movetext a ply by notation, in four parts".to_string(),
        bars: shown.iter().map(bar).collect(),
    };
    let key =
        |(part, ink): (&str, Ink)| Key { ink, dashed: false, marker: None, name: part.to_string() };
    let chart = Chart {
        caption: "Characters of movetext a ply".to_string(),
        wide: bars.draw(760),
        narrow: bars.draw(350),
    };
    let figure = Figure::single("movetext", chart);
    section.figure(Figure { legend: PARTS.map(key).into(), ..figure });
    let row = |(name, total, plies): &(&str, u64, u64)| {
        let mut row = vec![Cell::Name(name.to_string()), Cell::Count(*plies)];
        row.extend(PARTS.map(|(part, _)| Cell::Count(of(name, part).unwrap_or(0))));
        row.push(Cell::Count(*total));
        row.push(Cell::Ratio(ratio(*total, *plies), 3));
        row.push(Cell::Ratio(ratio(plies.saturating_mul(LINE_CHARACTERS), *total), 2));
        row
    };
    section.grid(Grid {
        caption: "Characters of movetext, by part".to_string(),
        is_open: false,
        source: tables::movetext::SCHEMA.file.to_string(),
        note: String::new(),
        head: strings([
            "notation",
            "plies",
            "moves",
            "separators",
            "numbers",
            "results",
            "total",
            "a ply",
            "plies on a line of 80",
        ]),
        rows: shown.iter().map(row).collect(),
    });
}

fn disambiguation(said: &[Fact]) -> Grid {
    let all = |role: &str| {
        said.iter().filter(|fact| fact.names[0] == role).map(|fact| fact.counts[0]).sum::<u64>()
    };
    let row = |fact: &Fact| {
        let (role, plies) = (&fact.names[0], fact.counts[0]);
        vec![
            Cell::Text(role.clone()),
            Cell::Text(fact.names[1].clone()),
            Cell::Count(plies),
            Cell::Ratio(100.0 * ratio(plies, all(role)), 2),
        ]
    };
    Grid {
        caption: "Disambiguation in SAN".to_string(),
        is_open: true,
        source: tables::disambiguation::SCHEMA.file.to_string(),
        note: String::new(),
        head: strings(["piece type", "origin in the text", "plies", "per cent of its plies"]),
        rows: said.iter().map(row).collect(),
    }
}

fn enough(facts: &[Fact]) -> Grid {
    let row = |fact: &Fact| {
        let (count, of) = (fact.counts[0], fact.counts[1]);
        vec![
            Cell::Prose(meaning(&fact.names[0])),
            Cell::Count(count),
            Cell::Count(of),
            Cell::Ratio(100.0 * ratio(count, of), 2),
        ]
    };
    Grid {
        caption: "What would have been enough".to_string(),
        is_open: true,
        source: tables::facts::SCHEMA.file.to_string(),
        note: String::new(),
        head: strings(["what", "count", "of", "per cent"]),
        rows: facts.iter().map(row).collect(),
    }
}
