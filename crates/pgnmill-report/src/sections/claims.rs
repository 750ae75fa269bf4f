//! What the sources claim, and what was counted.

use pgnmill_core::tables::notations::names;

use std::ops::RangeInclusive;

use pgnmill_core::tables;

use super::super::number::{decimal, grouped, in_words, ratio, signed};
use super::super::page::{Cell, Grid, Section, absent};
use super::super::study::{Group, Study, Sum};

/// The claimed averages, in characters a move; the last is a slip for 2.23 (0.77 · 2 + 0.23 · 3).
pub(super) const AVERAGES: [(&str, f64); 3] =
    [(names::LETTERS, 2.84), (names::SQUARES, 2.46), (names::PRIORITY, 2.13)];
/// The claimed shares of texts of two, three and four characters, in per cent.
const SHARES: [(&str, [f64; 3]); 3] = [
    (names::LETTERS, [20.0, 76.0, 4.0]),
    (names::SQUARES, [55.0, 44.0, 1.0]),
    (names::PRIORITY, [77.0, 23.0, 0.0]),
];
/// The claimed changes in per cent: in the first moves, and the most later.
pub(super) const CHANGES: [f64; 2] = [-10.0, -20.0];
/// The last ply of the first twenty moves.
pub(super) const EARLY_PLIES: u64 = 40;
/// The claimed share of moves that piece and arrival square determine.
const ENOUGH: f64 = 96.0;

/// The rows of the table: claim, notation, claimed, measured, counted, answer.
type Rows = Vec<Vec<Cell>>;

fn row(
    claim: &str,
    notation: &str,
    claimed: &str,
    measured: String,
    counted: String,
    answer: String,
) -> Vec<Cell> {
    vec![
        Cell::Text(claim.to_string()),
        match notation {
            "" => Cell::Text(String::new()),
            name => Cell::Name(name.to_string()),
        },
        Cell::Text(claimed.to_string()),
        Cell::Text(measured),
        Cell::Text(counted),
        Cell::Text(answer),
    ]
}

/// How far what was measured is from what was claimed, in per cent of it.
fn distance(measured: f64, claimed: f64) -> String {
    let off = 100.0 * (measured / claimed - 1.0);
    if off.abs() < 0.05 {
        "as claimed".to_string()
    } else {
        format!("{} than claimed", in_words(off))
    }
}

/// How far apart two shares are, in points of a hundred.
fn points(measured: f64, claimed: f64) -> String {
    format!("{} points", signed(measured - claimed, 2))
}

fn averages(study: &Study, rows: &mut Rows) {
    for (name, claimed) in AVERAGES {
        let Some(sum) = study.total(name).filter(|sum| sum.plies > 0) else { continue };
        let counted = format!("{} / {} plies", grouped(sum.characters), grouped(sum.plies));
        let mut answer = distance(sum.per_ply(), claimed);
        let mut said = decimal(claimed, 2);
        if name == names::PRIORITY {
            said += " (a slip: its shares give 2.23)";
            answer +=
                &format!("; {} % against 2.23", signed(100.0 * (sum.per_ply() / 2.23 - 1.0), 1));
        }
        rows.push(row(
            "characters a move",
            name,
            &said,
            decimal(sum.per_ply(), 3),
            counted,
            answer,
        ));
    }
}

fn shares(study: &Study, rows: &mut Rows) {
    let Some(lengths) = &study.lengths else { return };
    for (name, claimed) in SHARES {
        let Some(histogram) = lengths.get(name) else { continue };
        let all = histogram.values().sum::<u64>();
        for (length, claimed) in (2..).zip(claimed) {
            let plies = histogram.get(&length).copied().unwrap_or(0);
            let share = 100.0 * ratio(plies, all);
            rows.push(row(
                &format!("moves of {length} characters"),
                name,
                &format!("{} %", decimal(claimed, 0)),
                format!("{} %", decimal(share, 2)),
                format!("{} of {} plies", grouped(plies), grouped(all)),
                points(share, claimed),
            ));
        }
    }
}

