//! Products of dimensions, from the tables of `measure --by A*B`.
//!
//! Input: `cross_A_by_B.csv` and `standardised_DIMENSION.csv` of a directory; output: the counts of their groups, and
//! the groups that are standardised, with their means, which are read as they are. Invariant: the groups of a product
//! sum to `notations.csv`, or the directory is refused. A directory without such tables gives nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use pgnmill_core::tables::columns::{NOTATION, PLIES};
use pgnmill_core::tables::product::GROUPS_MAX;
use pgnmill_core::tables::{Dimension, Product, standardised};
use pgnmill_io::error::{Error, Result};

use super::sums::{Sum, Sums};
use super::table::Table;

/// Groups of a table; there are a few more than the bound where archives are left over.
const ROWS_MAX: usize = 2 * GROUPS_MAX;
/// The most tables of products that a page shows.
const TABLES_MAX: usize = 50;

/// A group of a product.
#[derive(Debug)]
pub(super) struct CrossedGroup {
    /// Its names, dimension by dimension.
    pub(super) keys: Vec<String>,
    /// By notation.
    pub(super) sums: BTreeMap<Arc<str>, Sum>,
}

/// A group of the dimension that is standardised. The standardised means are computed from the product's groups.
#[derive(Debug)]
pub(super) struct Standardised {
    /// The group.
    pub(super) key: String,
    /// The notation.
    pub(super) notation: String,
    /// Its plies.
    pub(super) plies: u64,
    /// The mean, without standardisation; no number if there is none.
    pub(super) mean: f64,
    /// The change against SAN, in per cent; no number if there is none.
    pub(super) change: f64,
}

/// A product of dimensions.
#[derive(Debug)]
pub(super) struct Crossed {
    /// The product.
    pub(super) product: Product,
    /// In the order of the table.
    pub(super) groups: Vec<CrossedGroup>,
    /// Of the dimension whose groups are standardised, if there is one.
    pub(super) standardised: Option<(Dimension, Vec<Standardised>)>,
}

/// All products of a directory, in their order.
pub(super) fn read(directory: &Path) -> Result<Vec<Crossed>> {
    let entries = std::fs::read_dir(directory).map_err(|e| Error::io("read", directory, e))?;
    let files = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let products: BTreeSet<Product> = files.filter_map(|file| Product::from_file(&file)).collect();
    let of = |product: Product| {
        let Some(table) = Table::read(directory, product.file())? else { return Ok(None) };
        let groups = read_groups(product, &table)?;
        let standardised = read_standardised(directory, product)?;
        Ok(Some(Crossed { product, groups, standardised }))
    };
    products.into_iter().take(TABLES_MAX).map(of).filter_map(Result::transpose).collect()
}

fn read_groups(product: Product, table: &Table) -> Result<Vec<CrossedGroup>> {
    let names = product.dimensions().map(|dimension| table.named(dimension.column_name()));
    let names = names.collect::<Result<Vec<_>>>()?;
    let (notation, sums) = (table.column(&NOTATION)?, Sums::of(table)?);
    let mut groups: Vec<CrossedGroup> = Vec::new();
    let mut places: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    let mut notations: BTreeMap<&str, Arc<str>> = BTreeMap::new();
    for row in 0..table.rows_count() {
        let keys: Vec<&str> = names.iter().map(|name| name.text(row)).collect();
        let place = places.get(&keys).copied().unwrap_or(groups.len());
        if place == groups.len() {
            if place == ROWS_MAX {
                return Err(table.refuse(&format!("it has more than {ROWS_MAX} groups")));
            }
            let keys_of_group = keys.iter().map(|key| key.to_string()).collect();
            groups.push(CrossedGroup { keys: keys_of_group, sums: BTreeMap::new() });
            places.insert(keys, place);
        }
        let name = notations.entry(notation.text(row)).or_insert_with_key(|&name| name.into());
        groups[place].sums.insert(Arc::clone(name), sums.at(row)?);
    }
    Ok(groups)
}

fn read_standardised(
    directory: &Path,
    product: Product,
) -> Result<Option<(Dimension, Vec<Standardised>)>> {
    let schema = standardised::of_product(product);
    let Some((dimension, schema)) = product.standardised().zip(schema) else { return Ok(None) };
    let Some(table) = Table::read(directory, schema.file)? else { return Ok(None) };
    let column = |declared: &_| table.column(declared);
    let (key, notation) = (column(&standardised::KEY)?, column(&NOTATION)?);
    let plies = column(&PLIES)?;
    let [mean, change] =
        [standardised::COLUMNS[4], standardised::COLUMNS[6]].map(|declared| declared.name);
    let (mean, change) = (table.named(mean)?, table.named(change)?);
    let mut rows = Vec::new();
    for row in 0..table.rows_count() {
        rows.push(Standardised {
            key: key.text(row).to_string(),
            notation: notation.text(row).to_string(),
            plies: plies.count(row)?,
            mean: mean.decimal_if_any(row)?,
            change: change.decimal_if_any(row)?,
        });
    }
    Ok(Some((dimension, rows)))
}
