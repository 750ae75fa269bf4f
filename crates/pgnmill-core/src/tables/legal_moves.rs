//! `legal_moves.csv`: how many moves were legal.

use super::columns::PLIES;
use super::order::Order;
use super::schema::{Column, Merging, Schema, Written};

/// More moves than any position has.
pub const LEGAL_MOVES_MAX: usize = 512;

/// One row per number of legal moves.
pub static SCHEMA: Schema = Schema {
    file: "legal_moves.csv",
    purpose: "One row per number of legal moves that occurs.",
    written: Written::Entropy,
    columns: &[
        Column::number(
            "legal_moves",
            Order::Below(LEGAL_MOVES_MAX + 1),
            "moves",
            "number of legal moves before the ply",
        ),
        PLIES.with_doc("how many plies had this many"),
    ],
    merging: Merging::Count,
};
