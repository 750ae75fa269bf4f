//! `cross_A_by_B.csv`, `cross_A_by_B_by_C.csv`: the counts of each group of a product of dimensions.

use super::by;
use super::dimension::Dimension;
use super::groups::SOURCES_MAX;
use super::order::Order;
use super::product::Product;
use super::schema::{Column, Merging, Schema, Written};

/// The name of the block of documentation.
pub const FILE: &str = "cross_A_by_B.csv";

/// The declaration of a product's table. Its columns and its name are kept for the time of the process.
pub(super) fn declared(product: Product) -> Schema {
    let doc = |dimension| match dimension {
        Dimension::Source => {
            "the archive; of more than fit into 13,000 groups the first by the bytes of their names, the others together"
        }
        _ => "the group of this dimension",
    };
    let keys = product.dimensions().map(|dimension| {
        Column::key(dimension.column_name(), Order::Groups(dimension), doc(dimension))
    });
    let of_group = by::SCHEMAS[0].columns[1..].iter().copied();
    let columns: Vec<Column> = keys.chain(of_group).collect();
    let groups_max =
        if product.has_source() { product.sources_max().min(SOURCES_MAX) } else { usize::MAX };
    Schema {
        file: product.file_name().leak(),
        purpose: "One row per group of each dimension and notation; groups without a game have none.",
        written: Written::Crossed,
        columns: columns.leak(),
        merging: Merging::Add { groups_max, derive: by::derive },
    }
}
