//! A table that a run writes row by row: CSV, or Parquet if its name ends so.
//!
//! In: fields, as texts; the faults or notes of a job. Out: a file. Invariant: both have the same rows; in Parquet a
//! column of integers has integers, and an empty field of one is null. Cost: one pass over the rows.

use std::path::Path;

#[cfg(feature = "columns")]
use pgnmill_columns::{Format, RecordFile};
use pgnmill_core::engine::{Base, ListedRows, RowKind};
use pgnmill_core::pgn::deviation::Class;
#[cfg(feature = "columns")]
use pgnmill_core::tables::Kind;
use pgnmill_core::tables::Schema;
use pgnmill_io::error::Result;
use pgnmill_io::sink::{CsvSink, Sink, Snapshot};
use pgnmill_state::Loader;

/// A table that is being written.
#[derive(Debug)]
pub(crate) enum TableSink {
    Csv(CsvSink),
    #[cfg(feature = "columns")]
    Parquet(RecordFile),
}

/// The names of the columns, and whether they are integers.
#[cfg(feature = "columns")]
fn columns_of(schema: &Schema) -> impl Iterator<Item = (&str, bool)> {
    schema.columns.iter().map(|column| (column.name, matches!(column.kind, Kind::Count)))
}

impl TableSink {
    /// Begins the table.
    pub(crate) fn create(path: &Path, overwrite: bool, schema: &Schema) -> Result<TableSink> {
        #[cfg(feature = "columns")]
        if Format::of_path(path) == Ok(Some(Format::Parquet)) {
            let sink = Sink::create(path, overwrite)?;
            return Ok(TableSink::Parquet(RecordFile::begin(sink, columns_of(schema))?));
        }
        Ok(TableSink::Csv(CsvSink::create(path, overwrite, &schema.header())?))
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, fields: &[&str]) -> Result<()> {
        match self {
            TableSink::Csv(table) => table.row(fields),
            #[cfg(feature = "columns")]
            TableSink::Parquet(table) => table.row(fields),
        }
    }

    /// Saves the state.
    pub(crate) fn save(&mut self, out: &mut Snapshot) -> Result<()> {
        match self {
            TableSink::Csv(table) => table.save(out),
            #[cfg(feature = "columns")]
            TableSink::Parquet(table) => table.save(out),
        }
    }

    /// Continues a table that was saved.
    pub(crate) fn load(
        path: &Path,
        from: &mut Loader<'_>,
        overwrite: bool,
        schema: &Schema,
    ) -> Result<TableSink> {
        #[cfg(feature = "columns")]
        if Format::of_path(path) == Ok(Some(Format::Parquet)) {
            return Ok(TableSink::Parquet(RecordFile::load(from, overwrite, columns_of(schema))?));
        }
        let _ = (path, schema);
        Ok(TableSink::Csv(CsvSink::load(from, overwrite)?))
    }

    /// The file, with all rows; to be published.
    pub(crate) fn into_sink(self) -> Result<Sink> {
        match self {
            TableSink::Csv(table) => table.into_sink(),
            #[cfg(feature = "columns")]
            TableSink::Parquet(table) => table.into_sink(),
        }
    }
}

/// Writes the faults, or the notes and repairs, of a job that begins at `base`.
pub(crate) fn write_rows(
    table: &mut TableSink,
    archive: &str,
    base: Base,
    rows: &ListedRows,
) -> Result<()> {
    rows.visit(|row| {
        let line = base.lines + row.lines + 1;
        let reason = row.reason(line);
        let [one, two, three] = match row.kind {
            RowKind::Fault(_) | RowKind::Value(_) => [&row.text, &*reason, row.fen.as_str()],
            RowKind::Note(_) => [Class::Note.name(), &row.text, &row.detail],
            RowKind::Repair(_) => [Class::Repair.name(), &row.text, &row.detail],
            RowKind::Omitted => ["", &row.text, &row.detail],
        };
        table.row(&[
            archive,
            &(base.offset + row.offset).to_string(),
            &line.to_string(),
            &(row.column + 1).to_string(),
            &(base.games + row.game + 1).to_string(),
            &row.ply.to_string(),
            row.kind.name(),
            one,
            two,
            three,
            &row.names.event,
            &row.names.site,
            &row.names.white,
            &row.names.black,
        ])
    })
}
