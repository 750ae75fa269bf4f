//! Parquet files.
//!
//! In: groups. Out: one row group each, compressed with zstd; the schema of Arrow is in the metadata, so that readers
//! restore dictionaries and time zones. Invariant: a column chunk is made of a whole column of a group, so that its
//! pages do not depend on jobs. Cost: a column of a group is the unit of work.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use pgnmill_core::tasks::export::Export;
use pgnmill_core::tasks::export::Group;
use pgnmill_core::tasks::export::Kind;
use pgnmill_core::tasks::export::Table;
use pgnmill_core::tasks::export::{Column, Source};
use pgnmill_io::error::Result;
use pgnmill_io::sink::{Sink, Snapshot};
use pgnmill_state::Loader;

use super::super::arrays::schema;
use super::chunks::Chunk;
use super::groups::GroupFile;
use super::types::leaves_count;
use super::{EncodeError, Fact, Piece, TableWriter, Work};

/// A file that is being written.
pub(super) struct ParquetFile {
    file: GroupFile,
    export: Arc<Export>,
    /// The columns of the next row group that are encoded.
    chunks: Vec<Chunk>,
    columns: usize,
}

impl std::fmt::Debug for ParquetFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetFile").field("columns", &self.columns).finish_non_exhaustive()
    }
}

impl ParquetFile {
    pub(super) fn begin(sink: Sink, export: Arc<Export>, level: i32) -> Result<ParquetFile> {
        let properties =
            properties(&export, level).map_err(|error| EncodeError::new(error).of(sink.path()))?;
        let schema = schema(&export.columns, HashMap::new());
        let file = GroupFile::begin(sink, &schema, &kinds(&export), properties)?;
        Ok(ParquetFile { file, export, chunks: Vec::new(), columns: 0 })
    }

    /// Continues a file.
    pub(super) fn load(
        sink: Sink,
        from: &mut Loader<'_>,
        export: Arc<Export>,
        level: i32,
    ) -> Result<ParquetFile> {
        let properties =
            properties(&export, level).map_err(|error| EncodeError::new(error).of(sink.path()))?;
        let schema = schema(&export.columns, HashMap::new());
        let file = GroupFile::load(sink, from, &schema, &kinds(&export), properties)?;
        Ok(ParquetFile { file, export, chunks: Vec::new(), columns: 0 })
    }
}

fn kinds(export: &Export) -> Vec<Kind> {
    export.columns.iter().map(|column| column.kind).collect()
}

impl TableWriter for ParquetFile {
    fn encode(&mut self, group: Group) -> Result<Vec<Work>> {
        let group = Arc::new(group);
        let mut works: Vec<Work> = Vec::new();
        let mut next_leaf = 0;
        for (index, column) in self.export.columns.iter().enumerate() {
            let leaf = next_leaf;
            next_leaf += leaves_count(column.kind);
            let (group, export) = (Arc::clone(&group), Arc::clone(&self.export));
            let encoder = self.file.encoder.clone();
            works.push(Box::new(move || {
                let column = &export.columns[index];
                let chunks = match group.text_runs(index, column) {
                    Some(runs) => encoder.encode_runs(leaf, runs),
                    None => encoder.encode(leaf, column.kind, group.column(index, column)),
                };
                chunks.map(Piece::Column).map_err(EncodeError::new)
            }));
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
        self.file.write(std::mem::take(&mut self.chunks))
    }

    fn path(&self) -> &Path {
        &self.file.failure.path
    }

    fn save(&mut self, out: &mut Snapshot) -> Result<()> {
        self.file.save(out)
    }

    fn finish(self: Box<Self>, metadata: Vec<Fact>) -> Result<Sink> {
        self.file.finish(metadata)
    }

    fn pieces_per_group(&self) -> usize {
        self.export.columns.len()
    }
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
            // The least and the greatest text would be of no use, and cost a comparison per row. The statistics of
            // names are made without it.
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
    /// Each different value once, without statistics of the library.
    Names,
    /// As it is: nearly all values are different.
    Plain,
    /// As it is, without statistics.
    Text,
    /// Numbers that grow from row to row.
    Differences,
    /// Texts that begin like the one before, without statistics.
    Prefixes,
}

fn storage(table: Table, column: &Column) -> Storage {
    match (column.source, column.name.as_ref()) {
        _ if matches!(column.kind, Kind::Bytes(_)) => Storage::Plain,
        (Source::BySide(_), _) => Storage::Differences,
        (Source::Offset | Source::GameNumber | Source::GameIndex, _) | (_, "ply") => {
            Storage::Differences
        }
        // In the order of their hashes, two records have nothing in common; nor do the offsets.
        (Source::Row, "fen") => Storage::Text,
        (Source::Row, "sample_offset") => Storage::Plain,
        (_, "fen") => Storage::Prefixes,
        (_, "final_hash" | "hash" | "utc_timestamp") => Storage::Plain,
        (_, "Site" | "game_id") if table == Table::Games => Storage::Plain,
        (_, "movetext" | "FEN" | "comment" | "tags") => Storage::Text,
        (Source::Moves(_), _) if table == Table::Games => Storage::Text,
        _ if table == Table::Plies && column.kind == Kind::Text => Storage::Names,
        _ if matches!(column.kind, Kind::Names(_)) => Storage::Names,
        _ => Storage::Dictionary,
    }
}