/// What notations came to in some plies of every game.
fn over(study: &Study, notation: &str, plies: RangeInclusive<u64>) -> Option<Sum> {
    let groups = study.dimension("ply")?.groups.iter();
    // The last group, which has all later plies, is named by its first one.
    let first = |group: &Group| group.key.trim_end_matches('+').parse();
    let within = groups.filter(|group| first(group).is_ok_and(|ply| plies.contains(&ply)));
    within.filter_map(|group| group.sums.get(notation)).copied().reduce(|sum, more| sum.plus(&more))
}

fn changes(study: &Study, rows: &mut Rows) {
    let spans = [
        ("change in the first 20 moves", 1..=EARLY_PLIES, "−10 %", CHANGES[0]),
        ("change from move 21 on", EARLY_PLIES + 1..=u64::MAX, "up to −20 %", CHANGES[1]),
    ];
    for (claim, plies, said, claimed) in spans {
        for base in [names::LETTERS, names::SAN] {
            for name in [names::SQUARES, names::PRIORITY] {
                let of = |notation| over(study, notation, plies.clone());
                let Some((sum, than)) = of(name).zip(of(base)) else { continue };
                let change = sum.change_percent(&than);
                rows.push(row(
                    &format!("{claim}, against `{base}`"),
                    name,
                    said,
                    format!("{} %", signed(change, 2)),
                    format!(
                        "{} of {} characters",
                        grouped(sum.characters),
                        grouped(than.characters)
                    ),
                    points(change, claimed),
                ));
            }
        }
    }
}

fn facts(study: &Study, rows: &mut Rows) {
    let fact = |name: &str| {
        let facts = study.facts.as_ref()?;
        let found = facts.iter().find(|fact| fact.names[0] == name)?;
        Some((found.counts[0], found.counts[1]))
    };
    let enough = [
        ("piece-and-square-enough", "piece and arrival square determine the move"),
        ("piece-and-square-enough-for-pieces", "the same, of moves of pieces alone"),
    ];
    for (name, claim) in enough {
        let Some((count, of)) = fact(name) else { continue };
        let share = 100.0 * ratio(count, of);
        let counted = format!("{} of {} plies", grouped(count), grouped(of));
        let measured = format!("{} %", decimal(share, 2));
        rows.push(row(claim, "", "about 96 %", measured, counted, points(share, ENOUGH)));
    }
    if let Some((count, of)) = fact("pawn-capture-files-enough") {
        let measured = format!("{} %", decimal(100.0 * ratio(count, of), 2));
        let counted = format!("{} of {} captures by pawns", grouped(count), grouped(of));
        let claim = "a pawn's capture may be given by files alone when that is unambiguous";
        rows.push(row(claim, "", "no number", measured, counted, "counted here".to_string()));
    }
    if let (Some(long), Some(san)) = (study.total(names::LONG), study.total(names::SAN)) {
        let more = long.change_percent(san);
        let answer = if more > 0.0 { "it does" } else { "it does not" };
        let counted =
            format!("{} against {} characters", grouped(long.characters), grouped(san.characters));
        let measured = format!("{} %", signed(more, 1));
        rows.push(row(
            "long takes more space",
            names::LONG,
            "no number",
            measured,
            counted,
            answer.to_string(),
        ));
    }
}

/// The section.
pub(super) fn section(study: &Study) -> Section {
    let mut section = Section::new(
        "What the sources claim, and what was counted",
        "The article on 'Economical' notation gives averages of 100 moves and savings against \
         “classical” notation, which is read here as `economical-letters` (it is of the same \
         length) and as `san` (today's). The article on algebraic notation says that the long \
         form takes more space and that a pawn's capture may be given by files alone.",
    );
    let mut rows = Rows::new();
    averages(study, &mut rows);
    shares(study, &mut rows);
    changes(study, &mut rows);
    facts(study, &mut rows);
    if rows.is_empty() {
        section.text("Nothing that they claim was measured.");
        return section;
    }
    section.grid(Grid {
        caption: "Claims, counts and how far they are apart".to_string(),
        is_open: true,
        source: tables::notations::SCHEMA.file.to_string(),
        head: ["claim", "notation", "claimed", "measured", "counted", "difference"]
            .map(String::from)
            .to_vec(),
        rows,
    });
    if study.facts.is_none() {
        section.text(absent(tables::facts::SCHEMA.file, ""));
    }
    section
}
