//! Parquet files.
//!
//! In: groups. Out: one row group each, compressed with zstd; the schema of Arrow is in the metadata, so that readers
//! restore dictionaries and time zones. Invariant: a column chunk is made of one array, so that its pages do not
//! depend on jobs. Cost: a column of a group is the unit of work.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

use crate::error::Result;
use crate::sink::{Sink, Snapshot};
use crate::state::Loader;

use super::super::arrays::{array, schema};
use super::super::column::{Column, Source};
use super::super::group::Group;
use super::super::kind::Kind;
use super::super::request::Export;
use super::super::selection::Table;
use super::saved::{ColumnPages, GroupPages, append_groups, damaged, load_groups, save_groups};
use super::{EncodeError, Fact, Failure, Piece, SinkWriter, TableWriter, Work, not_again};

/// A file that is being written.
pub(super) struct ParquetFile {
    writer: SerializedFileWriter<SinkWriter>,
    failure: Failure,
    factory: ArrowRowGroupWriterFactory,
    export: Arc<Export>,
    schema: SchemaRef,
    /// Groups whose encoding was begun.
    groups: usize,
    /// The columns of the next row group that are encoded.
    chunks: Vec<ArrowColumnChunk>,
    columns: usize,
    /// The pages of the row groups that are written.
    pages: Vec<GroupPages>,
}

impl std::fmt::Debug for ParquetFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetFile").field("groups", &self.groups).finish_non_exhaustive()
    }
}

impl ParquetFile {
    pub(super) fn begin(sink: Sink, export: Arc<Export>, level: i32) -> Result<ParquetFile> {
        let schema: SchemaRef = Arc::new(schema(&export.columns, HashMap::new()));
        let (sink, failure) = SinkWriter::new(sink);
        let failed = |error| failure.error(error);
        let mut properties = properties(&export, level).map_err(failed)?;
        add_encoded_arrow_schema_to_metadata(&schema, &mut properties);
        let converted = ArrowSchemaConverter::new().convert(&schema).map_err(failed)?;
        let root = converted.root_schema_ptr();
        let writer = SerializedFileWriter::new(sink, root, Arc::new(properties)).map_err(failed)?;
        let factory = ArrowRowGroupWriterFactory::new(&writer, Arc::clone(&schema));
        Ok(ParquetFile {
            writer,
            failure,
            factory,
            export,
            schema,
            groups: 0,
            chunks: Vec::new(),
            columns: 0,
            pages: Vec::new(),
        })
    }

    /// Continues a file: its row groups are written again, over themselves.
    pub(super) fn load(
        sink: Sink,
        from: &mut Loader<'_>,
        export: Arc<Export>,
        level: i32,
    ) -> Result<ParquetFile> {
        let path = sink.path().to_path_buf();
        let mut new = ParquetFile::begin(sink.written_again(), export, level)?;
        let mut again = |writer: &mut SerializedFileWriter<SinkWriter>| {
            let metadata = load_groups(from)?;
            let pages: Vec<GroupPages> = from.value().ok_or_else(damaged)?;
            append_groups(writer, &metadata, &pages)?;
            Ok::<_, parquet::errors::ParquetError>(pages)
        };
        new.pages = again(&mut new.writer).map_err(|error| new.failure.error(error))?;
        new.groups = new.pages.len();
        if !new.writer.inner().sink.is_at_its_end() {
            return Err(not_again(&path));
        }
        Ok(new)
    }

    /// Writes a row group.
    fn row_group(&mut self) -> Result<(), parquet::errors::ParquetError> {
        self.pages.push(self.chunks.iter().map(|chunk| ColumnPages::of(chunk.close())).collect());
        let mut group = self.writer.next_row_group()?;
        for chunk in self.chunks.drain(..) {
            chunk.append_to_row_group(&mut group)?;
        }
        group.close()?;
        Ok(())
    }
}

/// Leaves of a column: a map has two, names and values.
fn leaves(kind: Kind) -> usize {
    if kind == Kind::TextMap { 2 } else { 1 }
}

impl TableWriter for ParquetFile {
    fn encode(&mut self, group: Group) -> Result<Vec<Work>> {
        let writers = self.factory.create_column_writers(self.groups);
        let mut writers = match writers {
            Ok(writers) => writers.into_iter(),
            Err(error) => return Err(self.failure.error(error)),
        };
        self.groups += 1;
        let group = Arc::new(group);
        let mut works: Vec<Work> = Vec::new();
        for (index, column) in self.export.columns.iter().enumerate() {
            let writers: Vec<ArrowColumnWriter> =
                writers.by_ref().take(leaves(column.kind)).collect();
            let (group, export) = (Arc::clone(&group), Arc::clone(&self.export));
            let schema = Arc::clone(&self.schema);
            works.push(Box::new(move || encode(&group, &export, &schema, index, writers)));
        }
        Ok(works)
    }

