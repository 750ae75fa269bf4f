//! Products of dimensions: `phase*length` has a group for each pair of a phase and a length.
//!
//! Input: two or three dimensions; output: the declaration of their table, `cross_phase_by_length.csv`. Invariants:
//! the dimensions are in one order, the archive first, then that of [`Dimension::ALL`], however they were given; no
//! name of a dimension has `-by-` in it, so that the name of a table is that of one product; a product has at most
//! [`GROUPS_MAX`] groups, whatever archives contain. Memory: a declaration of each product that is used, once.
//!
//! ```
//! use pgnmill_core::tables::{Dimension, Product};
//! let product = Product::of(&[Dimension::Length, Dimension::Phase]).unwrap();
//! assert_eq!(product.name(), "phase*length");
//! assert_eq!(product.file(), "cross_phase_by_length.csv");
//! assert_eq!(Product::from_file("cross_phase_by_length.csv"), Some(product));
//! assert!(Product::of(&[Dimension::Month, Dimension::Eco]).is_err());
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::by;
use super::dimension::{Dimension, Dimensions};
use super::groups::{SOURCES_MAX, groups_count};
use super::order::Order;
use super::schema::{Column, Merging, Schema, Written};

/// Between the names of dimensions.
pub const TIMES: char = '*';
/// A product has no more dimensions.
pub const DIMENSIONS_MAX: usize = 3;
/// Groups of a product.
pub const GROUPS_MAX: usize = 13_000;
/// So many archives have groups of their own in a product, at least.
pub const SOURCES_MIN: usize = 20;
/// Products of a measurement.
pub const PRODUCTS_MAX: usize = 8;

/// What the name of a table begins with, what is between the dimensions, and what ends it.
const PREFIX: &str = "cross_";
const BETWEEN: &str = "_by_";
const SUFFIX: &str = ".csv";

/// A product of dimensions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Product([Option<Dimension>; DIMENSIONS_MAX]);

/// Why dimensions have no product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProductError {
    /// There are so many of them.
    Count(usize),
    /// A dimension occurs twice.
    Twice(Dimension),
    /// They have so many groups.
    TooManyGroups(usize),
}

impl fmt::Display for ProductError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProductError::Count(count) => {
                write!(f, "{count} dimensions; a product has two or {DIMENSIONS_MAX}")
            }
            ProductError::Twice(dimension) => write!(f, "{} is there twice", dimension.name()),
            ProductError::TooManyGroups(groups) => {
                write!(f, "{groups} groups are possible; a product has {GROUPS_MAX} at most")
            }
        }
    }
}

impl std::error::Error for ProductError {}

static DECLARED: Mutex<BTreeMap<Product, &'static Schema>> = Mutex::new(BTreeMap::new());

impl Product {
    /// The product of these dimensions, in any order.
    ///
    /// # Errors
    /// If they are fewer than two or more than three, one is there twice, or they have too many groups.
    pub fn of(dimensions: &[Dimension]) -> Result<Product, ProductError> {
        if !(2..=DIMENSIONS_MAX).contains(&dimensions.len()) {
            return Err(ProductError::Count(dimensions.len()));
        }
        let mut sorted = dimensions.to_vec();
        sorted.sort_unstable_by_key(|&dimension| (dimension != Dimension::Source, dimension));
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(ProductError::Twice(pair[0]));
        }
        let mut all = [None; DIMENSIONS_MAX];
        all.iter_mut().zip(sorted).for_each(|(place, dimension)| *place = Some(dimension));
        let product = Product(all);
        let archives = if product.has_source() { SOURCES_MIN } else { 1 };
        match product.groups_of_others().saturating_mul(archives) {
            groups if groups > GROUPS_MAX => Err(ProductError::TooManyGroups(groups)),
            _ => Ok(product),
        }
    }

    /// The product of the table with this file name.
    pub fn from_file(file: &str) -> Option<Product> {
        let names = file.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
        let of = |name: &str| Dimension::ALL.into_iter().find(|it| it.column_name() == name);
        let dimensions = names.split(BETWEEN).map(of).collect::<Option<Vec<_>>>()?;
        Product::of(&dimensions).ok().filter(|product| product.file_name() == file)
    }

    /// The dimensions, in the order of the columns.
    pub fn dimensions(self) -> impl Iterator<Item = Dimension> + Clone {
        self.0.into_iter().flatten()
    }

    /// The name on the command line.
    pub fn name(self) -> String {
        let names: Vec<&str> = self.dimensions().map(Dimension::name).collect();
        names.join(&TIMES.to_string())
    }

    /// The name of its table.
    pub fn file(self) -> &'static str {
        self.schema().file
    }

    fn file_name(self) -> String {
        let names: Vec<&str> = self.dimensions().map(Dimension::column_name).collect();
        format!("{PREFIX}{}{SUFFIX}", names.join(BETWEEN))
    }

    /// Its table.
    pub fn schema(self) -> &'static Schema {
        let mut declared = DECLARED.lock().unwrap_or_else(PoisonError::into_inner);
        declared.entry(self).or_insert_with(|| Box::leak(Box::new(self.declared())))
    }

    /// The declaration of its table. Columns and names are kept for the time of the process.
    fn declared(self) -> Schema {
        let doc = |dimension| match dimension {
            Dimension::Source => {
                "the archive; of more than fit into 13,000 groups the first by the bytes of their names, the others together"
            }
            _ => "the group of this dimension",
        };
        let keys = self.dimensions().map(|dimension| {
            Column::key(dimension.column_name(), Order::Groups(dimension), doc(dimension))
        });
        let of_group = by::SCHEMAS[0].columns[1..].iter().copied();
        let columns: Vec<Column> = keys.chain(of_group).collect();
        let groups_max =
            if self.has_source() { self.sources_max().min(SOURCES_MAX) } else { usize::MAX };
        Schema {
            file: self.file_name().leak(),
            purpose: "One row per group of each dimension and notation; groups without a game have none.",
            written: Written::Crossed,
            columns: columns.leak(),
            merging: Merging::Add { groups_max, derive: by::derive },
        }
    }

    /// Is one of its dimensions this?
    pub fn has(self, dimension: Dimension) -> bool {
        self.dimensions().any(|other| other == dimension)
    }

    /// Is the archive one of its dimensions?
    pub fn has_source(self) -> bool {
        self.has(Dimension::Source)
    }

    /// How many groups the dimensions but the archive have.
    fn groups_of_others(self) -> usize {
        let others = self.dimensions().filter_map(groups_count);
        others.fold(1, usize::saturating_mul)
    }

    /// How many archives have groups of their own, if the archive is one of its dimensions: the first ones by the bytes
    /// of their names.
    pub fn sources_max(self) -> usize {
        GROUPS_MAX / self.groups_of_others()
    }

    /// The third dimension, if the others are phase and length: its groups can be standardised.
    pub fn standardised(self) -> Option<Dimension> {
        let is_mix = self.has(Dimension::Phase) && self.has(Dimension::Length);
        let is_group = |it: &Dimension| ![Dimension::Phase, Dimension::Length].contains(it);
        self.dimensions().find(is_group).filter(|_| is_mix)
    }
}

