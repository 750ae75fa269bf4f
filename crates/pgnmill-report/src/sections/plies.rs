//! How costs change in the course of a game, in a study beside the values of the source.

use std::ops::Range;

use pgnmill_core::tables::Dimension;
use pgnmill_core::tables::notations::names;

use super::super::draw::{Line, Lines};
use super::super::ink::Ink;
use super::super::number::{decimal, grouped, signed};
use super::super::page::{Cell, Chart, Figure, Grid, Key, Section};
use super::super::prose::code;
use super::super::study::Study;
use super::super::sums::Sum;
use super::claims::{AVERAGES, CHANGES, EARLY_PLIES, PRIORITY_AVERAGE};
use super::{COMPARED, measured, per_ply};

const TITLE: &str = "In the course of a game";
/// A ply that fewer games have than one in so many is left out: what is left is noise.
const RARE: u64 = 100;

/// Later plies are not drawn: in the tables of today they are one group.
const PLIES_MAX: u64 = 600;

/// A ply and what each notation came to at it.
type At<'a> = (u64, Vec<Option<&'a Sum>>);

/// The parts of a figure: its lines and the hover title of each ply.
struct Course<'a> {
    plies: &'a [At<'a>],
    names: &'a [&'a str],
}

impl Course<'_> {
    /// A line a notation.
    fn lines(&self, value: impl Fn(&At<'_>, usize) -> f64) -> Vec<Line> {
        let line = |index: usize| {
            let points = self.plies.iter().map(|at| (at.0 as f64, value(at, index)));
            let points = points.filter(|point| point.1.is_finite()).collect();
            Line { ink: Ink::of(self.names[index]), dashed: false, points }
        };
        (0..self.names.len()).map(line).filter(|line| !line.points.is_empty()).collect()
    }

    fn spots(
        &self,
        unit: &str,
        digits: usize,
        value: impl Fn(&At<'_>, usize) -> f64,
    ) -> Vec<(f64, String)> {
        let hover = |at: &At<'_>| {
            let each = (0..self.names.len()).filter_map(|index| {
                let number = decimal(value(at, index), digits);
                (!number.is_empty()).then(|| format!("{} {number}{unit}", self.names[index]))
            });
            format!("ply {}: {}", at.0, each.collect::<Vec<_>>().join(", "))
        };
        self.plies.iter().map(|at| (at.0 as f64, hover(at))).collect()
    }

    fn across(&self) -> Range<f64> {
        let last = self.plies.last().map_or(2, |at| at.0).max(2);
        1.0..last as f64
    }
}

/// A range that holds every point, from one round number to another.
fn upwards(lines: &[Line], round: f64) -> Range<f64> {
    let values = lines.iter().flat_map(|line| &line.points).map(|point| point.1);
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(y), high.max(y)));
    let low = (low / round).floor() * round;
    low..((high / round).ceil() * round).max(low + round)
}

fn chart(
    caption: &str,
    hover: &str,
    unit: &'static str,
    round: f64,
    course: &Course<'_>,
    lines: Vec<Line>,
    spots: Vec<(f64, String)>,
) -> Chart {
    let figure = Lines {
        hover: hover.to_string(),
        x: course.across(),
        y: upwards(&lines, round),
        lines,
        x_name: "ply".to_string(),
        y_unit: unit,
        spots,
    };
    let (wide, narrow) = (figure.draw((760, 320)), figure.draw((350, 260)));
    Chart { caption: caption.to_string(), wide, narrow }
}

/// Horizontal dashed lines.
fn claim(ink: Ink, across: Range<f64>, value: f64) -> Line {
    Line { ink, dashed: true, points: vec![(across.start, value), (across.end, value)] }
}

/// Characters a ply.
fn costs(course: &Course<'_>, has_claims: bool, section: &mut Section) {
    let value = |at: &At<'_>, index: usize| at.1[index].map_or(f64::NAN, Sum::per_ply);
    let mut lines = course.lines(value);
    let mut keys: Vec<Key> = course.names.iter().map(|name| Key::of(name)).collect();
    let claims = AVERAGES.iter().filter(|(name, _)| has_claims && course.names.contains(name));
    for (name, average) in claims {
        let average = if *name == names::PRIORITY { PRIORITY_AVERAGE } else { *average };
        lines.push(claim(Ink::of(name), course.across(), average));
        let name = format!("the source of `{name}`: {average}");
        let ink = lines.last().map_or(Ink::Text, |line| line.ink);
        keys.push(Key { ink, dashed: true, marker: None, name });
    }
    let spots = course.spots("", 3, value);
    let chart = chart(
        "Characters a ply, by ply",
        match has_claims {
            true => {
                "Characters a ply of four notations by ply, with the averages that the source claims"
            }
            false => "Characters a ply of four notations by ply",
        },
        "",
        0.5,
        course,
        lines,
        spots,
    );
    let note = "The scale does not begin at 0.".to_string();
    section.figure(Figure { note, legend: keys, ..Figure::single("by-ply", chart) });
}

