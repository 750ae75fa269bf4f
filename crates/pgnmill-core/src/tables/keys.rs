//! The keys of the rows of one table: each is one that the table can have, and none is there twice.
//!
//! In: the keys of each row. Out: an error for a row that no run writes. Cost: 16 bytes per row; two different keys are
//! taken for one with a probability of about 2⁻⁸⁸ in a million rows.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::error::TableError;
use super::schema::Schema;

/// Characters of a key that an error shows.
const SHOWN_CHARACTERS: usize = 40;

/// The keys that were met.
#[derive(Debug)]
pub struct Keys {
    schema: &'static Schema,
    met: HashSet<u128>,
}

impl Keys {
    /// No key of a table of this declaration.
    pub fn new(schema: &'static Schema) -> Keys {
        Keys { schema, met: HashSet::new() }
    }

    /// Adds the keys of a row. `closed`: which columns have no other keys than the declared ones.
    ///
    /// # Errors
    /// A key that the table cannot have, or that another row has; not enough memory.
    pub fn add(&mut self, keys: &[&str], closed: &[bool]) -> Result<(), TableError> {
        let mut columns = keys.iter().zip(closed).enumerate();
        if let Some((_, (key, _))) =
            columns.find(|(column, (key, closed))| **closed && !self.schema.admits(*column, key))
        {
            return Err(TableError::UnknownKey(key.chars().take(SHOWN_CHARACTERS).collect()));
        }
        self.add_once(keys)
    }

    /// Adds the keys of a row, whatever they are.
    ///
    /// # Errors
    /// Keys that another row has; not enough memory.
    pub fn add_once(&mut self, keys: &[&str]) -> Result<(), TableError> {
        let shown = || keys.join(",").chars().take(SHOWN_CHARACTERS).collect();
        let half = |seed: u8| {
            let mut hasher = DefaultHasher::new();
            (seed, keys).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        self.met.try_reserve(1).map_err(|_| TableError::OutOfMemory(shown()))?;
        match self.met.insert(half(0) << 64 | half(1)) {
            true => Ok(()),
            false => Err(TableError::Twice(shown())),
        }
    }
}
