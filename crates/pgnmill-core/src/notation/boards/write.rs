//! The texts of moves on the board of a table, without check suffixes.
//!
//! In: a position and a legal move. Out: SAN, long algebraic, UCI or Geographical text. Source: `boards.md`, "Texts".
//!
//! * SAN: the letter, the part of the origin that is needed, `x`, the target, `=Q`. The part is the first of file,
//!   rank, level, file and rank, level and file, level and rank, whole cell that no other piece of the kind shares
//!   that can make the move (ours); its order in the text is that of a name. A pawn's origin begins with its file,
//!   because a text begins neither with a digit nor, on level B, as that of a bishop: nothing or the file, in a
//!   capture the file, else file and rank.
//! * Long algebraic and UCI: both names, `Bf3-a8`, `Ac1Bd2`; as in chess `Q` and `q` for a promotion.
//! * Geographical: `words.rs`; pieces are numbered from west to east, in a file from north to south, in a column from
//!   top to bottom.
//!
//! Invariant: no two legal moves of a position share a text. Cost: SAN tests the other pieces of the kind.

use arrayvec::ArrayVec;

use crate::chess::rules::boards::{Path, path};
use crate::chess::rules::{BoardTable, CELLS_MAX, Cell, TableMove, TablePosition};

use super::super::MoveText;
use super::words;

/// Writes the body of a text.
pub(super) type Write = fn(&TablePosition, TableMove, &mut MoveText);

/// The row of the pawn in every table.
pub(super) const PAWN: usize = 0;

/// A part of the name of an origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Part {
    pub level: bool,
    pub file: bool,
    pub rank: bool,
}

/// The parts in the order in which they are tried.
pub(super) const PARTS: [Part; 8] = [
    Part { level: false, file: false, rank: false },
    Part { level: false, file: true, rank: false },
    Part { level: false, file: false, rank: true },
    Part { level: true, file: false, rank: false },
    Part { level: false, file: true, rank: true },
    Part { level: true, file: true, rank: false },
    Part { level: true, file: false, rank: true },
    Part { level: true, file: true, rank: true },
];

impl Part {
    /// Have both cells this part in common?
    fn is_shared(self, table: &BoardTable, a: Cell, b: Cell) -> bool {
        (!self.level || table.level_letter(a) == table.level_letter(b))
            && (!self.file || table.file_letter(a) == table.file_letter(b))
            && (!self.rank || table.rank(a) == table.rank(b))
    }

    /// May a text name the origin of a pawn by this part?
    pub(super) fn is_of_pawn(self) -> bool {
        self.file || !(self.level || self.rank)
    }

    /// Is there nothing in the other part that is not in this one?
    pub(super) fn contains(self, other: Part) -> bool {
        self.level >= other.level && self.file >= other.file && self.rank >= other.rank
    }

    /// Adds the part of a cell's name.
    pub(super) fn write(self, table: &BoardTable, cell: Cell, text: &mut MoveText) {
        if self.level {
            table.level_letter(cell).into_iter().for_each(|letter| text.push(letter));
        }
        if self.file {
            text.push(table.file_letter(cell));
        }
        if self.rank {
            let rank = table.rank(cell);
            if rank > 9 {
                text.push(b'0' + rank / 10);
            }
            text.push(b'0' + rank % 10);
        }
    }
}

/// Adds the name of a cell.
pub(super) fn push_cell(table: &BoardTable, cell: Cell, text: &mut MoveText) {
    PARTS[7].write(table, cell, text);
}

/// The row of the piece that moves.
fn row_of(position: &TablePosition, mv: TableMove) -> usize {
    position.row(mv.origin()).map_or(PAWN, |(_, row)| row)
}

/// Adds the letter of the piece that moves; a pawn has none.
fn push_letter(position: &TablePosition, mv: TableMove, text: &mut MoveText) {
    let row = row_of(position, mv);
    if row != PAWN {
        text.push_bytes(position.table().pieces[row].name.as_bytes());
    }
}

/// The letters of what a pawn becomes.
pub(super) fn promotion(position: &TablePosition, mv: TableMove) -> Option<&'static str> {
    Some(position.table().pieces.get(mv.promotion_row()?)?.name)
}

/// The part of the origin that SAN writes.
pub(super) fn part_of(position: &TablePosition, mv: TableMove) -> Part {
    let (table, row) = (position.table(), row_of(position, mv));
    let mut others = ArrayVec::<Cell, CELLS_MAX>::new();
    for (cell, color, other) in position.pieces() {
        let is_alike = (color, other) == (position.turn(), row) && cell != mv.origin();
        let can_move = is_alike
            && position.visit_from(cell, &mut |other| {
                other.target() == mv.target()
                    && other.promotion_row() == mv.promotion_row()
                    && position.is_legal(other)
            });
        if can_move {
            others.push(cell);
        }
    }
    let is_capture = position.captured_cell(mv).is_some();
    let fits = |part: &&Part| {
        let is_of_row = row != PAWN || part.is_of_pawn() && (part.file || !is_capture);
        let is_of_board = !part.level || table.level_letter(mv.origin()).is_some();
        let is_shared = |other: &Cell| part.is_shared(table, *other, mv.origin());
        is_of_row && is_of_board && !others.iter().any(is_shared)
    };
    PARTS.iter().find(fits).copied().unwrap_or(PARTS[7])
}

