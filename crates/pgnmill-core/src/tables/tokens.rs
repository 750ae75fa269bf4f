//! `tokens.csv`: how often each move text occurs.

use super::columns::{FIRST_HALF, NOTATION, PLIES};
use super::order::Order;
use super::schema::{Column, Merging, Schema, Written};

/// One row per notation and text.
pub static SCHEMA: Schema = Schema {
    file: "tokens.csv",
    purpose: "One row per notation and move text that occurs, the most frequent first.",
    written: Written::Entropy,
    columns: &[
        NOTATION,
        Column::key("token", Order::Any, "the text of a move, check suffix included"),
        PLIES.with_doc("how many plies have this text"),
        FIRST_HALF,
    ],
    merging: Merging::Count,
};
