//! `tables.csv`: the bytes and the digest of each table beside it.

use super::schema::{Column, Merging, Schema, Written};

/// One row per table; its own is the last.
pub static SCHEMA: Schema = Schema {
    file: "tables.csv",
    purpose: "One row per table of the directory, by which `merge` recognises tables that were cut, \
              changed or copied from elsewhere.",
    written: Written::Always,
    columns: &[
        Column::text(
            "table",
            "the name of the file; in the last row `tables.csv` itself, up to that row",
        ),
        Column::count("bytes", "bytes", "its length"),
        Column::text(
            "digest",
            "of its bytes, 16 hexadecimal digits: a check against accidents, not against forgery",
        ),
    ],
    merging: Merging::Compute,
};
