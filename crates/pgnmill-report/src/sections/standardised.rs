//! Groups with the phases and lengths of all plies, from the cells of a product that have enough games.
//!
//! Input: the groups of a dimension, a phase and a length; output: text and a table. The formulas are those of
//! `tables/standardised.rs`, over the cells of [`FEW_GAMES`] games and more: a mean of a few games has its weight in
//! the standard all the same. Beside each group is what all plies come to in the same cells.

use std::collections::BTreeMap;

use pgnmill_core::tables::notations::names;
use pgnmill_core::tables::{Dimension, standardised};

use super::super::crossed::{Crossed, CrossedGroup, Standardised};
use super::super::page::{Cell, Grid};
use super::FEW_GAMES;

/// A table has no more groups.
const GROUPS_MAX: usize = 1_000;

/// A phase and a length.
type CellKey<'c> = Vec<&'c str>;

/// Characters a ply in SAN, and in the notation that is compared.
type Means = [f64; 2];

/// The cells of a product, by group of the standardised dimension.
struct Cells<'c> {
    /// Means in the cells with enough games.
    groups: BTreeMap<&'c str, BTreeMap<CellKey<'c>, Means>>,
    /// Plies and characters of all groups.
    all: BTreeMap<CellKey<'c>, [u64; 3]>,
}

/// What a group comes to with the plies of all.
struct Standard {
    /// The share of all plies in the cells of the group that have enough games, in per cent.
    covered: f64,
    /// With the standard's share of each cell.
    means: Means,
    /// What all plies come to in the same cells.
    of_all: Means,
}

impl<'c> Cells<'c> {
    fn of(crossed: &'c Crossed, place: usize) -> Cells<'c> {
        let mut cells = Cells { groups: BTreeMap::new(), all: BTreeMap::new() };
        for CrossedGroup { keys, sums } in &crossed.groups {
            let Some((san, own)) = sums.get(names::SAN).zip(sums.get(names::PRIORITY)) else {
                continue;
            };
            let others = keys.iter().enumerate().filter(|(at, _)| *at != place);
            let key: CellKey<'c> = others.map(|(_, key)| key.as_str()).collect();
            let counts = [san.plies, san.characters, own.characters];
            let all = cells.all.entry(key.clone()).or_default();
            all.iter_mut().zip(counts).for_each(|(sum, more)| *sum = sum.saturating_add(more));
            // What the notation cannot write is not comparable.
            if san.games >= FEW_GAMES && san.plies == own.plies {
                let group = cells.groups.entry(&keys[place]).or_default();
                group.insert(key, [san.per_ply(), own.per_ply()]);
            }
        }
        cells
    }

    /// None if no cell of the group has enough games.
    fn standard(&self, group: &str) -> Option<Standard> {
        let cells = self.groups.get(group)?;
        let whole: f64 = self.all.values().map(|[plies, ..]| *plies as f64).sum();
        let (mut plies, mut means, mut of_all) = (0.0, [0.0; 2], [0.0; 2]);
        for (key, own) in cells {
            let &[weight, san, priority] = self.all.get(key)?;
            plies += weight as f64;
            for (sum, mean) in means.iter_mut().zip(own) {
                *sum += weight as f64 * mean;
            }
            for (sum, characters) in of_all.iter_mut().zip([san, priority]) {
                *sum += characters as f64;
            }
        }
        let per_ply = |sums: Means| sums.map(|sum| sum / plies);
        let covered = 100.0 * plies / whole;
        Some(Standard { covered, means: per_ply(means), of_all: per_ply(of_all) })
    }
}

/// The change of the second against the first, in per cent.
fn change([san, own]: Means) -> f64 {
    100.0 * (own / san - 1.0)
}

/// How the table is read; `name`: that of the dimension in text.
pub(super) fn about(dimension: Dimension, name: &str) -> String {
    format!(
        "Groups of other lengths have other shares of each phase. With the same mix of phases and lengths for every {name}, \
         that of all plies: the mean of each phase and length in the group, weighted by the share that all plies have \
         there. Left out is a phase and length in which the group has fewer than {FEW_GAMES} games; “covered” is the share of \
         all plies that is in the others. Where it is small, the mix is another one: compare with what all plies come to \
         in the same phases and lengths, in the last column. `{}` has the means with all of them.",
        standardised_file(dimension)
    )
}

fn standardised_file(dimension: Dimension) -> String {
    format!("standardised_{}.csv", dimension.column_name())
}

/// The table: each group as it is, and with the standard.
pub(super) fn grid(
    crossed: &Crossed,
    (dimension, name): (Dimension, &str),
    rows: &[Standardised],
) -> Grid {
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
        "all plies there",
    ];
    let place = crossed.product.dimensions().position(|other| other == dimension);
    let cells = place.map(|place| Cells::of(crossed, place));
    let own = rows.iter().filter(|row| row.notation == names::PRIORITY).take(GROUPS_MAX);
    let row = |own: &Standardised| {
        let is_san = |it: &&Standardised| it.key == own.key && it.notation == names::SAN;
        let san = rows.iter().find(is_san).map_or(f64::NAN, |it| it.mean);
        let standard = cells.as_ref().and_then(|cells| cells.standard(&own.key));
        let of = |of: fn(&Standard) -> f64| standard.as_ref().map_or(f64::NAN, of);
        vec![
            Cell::Text(own.key.clone()),
            Cell::Count(own.plies),
            Cell::Ratio(of(|it| it.covered), 2),
            Cell::Ratio(san, 3),
            Cell::Ratio(of(|it| it.means[0]), 3),
            Cell::Ratio(own.mean, 3),
            Cell::Ratio(of(|it| it.means[1]), 3),
            Cell::Change(own.change, 2),
            Cell::Change(of(|it| change(it.means)), 2),
            Cell::Change(of(|it| change(it.of_all)), 2),
        ]
    };
    let file = standardised::of_product(crossed.product).map_or("", |schema| schema.file);
    Grid {
        caption: format!("With the phases and lengths of all plies, by {name}"),
        is_open: true,
        source: file.to_string(),
        note: String::new(),
        head: head.map(String::from).to_vec(),
        rows: own.map(row).collect(),
    }
}