/// The change against one of the notations.
fn changes(course: &Course<'_>, base: &str, has_claims: bool, section: &mut Section) {
    let Some(than) = course.names.iter().position(|&name| name == base) else { return };
    let value = |at: &At<'_>, index: usize| match (at.1[index], at.1[than]) {
        // Only what is shorter by design is drawn: SAN is not compared with what came after it.
        (Some(sum), Some(base)) if index > than => sum.change_percent(base),
        _ => f64::NAN,
    };
    let mut lines = course.lines(value);
    if lines.is_empty() {
        return;
    }
    let mut keys: Vec<Key> = course.names[than + 1..].iter().map(|name| Key::of(name)).collect();
    if has_claims {
        let (early, end) = (EARLY_PLIES as f64, course.across().end);
        lines.push(claim(Ink::Text, 1.0..early.min(end), CHANGES[0]));
        if end > early {
            lines.push(claim(Ink::Text, early..end, CHANGES[1]));
        }
        let name = format!(
            "the source: {} % in the first 20 moves, up to {} % after",
            signed(CHANGES[0], 0),
            signed(CHANGES[1], 0)
        );
        keys.push(Key { ink: Ink::Text, dashed: true, marker: None, name });
    }
    let spots = course.spots(" %", 1, value);
    let chart = chart(
        &format!("Change against `{base}`, by ply"),
        &format!("Change in characters against {base} by ply, in per cent"),
        " %",
        5.0,
        course,
        lines,
        spots,
    );
    let figure = Figure::single(&format!("by-ply-against-{base}"), chart);
    section.figure(Figure { legend: keys, ..figure });
}

/// The section; `has_claims`: with what the sources claim.
pub(super) fn section(study: &Study, has_claims: bool) -> Section {
    let Some(dimension) = study.dimension(Dimension::Ply.name()) else {
        return Section::missing(TITLE, Dimension::Ply.file(), "");
    };
    let names = measured(study, &COMPARED);
    let numbered =
        dimension.groups.iter().filter_map(|group| Some((group.key.parse::<u64>().ok()?, group)));
    let numbered = numbered.filter(|(ply, _)| *ply <= PLIES_MAX);
    let mut plies: Vec<At<'_>> = numbered
        .map(|(ply, group)| (ply, names.iter().map(|&name| group.sums.get(name)).collect()))
        .collect();
    plies.sort_by_key(|at| at.0);
    let count = |at: &At<'_>| at.1.iter().flatten().map(|sum| sum.plies).max().unwrap_or(0);
    let most = plies.iter().map(count).max().unwrap_or(0);
    let all = plies.len();
    plies.retain(|at| count(at) > 0 && count(at) * RARE >= most);
    if plies.is_empty() || names.is_empty() {
        return Section::new(TITLE, "No ply was measured.");
    }
    let course = Course { plies: &plies, names: &names };
    let last = plies.last().map_or(0, |at| at.0);
    let text = match all - plies.len() {
        0 => format!("Plies 1 to {last}."),
        later => format!(
            "Plies 1 to {last}; {} later ones, which fewer than 1 in {RARE} games have, are in \
             `by_ply.csv` only.",
            grouped(later as u64)
        ),
    };
    let mut section = Section::new(TITLE, text);
    costs(&course, has_claims, &mut section);
    changes(&course, names::LETTERS, has_claims, &mut section);
    changes(&course, names::SAN, false, &mut section);
    let row = |at: &At<'_>| {
        let mut row = vec![Cell::Count(at.0), Cell::Count(count(at))];
        row.extend(at.1.iter().map(|sum| per_ply(*sum)));
        row
    };
    let mut head = vec!["ply".to_string(), "games that have it".to_string()];
    head.extend(names.iter().map(|name| code(name)));
    section.grid(Grid {
        caption: "Characters a ply, by ply".to_string(),
        is_open: false,
        source: Dimension::Ply.file().to_string(),
        note: String::new(),
        head,
        rows: plies.iter().map(row).collect(),
    });
    section
}