    fn write(&mut self, piece: Piece) -> Result<()> {
        let Piece::Column(chunks) = piece else { return Ok(()) };
        self.chunks.extend(chunks);
        self.columns += 1;
        if self.columns < self.export.columns.len() {
            return Ok(());
        }
        self.columns = 0;
        self.row_group().map_err(|error| self.failure.error(error))
    }

    fn path(&self) -> &Path {
        &self.failure.path
    }

    fn save(&mut self, out: &mut Snapshot) -> Result<()> {
        let failed = |error: std::io::Error| self.failure.error(error);
        self.writer.flush().map_err(failed)?;
        self.writer.inner_mut().sink.save(out)?;
        let groups = self.writer.flushed_row_groups();
        let schema = Arc::new(self.writer.schema_descr().clone());
        save_groups(groups, schema, &mut out.bytes).map_err(|error| self.failure.error(error))?;
        out.add(&self.pages);
        Ok(())
    }

    fn finish(mut self: Box<Self>, metadata: Vec<Fact>) -> Result<Sink> {
        for (key, value) in metadata {
            self.writer.append_key_value_metadata(KeyValue::new(key, value));
        }
        let finished = self.writer.into_inner();
        finished.map(|writer| writer.sink).map_err(|error| self.failure.error(error))
    }

    fn pieces_per_group(&self) -> usize {
        self.export.columns.len()
    }
}

/// Encodes a column of a group.
fn encode(
    group: &Group,
    export: &Export,
    schema: &Schema,
    index: usize,
    writers: Vec<ArrowColumnWriter>,
) -> Result<Piece, EncodeError> {
    let column = &export.columns[index];
    let values = array(column.kind, group.column(index, column)).map_err(EncodeError::new)?;
    let leaves = compute_leaves(schema.field(index), &values).map_err(EncodeError::new)?;
    let mut chunks = Vec::new();
    for (mut writer, leaf) in writers.into_iter().zip(&leaves) {
        writer.write(leaf).map_err(EncodeError::new)?;
        chunks.push(writer.close().map_err(EncodeError::new)?);
    }
    Ok(Piece::Column(chunks))
}

/// How the columns are encoded.
fn properties(
    export: &Export,
    level: i32,
) -> Result<WriterProperties, parquet::errors::ParquetError> {
    let mut builder = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(level)?))
        .set_statistics_enabled(EnabledStatistics::Chunk);
    for column in &export.columns {
        let path = ColumnPath::from(column.name.as_ref());
        let storage = storage(export.table, column);
        let has_dictionary = matches!(storage, Storage::Dictionary | Storage::Names);
        builder = builder.set_column_dictionary_enabled(path.clone(), has_dictionary);
        builder = match storage {
            Storage::Dictionary | Storage::Plain => builder,
            // The least and the greatest text would be of no use, and cost a comparison per row.
            Storage::Names | Storage::Text => {
                builder.set_column_statistics_enabled(path, EnabledStatistics::None)
            }
            Storage::Differences => {
                builder.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED)
            }
            Storage::Prefixes => builder
                .set_column_statistics_enabled(path.clone(), EnabledStatistics::None)
                .set_column_encoding(path, Encoding::DELTA_BYTE_ARRAY),
        };
    }
    Ok(builder.build())
}

/// How a column is stored before compression.
#[derive(Clone, Copy)]
enum Storage {
    /// Each different value once.
    Dictionary,
    /// The same, without statistics.
    Names,
    /// As it is: nearly all values are different.
    Plain,
    /// The same, without statistics.
    Text,
    /// Numbers that grow from row to row.
    Differences,
    /// Texts that begin like the one before, without statistics.
    Prefixes,
}

fn storage(table: Table, column: &Column) -> Storage {
    match (column.source, column.name.as_ref()) {
        (Source::Offset | Source::GameNumber, _) | (_, "ply") => Storage::Differences,
        (_, "fen") => Storage::Prefixes,
        (_, "final_hash" | "hash" | "utc_timestamp" | "board") => Storage::Plain,
        (_, "Site" | "game_id") if table == Table::Games => Storage::Plain,
        (_, "movetext" | "FEN" | "comment" | "tags") => Storage::Text,
        (Source::Moves(_), _) if table == Table::Games => Storage::Text,
        _ if table == Table::Plies && column.kind == Kind::Text => Storage::Names,
        _ => Storage::Dictionary,
    }
}
