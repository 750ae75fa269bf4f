//! `se.csv` and `se_DIMENSION.csv`: standard errors of means and of changes.
//!
//! A game is a cluster of plies: they are not independent of each other, games are taken to be. The mean length of a
//! text is a ratio of two sums over games, C / P, characters and plies; its error is that of a ratio estimator
//! (Cochran, *Sampling Techniques*, 6.5; linearisation): with `n` games and the residuals `c − (C/P)·p` of each,
//!
//! ```text
//! se² = n/(n−1) · Σ (c − (C/P)·p)² / P²
//! ```
//!
//! and for a change against another notation with the sums S the same with `s` for `p`. All that is needed are the
//! sums of squares and products over games: integers, so that tables add up exactly. Intervals are of 95 % by the
//! normal distribution; they are empty where there are fewer than two games.

use super::columns::{
    CHARACTERS, CHARACTERS_PER_PLY, GAMES, NOTATION, PLIES, change_percent, ratio,
};
use super::dimension::Dimension;
use super::groups::SOURCES_MAX;
use super::notations::BASES;
use super::order::Order;
use super::schema::{Column, Kind, Merging, RowCounts, Schema, Written};

/// The distance of the ends of an interval of 95 % from its middle, in standard errors.
pub const NORMAL_95: f64 = 1.959_964;

/// Where a row has its integers.
const SUM_OF: SumPlaces = SumPlaces { games: 0, plies: 1, characters: 2, plies_squared: 3 };
const CHARACTERS_TIMES_PLIES: usize = 4;
const CHARACTERS_SQUARED: usize = 5;
/// With the characters of the bases, in their order.
const TIMES_BASES: usize = 6;

struct SumPlaces {
    games: usize,
    plies: usize,
    characters: usize,
    plies_squared: usize,
}

/// The integers of a row, in their order.
pub const SUMS: [Column; 8] = [
    GAMES.with_doc("games with a ply in the group that the notation can write"),
    PLIES.with_doc("their plies in the group"),
    CHARACTERS,
    Column::sum("plies_squared", "", "sum over games of `p²`, p the plies of a game"),
    Column::sum(
        "characters_times_plies",
        "",
        "sum over games of `c·p`, c the characters of a game",
    ),
    Column::sum("characters_squared", "", "sum over games of `c²`"),
    Column::sum("characters_times_san", "", "sum over games of `c` times the characters of `san`"),
    Column::sum(
        "characters_times_economical_letters",
        "",
        "sum over games of `c` times the characters of `economical-letters`",
    ),
];

/// What follows from them.
const DERIVED: [Column; 12] = [
    CHARACTERS_PER_PLY,
    error("se", "characters per ply", "the standard error of `characters_per_ply`"),
    error("ci_low", "characters per ply", "the lower end of its interval of 95 %"),
    error("ci_high", "characters per ply", "the upper end"),
    change("change_percent_vs_san", "as in `notations.csv`"),
    error("change_vs_san_se", "points", "its standard error, in points of a hundred"),
    change("change_vs_san_ci_low", "the lower end of its interval of 95 %"),
    change("change_vs_san_ci_high", "the upper end"),
    change("change_percent_vs_economical_letters", "the same against `economical-letters`"),
    error(
        "change_vs_economical_letters_se",
        "points",
        "its standard error, in points of a hundred",
    ),
    change("change_vs_economical_letters_ci_low", "the lower end of its interval of 95 %"),
    change("change_vs_economical_letters_ci_high", "the upper end"),
];

const fn error(name: &'static str, unit: &'static str, doc: &'static str) -> Column {
    Column::derived(name, Kind::Decimal(5), unit, doc)
}

const fn change(name: &'static str, doc: &'static str) -> Column {
    Column::derived(name, Kind::Decimal(3), "per cent", doc)
}

/// Columns with the key of a group, and without.
const COLUMNS: usize = 2 + SUMS.len() + DERIVED.len();

const fn columns(group: Option<Dimension>) -> [Column; COLUMNS] {
    let mut all = [NOTATION; COLUMNS];
    let mut at = 0;
    if let Some(dimension) = group {
        all[0] = Column::key("key", Order::Groups(dimension), "the group");
        at = 1;
    }
    at += 1;
    let mut from = 0;
    while from < SUMS.len() {
        all[at] = SUMS[from];
        (at, from) = (at + 1, from + 1);
    }
    from = 0;
    while from < DERIVED.len() {
        all[at] = DERIVED[from];
        (at, from) = (at + 1, from + 1);
    }
    all
}

