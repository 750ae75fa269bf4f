//! `entropy.csv`: bits per code.

use super::order::Order;
use super::schema::{Column, Kind, Merging, Schema, Written};

/// The name of the code.
pub const CODE: Column =
    Column::key("code", Order::Any, "a notation, or one of the four codes below");
/// Plies that it codes.
pub const PLIES: Column = Column::derived("plies", Kind::Count, "plies", "plies that it codes");
/// The bits of all of them.
pub const BITS_TOTAL: Column =
    Column::derived("bits_total", Kind::Count, "bits", "bits of all plies, rounded to whole bits");
/// The bits of one.
pub const BITS_PER_PLY: Column = Column::derived(
    "bits_per_ply",
    Kind::Decimal(4),
    "bits per ply",
    "bits per ply, from the unrounded total; empty if there are no plies",
);

/// One row per code.
pub static SCHEMA: Schema = Schema {
    file: "entropy.csv",
    purpose: "One row per code: the bits that it needs.",
    written: Written::Entropy,
    columns: &[CODE, PLIES, BITS_TOTAL, BITS_PER_PLY],
    merging: Merging::Compute,
};
