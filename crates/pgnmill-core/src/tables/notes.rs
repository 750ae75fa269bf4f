//! `--notes`: one row per note or repair.

use super::columns::{
    ARCHIVE, BLACK, BYTE_OFFSET, COLUMN, EVENT, GAME, KIND, LINE, PLY, SITE, WHITE,
};
use super::schema::{Column, Merging, Schema, Written};

/// One row per note or repair.
pub static SCHEMA: Schema = Schema {
    file: "--notes N.csv",
    purpose: "One row per note or repair in the games that are accepted or repaired, in the order \
     of the text.",
    written: Written::Notes,
    columns: &[
        ARCHIVE,
        BYTE_OFFSET.with_doc(
            "offset of the written text in the archive's text; where something is missing or the \
             row is about the whole game: of the beginning or the end of the game",
        ),
        LINE.with_doc("the line of this offset, from 1"),
        COLUMN.with_doc("the position in this line, from 1"),
        GAME,
        PLY.with_doc("the ply, from 1; 0 before the first move"),
        KIND,
        Column::text(
            "class",
            "`note` (the text is kept) or `repair` (the canonical text replaces it)",
        ),
        Column::text(
            "written",
            "the text in the archive, its first 255 bytes, then `…`; bytes that are not UTF-8 are \
             shown as U+FFFD; empty where something is missing or the row is about the whole \
             game",
        ),
        Column::text(
            "canonical",
            "the canonical text in the notation (or the letters) of the game: for moves (`Rf8+`: \
             `Rf8#`), wrong move numbers and results; empty for suffixes that a conversion omits \
             (`e.p.`, a detached `+`), and for what has no canonical text (tags, FEN, missing \
             numbers)",
        ),
        EVENT,
        SITE,
        WHITE,
        BLACK,
    ],
    merging: Merging::OfSplits,
};
