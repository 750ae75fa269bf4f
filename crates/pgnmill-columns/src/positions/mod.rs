//! A table of positions that is read: the moves of some positions, of any format that `positions` writes.
//!
//! In: a file, and the positions that are looked for. Out: the rows of each, in the order of the table. Invariants: a
//! position is found by its record and its ruleset, never by its hash alone; a damaged or foreign file is an error with
//! its path and the reason, whatever its bytes, and what it can make this allocate is bounded. Cost: of Parquet the row
//! groups whose statistics may have the hash, of Arrow the hashes of all batches, of CSV and JSON lines the whole file;
//! all positions of one call are found in one pass. Of a book a binary search for each.
//!
//! ```text
//! PositionTable ── Parquet: footer ──► row groups ──► hash ──► fen ──► the other columns of these rows
//!               ├─ Arrow:   footer ──► batches ─────► hash ──► fen ──► single values
//!               ├─ CSV, JSON lines: row by row
//!               └─ Polyglot book: entries of a key
//! SumsTable ── Parquet, Arrow: row group by row group ──► all columns ──► pairs, to be added to those of other tables
//! PairsInOrder ── rows, made on the workers ──► groups of rows, for files and record batches
//! ```

mod arrow;
mod book;
mod facts;
mod flaw;
mod groups;
mod lookup;
mod page_values;
mod parquet;
mod row;
mod series;
mod stored;
mod sums;
mod text;

use std::cell::Cell;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use pgnmill_io::error::{Error, Result, Shown as _};

pub use groups::{CountedRows, POSITION_GROUP_ROWS_MAX, PairsInOrder};
pub use lookup::Wanted;
pub use row::PositionRow;
pub use sums::{ArchivePlace, Expected, SumsTable};

use flaw::Flaw;
use lookup::Lookup;
use stored::StoredFile;

/// A table of positions, or a Polyglot book.
#[derive(Debug)]
pub struct PositionTable {
    path: PathBuf,
    format: Format,
    groups_read: Cell<usize>,
}

/// What is known of a file without reading its rows.
#[derive(Debug)]
enum Format {
    Parquet(Box<parquet::ParquetTable>),
    Arrow(arrow::ArrowTable),
    Csv,
    JsonLines,
    Book(book::Book),
}

impl PositionTable {
    /// Opens a file. Its format is that of its name; of a name without a known ending that of its first bytes.
    ///
    /// # Errors
    /// A file that cannot be opened, is not one of these formats, or has no columns of positions.
    pub fn open(path: impl AsRef<Path>) -> Result<PositionTable> {
        let path = path.as_ref().to_path_buf();
        let file = File::open(&path).map_err(|error| Error::io("open", &path, error))?;
        let metadata = file.metadata().map_err(|error| Error::io("open", &path, error))?;
        if !metadata.is_file() {
            let shown = path.shown();
            return Err(Error::usage(format!(
                "{shown} is no file: a table of positions is read at several places"
            )));
        }
        let file = StoredFile::new(file, metadata.len());
        let opened = Format::open(&path, file).map_err(|flaw| flaw.of(&path))?;
        Ok(PositionTable { path, format: opened, groups_read: Cell::new(0) })
    }

    /// Is it a Polyglot book? Its rows have a key, a move and a weight, and nothing else.
    pub fn is_book(&self) -> bool {
        matches!(self.format, Format::Book(_))
    }

    /// Row groups or batches that have been read in part or whole.
    pub fn groups_read(&self) -> usize {
        self.groups_read.get()
    }

    /// The rows of positions, for each in the order of the table.
    ///
    /// # Errors
    /// What the system refuses; a damaged file.
    pub fn rows_of(&self, wanted: &[Wanted]) -> Result<Vec<Vec<PositionRow>>> {
        self.rows_of_unless(&AtomicBool::new(false), wanted)
    }

    /// As [`PositionTable::rows_of`], unless `stop` becomes true meanwhile.
    ///
    /// # Errors
    /// As there; [`pgnmill_io::error::ErrorKind::Interrupted`].
    pub fn rows_of_unless(
        &self,
        stop: &AtomicBool,
        wanted: &[Wanted],
    ) -> Result<Vec<Vec<PositionRow>>> {
        let mut lookup = Lookup::new(wanted, stop);
        let found = match &self.format {
            Format::Parquet(table) => table.find(&mut lookup, &self.groups_read),
            Format::Arrow(table) => table.find(&mut lookup, &self.groups_read),
            Format::Csv => text::find_csv(&self.path, &mut lookup),
            Format::JsonLines => text::find_json(&self.path, &mut lookup),
            Format::Book(book) => book.find(&mut lookup),
        };
        found.map_err(|flaw| flaw.of(&self.path))?;
        Ok(lookup.into_rows())
    }
}

/// The name of the format of a file: that of its name; of a name without a known ending that of its first bytes.
fn format_of(path: &Path, file: &StoredFile) -> Result<&'static str, Flaw> {
    const KNOWN: [&str; 6] = ["parquet", "arrow", "csv", "jsonl", "ndjson", "bin"];
    let ending = path.extension().map(|it| it.to_ascii_lowercase());
    let mut start = [0; 6];
    let count = file.len().min(start.len() as u64) as usize;
    file.read(0, &mut start[..count])?;
    let known = KNOWN.into_iter().find(|known| ending.as_deref().is_some_and(|it| it == *known));
    Ok(match known {
        Some(known) => known,
        _ if start.starts_with(b"PAR1") => "parquet",
        _ if start.starts_with(b"ARROW1") => "arrow",
        _ if start.starts_with(b"{") => "jsonl",
        _ => "csv",
    })
}

impl Format {
    fn open(path: &Path, file: StoredFile) -> Result<Format, Flaw> {
        Ok(match format_of(path, &file)? {
            "parquet" => Format::Parquet(Box::new(parquet::ParquetTable::open(file)?)),
            "arrow" => Format::Arrow(arrow::ArrowTable::open(file)?),
            "jsonl" | "ndjson" => Format::JsonLines,
            "bin" => Format::Book(book::Book::open(file)?),
            _ => {
                text::check_csv(path)?;
                Format::Csv
            }
        })
    }
}
