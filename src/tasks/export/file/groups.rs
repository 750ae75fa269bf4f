//! The row groups of a Parquet file, one after the other.
//!
//! In: encoded columns, a row group at a time. Out: a file; or its state, from which it is continued. Invariant: a file
//! that was continued has the bytes of one that was written at once. Cost: to continue a file its columns are read
//! once.

use std::sync::Arc;

use arrow_schema::SchemaRef;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use crate::error::Result;
use crate::sink::{Sink, Snapshot};
use crate::state::Loader;

use super::super::arrays::array;
use super::super::buffer::Buffer;
use super::super::kind::Kind;
use super::saved::{ColumnPages, GroupPages, append_groups, damaged, load_groups, save_groups};
use super::{EncodeError, Fact, Failure, SinkWriter, not_again};

/// A Parquet file that is being written.
pub(super) struct GroupFile {
    writer: SerializedFileWriter<SinkWriter>,
    pub(super) failure: Failure,
    factory: ArrowRowGroupWriterFactory,
    pub(super) schema: SchemaRef,
    /// The pages of the row groups that are written.
    pages: Vec<GroupPages>,
}

impl GroupFile {
    /// Begins a file; the schema of Arrow is in its metadata.
    pub(super) fn begin(
        sink: Sink,
        schema: SchemaRef,
        mut properties: WriterProperties,
    ) -> Result<GroupFile> {
        let (sink, failure) = SinkWriter::new(sink);
        let failed = |error| failure.error(error);
        add_encoded_arrow_schema_to_metadata(&schema, &mut properties);
        let converted = ArrowSchemaConverter::new().convert(&schema).map_err(failed)?;
        let root = converted.root_schema_ptr();
        let writer = SerializedFileWriter::new(sink, root, Arc::new(properties)).map_err(failed)?;
        let factory = ArrowRowGroupWriterFactory::new(&writer, Arc::clone(&schema));
        Ok(GroupFile { writer, failure, factory, schema, pages: Vec::new() })
    }

    /// Continues a file: its row groups are written again, over themselves.
    pub(super) fn load(
        sink: Sink,
        from: &mut Loader<'_>,
        schema: SchemaRef,
        properties: WriterProperties,
    ) -> Result<GroupFile> {
        let path = sink.path().to_path_buf();
        let mut new = GroupFile::begin(sink.written_again(), schema, properties)?;
        new.again(from).map_err(|error| new.failure.error(error))?;
        if !new.writer.inner().sink.is_at_its_end() {
            return Err(not_again(&path));
        }
        Ok(new)
    }

    fn again(&mut self, from: &mut Loader<'_>) -> Result<(), ParquetError> {
        let metadata = load_groups(from)?;
        self.pages = from.value().ok_or_else(damaged)?;
        append_groups(&mut self.writer, &metadata, &self.pages)
    }

    /// Row groups that are written.
    pub(super) fn groups_count(&self) -> usize {
        self.pages.len()
    }

    /// The writers of the columns of the row group of this index, one per leaf of the schema.
    pub(super) fn column_writers(&self, index: usize) -> Result<Vec<ArrowColumnWriter>> {
        self.factory.create_column_writers(index).map_err(|error| self.failure.error(error))
    }

    /// Writes a row group: the encoded columns, in the order of the leaves of the schema.
    pub(super) fn write(&mut self, chunks: impl Iterator<Item = ArrowColumnChunk>) -> Result<()> {
        let written = self.row_group(chunks.collect());
        written.map_err(|error| self.failure.error(error))
    }

    fn row_group(&mut self, chunks: Vec<ArrowColumnChunk>) -> Result<(), ParquetError> {
        self.pages.push(chunks.iter().map(|chunk| ColumnPages::of(chunk.close())).collect());
        let mut group = self.writer.next_row_group()?;
        for chunk in chunks {
            chunk.append_to_row_group(&mut group)?;
        }
        group.close()?;
        Ok(())
    }

    /// Saves the state.
    pub(super) fn save(&mut self, out: &mut Snapshot) -> Result<()> {
        self.writer.flush().map_err(|error| self.failure.error(error))?;
        self.writer.inner_mut().sink.save(out)?;
        let groups = self.writer.flushed_row_groups();
        let schema = Arc::new(self.writer.schema_descr().clone());
        save_groups(groups, schema, &mut out.bytes).map_err(|error| self.failure.error(error))?;
        out.add(&self.pages);
        Ok(())
    }

    /// Ends the file, with these facts in its metadata.
    pub(super) fn finish(mut self, metadata: Vec<Fact>) -> Result<Sink> {
        for (key, value) in metadata {
            self.writer.append_key_value_metadata(KeyValue::new(key, value));
        }
        let finished = self.writer.into_inner();
        finished.map(|writer| writer.sink).map_err(|error| self.failure.error(error))
    }
}

/// Encodes a column, the one of this index in the schema.
pub(super) fn encode(
    schema: &SchemaRef,
    index: usize,
    kind: Kind,
    column: Buffer,
    writers: impl IntoIterator<Item = ArrowColumnWriter>,
) -> Result<Vec<ArrowColumnChunk>, EncodeError> {
    let values = array(kind, column).map_err(EncodeError::new)?;
    let leaves = compute_leaves(schema.field(index), &values).map_err(EncodeError::new)?;
    let mut chunks = Vec::new();
    for (mut writer, leaf) in writers.into_iter().zip(&leaves) {
        writer.write(leaf).map_err(EncodeError::new)?;
        chunks.push(writer.close().map_err(EncodeError::new)?);
    }
    Ok(chunks)
}