impl fmt::Debug for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// The products of a measurement: each once, in one order.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Products([Option<Product>; PRODUCTS_MAX]);

impl Products {
    /// These products; `None` if they are more than [`PRODUCTS_MAX`] different ones.
    pub fn of(products: impl IntoIterator<Item = Product>) -> Option<Products> {
        let mut sorted: Vec<Product> = products.into_iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut all = Products::default();
        let places = all.0.iter_mut().zip(&sorted);
        places.for_each(|(place, product)| *place = Some(*product));
        (sorted.len() <= PRODUCTS_MAX).then_some(all)
    }

    /// The products, in their order.
    pub fn iter(self) -> impl Iterator<Item = Product> {
        self.0.into_iter().flatten()
    }

    /// Are there none?
    pub fn is_empty(self) -> bool {
        self.0[0].is_none()
    }

    /// The dimensions of all of them.
    pub fn dimensions(self) -> Dimensions {
        self.iter().flat_map(Product::dimensions).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every product has a name of its own, and one that no other table has.
    #[test]
    fn products_are_found_by_their_files() {
        assert!(Dimension::ALL.iter().all(|it| !it.file()["by_".len()..].contains(BETWEEN)));
        let (mut products, mut refused) = (BTreeMap::new(), 0);
        for one in Dimension::ALL {
            assert_eq!(one.file(), format!("by_{}.csv", one.column_name()));
            for other in Dimension::ALL {
                for third in Dimension::ALL {
                    match Product::of(&[one, other, third]) {
                        Ok(product) => drop(products.insert(product, product.file_name())),
                        Err(_) => refused += 1,
                    }
                }
                products.extend(Product::of(&[one, other]).map(|it| (it, it.file_name())));
                assert_eq!(Product::of(&[one, other]), Product::of(&[other, one]));
            }
        }
        assert!(products.len() > 100 && refused > 100, "{} {refused}", products.len());
        let mut files: Vec<&String> = products.values().collect();
        files.sort_unstable();
        files.dedup();
        assert_eq!(files.len(), products.len());
        for (&product, file) in products.iter().step_by(7) {
            assert_eq!((Product::from_file(file), product.file()), (Some(product), &**file));
            assert!(super::super::all().all(|schema| schema.file != file));
            let mut header = product.schema().header();
            header.sort_unstable();
            assert!(header.windows(2).all(|pair| pair[0] != pair[1]), "{header:?}");
            let groups = product.groups_of_others();
            let archives = if product.has_source() { product.sources_max() } else { 1 };
            assert!(archives * groups <= GROUPS_MAX && archives > 0);
        }
        for other in ["cross_.csv", "cross_phase.csv", "cross_length_by_phase.csv", "by_phase.csv"]
        {
            assert_eq!(Product::from_file(other), None);
        }
    }

    #[test]
    fn products_are_bounded() {
        let of = |names: &[&str]| {
            let found: Vec<_> = names.iter().filter_map(|it| Dimension::from_name(it)).collect();
            Product::of(&found)
        };
        assert_eq!(of(&["phase"]), Err(ProductError::Count(1)));
        assert_eq!(of(&["side", "side"]), Err(ProductError::Twice(Dimension::Side)));
        assert!(matches!(of(&["ply", "eco"]), Err(ProductError::TooManyGroups(_))));
        assert!(of(&["source", "rating"]).is_ok_and(|it| it.sources_max() > 300));
        let group = of(&["phase", "source", "length"]).ok().and_then(Product::standardised);
        assert_eq!(group, Some(Dimension::Source));
        assert_eq!(of(&["phase", "length"]).ok().and_then(Product::standardised), None);
        let sides = of(&["side", "role"]).unwrap();
        assert_eq!(Products::of([sides, sides]).unwrap().iter().count(), 1);
        let many = Dimension::ALL.into_iter().skip(3);
        let many = many.filter_map(|it| Product::of(&[Dimension::Side, it]).ok());
        assert_eq!(Products::of(many), None);
    }
}
