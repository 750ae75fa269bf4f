//! A section for each product of dimensions: what the notations cost in each group of both at once, and with the same
//! mix of phases and lengths.

use pgnmill_core::tables::notations::names;
use pgnmill_core::tables::{Dimension, standardised};

use super::super::crossed::{Crossed, CrossedGroup, Standardised};
use super::super::number::grouped;
use super::super::page::{Cell, Grid, Section};
use super::super::prose::{code, literal};
use super::super::study::Study;
use super::super::sums::Sum;
use super::{measured, per_ply, tabulated};

/// A table of two sides has no more columns.
const COLUMNS_MAX: usize = 12;
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
        section.text(format!(
            "Groups of other lengths have other shares of each phase. With the same mix of phases and lengths for every \
             {name}, that of all plies: the mean of each phase and length in the group, weighted by the share that all \
             plies have there. What a group lacks is left out; “covered” is the share of all plies that is in phases \
             and lengths of the group: where it is small, the group is hardly comparable.",
        ));
        section.grid(grid_of_standardised(crossed, &name, rows));
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

/// The change, with the groups of the last dimension as columns, if they are few.
fn sides(title: &str, crossed: &Crossed) -> Option<Grid> {
    let mut columns: Vec<&str> = Vec::new();
    let mut rows: Vec<(&[String], Vec<&CrossedGroup>)> = Vec::new();
    for group in &crossed.groups {
        let (last, others) = group.keys.split_last()?;
        if !columns.contains(&last.as_str()) {
            columns.push(last);
        }
        match rows.last_mut() {
            Some((keys, groups)) if *keys == others => groups.push(group),
            _ => rows.push((others, vec![group])),
        }
    }
    if columns.len() > COLUMNS_MAX || rows.len() > GROUPS_MAX || columns.len() < 2 {
        return None;
    }
    // In the order of the dimension, whichever row has a group first.
    let order = crossed.product.schema().order_of(crossed.product.dimensions().count() - 1);
    columns.sort_by(|one, other| order.compare(one, other));
    let dimensions: Vec<Dimension> = crossed.product.dimensions().collect();
    let (_, first) = dimensions.split_last()?;
    let head = first.iter().map(|&dimension| name_of(dimension));
    let row = |(keys, groups): &(&[String], Vec<&CrossedGroup>)| {
        let of = |column: &&str| {
            groups.iter().find(|it| it.keys.last().is_some_and(|key| key == column))
        };
        let cells = columns
            .iter()
            .map(|column| of(column).map_or(Cell::Change(f64::NAN, 1), |it| change(it)));
        keys.iter().map(|key| Cell::Text(key.clone())).chain(cells).collect()
    };
    Some(Grid {
        caption: format!("`economical-priority` against `san`, {}", title.to_lowercase()),
        is_open: rows.len() <= COLUMNS_MAX,
        source: crossed.product.file().to_string(),
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
        let games = group.sums.values().map(|sum| sum.games).max().unwrap_or(0);
        let mut row: Vec<Cell> = group.keys.iter().map(|key| Cell::Text(key.clone())).collect();
        row.extend([Cell::Count(games), Cell::Count(plies(group))]);
        row.extend(names.iter().map(|name| per_ply(sum(group, name))));
        row.extend(has_pair.then(|| change(group)));
        row
    };
    Grid {
        caption: format!("Characters a ply, {}", title.to_lowercase()),
        is_open: false,
        source: crossed.product.file().to_string(),
        head,
        rows: groups.iter().map(row).collect(),
    }
}

fn grid_of_standardised(crossed: &Crossed, name: &str, rows: &[Standardised]) -> Grid {
    let head = [
        name,
        "plies",
        "covered",
        "`san`",
        "standardised",
        "`economical-priority`",
        "standardised",
        "change",
        "standardised",
    ];
    let own = rows.iter().filter(|row| row.notation == names::PRIORITY).take(GROUPS_MAX);
    let row = |own: &Standardised| {
        let is_san = |it: &&Standardised| it.key == own.key && it.notation == names::SAN;
        let san = rows.iter().find(is_san);
        let of_san = |of: fn(&Standardised) -> f64| Cell::Ratio(san.map_or(f64::NAN, of), 3);
        vec![
            Cell::Text(own.key.clone()),
            Cell::Count(own.plies),
            Cell::Ratio(own.share, 2),
            of_san(|it| it.mean),
            of_san(|it| it.standard_mean),
            Cell::Ratio(own.mean, 3),
            Cell::Ratio(own.standard_mean, 3),
            Cell::Change(own.change, 2),
            Cell::Change(own.standard_change, 2),
        ]
    };
    let file = standardised::of_product(crossed.product).map_or("", |schema| schema.file);
    Grid {
        caption: format!("With the phases and lengths of all plies, by {name}"),
        is_open: true,
        source: file.to_string(),
        head: head.map(String::from).to_vec(),
        rows: own.map(row).collect(),
    }
}
