//! `weights.csv`: means and changes if each ply, each game or each archive counts the same.
//!
//! Input: the tables of standard errors, of ratios and, if it is there, of standard errors by archive; output: the
//! table, by the formulas of `tables/weights.rs`. Cost: a pass over their rows.

use std::io::Write;

use crate::tables::notations::BASES;
use crate::tables::ratios::MILLION;
use crate::tables::{Grid, Row, weights};

/// Where rows of standard errors have plies and characters.
const PLIES: usize = 1;
const CHARACTERS: usize = 2;

/// A mean, and changes against the bases, in per cent.
struct Means {
    units: u64,
    mean: f64,
    changes: [f64; BASES.len()],
}

/// The rows of a table of standard errors of one archive, or of all: the mean and the ratios of a notation.
fn ratios(grid: &Grid, rows: &[Row], notation: &str) -> Option<[f64; 1 + BASES.len()]> {
    let name = grid.schema().keys_count() - 1;
    let row_of = |wanted: &str| rows.iter().find(|row| grid.key(row, name) == wanted);
    let own = grid.sums(row_of(notation)?);
    let [san, letters] = BASES
        .map(|base| row_of(base).map_or(f64::NAN, |row| quotient(own, grid.sums(row), CHARACTERS)));
    Some([own[CHARACTERS] as f64 / own[PLIES] as f64, san, letters])
}

fn quotient(above: &[u64], below: &[u64], place: usize) -> f64 {
    above[place] as f64 / below[place] as f64
}

fn percent(ratio: f64) -> f64 {
    100.0 * (ratio - 1.0)
}

/// Each ply counts the same.
fn by_ply(whole: &Grid, notation: &str) -> Option<Means> {
    let rows = whole.sorted();
    let [mean, changes @ ..] = ratios(whole, &rows, notation)?;
    let units = whole.get(&[notation])?[PLIES];
    Some(Means { units, mean, changes: changes.map(percent) })
}

/// Each game counts the same.
fn by_game(sums: &Grid, notation: &str) -> Option<Means> {
    let &[units, per_ply, vs_san, vs_letters] = sums.get(&[notation])? else { return None };
    let mean = |sum: u64| sum as f64 / units as f64 / MILLION as f64;
    let changes = [vs_san, vs_letters].map(|sum| percent(mean(sum)));
    Some(Means { units, mean: mean(per_ply), changes })
}

/// Each archive counts the same. The rows of an archive follow each other, and archives have one order.
fn by_archive(sources: &Grid, sorted: &[Row], notation: &str) -> Option<Means> {
    let is_one = |one: &Row, other: &Row| sources.key(one, 0) == sources.key(other, 0);
    let archives = sorted.chunk_by(is_one).filter_map(|rows| ratios(sources, rows, notation));
    let (mut units, mut sums) = (0, [0.0; 1 + BASES.len()]);
    for archive in archives {
        units += 1;
        sums.iter_mut().zip(archive).for_each(|(sum, more)| *sum += more);
    }
    let [mean, changes @ ..] = sums.map(|sum| sum / units as f64);
    (units > 0).then(|| Means { units, mean, changes: changes.map(percent) })
}

/// Writes `weights.csv`, from `se.csv`, `ratios.csv` and, with archives, `se_source.csv`.
///
/// # Errors
/// Those of the writer.
pub fn write_weights<W: Write>(
    whole: &Grid,
    sums: &Grid,
    sources: Option<&Grid>,
    out: &mut csv::Writer<W>,
) -> csv::Result<()> {
    out.write_record(weights::SCHEMA.header())?;
    let of_sources = sources.map(|sources| (sources, sources.sorted()));
    for weight in weights::WEIGHTS {
        for row in whole.sorted() {
            let notation = whole.key(&row, 0);
            let means = match weight {
                "ply" => by_ply(whole, notation),
                "game" => by_game(sums, notation),
                _ => of_sources.as_ref().and_then(|(grid, rows)| by_archive(grid, rows, notation)),
            };
            let Some(Means { units, mean, changes }) = means else { continue };
            let decimal = |number: f64, digits: usize| match number.is_finite() {
                true => format!("{number:.digits$}"),
                false => String::new(),
            };
            let [san, letters] = changes.map(|change| decimal(change, 3));
            out.write_record([
                weight,
                notation,
                &units.to_string(),
                &decimal(mean, 4),
                &san,
                &letters,
            ])?;
        }
    }
    Ok(())
}
