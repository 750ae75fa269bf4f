//! `ratios.csv`: sums of the ratios of single games, from which the means follow that count each game once.
//!
//! A ratio of one game is a fraction; each is rounded to a millionth, so that sums are integers, exact in any order and
//! however games are divided among runs. A mean is wrong by half a millionth at most.

use super::columns::{GAMES, NOTATION};
use super::schema::{Column, Schema, Written};

/// What a ratio is multiplied by.
pub const MILLION: u64 = 1_000_000;

/// The sums of a row after the games: against plies, and against each of the bases.
pub const SUMS: [Column; 3] = [
    Column::sum(
        "per_ply_millionths",
        "",
        "sum over games of 1,000,000 · characters / plies, each rounded",
    ),
    Column::sum("vs_san_millionths", "", "the same with the characters of `san` for the plies"),
    Column::sum(
        "vs_economical_letters_millionths",
        "",
        "the same with those of `economical-letters`",
    ),
];

/// One row per notation.
pub static SCHEMA: Schema = Schema {
    written: Written::Cluster,
    ..Schema::added(
        "ratios.csv",
        "One row per notation of `--notations main`: sums of the ratios of single games.",
        &[NOTATION, GAMES.with_doc("games with a ply"), SUMS[0], SUMS[1], SUMS[2]],
    )
};

/// A ratio in millionths, rounded to the nearest, a half up; 0 where there is nothing to compare with.
pub fn millionths(above: u64, below: u64) -> u64 {
    match below {
        0 => 0,
        _ => (above.saturating_mul(2 * MILLION).saturating_add(below)) / below.saturating_mul(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_rounded() {
        for (above, below, expected) in
            [(1, 3, 333_333), (2, 3, 666_667), (1, 2_000_000, 1), (1, 2_000_001, 0), (5, 0, 0)]
        {
            assert_eq!(millionths(above, below), expected, "{above} / {below}");
        }
        assert!(millionths(u64::MAX, u64::MAX) <= MILLION);
    }
}
