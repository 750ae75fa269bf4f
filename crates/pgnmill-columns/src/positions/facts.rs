//! What a table of positions states of itself, and how many rows it has.
//!
//! In: a table. Out: a value of its metadata; the number of its rows. Invariant: CSV and JSON lines have no metadata, a
//! book has neither metadata nor ruleset. Cost: of Parquet nothing is read, of Arrow the heads of the batches; CSV and
//! JSON lines are read from their beginning to their end.

use pgnmill_io::error::Result;

use super::{Format, PositionTable, text};

impl PositionTable {
    /// A value of the metadata of the file, such as `pgnmill.command`.
    pub fn fact(&self, key: &str) -> Option<&str> {
        match &self.format {
            Format::Parquet(table) => table.fact(key),
            Format::Arrow(table) => table.fact(key),
            Format::Csv | Format::JsonLines | Format::Book(_) => None,
        }
    }

    /// The number of rows: pairs of a position and a move; of a book entries.
    ///
    /// # Errors
    /// What the system refuses; a damaged file.
    pub fn rows_count(&self) -> Result<u64> {
        let count = match &self.format {
            Format::Parquet(table) => Ok(table.rows_count()),
            Format::Arrow(table) => table.rows_count(),
            Format::Csv => text::count_csv(&self.path),
            Format::JsonLines => text::count_json(&self.path),
            Format::Book(book) => Ok(book.entries_count()),
        };
        count.map_err(|flaw| flaw.of(&self.path))
    }
}
