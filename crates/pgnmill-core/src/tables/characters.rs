//! `characters.csv`: how often each character occurs.

use super::columns::NOTATION;
use super::order::Order;
use super::schema::{Column, Schema, Written};

/// One row per notation and character.
pub static SCHEMA: Schema = Schema {
    written: Written::Writing,
    ..Schema::added(
        "characters.csv",
        "One row per notation and character that occurs: how often it occurs in the move texts.",
        &[
            NOTATION,
            Column::key("character", Order::Character, "the character: a Unicode scalar value"),
            Column::sum("occurrences", "characters", "how often it occurs"),
        ],
    )
};
