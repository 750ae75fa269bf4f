//! `orders.csv`: bits of texts in adaptive models of order k.

use super::columns::{NOTATION, PLIES, ratio};
use super::order::Order;
use super::schema::{Column, Kind, Merging, RowCounts, Schema, Written};

/// The order.
pub const ORDER: Column = Column::number(
    "order",
    Order::Below(6),
    "bytes",
    "how many bytes before a byte are used, 0 to 5; shorter contexts where these have not occurred",
);
/// The size of the texts.
pub const BYTES: Column =
    Column::sum("bytes", "bytes", "bytes of the texts with their spaces and line feeds");
/// The size after.
pub const BITS: Column = Column::sum("bits", "bits", "bits of all coded batches together");

/// One row per notation and order.
pub static SCHEMA: Schema = Schema {
    file: "orders.csv",
    purpose: "One row per notation and order of a model: the bits that the texts take in an adaptive code.",
    written: Written::Orders,
    columns: &[
        NOTATION,
        ORDER,
        PLIES.with_doc("plies in the texts"),
        BYTES,
        BITS,
        Column::derived(
            "bits_per_ply",
            Kind::Decimal(3),
            "bits per ply",
            "`bits` / `plies`; empty if there are no plies",
        ),
        Column::derived(
            "bits_per_byte",
            Kind::Decimal(3),
            "bits per byte",
            "`bits` / `bytes`; empty if there are no bytes",
        ),
    ],
    merging: Merging::Add { groups_max: usize::MAX, derive },
};

fn derive(row: &RowCounts<'_>) -> Vec<String> {
    let [plies, bytes, bits] = [0, 1, 2].map(|at| row.sums[at]);
    vec![ratio(bits, plies, 3), ratio(bits, bytes, 3)]
}
