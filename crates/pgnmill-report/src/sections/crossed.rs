//! A section for each product of dimensions: what the notations cost in each group of both at once, and with the same
//! mix of phases and lengths.

use pgnmill_core::tables::Dimension;
use pgnmill_core::tables::notations::names;

use super::super::crossed::{Crossed, CrossedGroup};
use super::super::number::grouped;
use super::super::page::{Cell, Grid, Section};
use super::super::prose::{code, literal};
use super::super::study::Study;
use super::super::sums::Sum;
use super::{FEW_GAMES, marked, measured, note_of_marks, per_ply, standardised, tabulated};

/// A table of two sides has no more columns.
const COLUMNS_MAX: usize = 12;
/// Such a table of more rows is closed at first.
const OPEN_ROWS_MAX: usize = 24;
/// A table has no more groups.
const GROUPS_MAX: usize = 1_000;

/// The sections.
pub(super) fn sections(study: &Study) -> Vec<Section> {
    study.crossed.iter().map(|crossed| section(study, crossed)).collect()
}

/// How text names a dimension.
fn name_of(dimension: Dimension) -> String {
    match dimension {
        Dimension::Source => "archive".to_string(),
        other => other.name().replace('-', " "),
    }
}

fn title(crossed: &Crossed) -> String {
    let names: Vec<String> = crossed.product.dimensions().map(name_of).collect();
    match &names[..] {
        [others @ .., last] => format!("By {} and {last}", others.join(", ")),
        [] => String::new(),
    }
}

fn section(study: &Study, crossed: &Crossed) -> Section {
    let title = title(crossed);
    let mut section = Section::new(
        &title,
        "The groups of each of these at once: a game counts in each group of which it has a ply, or to which it belongs.",
    );
    let has_pair = measured(study, &[names::PRIORITY, names::SAN]).len() == 2;
    section.grids(has_pair.then(|| sides(&title, crossed)).flatten());
    if let Some((dimension, rows)) = crossed.standardised.as_ref().filter(|_| has_pair) {
        let name = name_of(*dimension);
        section.text(standardised::about(*dimension, &name));
        section.grid(standardised::grid(crossed, (*dimension, &name), rows));
    }
    let groups = largest(crossed);
    if groups.len() < crossed.groups.len() {
        let all = grouped(crossed.groups.len() as u64);
        section.text(format!(
            "Of {all} groups the table has the {} with the most plies.",
            grouped(GROUPS_MAX as u64)
        ));
    }
    section.grid(grid(study, &title, crossed, &groups));
    section
}

fn sum<'g>(group: &'g CrossedGroup, name: &str) -> Option<&'g Sum> {
    group.sums.get(name)
}

fn plies(group: &CrossedGroup) -> u64 {
    group.sums.values().map(|sum| sum.plies).max().unwrap_or(0)
}

fn games(group: &CrossedGroup) -> u64 {
    group.sums.values().map(|sum| sum.games).max().unwrap_or(0)
}

fn change(group: &CrossedGroup) -> Cell {
    let both = sum(group, names::PRIORITY).zip(sum(group, names::SAN));
    Cell::Change(both.map_or(f64::NAN, |(own, san)| own.change_percent(san)), 1)
}

/// The largest groups, in the order of the table.
fn largest(crossed: &Crossed) -> Vec<&CrossedGroup> {
    let mut places: Vec<usize> = (0..crossed.groups.len()).collect();
    places.sort_by_key(|&place| std::cmp::Reverse(plies(&crossed.groups[place])));
    places.truncate(GROUPS_MAX);
    places.sort_unstable();
    places.into_iter().map(|place| &crossed.groups[place]).collect()
}

/// The change, with the groups of one dimension as columns: the last, or that of two with fewer groups.
fn sides(title: &str, crossed: &Crossed) -> Option<Grid> {
    let last = crossed.product.dimensions().count() - 1;
    let places = if last == 1 { vec![1, 0] } else { vec![last] };
    let grids = places.into_iter().filter_map(|place| sides_with(title, crossed, place));
    grids.min_by_key(|grid| grid.head.len())
}

