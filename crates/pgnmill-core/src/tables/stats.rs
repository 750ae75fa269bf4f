//! `stats.csv` of `stats`: one row per section and value.

use super::schema::{Column, Merging, Schema, Written};

/// One row per section and value.
pub static SCHEMA: Schema = Schema {
    file: "stats.csv",
    purpose: "One row per section and value: the games that have it.",
    written: Written::Stats,
    columns: &[
        Column::text("section", "what is counted: the sections of `docs/check.md`"),
        Column::text(
            "value",
            "groups as in `measure --by`, in their order, `unknown` where a game has none; texts of tag pairs by the number of games",
        ),
        Column::count("games", "games", "games that have the value, rejected ones apart"),
    ],
    merging: Merging::Count,
};
