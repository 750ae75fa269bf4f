//! `compress.csv`: texts before and after compression.

use super::columns::{NOTATION, PLIES};
use super::order::Order;
use super::schema::{Column, Merging, Schema, Written};

/// The compressor.
pub const COMPRESSOR: Column =
    Column::key("compressor", Order::Any, "`zstd:LEVEL` or `xz:LEVEL`, lower levels first");
/// The size before.
pub const BYTES_BEFORE: Column =
    Column::sum("bytes_before", "bytes", "bytes of the texts with their spaces and line feeds");
/// The size after.
pub const BYTES_AFTER: Column =
    Column::sum("bytes_after", "bytes", "bytes of all compressed batches together");

/// One row per notation and compressor.
pub static SCHEMA: Schema = Schema {
    file: "compress.csv",
    purpose: "One row per notation and compressor: texts before and after compression.",
    written: Written::Compress,
    columns: &[
        NOTATION,
        COMPRESSOR,
        PLIES.with_doc("plies in the texts"),
        BYTES_BEFORE,
        BYTES_AFTER,
    ],
    merging: Merging::Count,
};
