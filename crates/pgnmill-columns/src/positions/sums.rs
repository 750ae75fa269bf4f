//! A table of sums that is read from its first row to its last one, to be added to others.
//!
//! In: a file of Parquet or Arrow that `positions --sums` has written. Out: its metadata; its rows as pairs.
//! Invariants: rows are given only with the sums of the table, and a table whose rows are not those that were written
//! ends with an error, by their number and digest; any bytes give rows or an error. Memory: one row group. Cost: the
//! decoding, and a position is read for the rows of each.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use pgnmill_core::chess::rules::RulesKind;
use pgnmill_core::tasks::positions::{
    Disorder, NO_DATES, RowReader, Sample, StoredPair, StoredRow, Sums, TableRows,
};
use pgnmill_io::error::{Error, Result};

use super::flaw::Flaw;
use super::series::SeriesOfGroup;
use super::stored::StoredFile;
use super::{Format, format_of};

/// The columns that are read.
const COLUMNS: [&str; 18] = [
    "rules",
    "fen",
    "hash",
    "ply",
    "uci",
    "san",
    "games",
    "white",
    "draws",
    "black",
    "rating_sum",
    "opponent_rating_sum",
    "rated_games",
    "first_date",
    "last_date",
    "sample_archive",
    "sample_offset",
    "sample_ratings",
];

/// Where the games of an archive are among those of several tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ArchivePlace {
    /// The index of the archive.
    pub archive: u32,
    /// What an offset of the table has before it, in bytes, that is not before the text of the table.
    pub skipped: u64,
    /// What is before the text of the table in the archive, in bytes.
    pub base: u64,
}

/// What the rows of a table must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Expected {
    /// Their number.
    pub rows: u64,
    /// The sum of their digests.
    pub digest: u64,
}

/// A table of sums, of which no row has been read.
#[derive(Debug)]
pub struct SumsTable {
    path: PathBuf,
    format: Format,
    groups_count: usize,
}

impl SumsTable {
    /// Is a file, by its name or its first bytes, of a format that holds such tables?
    pub fn is_of_format(path: &Path) -> bool {
        let Ok(file) = File::open(path) else { return false };
        let Ok(metadata) = file.metadata() else { return false };
        let file = StoredFile::new(file, metadata.len());
        metadata.is_file() && matches!(format_of(path, &file), Ok("parquet" | "arrow"))
    }

    /// Opens a file.
    ///
    /// # Errors
    /// A file that cannot be opened, is of another format, or has no columns of positions.
    pub fn open(path: &Path) -> Result<SumsTable> {
        let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
        let metadata = file.metadata().map_err(|error| Error::io("open", path, error))?;
        let file = StoredFile::new(file, metadata.len());
        let format = Format::open(path, file).map_err(|flaw| flaw.of(path))?;
        let groups_count = match &format {
            Format::Parquet(table) => table.groups_count(),
            Format::Arrow(table) => table.groups_count(),
            _ => return Err(Flaw::new("it is neither Parquet nor Arrow").of(path)),
        };
        Ok(SumsTable { path: path.to_path_buf(), format, groups_count })
    }

    /// A value of the metadata.
    pub fn fact(&self, key: &str) -> Option<&str> {
        match &self.format {
            Format::Parquet(table) => table.fact(key),
            Format::Arrow(table) => table.fact(key),
            _ => None,
        }
    }

    /// Are there rulesets besides chess?
    pub fn has_rules(&self) -> bool {
        match &self.format {
            Format::Parquet(table) => table.has_column("rules"),
            Format::Arrow(table) => table.has_column("rules"),
            _ => false,
        }
    }

    /// The error of a table that is not what it should be.
    pub fn flaw(&self, why: impl std::fmt::Display) -> Error {
        Flaw::new(why).of(&self.path)
    }

    /// Its rows. `places`: the archives, by their names.
    pub fn into_rows(
        self,
        expected: Expected,
        places: HashMap<Vec<u8>, ArchivePlace>,
    ) -> Box<dyn TableRows> {
        let (reader, found) = (RowReader::default(), Expected { rows: 0, digest: 0 });
        let (table, next_group, group, row) = (None, 0, None, 0);
        let path = self.path;
        Box::new(SumsRows { path, table, next_group, group, row, reader, places, expected, found })
    }

    fn group(&self, index: usize) -> Result<SeriesOfGroup, Flaw> {
        let group = match &self.format {
            Format::Parquet(table) => table.series(index, &COLUMNS),
            Format::Arrow(table) => table.series(index, &COLUMNS),
            _ => Err(Flaw::new("it is neither Parquet nor Arrow")),
        };
        group.map_err(|flaw| flaw.at(format_args!("row group {}", index + 1)))
    }
}

