//! `standardised_DIMENSION.csv`: what the groups of a dimension would cost with the same mix of phases and lengths.
//!
//! A group can have longer texts because its games are longer, with more plies in endgames: not because it writes other
//! moves. Direct standardisation takes that out: with the cells k (a phase and a length), N the plies of all groups and
//! Nₖ those of the cell, and of the group the plies pₖ, the characters cₖ and those in the other notation sₖ,
//!
//! ```text
//! wₖ = Nₖ / N       mean = Σ wₖ · cₖ / pₖ  /  Σ wₖ       change = Σ wₖ · cₖ / pₖ  /  Σ wₖ · sₖ / pₖ − 1
//! ```
//!
//! over the cells in which the group has a ply; the share of all plies that is in these, Σ wₖ, is stated. The plies of
//! a cell are those of `san`. If there is one group, all is as without standardisation.

use std::sync::LazyLock;

use super::columns::{CHANGE_VS_LETTERS, CHANGE_VS_SAN, CHARACTERS_PER_PLY, NOTATION};
use super::dimension::Dimension;
use super::order::Order;
use super::product::Product;
use super::schema::{Column, Kind, Merging, Schema, Written};

/// The group.
pub const KEY: Column = Column::key("key", Order::Any, "the group");
/// Its plies.
pub const PLIES: Column = Column::derived("plies", Kind::Count, "plies", "plies in the group");
/// What the group has of the standard.
pub const SHARE: Column = Column::derived(
    "share_percent",
    Kind::Decimal(2),
    "per cent",
    "of the plies of all groups those that are in a phase and a length of which the group has a ply; the others are \
     left out of the standard",
);
/// The standardised mean.
pub const MEAN: Column = Column::derived(
    "standardised_characters_per_ply",
    Kind::Decimal(3),
    "characters per ply",
    "the mean with the phases and lengths of all groups together",
);
/// The standardised change against SAN.
pub const VS_SAN: Column = Column::derived(
    "standardised_change_percent_vs_san",
    Kind::Decimal(2),
    "per cent",
    "the change of the standardised mean against that of `san`; empty if this notation cannot write all plies",
);
/// The standardised change against the notation with letters.
pub const VS_LETTERS: Column = Column::derived(
    "standardised_change_percent_vs_economical_letters",
    Kind::Decimal(2),
    "per cent",
    "the same against `economical-letters`",
);

/// The columns.
pub static COLUMNS: [Column; 10] = [
    KEY,
    NOTATION,
    PLIES,
    SHARE,
    CHARACTERS_PER_PLY.with_doc("without standardisation, as in the table by this dimension"),
    MEAN,
    CHANGE_VS_SAN.with_doc("without standardisation"),
    VS_SAN,
    CHANGE_VS_LETTERS.with_doc("without standardisation"),
    VS_LETTERS,
];

/// One table per dimension that has a product with phase and length.
pub static SCHEMAS: LazyLock<Vec<Schema>> = LazyLock::new(|| {
    let of = |&dimension: &Dimension| {
        let product = Product::of(&[dimension, Dimension::Phase, Dimension::Length]).ok()?;
        product.standardised().map(declared)
    };
    Dimension::ALL.iter().filter_map(of).collect()
});

fn declared(dimension: Dimension) -> Schema {
    Schema {
        file: file(dimension).leak(),
        purpose: "One row per group and notation: what it would cost with the phases and lengths of all groups together.",
        written: Written::Standardised,
        columns: &COLUMNS,
        merging: Merging::Compute,
    }
}

fn file(dimension: Dimension) -> String {
    format!("standardised_{}.csv", dimension.column_name())
}

/// The table that follows from that of a product, if its groups can be standardised.
pub fn of_product(product: Product) -> Option<&'static Schema> {
    let file = file(product.standardised()?);
    SCHEMAS.iter().find(|schema| schema.file == file)
}
