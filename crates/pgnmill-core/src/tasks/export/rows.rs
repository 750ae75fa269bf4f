//! Rows of a job: one buffer per column.
//!
//! Invariants: a column of games has one value per game, a column of plies one per row. In the table of games the rows
//! are the games.

use std::borrow::Cow;
use std::collections::BTreeSet;

use pgnmill_state::{Loader, State, state};

use crate::engine::Base;

use super::buffer::Buffer;
use super::column::{Column, Source};
use super::request::Export;
use super::values::{TextRuns, Texts};

/// Rows of a job. Offsets and numbers of games are relative to it.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// One per column; none before the first block.
    pub(super) columns: Vec<Buffer>,
    /// For each game the number of rows up to its end.
    pub(super) game_ends: Vec<u32>,
    /// For each game the bytes of its text.
    pub(super) game_bytes: Vec<u32>,
    /// For each game the folder of its partition, if there are partitions.
    pub(super) folders: Texts,
    /// They are a part of the rows of one game.
    pub(super) part: Option<GamePart>,
}

/// Some rows of a game of very many plies.
#[derive(Clone, Copy, Debug)]
pub(super) struct GamePart {
    /// Rows of the game before them.
    pub(super) rows_before: usize,
    /// All rows of the game.
    pub(super) rows_count: usize,
}

/// Parts are divided into groups at once: what is saved of them does not depend on the rest of their game.
impl State for Rows {
    fn save(&self, out: &mut Vec<u8>) {
        self.columns.save(out);
        self.game_ends.save(out);
        self.game_bytes.save(out);
        self.folders.save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<Rows> {
        let (columns, game_ends) = (from.value()?, from.value()?);
        let (game_bytes, folders) = (from.value()?, from.value()?);
        Some(Rows { columns, game_ends, game_bytes, folders, part: None })
    }
}

impl Rows {
    /// Rows of a table that is not of games, as those of one game, which a group has as a whole.
    pub fn of_table(columns: Vec<Buffer>, rows_count: usize) -> Rows {
        let game_ends = vec![u32::try_from(rows_count).unwrap_or(u32::MAX)];
        Rows { columns, game_ends, game_bytes: vec![0], ..Rows::default() }
    }

    /// Are they a part of the rows of one game, whose other rows come before or after them?
    pub fn is_part(&self) -> bool {
        self.part.is_some()
    }

    /// The number of games of which they are the last rows: of two parts of a game the first has none.
    pub fn games_ended(&self) -> usize {
        let goes_on = |part: GamePart| part.rows_before + self.rows_count() < part.rows_count;
        if self.part.is_some_and(goes_on) { 0 } else { self.games_count() }
    }

    /// Removes the rows and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.columns.iter_mut().for_each(|column| column.truncate(0));
        self.game_ends.clear();
        self.game_bytes.clear();
        self.folders = Texts::default();
    }

    /// The folder of the partition of a game, empty if there are no partitions.
    pub fn folder(&self, game: usize) -> Cow<'_, str> {
        self.folders.get(game).unwrap_or_default()
    }

    /// Creates the buffers, with room for so many rows.
    pub(super) fn prepare(&mut self, export: &Export, rows: usize) {
        if self.columns.len() != export.columns.len() {
            let new = |column: &Column| {
                let mut buffer = Buffer::new(column.kind);
                if !column.is_of_game() {
                    buffer.reserve(rows, 0);
                }
                buffer
            };
            self.columns = export.columns.iter().map(new).collect();
        }
    }

    /// Has any row a value in this column?
    pub fn has_value(&self, column: usize) -> bool {
        self.columns.get(column).is_some_and(Buffer::has_value)
    }

    /// Which names, by their indexes, any row has in this column.
    pub fn names_met(&self, column: usize) -> BTreeSet<u8> {
        self.columns.get(column).map(Buffer::names_met).unwrap_or_default()
    }

    /// The memory that the values need.
    pub fn bytes(&self) -> u64 {
        self.columns.iter().map(Buffer::bytes).sum()
    }

    /// The number of games.
    pub fn games_count(&self) -> usize {
        self.game_ends.len()
    }

    /// The number of rows.
    pub fn rows_count(&self) -> usize {
        self.game_ends.last().map_or(0, |&end| end as usize)
    }
}

/// The rows of a job and its position in an archive.
#[derive(Debug)]
pub struct PlacedRows {
    /// The name of the archive.
    pub archive: String,
    /// What precedes the job in the archive.
    pub base: Base,
    /// The games whose rows precede in the file.
    pub(super) games_before: u64,
    /// Its rows.
    pub rows: Rows,
}

state!(PlacedRows { archive, base, games_before, rows });

impl PlacedRows {
    /// Rows of a job with this base, in an archive of this name.
    pub fn new(archive: String, base: Base, rows: Rows) -> PlacedRows {
        PlacedRows { archive, base, games_before: 0, rows }
    }

