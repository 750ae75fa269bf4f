//! Arrow IPC files: record batches, not compressed, so that a reader can map them.
//!
//! In: groups of rows. Out: the magic number, the schema, dictionaries and record batches as messages, and a footer
//! with the place of each. Invariant: a file that was continued has the bytes of one that was written at once. Cost: a
//! batch is copied once; to continue a file nothing of it is read.
//!
//! The library's own writer of files cannot go on with one, and its reader would be a sixth of the program.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_ipc::convert::{IpcSchemaEncoder, metadata_to_fb};
use arrow_ipc::writer::{
    DictionaryTracker, EncodedData, IpcDataGenerator, IpcWriteContext, IpcWriteOptions,
    write_message,
};
use arrow_ipc::{Block, FooterBuilder, MetadataVersion};
use arrow_schema::{ArrowError, SchemaRef};
use flatbuffers::FlatBufferBuilder;
use pgnmill_core::tasks::export::Export;
use pgnmill_core::tasks::export::Group;
use pgnmill_io::error::Result;
use pgnmill_io::sink::{Sink, Snapshot};
use pgnmill_state::{Loader, State, state};

use super::super::arrays::{record_batch, schema};
use super::{EncodeError, Fact, Failure, Piece, SinkWriter, TableWriter, Work, not_again};

/// Bytes with which a file begins and ends.
const MAGIC: &[u8] = b"ARROW1";
/// The magic number at the beginning, padded to the alignment of messages.
const BEGINNING: &[u8; 64] = &{
    let mut bytes = [0; 64];
    bytes.split_at_mut(MAGIC.len()).0.copy_from_slice(MAGIC);
    bytes
};
/// With which a message begins, before the length of its head.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// Where a message is in its file.
#[derive(Debug)]
struct Message {
    offset: u64,
    head_bytes: u32,
    body_bytes: u64,
}

state! { Message { offset, head_bytes, body_bytes } }

impl From<&Message> for Block {
    fn from(message: &Message) -> Block {
        let &Message { offset, head_bytes, body_bytes } = message;
        Block::new(offset as i64, head_bytes as i32, body_bytes as i64)
    }
}

/// What the footer lists.
#[derive(Debug, Default)]
struct Messages {
    dictionaries: Vec<Message>,
    batches: Vec<Message>,
    /// Where the next message begins.
    end: u64,
}

state! { Messages { dictionaries, batches, end } }

/// A file that is being written.
pub(super) struct ArrowFile {
    writer: SinkWriter,
    failure: Failure,
    export: Arc<Export>,
    schema: SchemaRef,
    messages: Messages,
    /// The dictionaries that the file has.
    tracker: DictionaryTracker,
    context: IpcWriteContext,
    options: IpcWriteOptions,
}

impl std::fmt::Debug for ArrowFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ArrowFile").finish_non_exhaustive()
    }
}

impl ArrowFile {
    /// A file in which nothing is written yet; and its schema as a message.
    fn new(sink: Sink, export: Arc<Export>) -> (ArrowFile, EncodedData) {
        let schema: SchemaRef = Arc::new(schema(&export.columns, HashMap::new()));
        let (writer, failure) = SinkWriter::new(sink);
        let (mut tracker, options) = (DictionaryTracker::new(true), IpcWriteOptions::default());
        let message = IpcDataGenerator::default().schema_to_bytes_with_dictionary_tracker(
            &schema,
            &mut tracker,
            &options,
        );
        let (messages, context) = (Messages::default(), IpcWriteContext::default());
        let new =
            ArrowFile { writer, failure, export, schema, messages, tracker, context, options };
        (new, message)
    }

    pub(super) fn begin(sink: Sink, export: Arc<Export>) -> Result<ArrowFile> {
        let (mut new, message) = ArrowFile::new(sink, export);
        let begun = new.begin_with(message);
        begun.map_err(|error| new.failure.error(error))?;
        Ok(new)
    }

    fn begin_with(&mut self, schema: EncodedData) -> Result<(), ArrowError> {
        self.writer.write_all(BEGINNING)?;
        self.messages.end = BEGINNING.len() as u64;
        self.message(schema)?;
        Ok(())
    }

