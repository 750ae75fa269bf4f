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

/// How many different texts occur.
pub const TYPES: Column = Column::derived(
    "types",
    Kind::Count,
    "",
    "how many different texts (ranks) occur, where the bits are an estimate from their frequencies (plug-in); empty for \
     a code",
);
/// Bits with the correction of the estimate.
pub const MILLER_MADOW: Column = Column::derived(
    "bits_per_ply_miller_madow",
    Kind::Decimal(4),
    "bits per ply",
    "the estimate with what it is too small by in the mean, (types − 1) / (2 · plies · ln 2) (Miller, Madow 1955)",
);

/// Bits with the frequencies of other games.
pub const HELD_OUT: Column = Column::derived(
    "bits_per_ply_held_out",
    Kind::Decimal(4),
    "bits per ply",
    "the same for games that were not counted: each half of the games with the frequencies n of the other, a text at \
     −log₂((n + ½) / (N + T/2)), N the plies of the other half and T the different texts of both; empty for a code, and \
     if a half is empty",
);

/// One row per code.
pub static SCHEMA: Schema = Schema {
    file: "entropy.csv",
    purpose: "One row per code: the bits that it needs.",
    written: Written::Entropy,
    columns: &[CODE, PLIES, BITS_TOTAL, BITS_PER_PLY, TYPES, MILLER_MADOW, HELD_OUT],
    merging: Merging::Compute,
};