/// The change, with the groups of the dimension at a place as columns, if they are few.
fn sides_with(title: &str, crossed: &Crossed, place: usize) -> Option<Grid> {
    let mut columns: Vec<&str> = Vec::new();
    let mut rows: Vec<(Vec<&str>, Vec<&CrossedGroup>)> = Vec::new();
    for group in &crossed.groups {
        let mut keys: Vec<&str> = group.keys.iter().map(String::as_str).collect();
        let own = keys.remove(place);
        if !columns.contains(&own) {
            columns.push(own);
        }
        match rows.iter_mut().rev().find(|(known, _)| *known == keys) {
            Some((_, groups)) => groups.push(group),
            None => rows.push((keys, vec![group])),
        }
        if rows.len() > GROUPS_MAX || columns.len() > COLUMNS_MAX {
            return None;
        }
    }
    if columns.len() < 2 {
        return None;
    }
    // In the order of the dimensions, whichever comes first.
    let schema = crossed.product.schema();
    let order = schema.order_of(place);
    columns.sort_by(|one, other| order.compare(one, other));
    let dimensions: Vec<Dimension> = crossed.product.dimensions().collect();
    let others: Vec<usize> = (0..dimensions.len()).filter(|&other| other != place).collect();
    rows.sort_by(|(one, _), (other, _)| {
        let orders = others.iter().zip(one.iter().zip(other));
        let compared = orders.map(|(&at, (a, b))| schema.order_of(at).compare(a, b));
        compared.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    });
    let head = others.iter().map(|&other| name_of(dimensions[other]));
    let row = |(keys, groups): &(Vec<&str>, Vec<&CrossedGroup>)| {
        let of = |column: &&str| groups.iter().find(|it| it.keys[place] == *column);
        let cells = columns.iter().map(|column| match of(column) {
            None => Cell::Change(f64::NAN, 1),
            Some(it) if games(it) < FEW_GAMES => Cell::Marked(Box::new(change(it))),
            Some(it) => change(it),
        });
        keys.iter().map(|key| Cell::Text(key.to_string())).chain(cells).collect()
    };
    Some(Grid {
        caption: format!("`economical-priority` against `san`, {}", title.to_lowercase()),
        is_open: rows.len() <= OPEN_ROWS_MAX,
        source: crossed.product.file().to_string(),
        note: note_of_marks(crossed.groups.iter().map(games)),
        head: head.chain(columns.iter().map(|column| literal(column))).collect(),
        rows: rows.iter().map(row).collect(),
    })
}

fn grid(study: &Study, title: &str, crossed: &Crossed, groups: &[&CrossedGroup]) -> Grid {
    let names = tabulated(study);
    let has_pair = measured(study, &[names::PRIORITY, names::SAN]).len() == 2;
    let mut head: Vec<String> = crossed.product.dimensions().map(name_of).collect();
    head.extend(["games", "plies"].map(String::from));
    head.extend(names.iter().map(|name| code(name)));
    head.extend(has_pair.then(|| "`economical-priority` against `san`".to_string()));
    let row = |group: &&CrossedGroup| {
        let mut row: Vec<Cell> = group.keys.iter().map(|key| Cell::Text(key.clone())).collect();
        row[0] = marked(&group.keys[0], games(group));
        row.extend([Cell::Count(games(group)), Cell::Count(plies(group))]);
        row.extend(names.iter().map(|name| per_ply(sum(group, name))));
        row.extend(has_pair.then(|| change(group)));
        row
    };
    Grid {
        caption: format!("Characters a ply, {}", title.to_lowercase()),
        is_open: false,
        source: crossed.product.file().to_string(),
        note: note_of_marks(groups.iter().map(|group| games(group))),
        head,
        rows: groups.iter().map(row).collect(),
    }
}
