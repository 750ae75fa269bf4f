//! Arrow IPC files: record batches, not compressed, so that a reader can map them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, SchemaRef};

use crate::error::Result;
use crate::sink::{Sink, Snapshot};

use super::super::arrays::{record_batch, schema};
use super::super::group::Group;
use super::super::request::Export;
use super::{EncodeError, Fact, Failure, Piece, SinkWriter, TableWriter, Work, not_again};

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

/// Bytes with which a file begins, before the messages.
const MAGIC: &[u8] = b"ARROW1";

/// The batches of a file that has no end yet.
fn batches(file: File) -> Result<StreamReader<BufReader<File>>, ArrowError> {
    let mut file = BufReader::new(file);
    let mut magic = [0; MAGIC.len()];
    file.read_exact(&mut magic)?;
    // The magic number is padded; a message begins with four bytes 0xff.
    while file.fill_buf()?.first() == Some(&0) {
        file.consume(1);
    }
    StreamReader::try_new(file, None)
}

impl ArrowFile {
    /// Continues a file: its batches are read and written again, over themselves.
    pub(super) fn load(sink: Sink, export: Arc<Export>) -> Result<ArrowFile> {
        let file = sink.reopen()?;
        let path = sink.path().to_path_buf();
        let mut new = ArrowFile::begin(sink.written_again(), export)?;
        let failed = |error: ArrowError| EncodeError::new(error).of(&path);
        for batch in batches(file).map_err(failed)? {
            new.writer.write(&batch.map_err(failed)?).map_err(|error| new.failure.error(error))?;
        }
        if !new.writer.get_ref().sink.is_at_its_end() {
            return Err(not_again(&path));
        }
        Ok(new)
    }
}

impl TableWriter for ArrowFile {
    fn encode(&mut self, group: Group) -> Result<Vec<Work>> {
        let (export, schema) = (Arc::clone(&self.export), Arc::clone(&self.schema));
        Ok(vec![Box::new(move || {
            let batch = record_batch(&export.columns, schema, &group);
            batch.map(Piece::Batch).map_err(EncodeError::new)
        })])
    }

    fn write(&mut self, piece: Piece) -> Result<()> {
        let Piece::Batch(batch) = piece else { return Ok(()) };
        self.writer.write(&batch).map_err(|error| self.failure.error(error))
    }

    fn path(&self) -> &Path {
        &self.failure.path
    }

    fn save(&mut self, out: &mut Snapshot) -> Result<()> {
        self.writer.get_mut().sink.save(out)
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
