//! A table that a run writes row by row: CSV, or Parquet if its name ends so.
//!
//! In: fields, as texts. Out: a file. Invariant: both have the same rows; in Parquet a column of integers has integers,
//! and an empty field of one is null.

use std::path::Path;

use crate::error::Result;
use crate::sink::{CsvSink, Sink};
#[cfg(feature = "export")]
use crate::tables::Kind;
use crate::tables::Schema;
#[cfg(feature = "export")]
use crate::tasks::export::{Format, RecordFile};

/// A table that is being written.
#[derive(Debug)]
pub(super) enum TableSink {
    Csv(CsvSink),
    #[cfg(feature = "export")]
    Parquet(RecordFile),
}

impl TableSink {
    /// Begins the table.
    pub(super) fn create(path: &Path, overwrite: bool, schema: &Schema) -> Result<TableSink> {
        #[cfg(feature = "export")]
        if Format::of_path(path) == Ok(Some(Format::Parquet)) {
            let is_number = |kind| matches!(kind, Kind::Count);
            let columns = schema.columns.iter();
            let columns = columns.map(|column| (column.name, is_number(column.kind)));
            let sink = Sink::create(path, overwrite)?;
            return Ok(TableSink::Parquet(RecordFile::begin(sink, columns)?));
        }
        Ok(TableSink::Csv(CsvSink::create(path, overwrite, &schema.header())?))
    }

    /// Adds a row.
    pub(super) fn row(&mut self, fields: &[&str]) -> Result<()> {
        match self {
            TableSink::Csv(table) => table.row(fields),
            #[cfg(feature = "export")]
            TableSink::Parquet(table) => table.row(fields),
        }
    }

    /// The file, with all rows; to be published.
    pub(super) fn into_sink(self) -> Result<Sink> {
        match self {
            TableSink::Csv(table) => table.into_sink(),
            #[cfg(feature = "export")]
            TableSink::Parquet(table) => table.into_sink(),
        }
    }
}
