//! The row groups of a Parquet file, one after the other.
//!
//! In: encoded columns, a row group at a time. Out: a file; or its state, from which it is continued. Invariant: a file
//! that was continued has the bytes of one that was written at once. Cost: to continue a file its columns are read
//! once.

use std::sync::Arc;

use arrow_schema::Schema;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use pgnmill_core::tasks::export::Kind;
use pgnmill_io::error::Result;
use pgnmill_io::sink::{Sink, Snapshot};
use pgnmill_state::Loader;

use super::chunks::{Chunk, Encoder};
use super::saved::{ColumnPages, GroupPages, append_groups, damaged, load_groups, save_groups};
use super::types::{row_type, schema_fact};
use super::{Fact, Failure, SinkWriter, not_again};

/// A Parquet file that is being written.
pub(super) struct GroupFile {
    writer: SerializedFileWriter<SinkWriter>,
    pub(super) failure: Failure,
    pub(super) encoder: Encoder,
    /// The pages of the row groups that are written.
    pages: Vec<GroupPages>,
}

impl GroupFile {
    /// Begins a file; the schema of Arrow is in its metadata. `kinds`: of the columns of the schema.
    pub(super) fn begin(
        sink: Sink,
        schema: &Schema,
        kinds: &[Kind],
        properties: WriterProperties,
    ) -> Result<GroupFile> {
        let (sink, failure) = SinkWriter::new(sink);
        let failed = |error| failure.error(error);
        let facts = Some(vec![schema_fact(schema)]);
        let properties = properties.into_builder().set_key_value_metadata(facts).build();
        let row = row_type(schema, kinds).map_err(failed)?;
        let writer = SerializedFileWriter::new(sink, row, Arc::new(properties)).map_err(failed)?;
        let columns = Arc::new(writer.schema_descr().clone());
        let encoder = Encoder::new(columns, Arc::clone(writer.properties()));
        Ok(GroupFile { writer, failure, encoder, pages: Vec::new() })
    }

    /// Continues a file: its row groups are written again, over themselves.
    pub(super) fn load(
        sink: Sink,
        from: &mut Loader<'_>,
        schema: &Schema,
        kinds: &[Kind],
        properties: WriterProperties,
    ) -> Result<GroupFile> {
        let path = sink.path().to_path_buf();
        let mut new = GroupFile::begin(sink.written_again(), schema, kinds, properties)?;
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

    /// Writes a row group: the encoded columns, in the order of the leaves of the schema.
    pub(super) fn write(&mut self, chunks: Vec<Chunk>) -> Result<()> {
        self.row_group(chunks).map_err(|error| self.failure.error(error))
    }

    fn row_group(&mut self, chunks: Vec<Chunk>) -> Result<(), ParquetError> {
        self.pages.push(chunks.iter().map(|chunk| ColumnPages::of(&chunk.close)).collect());
        let mut group = self.writer.next_row_group()?;
        for chunk in chunks {
            chunk.append_to(&mut group)?;
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