    /// Appends the values of a column for some rows.
    pub(super) fn append(
        &self,
        index: usize,
        column: &Column,
        rows: std::ops::Range<usize>,
        buffer: &mut Buffer,
    ) {
        if !column.is_of_game() {
            return buffer.append(&self.rows.columns[index], rows);
        }
        let is_value = matches!(column.source, Source::Tag(_) | Source::Fact(_) | Source::Game(_));
        if is_value && self.is_row_per_game(&rows) {
            return buffer.append(&self.rows.columns[index], rows);
        }
        self.each_game(rows, |game, times| self.append_game(index, column, game, times, buffer));
    }

    /// Appends the texts of a column of games for some rows.
    pub(super) fn append_runs(
        &self,
        index: usize,
        column: &Column,
        rows: std::ops::Range<usize>,
        runs: &mut TextRuns,
    ) {
        if matches!(column.source, Source::Archive) {
            runs.texts.extend(self.archive.as_bytes());
            runs.texts.end_row(true);
            return runs.end_run(rows.len());
        }
        let Buffer::Text(texts) = &self.rows.columns[index] else { unreachable!("of texts") };
        self.each_game(rows, |game, times| {
            runs.texts.append(texts, game..game + 1);
            runs.end_run(times);
        });
    }

    /// Visits the games of some rows: which one, and how many of the rows are of it.
    fn each_game(&self, rows: std::ops::Range<usize>, mut visit: impl FnMut(usize, usize)) {
        let ends = &self.rows.game_ends;
        let mut game = ends.partition_point(|&end| end as usize <= rows.start);
        let mut row = rows.start;
        while row < rows.end {
            let end = (ends[game] as usize).min(rows.end);
            if end > row {
                visit(game, end - row);
            }
            (row, game) = (end, game + 1);
        }
    }

    /// Is each of some rows that of the game of the same number, as in the table of games?
    fn is_row_per_game(&self, rows: &std::ops::Range<usize>) -> bool {
        let ends = self.rows.game_ends.get(rows.clone()).unwrap_or_default();
        ends.len() == rows.len()
            && ends.iter().zip(rows.clone()).all(|(&end, row)| end as usize == row + 1)
    }

    /// Has a column of games more rows than games?
    pub(super) fn is_repeated(&self, column: &Column) -> bool {
        column.is_of_game() && self.rows.rows_count() != self.rows.games_count()
            || matches!(column.source, Source::Archive)
    }

    /// Appends a game of another job of the same archive, whose base becomes part of the values.
    pub fn append_game_of(&mut self, from: &PlacedRows, columns: &[Column], game: usize) {
        let rows = &mut self.rows;
        if rows.columns.len() != columns.len() {
            rows.columns = columns.iter().map(|column| Buffer::new(column.kind)).collect();
        }
        let start = game.checked_sub(1).map_or(0, |before| from.rows.game_ends[before] as usize);
        let range = start..from.rows.game_ends[game] as usize;
        for (index, (column, buffer)) in columns.iter().zip(&mut rows.columns).enumerate() {
            match column.source {
                Source::Archive | Source::GameIndex => {}
                _ if column.is_of_game() => from.append_game(index, column, game, 1, buffer),
                _ => buffer.append(&from.rows.columns[index], range.clone()),
            }
        }
        rows.game_ends.push((rows.rows_count() + range.len()) as u32);
        rows.game_bytes.push(from.rows.game_bytes[game]);
    }

    /// Bytes of texts, or elements of lists, of a column for some rows; 0 where it is not known.
    pub(super) fn elements_count(
        &self,
        index: usize,
        column: &Column,
        rows: &std::ops::Range<usize>,
    ) -> usize {
        if self.is_repeated(column) {
            return 0;
        }
        self.rows.columns[index].elements_count(rows)
    }

    /// Appends the value of a column of games several times.
    fn append_game(
        &self,
        index: usize,
        column: &Column,
        game: usize,
        times: usize,
        buffer: &mut Buffer,
    ) {
        let values = &self.rows.columns[index];
        let base = match column.source {
            Source::Archive => {
                return (0..times).for_each(|_| buffer.text(Some(&self.archive)));
            }
            Source::GameIndex => {
                let index = Some((self.games_before + game as u64).cast_signed());
                return (0..times).for_each(|_| buffer.int64(index));
            }
            Source::Offset => self.base.offset,
            Source::GameNumber => self.base.games,
            _ => return buffer.append_repeated(values, game, times),
        };
        let (Buffer::Int64(values), Buffer::Int64(new)) = (values, buffer) else {
            unreachable!("offsets have 64 bits");
        };
        new.push_repeated(values.values[game] + base.cast_signed(), times);
    }
}
