//! `codes.csv`: bits of codes for moves that use the position.

use super::columns::{GAMES, PLIES};
use super::order::Order;
use super::schema::{Column, Kind, Merging, Schema, Written};

/// The name of the code.
pub const CODE: Column = Column::key("code", Order::Any, "the code, of the five described below");
/// The bits of all plies.
pub const BITS: Column = Column::sum("bits", "bits", "bits that were written, of all batches");
/// The bits of one.
pub const BITS_PER_PLY: Column = Column::derived(
    "bits_per_ply",
    Kind::Decimal(4),
    "bits per ply",
    "bits / plies; empty if there are no plies",
);
/// The entropy of its symbols.
pub const ENTROPY_BITS_PER_PLY: Column = Column::derived(
    "entropy_bits_per_ply",
    Kind::Decimal(4),
    "bits per ply",
    "from `code_symbols.csv`: of `legal-moves` the mean binary logarithm of their number, of `rank-adaptive` and \
     `lichess-huffman` the entropy of order 0 (plug-in) of the places; empty for other codes",
);

/// One row per code.
pub static SCHEMA: Schema = Schema {
    file: "codes.csv",
    purpose: "One row per code for moves that uses the position: the bits that it wrote.",
    written: Written::Codes,
    columns: &[
        CODE,
        GAMES.with_doc(
            "games that it wrote; `lichess-huffman` writes those from the starting position alone",
        ),
        PLIES.with_doc("their plies"),
        BITS,
        BITS_PER_PLY,
        ENTROPY_BITS_PER_PLY,
    ],
    merging: Merging::Count,
};
