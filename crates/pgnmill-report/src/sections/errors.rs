//! What one error in a game's text does, and what it costs to have errors refused.
//!
//! In: the rows of `errors.csv`, and the characters per ply. Out: a figure of both, with the notations than which none
//! is shorter and refuses more, and a table.

use pgnmill_core::tables;
use pgnmill_core::tables::errors::KINDS;
use pgnmill_core::tables::notations::{is_localized, names};
use pgnmill_core::tables::share::wilson_95;

use super::super::draw::{Point, Scatter};
use super::super::ink::Ink;
use super::super::number::{decimal, grouped, ratio};
use super::super::page::{Cell, Chart, Figure, Grid, Section};
use super::super::prose::code;
use super::super::study::{Fact, Study};

/// The kinds of the figure: the general one, and the one that people make.
const SHOWN: [&str; 2] = [KINDS[0], KINDS[3]];

/// Points of a figure, at most.
const POINTS_MAX: usize = 100;

/// The share of an outcome, by its place among the counts, in per cent.
fn share(fact: &Fact, outcome: usize) -> f64 {
    100.0 * ratio(fact.counts[outcome], fact.counts[0])
}

/// The interval of a share, in per cent: `95.7 to 95.9`.
fn interval(fact: &Fact, outcome: usize, digits: usize) -> String {
    let ends = wilson_95(fact.counts[outcome], fact.counts[0]);
    ends.map_or_else(String::new, |(low, high)| {
        format!("{} to {}", decimal(100.0 * low, digits), decimal(100.0 * high, digits))
    })
}

/// The section, if the table is there and has errors.
pub(super) fn section(study: &Study) -> Option<Section> {
    let facts = study.errors.as_ref()?;
    let made = facts.iter().fold(0, |sum: u64, fact| sum.saturating_add(fact.counts[0]));
    if made == 0 {
        return None;
    }
    let mut section = Section::new(
        "What one error does",
        format!(
            "{} errors, each alone in a game: the text of one ply is changed and the game is read \
             on, strictly, as a game in that notation. The text with the error is refused at \
             once, or a later text is, or none is, up to the end of the game: then the texts are those of another game; \
             or the text still is the same move, as one without its check suffix is. In general fewer texts of a shorter \
             notation are no move, so that it refuses fewer substitutions and confusions; a longer one has more that is \
             not necessary, so that an omission more often leaves the same move.",
            grouped(made)
        ),
    );
    section.text(
        "Substitution: a character by another of the notation's alphabet. Omission: a character \
         is left out. Transposition: two adjacent characters change places. Confusion: a \
         character by one that looks like it in handwriting or sounds like it in dictation.",
    );
    if let Some(text) = verdict(facts) {
        section.text(text);
    }
    for kind in SHOWN {
        if let Some(chart) = chart(study, facts, kind) {
            let note = "One error in each game with a move (confusion: with a character that can be confused). The \
                        dashed line joins the notations that no other beats in both. The vertical axis does not begin \
                        at 0.";
            let figure = Figure::single(&format!("errors-{kind}"), chart);
            section.figure(Figure { note: note.to_string(), ..figure });
        }
    }
    section.grid(table(facts));
    Some(section)
}

/// What is paid for the saving.
fn verdict(facts: &[Fact]) -> Option<String> {
    let find = |name: &str| facts.iter().find(|fact| fact.names == [name, SHOWN[0]]);
    let (san, short) = (find(names::SAN)?, find(names::PRIORITY)?);
    let of = |fact, outcome| {
        format!("{} % ({})", decimal(share(fact, outcome), 1), interval(fact, outcome, 1))
    };
    Some(format!(
        "Of substitutions `san` refuses {} at once and {} never; `economical-priority` {} and {}. In brackets intervals of \
         95 % (Wilson), if errors are independent of each other: each is alone in a game. With one error a game each is in \
         another game; with more the intervals are too narrow.",
        of(san, 1),
        of(san, 3),
        of(short, 1),
        of(short, 3)
    ))
}

fn chart(study: &Study, facts: &[Fact], kind: &str) -> Option<Chart> {
    let point = |fact: &Fact| {
        let (name, percent) = (fact.names[0].clone(), share(fact, 1));
        let per_ply = study.total(&name)?.per_ply();
        let hover = format!(
            "{name}: {} characters per ply, {} % of {} errors refused at once, {} % later, {} % never",
            decimal(per_ply, 3),
            decimal(percent, 2),
            grouped(fact.counts[0]),
            decimal(share(fact, 2), 2),
            decimal(share(fact, 3), 2),
        );
        let ink = Ink::of(&name);
        (percent.is_finite() && per_ply.is_finite()).then_some(Point {
            name,
            ink,
            x: per_ply,
            y: percent,
            hover,
        })
    };
    let of_kind = |fact: &&Fact| fact.names[1] == kind && !is_localized(&fact.names[0]);
    let mut points: Vec<Point> = facts.iter().filter(of_kind).filter_map(point).collect();
    // Those with a colour of their own are named first.
    points.sort_by_key(|point| point.ink == Ink::of(""));
    // There are not so many notations; a table may be of any origin.
    points.truncate(POINTS_MAX);
    let scatter = Scatter {
        hover: format!("Errors refused at once by characters per ply: {kind}"),
        points,
        x_name: "characters per ply".to_string(),
        y_name: "refused at once, % of the errors".to_string(),
        y_unit: " %",
    };
    let (wide, narrow) = (scatter.draw((760, 340)), scatter.draw((350, 300)));
    let caption = format!(
        "Errors of the kind {} refused at once, in per cent, by characters per ply",
        code(kind)
    );
    (!scatter.points.is_empty()).then_some(Chart { caption, wide, narrow })
}

fn table(facts: &[Fact]) -> Grid {
    let row = |fact: &Fact| {
        let share = |outcome| Cell::Ratio(share(fact, outcome), 2);
        let interval = |outcome| Cell::Text(interval(fact, outcome, 2));
        let shares = [share(1), interval(1), share(2), share(3), interval(3), share(4)];
        let plies = ratio(fact.counts[5], fact.counts[2]);
        let names = fact.names.iter().map(|name| Cell::Name(name.clone()));
        let counts = [Cell::Count(fact.counts[0])];
        names.chain(counts).chain(shares).chain([Cell::Ratio(plies, 2)]).collect()
    };
    let head = [
        "notation",
        "kind",
        "errors",
        "at once %",
        "interval of 95 %",
        "later %",
        "never %",
        "interval of 95 %",
        "same move %",
        "plies until refused",
    ];
    Grid {
        caption: "What errors do".to_string(),
        is_open: false,
        source: tables::errors::SCHEMA.file.to_string(),
        note: String::new(),
        head: head.map(String::from).to_vec(),
        rows: facts.iter().map(row).collect(),
    }
}