    /// Continues a file.
    pub(super) fn load(
        sink: Sink,
        from: &mut Loader<'_>,
        export: Arc<Export>,
    ) -> Result<ArrowFile> {
        let path = sink.path().to_path_buf();
        let (mut new, _) = ArrowFile::new(sink, export);
        new.messages = from.value().ok_or_else(|| not_again(&path))?;
        if !new.messages.dictionaries.is_empty() {
            // They are the same in each batch, and the file has them.
            let none =
                record_batch(&new.export.columns, Arc::clone(&new.schema), &Group::default());
            let encoded = none.and_then(|none| new.encoded(&none));
            encoded.map_err(|error| new.failure.error(error))?;
        }
        Ok(new)
    }

    /// The messages of a batch: the dictionaries that the file lacks, and the batch.
    fn encoded(
        &mut self,
        batch: &arrow_array::RecordBatch,
    ) -> Result<(Vec<EncodedData>, EncodedData), ArrowError> {
        let (tracker, context) = (&mut self.tracker, &mut self.context);
        IpcDataGenerator::default().encode(batch, tracker, &self.options, context)
    }

    fn batch(&mut self, batch: &arrow_array::RecordBatch) -> Result<(), ArrowError> {
        let (dictionaries, batch) = self.encoded(batch)?;
        for dictionary in dictionaries {
            let message = self.message(dictionary)?;
            self.messages.dictionaries.push(message);
        }
        let message = self.message(batch)?;
        self.messages.batches.push(message);
        Ok(())
    }

    fn message(&mut self, data: EncodedData) -> Result<Message, ArrowError> {
        let (head_bytes, body_bytes) = write_message(&mut self.writer, data, &self.options)?;
        let offset = self.messages.end;
        self.messages.end += (head_bytes + body_bytes) as u64;
        Ok(Message { offset, head_bytes: head_bytes as u32, body_bytes: body_bytes as u64 })
    }

    /// The end of the messages, and the footer.
    fn end(&mut self, metadata: Vec<Fact>) -> Result<(), ArrowError> {
        let mut builder = FlatBufferBuilder::new();
        let blocks = |messages: &[Message]| messages.iter().map(Block::from).collect::<Vec<_>>();
        let dictionaries = builder.create_vector(&blocks(&self.messages.dictionaries));
        let batches = builder.create_vector(&blocks(&self.messages.batches));
        self.tracker.clear();
        let mut encoder = IpcSchemaEncoder::new().with_dictionary_tracker(&mut self.tracker);
        let schema = encoder.schema_to_fb_offset(&mut builder, &self.schema);
        let metadata = metadata.into_iter().collect::<HashMap<_, _>>();
        let metadata =
            (!metadata.is_empty()).then(|| metadata_to_fb(&mut builder, &metadata.into()));
        let mut footer = FooterBuilder::new(&mut builder);
        footer.add_version(MetadataVersion::V5);
        footer.add_schema(schema);
        footer.add_dictionaries(dictionaries);
        footer.add_recordBatches(batches);
        metadata.into_iter().for_each(|metadata| footer.add_custom_metadata(metadata));
        let root = footer.finish();
        builder.finish(root, None);
        let footer = builder.finished_data();
        self.writer.write_all(&CONTINUATION)?;
        self.writer.write_all(&[0; 4])?;
        self.writer.write_all(footer)?;
        self.writer.write_all(&(footer.len() as u32).to_le_bytes())?;
        Ok(self.writer.write_all(MAGIC)?)
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
        self.batch(&batch).map_err(|error| self.failure.error(error))
    }

    fn path(&self) -> &Path {
        &self.failure.path
    }

    fn save(&mut self, out: &mut Snapshot) -> Result<()> {
        self.writer.sink.save(out)?;
        self.messages.save(&mut out.bytes);
        Ok(())
    }

    fn finish(mut self: Box<Self>, metadata: Vec<Fact>) -> Result<Sink> {
        let ended = self.end(metadata);
        ended.map_err(|error| self.failure.error(error))?;
        Ok(self.writer.sink)
    }

    fn pieces_per_group(&self) -> usize {
        1
    }
}
