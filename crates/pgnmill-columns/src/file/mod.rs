//! The files of a table: a format, and the writer of a file in it.
//!
//! In: groups of rows. Out: bytes in a [`Sink`]. A writer gives the work that encodes a group, which runs on any
//! thread, and takes the encoded pieces in order. Invariant: a piece depends on its group alone.

mod chunks;
mod encode;
mod epd;
mod groups;
mod ipc;
mod levels;
mod pages;
mod parquet;
mod records;
mod saved;
mod short;
mod slices;
mod text;
mod types;

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use arrow_array::RecordBatch;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Sink, Snapshot};
use pgnmill_state::Loader;

pub use records::RecordFile;

use chunks::Chunk;
use pgnmill_core::tasks::export::Export;
use pgnmill_core::tasks::export::Group;

/// Declares the formats: a row has a name, which is also the ending of its files, other endings, what the format is in
/// a few words, and what begins a file and continues one.
macro_rules! formats {
    (
        fn($sink:ident, $export:ident, $level:ident, $from:ident);
        $($(#[doc = $doc:literal])+ $format:ident $name:literal [$($ending:literal)*] $about:literal
            $begin:expr, $load:expr;)+
    ) => {
        /// A format of files.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Format {
            $($(#[doc = $doc])+ $format,)+
        }

        impl Format {
            /// All formats.
            pub const ALL: [Format; [$($name),+].len()] = [$(Format::$format),+];

            /// Its name, which is also the ending of its files.
            pub const fn name(self) -> &'static str {
                [$($name),+][self as usize]
            }

            /// What it is, in a few words.
            pub const fn about(self) -> &'static str {
                [$($about),+][self as usize]
            }

            /// The endings of its files besides its name.
            const fn other_endings(self) -> &'static [&'static str] {
                [$(&[$($ending),*] as &[&str]),+][self as usize]
            }
        }

        /// Begins a file. `level`: the compression level of Parquet.
        pub(super) fn begin(
            $sink: Sink,
            format: Format,
            export: &Arc<Export>,
            $level: i32,
        ) -> Result<Box<dyn TableWriter>> {
            let $export = Arc::clone(export);
            Ok(match format {
                $(Format::$format => Box::new($begin),)+
            })
        }

        /// Continues a file that was saved.
        pub(super) fn load(
            $from: &mut Loader<'_>,
            overwrite: bool,
            format: Format,
            export: &Arc<Export>,
            $level: i32,
        ) -> Result<Box<dyn TableWriter>> {
            let $sink = Sink::load($from, overwrite)?;
            let $export = Arc::clone(export);
            Ok(match format {
                $(Format::$format => Box::new($load),)+
            })
        }
    };
}

formats! {
    fn(sink, export, level, from);
    /// Apache Parquet, compressed with zstd.
    Parquet "parquet" [] "Apache Parquet, compressed with zstd"
        parquet::ParquetFile::begin(sink, export, level)?,
        parquet::ParquetFile::load(sink, from, export, level)?;
    /// The Arrow IPC file format, not compressed, so that it can be mapped.
    Arrow "arrow" [] "The file format of Apache Arrow, not compressed"
        ipc::ArrowFile::begin(sink, export)?, ipc::ArrowFile::load(sink, from, export)?;
    /// Comma-separated values with a header (RFC 4180); lists and maps are JSON.
    Csv "csv" [] "Comma-separated values"
        text::TextFile::csv(sink, export)?, text::TextFile::load_csv(sink, export);
    /// One JSON object per line.
    JsonLines "jsonl" ["ndjson"] "One JSON object per line"
        text::TextFile::json_lines(sink, export), text::TextFile::json_lines(sink, export);
    /// Positions, one per line: EPD (PGN standard, 16.2).
    Epd "epd" [] "Positions with operations, one per line"
        epd::PositionFile::epd(sink, export), epd::PositionFile::epd(sink, export);
    /// Positions, one per line: FEN (PGN standard, 16.1).
    Fen "fen" [] "Positions with move clocks, one per line"
        epd::PositionFile::fen(sink, export), epd::PositionFile::fen(sink, export);
}

