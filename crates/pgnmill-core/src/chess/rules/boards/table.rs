//! A ruleset as a table: cells with names, directions with letters, pieces as riders and leapers, the starting
//! position.
//!
//! In: a [`BoardTable`], which is data. Out: cells and their names, steps between cells, the lines of a record. One
//! position type (`position.rs`), one generator (`moves.rs`) and one record (`record.rs`) serve all tables. Source of
//! the tables: `boards.md`. Invariants, which the tests of `mod.rs` check for each table: the first piece is the pawn,
//! the second the king; a board has at most [`CELLS_MAX`] cells; no two pieces share a letter. Cost: some additions
//! per step.
//!
//! Example: `glinski.rs`.

use super::super::GameEnd;
use super::super::kind::BoardKind;
use super::cell::{CELLS_MAX, Cell, Vector, plus};
use crate::chess::Color;

/// The rules and the board of a ruleset, as data.
#[derive(Debug)]
pub struct BoardTable {
    /// Which ruleset it is.
    pub(crate) kind: BoardKind,
    /// The letters of the levels, lowest first; none if there is only one level.
    pub(crate) levels: &'static [u8],
    /// The letters of the files, west to east.
    pub(crate) files: &'static [u8],
    /// Of each file, the second coordinate of its first rank.
    pub(crate) firsts: &'static [i8],
    /// Of each file, how many ranks it has.
    pub(crate) heights: &'static [i8],
    /// How many second coordinates there are, from 0: more than any of a cell.
    pub(crate) rows: u8,
    /// The unit directions and their letters, in the order in which a text has them.
    pub(crate) directions: &'static [(u8, Vector)],
    /// Are the cells hexagons? Then a direction between two neighbouring unit directions is written by both.
    pub(crate) is_hexagonal: bool,
    /// The pieces: the pawn, the king, then the others.
    pub(crate) pieces: &'static [PieceRow],
    /// How a white pawn moves; a black one moves in the opposite directions.
    pub(crate) pawn: PawnRow,
    /// The record of the starting position.
    pub(crate) start: &'static str,
    /// The order of a record's lines.
    pub(crate) lines: Lines,
    /// The end of a game in which the side to move has no move and is not in check.
    pub(crate) stalemate: GameEnd,
}

/// What the lines of a record are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lines {
    /// Files, west to east, each from its last rank down.
    Files,
    /// Levels, highest first; in each the ranks, last first, each from west to east.
    Ranks,
}

/// How a piece moves.
#[derive(Debug)]
pub(crate) struct PieceRow {
    /// Its letter in a record, a capital.
    pub letter: u8,
    /// Its letters in texts.
    pub name: &'static str,
    /// The vectors that it repeats, in groups.
    pub rides: &'static [&'static [Vector]],
    /// The vectors that it makes once, in groups.
    pub leaps: &'static [&'static [Vector]],
    /// Vectors clockwise, of which it makes one after the other, in either sense: a circular rider.
    pub circles: &'static [Vector],
    /// Are its directions written by numbers, as `n3w2`, and not by repeated letters?
    pub in_numbers: bool,
}

impl PieceRow {
    /// A row without moves.
    pub(crate) const fn new(letter: u8, name: &'static str) -> PieceRow {
        PieceRow { letter, name, rides: &[], leaps: &[], circles: &[], in_numbers: false }
    }
}

/// How a white pawn moves.
#[derive(Debug)]
pub(crate) struct PawnRow {
    /// Its steps to a vacant cell. It promotes where none of them stays on the board.
    pub steps: &'static [Vector],
    /// Its captures.
    pub captures: &'static [Vector],
    /// Of each side and file, the rank from which a pawn may make its first step twice, 0 for none; empty if there is
    /// none.
    pub doubles: [&'static [u8]; 2],
    /// The letters of what it becomes.
    pub becomes: &'static [u8],
}

/// The row of the pawn.
pub(super) const PAWN: usize = 0;
/// The row of the king.
pub(super) const KING: usize = 1;

/// Two tables are equal if they are the same one.
impl PartialEq for BoardTable {
    fn eq(&self, other: &BoardTable) -> bool {
        std::ptr::eq(self, other)
    }
}

impl BoardTable {
    /// The ruleset.
    pub fn kind(&self) -> BoardKind {
        self.kind
    }

    /// The letters of the levels, lowest first; none if the board has only one.
    pub fn levels(&self) -> &'static [u8] {
        self.levels
    }

