//! A Parquet file of records of texts and integers, such as the table of faults.
//!
//! In: rows of fields. Out: a file, compressed with zstd. Invariant: row groups have [`ROWS_MAX`] rows, the last one
//! fewer. Cost: on the calling thread; such tables are short.

use arrow_schema::Schema;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use pgnmill_core::tasks::export::Buffer;
use pgnmill_core::tasks::export::Kind;
use pgnmill_io::error::Result;
use pgnmill_io::sink::{Sink, Snapshot};
use pgnmill_state::Loader;

use super::super::arrays::field;
use super::groups::GroupFile;
use super::{EncodeError, not_again};

/// Rows in a row group.
const ROWS_MAX: usize = 16_384;

/// A file that is being written.
pub struct RecordFile {
    file: GroupFile,
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
        let (schema, kinds) = schema_of(columns);
        Ok(RecordFile::of(GroupFile::begin(sink, &schema, &kinds, properties())?, kinds))
    }

    fn of(file: GroupFile, kinds: Vec<Kind>) -> RecordFile {
        let columns = kinds.iter().map(|&kind| Buffer::new(kind)).collect();
        RecordFile { file, kinds, columns, rows_count: 0 }
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
        let mut chunks = Vec::new();
        // Texts and integers have one leaf each.
        for (leaf, (column, &kind)) in columns.into_iter().zip(&self.kinds).enumerate() {
            let encoded = self.file.encoder.encode(leaf, kind, column);
            chunks.extend(
                encoded.map_err(|error| EncodeError::new(error).of(&self.file.failure.path))?,
            );
        }
        self.file.write(chunks)
    }

    /// Saves the state.
    ///
    /// # Errors
    /// As [`Sink::save`].
    pub fn save(&mut self, out: &mut Snapshot) -> Result<()> {
        self.file.save(out)?;
        out.add(&self.columns);
        out.add(&self.rows_count);
        Ok(())
    }

    /// Continues a file that was saved, with the same columns.
    ///
    /// # Errors
    /// As [`Sink::load`].
    pub fn load<'n>(
        from: &mut Loader<'_>,
        overwrite: bool,
        columns: impl Iterator<Item = (&'n str, bool)>,
    ) -> Result<RecordFile> {
        let sink = Sink::load(from, overwrite)?;
        let path = sink.path().to_path_buf();
        let (schema, kinds) = schema_of(columns);
        let file = GroupFile::load(sink, from, &schema, &kinds, properties())?;
        let mut new = RecordFile::of(file, kinds);
        let damaged = || not_again(&path);
        new.columns = from.value().ok_or_else(damaged)?;
        new.rows_count = from.value().ok_or_else(damaged)?;
        Ok(new)
    }

    /// The file, with all rows; to be published.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub fn into_sink(mut self) -> Result<Sink> {
        if self.rows_count > 0 {
            self.write()?;
        }
        self.file.finish(Vec::new())
    }
}

/// The schema of these columns, and their kinds; integers may be null.
fn schema_of<'n>(columns: impl Iterator<Item = (&'n str, bool)>) -> (Schema, Vec<Kind>) {
    let (mut fields, mut kinds) = (Vec::new(), Vec::new());
    for (name, is_integer) in columns {
        let kind = if is_integer { Kind::Int64 } else { Kind::Text };
        fields.push(field(name, kind, is_integer));
        kinds.push(kind);
    }
    (Schema::new(fields), kinds)
}

/// As for the tables of an export: the statistics of pages are not saved in a state.
fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .build()
}
