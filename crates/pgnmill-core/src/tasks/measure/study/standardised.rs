//! `standardised_DIMENSION.csv`: what groups would cost with the phases and lengths of all groups together.
//!
//! Input: the table of a product of a dimension, the phase and the length; output: the table, by the formulas of
//! `tables/standardised.rs`. Invariant: sums are made in the order of the rows, which is that of their keys: the same
//! counts give the same text. Cost: a few look-ups per row.

use std::collections::BTreeMap;
use std::io::Write;

use crate::tables::columns::{change_percent, ratio};
use crate::tables::notations::BASES;
use crate::tables::{Dimension, Grid, Product, standardised};

/// Plies and characters.
type Sums = [u64; 2];

/// The cells of a group, by notation.
type Group<'g> = BTreeMap<&'g str, BTreeMap<usize, Sums>>;

/// The table of a product, taken apart.
struct Cells<'g> {
    /// The groups in their order.
    groups: Vec<(&'g str, Group<'g>)>,
    /// The notations in their order.
    notations: Vec<&'g str>,
    /// The plies of all groups by cell, in SAN, which can write all of them.
    standard: Vec<u64>,
}

impl<'g> Cells<'g> {
    fn of(grid: &'g Grid, place: usize) -> Cells<'g> {
        let mut cells = Cells { groups: Vec::new(), notations: Vec::new(), standard: Vec::new() };
        let last = grid.schema().keys_count() - 1;
        let (mut numbers, mut places) = (BTreeMap::new(), BTreeMap::new());
        for row in grid.sorted() {
            let (group, notation) = (grid.key(&row, place), grid.key(&row, last));
            let others = (0..last).filter(|&column| column != place);
            let cell: Vec<&str> = others.map(|column| grid.key(&row, column)).collect();
            let next = numbers.len();
            let cell = *numbers.entry(cell).or_insert(next);
            let at = *places.entry(group).or_insert_with(|| {
                cells.groups.push((group, Group::new()));
                cells.groups.len() - 1
            });
            let &[_, plies, characters, ..] = grid.sums(&row) else { continue };
            cells.groups[at].1.entry(notation).or_default().insert(cell, [plies, characters]);
            if !cells.notations.contains(&notation) {
                cells.notations.push(notation);
            }
            if notation == BASES[0] {
                cells.standard.resize(cells.standard.len().max(cell + 1), 0);
                cells.standard[cell] = cells.standard[cell].saturating_add(plies);
            }
        }
        // In the order of the dimension, wherever that is among the columns.
        let order = grid.schema().order_of(place);
        cells.groups.sort_by(|one, other| order.compare(one.0, other.0));
        cells
    }

    /// The standardised mean of a notation in a group, and the plies of the standard that are in cells of the group.
    fn mean(&self, group: &Group<'_>, notation: &str) -> Option<(f64, u64)> {
        let (mut sum, mut share) = (0.0, 0_u64);
        for (&cell, &[plies, characters]) in group.get(notation)? {
            let weight = self.standard.get(cell).copied().unwrap_or_default();
            if plies > 0 && weight > 0 {
                sum += weight as f64 * (characters as f64 / plies as f64);
                share = share.saturating_add(weight);
            }
        }
        (share > 0).then(|| (sum / share as f64, share))
    }
}

/// The sum over all cells.
fn whole(group: &Group<'_>, notation: &str) -> Sums {
    let cells = group.get(notation).into_iter().flat_map(BTreeMap::values);
    cells.fold([0; 2], |sum, cell| [0, 1].map(|at| sum[at].saturating_add(cell[at])))
}

/// Writes the table of the groups of `dimension`, from that of its product with phase and length.
///
/// # Errors
/// Those of the writer.
pub fn write_standardised<W: Write>(
    grid: &Grid,
    product: Product,
    dimension: Dimension,
    out: &mut csv::Writer<W>,
) -> csv::Result<()> {
    let place = product.dimensions().position(|other| other == dimension).unwrap_or_default();
    out.write_record(standardised::COLUMNS.map(|column| column.name))?;
    let cells = Cells::of(grid, place);
    let all = cells.standard.iter().fold(0, |sum: u64, &plies| sum.saturating_add(plies));
    for (name, group) in &cells.groups {
        let san_plies = whole(group, BASES[0])[0];
        for notation in cells.notations.iter().filter(|notation| group.contains_key(*notation)) {
            let [plies, characters] = whole(group, notation);
            let mean = cells.mean(group, notation);
            let text = |number: Option<f64>, digits: usize| {
                number.map_or_else(String::new, |number| format!("{number:.digits$}"))
            };
            let mut record = vec![
                name.to_string(),
                notation.to_string(),
                plies.to_string(),
                text(mean.map(|(_, share)| 100.0 * share as f64 / all as f64), 2),
                ratio(characters, plies, 3),
                text(mean.map(|(mean, _)| mean), 3),
            ];
            for base in BASES {
                // A notation that cannot write every game has no comparable total.
                let base = Some(base).filter(|_| plies == san_plies);
                let of_base = base.map_or(0, |base| whole(group, base)[1]);
                record.push(change_percent(characters, of_base));
                let standard = base.and_then(|base| cells.mean(group, base)).zip(mean);
                let change = standard.map(|((base, _), (own, _))| 100.0 * (own / base - 1.0));
                let change = text(change, 2);
                // No sign before a zero.
                record.push(if change == "-0.00" { change[1..].to_string() } else { change });
            }
            out.write_record(record)?;
        }
    }
    Ok(())
}