/// Writes SAN.
pub(super) fn san(position: &TablePosition, mv: TableMove, text: &mut MoveText) {
    push_letter(position, mv, text);
    part_of(position, mv).write(position.table(), mv.origin(), text);
    if position.captured_cell(mv).is_some() {
        text.push(b'x');
    }
    push_cell(position.table(), mv.target(), text);
    push_promotion(position, mv, text);
}

/// Adds `=Q`.
fn push_promotion(position: &TablePosition, mv: TableMove, text: &mut MoveText) {
    if let Some(name) = promotion(position, mv) {
        text.push(b'=');
        text.push_bytes(name.as_bytes());
    }
}

/// Writes long algebraic notation.
pub(super) fn long(position: &TablePosition, mv: TableMove, text: &mut MoveText) {
    push_letter(position, mv, text);
    push_cell(position.table(), mv.origin(), text);
    text.push(if position.captured_cell(mv).is_some() { b'x' } else { b'-' });
    push_cell(position.table(), mv.target(), text);
    text.push_bytes(promotion(position, mv).unwrap_or_default().as_bytes());
}

/// Writes UCI.
pub(super) fn uci(position: &TablePosition, mv: TableMove, text: &mut MoveText) {
    push_cell(position.table(), mv.origin(), text);
    push_cell(position.table(), mv.target(), text);
    for letter in promotion(position, mv).unwrap_or_default().bytes() {
        text.push(letter.to_ascii_lowercase());
    }
}

/// When a piece has its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Numbers {
    /// If its side has several of the kind.
    Several,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Adds the piece on a cell: its letter and its number.
pub(super) fn push_piece(
    position: &TablePosition,
    cell: Cell,
    numbers: Numbers,
    text: &mut MoveText,
) {
    let table = position.table();
    let Some((color, row)) = position.row(cell) else { return };
    text.push_bytes(table.pieces[row].name.as_bytes());
    let order = |cell: Cell| {
        let [x, y, z] = table.coordinates(cell);
        (x, -y, -z)
    };
    let (mut count, mut number) = (0, 1);
    for (other, owner, kind) in position.pieces() {
        if (owner, kind) == (color, row) {
            count += 1;
            number += u8::from(order(other) < order(cell));
        }
    }
    let is_written = match numbers {
        Numbers::Several => count > 1,
        Numbers::Always => true,
        Numbers::Never => false,
    };
    if is_written {
        if number > 99 {
            text.push(b'0' + number / 100);
        }
        if number > 9 {
            text.push(b'0' + number / 10 % 10);
        }
        text.push(b'0' + number % 10);
    }
}

/// The path of a move that captures nothing.
fn path_of(position: &TablePosition, mv: TableMove) -> Option<Path> {
    let (table, row) = (position.table(), row_of(position, mv));
    if row != PAWN {
        let cells = (mv.origin(), mv.target());
        return path(table, &table.pieces[row], cells, &|cell| position.is_vacant(cell));
    }
    let ends = [mv.origin(), mv.target()].map(|cell| table.coordinates(cell));
    let distance: [i8; 3] = std::array::from_fn(|axis| ends[1][axis] - ends[0][axis]);
    // A pawn makes the same step once or twice.
    let steps =
        table.pawn.steps.iter().flat_map(|&step| [1, -1].map(|side| step.map(|it| it * side)));
    steps.into_iter().find_map(|vector| {
        let twice = vector.map(|it| 2 * it);
        let count = [(vector, 1), (twice, 2)].into_iter().find(|(whole, _)| *whole == distance)?;
        Some(Path { vector, steps: count.1, turn: None })
    })
}

/// Writes Geographical notation.
pub(super) fn geographical(position: &TablePosition, mv: TableMove, text: &mut MoveText) {
    geographical_with(position, mv, [Numbers::Several; 2], text);
}

/// Writes Geographical notation with other numbers of the own and the captured piece.
pub(super) fn geographical_with(
    position: &TablePosition,
    mv: TableMove,
    [own, other]: [Numbers; 2],
    text: &mut MoveText,
) {
    let row = row_of(position, mv);
    push_piece(position, mv.origin(), own, text);
    match position.captured_cell(mv) {
        Some(cell) => {
            text.push(b'x');
            push_piece(position, cell, other, text);
        }
        None => {
            text.push(b'-');
            if let Some(path) = path_of(position, mv) {
                words::write(position.table(), &position.table().pieces[row], path, text);
            }
        }
    }
    push_promotion(position, mv, text);
}
