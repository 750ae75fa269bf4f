//! `--faults`: one row per rejected game, and per value that an export cannot read.

use super::columns::{
    ARCHIVE, BLACK, BYTE_OFFSET, COLUMN, EVENT, GAME, KIND, LINE, PLY, SITE, WHITE,
};
use super::schema::{Column, Merging, Schema, Written};

/// One row per rejected game; in an export also one per value that cannot be read.
pub static SCHEMA: Schema = Schema {
    file: "--faults F.csv",
    purpose: "One row per rejected game, in the order of the inputs: its first fault. `export` adds one row per value of \
              the other games that it cannot read.",
    written: Written::Faults,
    columns: &[
        ARCHIVE,
        BYTE_OFFSET.with_doc("offset of the offending text in the archive's text"),
        LINE.with_doc("its line in the archive, from 1; lines end with LF, CR LF or CR"),
        COLUMN.with_doc("its position in the line, from 1"),
        GAME,
        PLY.with_doc("the ply of the fault, from 1; 0 before the first move"),
        KIND.with_doc(
            "the name of the fault; `pgnmill deviations` lists those that reject a game, \
             [columns.md](../columns.md) the values that cannot be read",
        ),
        Column::text(
            "text",
            "the offending text, its first 32 bytes; bytes that are not UTF-8 are shown as U+FFFD",
        ),
        Column::text(
            "detail",
            "the reason in words: each clause is true of the position by itself (checked by \
             `tests/rules/reasons.rs`)",
        ),
        Column::text("fen", "the position before the fault, where the fault is in the moves"),
        EVENT,
        SITE,
        WHITE,
        BLACK,
    ],
    merging: Merging::OfSplits,
};