/// The rows of a table, which is opened again with the first one: of many tables not all are open.
#[derive(Debug)]
struct SumsRows {
    path: PathBuf,
    table: Option<SumsTable>,
    next_group: usize,
    group: Option<SeriesOfGroup>,
    /// The next row in the group.
    row: usize,
    reader: RowReader,
    places: HashMap<Vec<u8>, ArchivePlace>,
    expected: Expected,
    found: Expected,
}

impl SumsRows {
    fn next_row(&mut self) -> Result<Option<StoredPair>, Flaw> {
        let Some(table) = &self.table else { return Err(Flaw::new("it is not open")) };
        loop {
            if let Some(group) = self.group.as_ref().filter(|group| self.row < group.rows_count) {
                let row = self.row;
                self.row += 1;
                let made = pair(group, row, &mut self.reader, &self.places, &mut self.found);
                let place = format_args!("row group {}: row {}", self.next_group, row + 1);
                return made.map(Some).map_err(|flaw| flaw.at(place));
            }
            if self.next_group == table.groups_count {
                return match self.found == self.expected {
                    true => Ok(None),
                    false => Err(Flaw::new("its rows are not those that were written")),
                };
            }
            // The memory of the one before, first.
            self.group = None;
            self.group = Some(table.group(self.next_group)?);
            self.next_group += 1;
            self.row = 0;
        }
    }
}

/// The pair of a row.
fn pair(
    group: &SeriesOfGroup,
    row: usize,
    reader: &mut RowReader,
    places: &HashMap<Vec<u8>, ArchivePlace>,
    found: &mut Expected,
) -> Result<StoredPair, Flaw> {
    let number = |name: &str| group.number(name, row);
    let signed = |name: &str| group.number(name, row).map(u64::cast_signed);
    let small = |name: &str, bits: u64| {
        i32::try_from(bits.cast_signed())
            .map_err(|_| Flaw::new(format_args!("{name} has more than 32 bits")))
    };
    let rules = match group.column("rules") {
        None => 0,
        Some(_) => {
            let name = group.text("rules", row)?;
            let index = RulesKind::NAMES.iter().position(|known| known.as_bytes() == name);
            index.ok_or_else(|| Flaw::new("its ruleset is not known"))?
        }
    };
    let [first, last] = ["first_date", "last_date"].map(|name| group.optional(name, row));
    let dates = match (first?, last?) {
        (None, None) => NO_DATES,
        (Some(first), Some(last)) => [small("first_date", first)?, small("last_date", last)?],
        _ => return Err(Flaw::new("it has one date of two")),
    };
    let ply = u16::try_from(number("ply")?).map_err(|_| Flaw::new("ply has more than 16 bits"))?;
    let archive = group.text("sample_archive", row)?;
    let place = places.get(archive);
    let place = place.ok_or_else(|| Flaw::new("its archive is not one of those of the table"))?;
    let sample = Sample {
        ratings: small("sample_ratings", number("sample_ratings")?)?,
        archive: place.archive,
        offset: number("sample_offset")?,
    };
    let mut sums = Sums {
        games: number("games")?,
        white: number("white")?,
        draws: number("draws")?,
        black: number("black")?,
        rated_games: number("rated_games")?,
        rating_sum: signed("rating_sum")?,
        opponent_rating_sum: signed("opponent_rating_sum")?,
        ply,
        dates,
        sample,
    };
    let stored = |sums| -> Result<StoredRow<'_>, Flaw> {
        Ok(StoredRow {
            rules,
            hash: group.optional("hash", row)?,
            fen: group.text("fen", row)?,
            uci: group.text("uci", row)?,
            san: group.text("san", row)?,
            sums,
            archive,
        })
    };
    found.rows += 1;
    found.digest = found.digest.wrapping_add(stored(sums)?.digest());
    let own = sample.offset.checked_sub(place.skipped);
    let offset = own.and_then(|own| own.checked_add(place.base));
    sums.sample.offset = offset.ok_or_else(|| Flaw::new("its offset is not in its archive"))?;
    reader.pair(&stored(sums)?).map_err(Flaw::new)
}

impl TableRows for SumsRows {
    fn next_pair(&mut self) -> Result<Option<StoredPair>> {
        if self.table.is_none() {
            self.table = Some(SumsTable::open(&self.path)?);
        }
        self.next_row().map_err(|flaw| flaw.of(&self.path))
    }

    fn disorder(&self, what: Disorder) -> Error {
        Flaw::new(what).of(&self.path)
    }
}