static COLUMNS_OF_ALL: [Column; COLUMNS] = columns(None);

/// All games. The last column of the array is not used: there is no group.
pub static SCHEMA: Schema = Schema {
    file: "se.csv",
    purpose: "One row per notation of `--notations main`: standard errors of its mean and of its changes, with games as \
              clusters.",
    written: Written::Cluster,
    columns: COLUMNS_OF_ALL.split_at(COLUMNS - 1).0,
    merging: Merging::Add { groups_max: usize::MAX, derive },
};

static COLUMNS_BY: [[Column; COLUMNS]; Dimension::ALL.len()] = {
    let mut all = [columns(Some(Dimension::Ply)); Dimension::ALL.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = columns(Some(Dimension::ALL[at]));
        at += 1;
    }
    all
};

/// Longer than the name of any table.
const NAME_BYTES_MAX: usize = 40;
/// `se_` and what the name of the table by the dimension has after `by_`, and its length.
static NAMES: [([u8; NAME_BYTES_MAX], usize); Dimension::ALL.len()] = {
    let mut names = [([0; NAME_BYTES_MAX], 0); Dimension::ALL.len()];
    let mut place = 0;
    while place < names.len() {
        let by = Dimension::ALL[place].file().as_bytes();
        let (mut name, mut at) = ([0; NAME_BYTES_MAX], 0);
        while at < by.len() {
            name[at] = if at == 0 {
                b's'
            } else if at == 1 {
                b'e'
            } else {
                by[at]
            };
            at += 1;
        }
        names[place] = (name, by.len());
        place += 1;
    }
    names
};

const fn name(place: usize) -> &'static str {
    let (bytes, length) = &NAMES[place];
    match std::str::from_utf8(bytes.split_at(*length).0) {
        Ok(name) => name,
        Err(_) => panic!("names of tables are ASCII"),
    }
}

/// One table per dimension, in the order of [`Dimension::ALL`].
pub static SCHEMAS: [Schema; Dimension::ALL.len()] = {
    let mut schemas = [SCHEMA_BY_PLY; Dimension::ALL.len()];
    let mut at = 0;
    while at < schemas.len() {
        schemas[at] = schema_by(at);
        at += 1;
    }
    schemas
};

const SCHEMA_BY_PLY: Schema = schema_by(0);

const fn schema_by(place: usize) -> Schema {
    let groups_max = if place == Dimension::Source.index() { SOURCES_MAX } else { usize::MAX };
    Schema {
        file: name(place),
        purpose: "One row per group and notation of `--notations main`: standard errors as in `se.csv`.",
        written: Written::ClusterBy,
        columns: &COLUMNS_BY[place],
        merging: Merging::Add { groups_max, derive },
    }
}

/// The standard error of the ratio `a / b` of two sums over `games`, from the sums of squares and products.
pub fn of_ratio(games: u64, [a, b]: [u64; 2], [aa, ab, bb]: [u64; 3]) -> Option<f64> {
    if games < 2 || b == 0 {
        return None;
    }
    let [games, a, b] = [games, a, b].map(|sum| sum as f64);
    let [aa, ab, bb] = [aa, ab, bb].map(|sum| sum as f64);
    let ratio = a / b;
    let residuals = (aa - 2.0 * ratio * ab + ratio * ratio * bb).max(0.0);
    Some((games / (games - 1.0) * residuals).sqrt() / b)
}

/// The standard errors of a row.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Errors {
    /// Of the mean, in characters per ply.
    pub mean: Option<f64>,
    /// Of the changes against the bases, in their order, in points of a hundred.
    pub changes: [Option<f64>; BASES.len()],
}

impl Errors {
    /// Those of a row with these integers, in the order of [`SUMS`], and of the rows of the bases of the same group.
    pub fn of(sums: &[u64; SUMS.len()], bases: [Option<&[u64]>; BASES.len()]) -> Errors {
        let (games, plies, characters) =
            (sums[SUM_OF.games], sums[SUM_OF.plies], sums[SUM_OF.characters]);
        let squares =
            [sums[CHARACTERS_SQUARED], sums[CHARACTERS_TIMES_PLIES], sums[SUM_OF.plies_squared]];
        let mut errors =
            Errors { mean: of_ratio(games, [characters, plies], squares), ..Errors::default() };
        for (place, base) in bases.into_iter().enumerate() {
            // A notation that cannot write every game has no comparable total.
            let Some(base) = base.filter(|base| base[SUM_OF.plies] == plies) else { continue };
            let squares =
                [sums[CHARACTERS_SQUARED], sums[TIMES_BASES + place], base[CHARACTERS_SQUARED]];
            let error = of_ratio(games, [characters, base[SUM_OF.characters]], squares);
            errors.changes[place] = error.map(|error| 100.0 * error);
        }
        errors
    }
}

