//! Tables: the declarations of all CSV files that the program reads and writes, and what reads, adds and writes them.
//!
//! A table is one file and one registration: a [`Schema`] with the file's name, its purpose and its columns (name,
//! role, type, unit, meaning), and its line in [`all`]. From the declaration come the header that is written, the check
//! of what is read, the sum of the tables of several runs ([`Grid`]) and the descriptions in `docs/reference/tables.md`
//! ([`docs`]). Invariant: the tables that a [`Grid`] adds have keys first, then sums, then derived columns.
//!
//! ```
//! let table = pgnmill_core::tables::find("lengths.csv").unwrap();
//! assert_eq!(table.header(), ["notation", "characters", "plies"]);
//! ```

pub mod archives;
pub mod bpe_tokens;
pub mod by;
pub mod changes;
pub mod characters;
pub mod clusters;
pub mod clusters_by;
pub mod code_symbols;
pub mod codes;
pub mod columns;
pub mod compress;
pub mod disambiguation;
pub mod docs;
pub mod duplicates;
pub mod entropy;
pub mod errors;
pub mod facts;
pub mod faults;
pub mod games;
pub mod groups;
pub mod ledger;
pub mod legal_moves;
pub mod lengths;
pub mod movetext;
pub mod notations;
pub mod notes;
pub mod orders;
pub mod product;
pub mod ranks;
pub mod ratios;
pub mod rows;
pub mod se;
pub mod seals;
pub mod share;
pub mod standardised;
pub mod stats;
pub mod summary;
pub mod tokens;
pub mod weights;
pub mod writing;

mod dimension;
mod error;
mod grid;
mod keys;
mod order;
mod schema;

pub use dimension::{Dimension, Dimensions};
pub use error::TableError;
pub use grid::{Grid, Row};
pub use keys::Keys;
pub use order::Order;
pub use product::{Product, ProductError, Products};
pub use rows::{Rows, count};
pub use schema::{Column, Kind, Merging, Role, RowCounts, Schema, Written};

/// The version of the layout of all tables: grows when a column changes its meaning.
pub const SCHEMA_VERSION: u32 = 3;

/// The tables of every measurement, before those by dimension.
static FIXED: [&Schema; 6] = [
    &notations::SCHEMA,
    &lengths::SCHEMA,
    &movetext::SCHEMA,
    &disambiguation::SCHEMA,
    &facts::SCHEMA,
    &archives::SCHEMA,
];
/// Those of `--cluster`.
static SPREAD: [&Schema; 6] = [
    &se::SCHEMA,
    &changes::SCHEMA,
    &ratios::SCHEMA,
    &weights::SCHEMA,
    &clusters::SCHEMA,
    &clusters_by::SCHEMA,
];
/// The other tables.
static OTHERS: [&Schema; 20] = [
    &games::SCHEMA,
    &tokens::SCHEMA,
    &legal_moves::SCHEMA,
    &ranks::SCHEMA,
    &entropy::SCHEMA,
    &compress::SCHEMA,
    &orders::SCHEMA,
    &codes::SCHEMA,
    &code_symbols::SCHEMA,
    &errors::SCHEMA,
    &characters::SCHEMA,
    &writing::SCHEMA,
    &bpe_tokens::SCHEMA,
    &summary::SCHEMA,
    &seals::SCHEMA,
    &ledger::SCHEMA,
    &faults::SCHEMA,
    &notes::SCHEMA,
    &duplicates::SCHEMA,
    &stats::SCHEMA,
];

/// All tables, in the order in which they are documented, but those of products of dimensions.
pub fn all() -> impl Iterator<Item = &'static Schema> {
    let by = FIXED.into_iter().chain(&by::SCHEMAS).chain(standardised::SCHEMAS.iter());
    by.chain(SPREAD).chain(&se::SCHEMAS).chain(OTHERS)
}

/// The tables whose rows a [`Grid`] adds, but those of products of dimensions.
pub fn added() -> impl Iterator<Item = &'static Schema> {
    all().filter(|schema| matches!(schema.merging, Merging::Add { .. }))
}

/// The table with this file name.
pub fn find(file: &str) -> Option<&'static Schema> {
    let of_product = || Product::from_file(file).map(Product::schema);
    all().find(|schema| schema.file == file).or_else(of_product)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_the_order_that_grids_require() {
        for schema in added() {
            let ranks: Vec<u8> = schema
                .columns
                .iter()
                .map(|column| match column.role {
                    Role::Key(..) => 0,
                    Role::Sum | Role::Least | Role::Greatest => 1,
                    Role::Derived => 2,
                    Role::Value => 3,
                })
                .collect();
            assert!(ranks.is_sorted() && !ranks.contains(&3), "{}", schema.file);
            let (keys, sums) = (vec!["san"; schema.keys_count()], vec![1; schema.sums_count()]);
            let row = RowCounts { keys: &keys, sums: &sums, of: &|_| None };
            let derived = schema.derive(&row).len();
            assert_eq!(derived, ranks.iter().filter(|rank| **rank == 2).count());
        }
    }

    #[test]
    fn names_are_unique() {
        let mut files: Vec<&str> = all().map(|schema| schema.file).collect();
        files.sort_unstable();
        assert!(files.windows(2).all(|pair| pair[0] != pair[1]), "{files:?}");
        for schema in all() {
            let mut header = schema.header();
            header.sort_unstable();
            assert!(header.windows(2).all(|pair| pair[0] != pair[1]), "{header:?}");
        }
    }
}