    /// The letters of the files, west to east.
    pub fn files(&self) -> &'static [u8] {
        self.files
    }

    /// Are the cells hexagons?
    pub fn is_hexagonal(&self) -> bool {
        self.is_hexagonal
    }

    /// How many levels, at least 1.
    pub fn levels_count(&self) -> usize {
        self.levels.len().max(1)
    }

    /// The second coordinates of the board: from 0 to below this number.
    pub fn rows_count(&self) -> usize {
        usize::from(self.rows)
    }

    /// The cell with these coordinates; `None` outside the board.
    pub fn cell(&self, [x, y, z]: Vector) -> Option<Cell> {
        let file = usize::try_from(x).ok()?;
        let (first, height) = (*self.firsts.get(file)?, *self.heights.get(file)?);
        let level = usize::try_from(z).ok().filter(|&level| level < self.levels_count())?;
        if y < first || y >= first + height {
            return None;
        }
        let index = file + self.files.len() * (y as usize + self.rows_count() * level);
        (index < CELLS_MAX).then_some(Cell(index as u8))
    }

    /// The coordinates of a cell: file, second coordinate, level.
    pub fn coordinates(&self, cell: Cell) -> Vector {
        let (files, rows) = (self.files.len(), self.rows_count());
        let (file, rest) = (cell.index() % files, cell.index() / files);
        [file as i8, (rest % rows) as i8, (rest / rows) as i8]
    }

    /// The number of the rank of a cell, from 1.
    pub fn rank(&self, cell: Cell) -> u8 {
        let [x, y, _] = self.coordinates(cell);
        (y - self.firsts.get(x as usize).copied().unwrap_or(0) + 1) as u8
    }

    /// The letter of the file of a cell.
    pub fn file_letter(&self, cell: Cell) -> u8 {
        self.files.get(self.coordinates(cell)[0] as usize).copied().unwrap_or(b'?')
    }

    /// The letter of the level of a cell; `None` if the board has only one level.
    pub fn level_letter(&self, cell: Cell) -> Option<u8> {
        self.levels.get(self.coordinates(cell)[2] as usize).copied()
    }

    /// The name of a cell, such as `f11` or `Ac1`: the level, if there are several, the file, the rank.
    pub fn name_of(&self, cell: Cell) -> String {
        let level = self.level_letter(cell).map(char::from);
        let file = char::from(self.file_letter(cell));
        level.into_iter().chain([file]).collect::<String>() + &self.rank(cell).to_string()
    }

    /// The cell with a name.
    pub fn cell_named(&self, name: &[u8]) -> Option<Cell> {
        let (level, rest) = match self.levels {
            [] => (0, name),
            levels => {
                let (letter, rest) = name.split_first()?;
                (levels.iter().position(|level| level == letter)?, rest)
            }
        };
        let (letter, digits) = rest.split_first()?;
        let file = self.files.iter().position(|file| file == letter)?;
        let rank = match *digits {
            [digit @ b'1'..=b'9'] => digit - b'0',
            [ten @ b'1'..=b'9', digit @ b'0'..=b'9'] => (ten - b'0') * 10 + (digit - b'0'),
            _ => return None,
        };
        let y = self.firsts[file] + i8::try_from(rank).ok()? - 1;
        self.cell([file as i8, y, level as i8])
    }

    /// The cell that a vector leads to; `None` outside the board.
    pub(crate) fn step(&self, cell: Cell, vector: Vector) -> Option<Cell> {
        self.cell(plus(self.coordinates(cell), vector))
    }

    /// All cells, in the order of their numbers.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let count = self.files.len() * self.rows_count() * self.levels_count();
        (0..count.min(CELLS_MAX) as u8)
            .map(Cell)
            .filter(|&cell| self.cell(self.coordinates(cell)) == Some(cell))
    }

    /// Do pawns make double steps, so that they can be captured en passant?
    pub(crate) fn has_en_passant(&self) -> bool {
        self.pawn.doubles.iter().any(|cells| !cells.is_empty())
    }

    /// How many lines of a record a level has.
    pub(crate) fn lines_count(&self) -> usize {
        match self.lines {
            Lines::Files => self.files.len(),
            Lines::Ranks => self.rows_count(),
        }
    }

    /// The cells of a line of a record, in its order: of line `line` of level `level`, both counted as the record does.
    pub(crate) fn line(&self, level: usize, line: usize) -> impl Iterator<Item = Cell> + '_ {
        let (width, z) = match self.lines {
            Lines::Files => (self.rows_count(), 0),
            Lines::Ranks => (self.files.len(), self.levels_count() - 1 - level),
        };
        let top = self.rows_count() - 1;
        (0..width).filter_map(move |at| {
            let (x, y) = match self.lines {
                Lines::Files => (line, top - at),
                Lines::Ranks => (at, top - line),
            };
            self.cell([x as i8, y as i8, z as i8])
        })
    }

    /// A vector of White's pawns as one of a side.
    pub(super) fn of_side([x, y, z]: Vector, color: Color) -> Vector {
        if color == Color::White { [x, y, z] } else { [-x, -y, -z] }
    }

    /// Is it a cell on which a pawn of this side promotes: one from which no step forward stays on the board?
    pub(crate) fn is_last(&self, cell: Cell, color: Color) -> bool {
        let steps = self.pawn.steps.iter();
        steps.into_iter().all(|&step| self.step(cell, Self::of_side(step, color)).is_none())
    }

    /// May a pawn of this side make a double step from a cell?
    pub(super) fn is_double(&self, cell: Cell, color: Color) -> bool {
        let [file, ..] = self.coordinates(cell);
        self.pawn.doubles[color.index()].get(file as usize) == Some(&self.rank(cell))
    }

    /// The row of a letter of a record, in upper case.
    pub(super) fn row_of(&self, letter: u8) -> Option<usize> {
        self.pieces.iter().position(|row| row.letter == letter)
    }

    /// The letters of the pieces, in capitals: the pawn, the king, then the others.
    pub fn letters(&self) -> impl Iterator<Item = u8> + '_ {
        self.pieces.iter().map(|row| row.letter)
    }
}