fn derive(row: &RowCounts<'_>) -> Vec<String> {
    let Ok(sums) = <&[u64; SUMS.len()]>::try_from(row.sums) else { return Vec::new() };
    let (plies, characters) = (sums[SUM_OF.plies], sums[SUM_OF.characters]);
    let bases = BASES.map(|name| (row.of)(name).filter(|base| base[SUM_OF.plies] == plies));
    let errors = Errors::of(sums, bases);
    let mut all = vec![ratio(characters, plies, 3)];
    all.extend(interval(characters as f64 / plies as f64, errors.mean, [5, 5]));
    for (base, error) in bases.into_iter().zip(errors.changes) {
        let whole = base.map_or(0, |base| base[SUM_OF.characters]);
        all.push(change_percent(characters, whole));
        let change = 100.0 * (characters as f64 / whole as f64 - 1.0);
        all.extend(interval(change, error, [5, 3]));
    }
    all
}

/// The error and the ends of the interval, with these numbers of decimals.
fn interval(middle: f64, error: Option<f64>, [of_error, of_ends]: [usize; 2]) -> [String; 3] {
    let Some(error) = error else { return Default::default() };
    let end = |side: f64| format!("{:.of_ends$}", middle + side * NORMAL_95 * error);
    [format!("{error:.of_error$}"), end(-1.0), end(1.0)]
}

impl Dimension {
    /// The table of standard errors by this dimension.
    pub fn se_schema(self) -> &'static Schema {
        &SCHEMAS[self.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Grid;

    /// Against the definition, over some games.
    #[test]
    fn the_error_of_a_ratio_is_that_of_its_definition() {
        let games: [(u64, u64); 5] = [(250, 80), (130, 40), (301, 100), (95, 31), (410, 120)];
        let sum = |of: fn(u64, u64) -> u64| games.iter().map(|&(c, p)| of(c, p)).sum::<u64>();
        let (c, p) = (sum(|c, _| c), sum(|_, p| p));
        let squares = [sum(|c, _| c * c), sum(|c, p| c * p), sum(|_, p| p * p)];
        let ratio = c as f64 / p as f64;
        let residual = |&(c, p): &(u64, u64)| (c as f64 - ratio * p as f64).powi(2);
        let residuals: f64 = games.iter().map(residual).sum();
        let expected = (5.0 / 4.0 * residuals).sqrt() / p as f64;
        let error = of_ratio(5, [c, p], squares).unwrap();
        assert!((error - expected).abs() < 1e-12, "{error} {expected}");
        assert_eq!(of_ratio(1, [c, p], squares), None);
        assert_eq!(of_ratio(5, [0, 0], [0; 3]), None);
    }

    #[test]
    fn a_table_adds_up_and_derives_its_errors() {
        assert_eq!(Dimension::RatingDifference.se_schema().file, "se_rating_difference.csv");
        assert_eq!(SCHEMA.columns.len(), COLUMNS - 1);
        let header = SCHEMA.header().join(",");
        let one = format!("{header}\nsan,2,4,12,8,24,72,72,0\nuci,2,4,16,8,32,128,96,0\n");
        let mut grid = Grid::new(&SCHEMA);
        let rows: Vec<String> = one
            .lines()
            .map(|line| {
                if line.starts_with("not") {
                    line.into()
                } else {
                    line.to_string() + ",,,,,,,,,,,,"
                }
            })
            .collect();
        let text = rows.join("\n") + "\n";
        grid.add(text.as_bytes()).unwrap();
        grid.add(text.as_bytes()).unwrap();
        let mut out = csv::Writer::from_writer(Vec::new());
        grid.write(&mut out).unwrap();
        let out = String::from_utf8(out.into_inner().unwrap()).unwrap();
        let uci = out.lines().find(|line| line.starts_with("uci")).unwrap();
        // Every game has the same ratio: no error.
        assert_eq!(
            uci,
            "uci,4,8,32,16,64,256,192,0,4.000,0.00000,4.00000,4.00000,33.33,0.00000,33.333,33.333,,,,"
        );
    }
}
