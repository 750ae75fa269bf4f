//! `weights.csv`: means and changes if each ply counts the same, each game, or each archive.
//!
//! Every other table counts plies: a long game and a large archive count more. With P, C, S the plies and characters of
//! all games, in this notation and in the other one, with lower-case letters for one game or one archive and n of them:
//!
//! ```text
//! ply:      C / P                           C / S − 1
//! game:     Σ (c / p) / n  over games       Σ (c / s) / n − 1
//! archive:  Σ (c / p) / n  over archives    Σ (c / s) / n − 1
//! ```

use super::columns::NOTATION;
use super::order::Order;
use super::schema::{Column, Kind, Merging, Schema, Written};

/// What counts the same.
pub const WEIGHTS: [&str; 3] = ["ply", "game", "archive"];

/// What counts the same.
pub const WEIGHT: Column = Column::key(
    "weight",
    Order::Listed(&WEIGHTS),
    "what counts the same: `ply`, as in all other tables; `game`, from `ratios.csv`; `archive`, from `se_source.csv`, \
     with `--by source` alone",
);
/// How many there are.
pub const UNITS: Column = Column::derived(
    "units",
    Kind::Count,
    "",
    "plies, games with a ply, or archives with such a game; `(other archives)` is one",
);
/// The mean.
pub const MEAN: Column = Column::derived(
    "characters_per_ply",
    Kind::Decimal(4),
    "characters per ply",
    "the mean length of a text",
);
/// The mean change against SAN.
pub const VS_SAN: Column = Column::derived(
    "change_percent_vs_san",
    Kind::Decimal(3),
    "per cent",
    "the mean change, negative where this notation is shorter",
);
/// The mean change against the notation with letters.
pub const VS_LETTERS: Column = Column::derived(
    "change_percent_vs_economical_letters",
    Kind::Decimal(3),
    "per cent",
    "the same against `economical-letters`",
);

/// One row per weight and notation.
pub static SCHEMA: Schema = Schema {
    file: "weights.csv",
    purpose: "One row per weight and notation of `--notations main`: means and changes if each ply, each game or each \
              archive counts the same.",
    written: Written::Cluster,
    columns: &[WEIGHT, NOTATION, UNITS, MEAN, VS_SAN, VS_LETTERS],
    merging: Merging::Compute,
};
