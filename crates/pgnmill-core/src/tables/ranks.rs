//! `ranks.csv`: the rank of the played move among the legal ones.

use super::columns::{FIRST_HALF, PLIES};
use super::legal_moves::LEGAL_MOVES_MAX;
use super::order::Order;
use super::schema::{Column, Merging, Schema, Written};

/// One row per rank.
pub static SCHEMA: Schema = Schema {
    file: "ranks.csv",
    purpose: "One row per rank that occurs: the rank of the played move among the legal moves.",
    written: Written::Entropy,
    columns: &[
        Column::number("rank", Order::Below(LEGAL_MOVES_MAX + 1), "", "the rank, from 1"),
        PLIES.with_doc("how many moves had this rank"),
        FIRST_HALF,
    ],
    merging: Merging::Count,
};
