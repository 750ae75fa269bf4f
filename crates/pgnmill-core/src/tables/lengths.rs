//! `lengths.csv`: the histogram of text lengths.

use super::columns::{NOTATION, PLIES};
use super::order::Order;
use super::schema::{Column, Schema};

/// Lengths are below this number: a power of two, so that a length is reduced to the range without a branch.
pub const LENGTHS: usize = 64;

/// The length of a text.
pub const CHARACTERS: Column =
    Column::number("characters", Order::Below(LENGTHS), "characters", "the length of a move text");

/// One row per notation and length.
pub static SCHEMA: Schema = Schema::added(
    "lengths.csv",
    "One row per notation and length that occurs: the histogram of text lengths.",
    &[NOTATION, CHARACTERS, PLIES.with_doc("how many texts have this length")],
);
