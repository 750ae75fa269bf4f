//! A table of a measurement, as it stands on the disk.
//!
//! What enters is a CSV file; what leaves are its rows by the names of their columns. Invariant: a file that is there is
//! read whole or refused with its name, the line and what is wrong; a file that is absent is `None`.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A table that was read.
#[derive(Debug)]
pub(super) struct Table {
    path: PathBuf,
    columns: Vec<String>,
    records: Vec<csv::StringRecord>,
}

impl Table {
    /// Reads a table; none if the directory has no file of that name.
    pub(super) fn read(directory: &Path, name: &str) -> Result<Option<Table>> {
        let path = directory.join(name);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("read", &path, error)),
        };
        let mut reader = csv::Reader::from_reader(bytes.as_slice());
        let refused = |error: csv::Error| malformed(&path, &error.to_string());
        let columns = reader.headers().map_err(refused)?.iter().map(String::from).collect();
        let records = reader.records().collect::<csv::Result<Vec<_>>>().map_err(refused)?;
        Ok(Some(Table { path, columns, records }))
    }

    /// Where a column stands.
    pub(super) fn column(&self, name: &str) -> Result<Column<'_>> {
        match self.columns.iter().position(|column| column == name) {
            Some(index) => Ok(Column { table: self, index }),
            None => Err(malformed(&self.path, &format!("there is no column `{name}`"))),
        }
    }

    /// How many rows follow the header.
    pub(super) fn rows_count(&self) -> usize {
        self.records.len()
    }

    /// An error about this table.
    pub(super) fn refuse(&self, why: &str) -> Error {
        malformed(&self.path, why)
    }
}

fn malformed(path: &Path, why: &str) -> Error {
    Error::usage(format!("{} is not a table of `pgnmill measure`: {why}", path.display()))
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column<'a> {
    table: &'a Table,
    index: usize,
}

impl<'a> Column<'a> {
    /// The text in a row, from 0.
    pub(super) fn text(self, row: usize) -> &'a str {
        // Rows of unequal length were refused when the table was read.
        self.table.records[row].get(self.index).unwrap_or_default()
    }

    fn read<T: std::str::FromStr>(self, row: usize, kind: &str) -> Result<T> {
        let text = self.text(row);
        text.parse().map_err(|_| {
            let line = self.table.records[row].position().map_or(0, csv::Position::line);
            let column = &self.table.columns[self.index];
            self.table.refuse(&format!("line {line}: `{column}` is `{text}`, not {kind}"))
        })
    }

    /// The count in a row.
    pub(super) fn count(self, row: usize) -> Result<u64> {
        self.read(row, "a whole number")
    }

    /// The decimal in a row.
    pub(super) fn decimal(self, row: usize) -> Result<f64> {
        self.read(row, "a number").and_then(|number: f64| match number.is_finite() {
            true => Ok(number),
            false => Err(self.table.refuse("a number is not finite")),
        })
    }
}
