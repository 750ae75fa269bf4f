//! Arrow IPC files: record batches, not compressed, so that a reader can map them.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::SchemaRef;

use crate::error::Result;
use crate::sink::Sink;

use super::super::arrays::{array, schema};
use super::super::group::Group;
use super::super::request::Export;
use super::{EncodeError, Fact, Failure, Piece, SinkWriter, TableWriter, Work};

/// A file that is being written.
pub(super) struct ArrowFile {
    writer: FileWriter<SinkWriter>,
    failure: Failure,
    export: Arc<Export>,
    schema: SchemaRef,
}

impl std::fmt::Debug for ArrowFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ArrowFile").finish_non_exhaustive()
    }
}

impl ArrowFile {
    pub(super) fn begin(sink: Sink, export: Arc<Export>) -> Result<ArrowFile> {
        let schema: SchemaRef = Arc::new(schema(&export.columns, HashMap::new()));
        let (sink, failure) = SinkWriter::new(sink);
        let writer = FileWriter::try_new(sink, &schema).map_err(|error| failure.error(error))?;
        Ok(ArrowFile { writer, failure, export, schema })
    }
}

impl TableWriter for ArrowFile {
    fn encode(&mut self, group: Group) -> Result<Vec<Work>> {
        let (export, schema) = (Arc::clone(&self.export), Arc::clone(&self.schema));
        Ok(vec![Box::new(move || {
            let columns = export.columns.iter().enumerate();
            let arrays =
                columns.map(|(index, column)| array(column.kind, group.column(index, column)));
            let arrays = arrays.collect::<Result<Vec<_>, _>>().map_err(EncodeError::new)?;
            RecordBatch::try_new(schema, arrays).map(Piece::Batch).map_err(EncodeError::new)
        })])
    }

    fn write(&mut self, piece: Piece) -> Result<()> {
        let Piece::Batch(batch) = piece else { return Ok(()) };
        self.writer.write(&batch).map_err(|error| self.failure.error(error))
    }

    fn finish(mut self: Box<Self>, metadata: Vec<Fact>) -> Result<Sink> {
        metadata.into_iter().for_each(|(key, value)| self.writer.write_metadata(key, value));
        let finished = self.writer.into_inner();
        finished.map(|writer| writer.sink).map_err(|error| self.failure.error(error))
    }

    fn pieces_per_group(&self) -> usize {
        1
    }
}