impl Format {
    /// Is a file no text?
    pub const fn is_binary(self) -> bool {
        matches!(self, Format::Parquet | Format::Arrow)
    }

    /// Is a row a position, whose columns are those of [`pgnmill_core::tasks::export::PositionLines`]?
    pub const fn has_positions(self) -> bool {
        matches!(self, Format::Epd | Format::Fen)
    }

    /// The format that the ending of a file's name gives; `Err` with an ending that is of no format.
    ///
    /// # Errors
    /// The ending.
    pub fn of_path(path: &Path) -> Result<Option<Format>, &OsStr> {
        let Some(ending) = path.extension() else { return Ok(None) };
        let has_it = |format: &Format| {
            let mut endings =
                [format.name()].into_iter().chain(format.other_endings().iter().copied());
            endings.any(|known| ending.eq_ignore_ascii_case(known))
        };
        Format::ALL.into_iter().find(has_it).map(Some).ok_or(ending)
    }
}

/// A key and a value in the metadata of a file.
pub type Fact = (String, String);

/// An encoded part of a group.
#[derive(Debug)]
pub(super) enum Piece {
    /// A column of a row group.
    Column(Vec<Chunk>),
    /// A group.
    Batch(RecordBatch),
    /// Lines.
    Text(Vec<u8>),
    /// Lines of positions, of which each is to be written once.
    Positions(Vec<epd::Line>),
}

/// Rows that cannot be encoded.
#[derive(Debug)]
pub(super) struct EncodeError(String);

impl EncodeError {
    pub(super) fn new(error: impl fmt::Display) -> EncodeError {
        EncodeError(error.to_string())
    }

    /// The error that ends the run.
    pub(super) fn of(self, path: &Path) -> Error {
        Error::io("encode rows of", path, io::Error::other(self.0))
    }
}

/// Work that encodes a piece.
pub(super) type Work = Box<dyn FnOnce() -> Result<Piece, EncodeError> + Send>;

/// Writes a file.
pub(super) trait TableWriter: fmt::Debug {
    /// The work that encodes a group, piece by piece, in the order in which the pieces are written.
    fn encode(&mut self, group: Group) -> Result<Vec<Work>>;

    /// Writes the next piece.
    fn write(&mut self, piece: Piece) -> Result<()>;

    /// The path of the file.
    fn path(&self) -> &Path;

    /// Saves the state; no piece is being encoded.
    fn save(&mut self, out: &mut Snapshot) -> Result<()>;

    /// All pieces are written. Returns the rows of the file, if they are fewer than those that were encoded.
    fn end_rows(&mut self) -> Result<Option<u64>> {
        Ok(None)
    }

    /// Ends the file.
    fn finish(self: Box<Self>, metadata: Vec<Fact>) -> Result<Sink>;

    /// Pieces of a group.
    fn pieces_per_group(&self) -> usize;
}

/// The error of a file that was written again and is not as long as it was.
fn not_again(path: &Path) -> Error {
    EncodeError::new("the rows that it contains cannot be continued").of(path)
}

/// A [`Sink`] for a library that knows only the errors of the system: the first error is kept, with its path.
#[derive(Debug)]
struct SinkWriter {
    sink: Sink,
    failure: Failure,
}

/// Where the first error of a sink is kept, and the path of the file.
#[derive(Clone, Debug)]
struct Failure {
    first: Arc<Mutex<Option<Error>>>,
    path: PathBuf,
}

impl Failure {
    /// The error of the sink, if that is why the library failed; else the library's.
    fn error(&self, error: impl fmt::Display) -> Error {
        let first = self.first.lock().ok().and_then(|mut first| first.take());
        first.unwrap_or_else(|| EncodeError::new(error).of(&self.path))
    }
}

impl SinkWriter {
    fn new(sink: Sink) -> (SinkWriter, Failure) {
        let failure = Failure { first: Arc::default(), path: sink.path().to_path_buf() };
        (SinkWriter { sink, failure: failure.clone() }, failure)
    }
}

impl Write for SinkWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.sink.add(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(error) => {
                let text = error.to_string();
                if let Ok(mut first) = self.failure.first.lock() {
                    first.get_or_insert(error);
                }
                Err(io::Error::other(text))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
