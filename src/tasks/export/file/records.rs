//! A Parquet file of records of texts and integers, such as the table of faults.
//!
//! In: rows of fields. Out: a file, compressed with zstd. Invariant: row groups have [`ROWS_MAX`] rows, the last one
//! fewer. Cost: on the calling thread; such tables are short.

use std::fs::File;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::error::Result;
use crate::sink::{Sink, Snapshot};
use crate::state::Loader;

use super::super::arrays::array;
use super::super::buffer::Buffer;
use super::super::kind::Kind;
use super::saved::{damaged, load_groups, save_groups};
use super::{EncodeError, Failure, SinkWriter, not_again};

/// Rows in a row group.
const ROWS_MAX: usize = 16_384;

/// A file that is being written.
pub struct RecordFile {
    writer: ArrowWriter<SinkWriter>,
    failure: Failure,
    schema: SchemaRef,
    kinds: Vec<Kind>,
    columns: Vec<Buffer>,
    rows_count: usize,
}

impl std::fmt::Debug for RecordFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RecordFile").field("rows_count", &self.rows_count).finish_non_exhaustive()
    }
}

impl RecordFile {
    /// Begins a file with these columns: names, and whether they are integers.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub fn begin<'n>(
        sink: Sink,
        columns: impl Iterator<Item = (&'n str, bool)>,
    ) -> Result<RecordFile> {
        let (mut fields, mut kinds) = (Vec::new(), Vec::new());
        for (name, is_integer) in columns {
            let data_type = if is_integer { DataType::Int64 } else { DataType::Utf8 };
            fields.push(Field::new(name, data_type, is_integer));
            kinds.push(if is_integer { Kind::Int64 } else { Kind::Text });
        }
        let schema: SchemaRef = Arc::new(Schema::new(Fields::from(fields)));
        let (sink, failure) = SinkWriter::new(sink);
        let compression = Compression::ZSTD(ZstdLevel::default());
        let properties = WriterProperties::builder().set_compression(compression).build();
        let writer = ArrowWriter::try_new(sink, Arc::clone(&schema), Some(properties))
            .map_err(|error| failure.error(error))?;
        let columns = kinds.iter().map(|&kind| Buffer::new(kind)).collect();
        Ok(RecordFile { writer, failure, schema, kinds, columns, rows_count: 0 })
    }

    /// Adds a row; an integer that is empty is null.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub fn row(&mut self, fields: &[&str]) -> Result<()> {
        for ((field, kind), column) in fields.iter().zip(&self.kinds).zip(&mut self.columns) {
            match kind {
                Kind::Int64 => column.int64(field.parse().ok()),
                _ => column.text(Some(field)),
            }
        }
        self.rows_count += 1;
        if self.rows_count == ROWS_MAX { self.write() } else { Ok(()) }
    }

    /// Writes a row group.
    fn write(&mut self) -> Result<()> {
        self.rows_count = 0;
        let new = self.kinds.iter().map(|&kind| Buffer::new(kind)).collect();
        let columns = std::mem::replace(&mut self.columns, new);
        let arrays = self.kinds.iter().zip(columns).map(|(&kind, column)| array(kind, column));
        let batch = arrays
            .collect::<Result<Vec<_>, _>>()
            .and_then(|arrays| RecordBatch::try_new(Arc::clone(&self.schema), arrays))
            .map_err(|error| EncodeError::new(error).of(&self.failure.path))?;
        let written = self.writer.write(&batch).and_then(|()| self.writer.flush());
        written.map_err(|error| self.failure.error(error))
    }

    /// Saves the state.
    ///
    /// # Errors
    /// As [`Sink::save`].
    pub fn save(&mut self, out: &mut Snapshot) -> Result<()> {
        self.writer.sync().map_err(|error| self.failure.error(error))?;
        self.writer.inner_mut().sink.save(out)?;
        let groups = self.writer.flushed_row_groups();
        let schema = groups.first().map(|group| group.schema_descr_ptr());
        out.add(&schema.is_some());
        if let Some(schema) = schema {
            let saved = save_groups(groups, schema, &mut out.bytes);
            saved.map_err(|error| self.failure.error(error))?;
        }
        out.add(&self.columns);
        out.add(&self.rows_count);
        Ok(())
    }

    /// Continues a file that was saved, with the same columns: its rows are read and written again, over themselves.
    ///
    /// # Errors
    /// As [`Sink::load`].
    pub fn load<'n>(
        from: &mut Loader<'_>,
        overwrite: bool,
        columns: impl Iterator<Item = (&'n str, bool)>,
    ) -> Result<RecordFile> {
        let sink = Sink::load(from, overwrite)?;
        let (file, path) = (sink.reopen()?, sink.path().to_path_buf());
        let mut new = RecordFile::begin(sink.written_again(), columns)?;
        new.again(file, from).map_err(|error| new.failure.error(error))?;
        let damaged = || not_again(&path);
        new.columns = from.value().ok_or_else(damaged)?;
        new.rows_count = from.value().ok_or_else(damaged)?;
        if !new.writer.inner().sink.is_at_its_end() {
            return Err(not_again(&path));
        }
        Ok(new)
    }

    /// Writes the row groups of a file without a footer again.
    fn again(
        &mut self,
        file: File,
        from: &mut Loader<'_>,
    ) -> Result<(), parquet::errors::ParquetError> {
        if from.value().ok_or_else(damaged)? {
            let metadata = Arc::new(load_groups(from)?);
            let options = ArrowReaderOptions::new().with_schema(Arc::clone(&self.schema));
            let metadata = ArrowReaderMetadata::try_new(metadata, options)?;
            for group in 0..metadata.metadata().num_row_groups() {
                let file = file.try_clone()?;
                let groups =
                    ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata.clone())
                        .with_row_groups(vec![group])
                        .with_batch_size(ROWS_MAX);
                for batch in groups.build()? {
                    self.writer.write(&batch?)?;
                }
                self.writer.flush()?;
            }
        }
        self.writer.sync()?;
        Ok(())
    }

    /// The file, with all rows; to be published.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub fn into_sink(mut self) -> Result<Sink> {
        if self.rows_count > 0 {
            self.write()?;
        }
        let finished = self.writer.into_inner();
        finished.map(|writer| writer.sink).map_err(|error| self.failure.error(error))
    }
}
