//! `code_symbols.csv`: how often each symbol of a code was.

use super::codes::CODE;
use super::columns::PLIES;
use super::legal_moves::LEGAL_MOVES_MAX;
use super::order::Order;
use super::schema::{Column, Merging, Schema, Written};

/// One row per code and symbol.
pub static SCHEMA: Schema = Schema {
    file: "code_symbols.csv",
    purpose: "One row per code and symbol that occurs.",
    written: Written::Codes,
    columns: &[
        CODE.with_doc("the code: `legal-moves`, `rank-adaptive` or `lichess-huffman`"),
        Column::number(
            "symbol",
            Order::Below(LEGAL_MOVES_MAX + 1),
            "",
            "of `legal-moves` the number of legal moves; of the others the place of the played move in the code's \
             order, from 1",
        ),
        PLIES.with_doc("how many plies had it"),
    ],
    merging: Merging::Count,
};
