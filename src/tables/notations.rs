//! `notations.csv`: one row per notation.

use super::columns::{BYTES, CHARACTERS, CHARACTERS_PER_PLY, GAMES, NOTATION, PLIES};
use super::columns::{change_percent, ratio};
use super::schema::{Column, Kind, Merging, RowCounts, Schema, Written};

/// The notations that the others are compared with: they are in every selection.
pub const BASES: [&str; 2] = ["san", "economical-letters"];

/// One row per notation.
pub static SCHEMA: Schema = Schema {
    file: "notations.csv",
    purpose: "One row per notation, in the order of `pgnmill notations`.",
    written: Written::Always,
    columns: &[
        NOTATION,
        GAMES.with_doc(
            "games that the notation can write: the same in every row except `stamma`, which writes only games from the \
             starting position",
        ),
        PLIES.with_doc("plies of these games"),
        CHARACTERS,
        BYTES,
        CHARACTERS_PER_PLY,
        Column::derived(
            "change_percent_vs_san",
            Kind::Decimal(2),
            "per cent",
            "100 · (this − san) / san, in characters; negative where this notation is shorter, as on the terminal and on the \
             page; empty if there are no plies, or if this notation cannot write all of them",
        ),
        Column::derived(
            "change_percent_vs_economical_letters",
            Kind::Decimal(2),
            "per cent",
            "the same against `economical-letters`",
        ),
    ],
    merging: Merging::Add { groups_max: usize::MAX, derive },
};

fn derive(row: &RowCounts<'_>) -> Vec<String> {
    let (plies, characters) = (row.sums[1], row.sums[2]);
    let change = |base: &str| match (row.of)(&[base]) {
        // A notation that cannot write every game has no comparable total.
        Some(base) if base[1] == plies => change_percent(characters, base[2]),
        _ => String::new(),
    };
    vec![ratio(characters, plies, 3), change(BASES[0]), change(BASES[1])]
}
