//! A position on the board of a table, and the effect of a move.
//!
//! In: a move. Out: the position after it. The position refers to its table, so that one type serves all boards.
//! Invariants: each side has one king; a cell is passed over only until the next move. Cost: some 160 bytes, copied.

use super::cell::{CELLS_MAX, Cell, plus, times};
use super::table::{BoardTable, KING, PAWN};
use super::table_move::TableMove;
use crate::chess::Color;

/// The bit of Black's pieces.
const BLACK: u8 = 0x80;

/// A position of a ruleset that is given by a table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TablePosition {
    table: &'static BoardTable,
    /// 0 for a vacant cell, else the row of the piece plus 1, and `BLACK`.
    cells: [u8; CELLS_MAX],
    kings: [Cell; 2],
    pub(super) turn: Color,
    /// The cell that a pawn passed over in the last move.
    pub(super) passed: Option<Cell>,
    /// Plies since the last capture or move of a pawn.
    pub(super) clock: u32,
    /// The number of the move.
    pub(super) number: u32,
}

impl TablePosition {
    /// No piece, White to move.
    pub(super) fn empty(table: &'static BoardTable) -> TablePosition {
        TablePosition {
            table,
            cells: [0; CELLS_MAX],
            kings: [Cell(0); 2],
            turn: Color::White,
            passed: None,
            clock: 0,
            number: 1,
        }
    }

    /// The board and the rules.
    pub fn table(&self) -> &'static BoardTable {
        self.table
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The number of the next move.
    pub fn fullmove_number(&self) -> u32 {
        self.number
    }

    /// The cell that a pawn passed over in the last move.
    pub fn passed(&self) -> Option<Cell> {
        self.passed
    }

    /// The king of a side.
    pub fn king(&self, color: Color) -> Cell {
        self.kings[color.index()]
    }

    /// The side and the letter, a capital, of the piece on a cell.
    pub fn piece(&self, cell: Cell) -> Option<(Color, u8)> {
        let (color, row) = self.row(cell)?;
        Some((color, self.table.pieces[row].letter))
    }

    /// The side and the row of the piece on a cell.
    #[inline(always)]
    pub(crate) fn row(&self, cell: Cell) -> Option<(Color, usize)> {
        let code = self.cells[cell.index()];
        let row = usize::from(code & !BLACK).checked_sub(1)?;
        let color = if code & BLACK == 0 { Color::White } else { Color::Black };
        Some((color, row))
    }

    /// Is there no piece on a cell?
    #[inline(always)]
    pub(crate) fn is_vacant(&self, cell: Cell) -> bool {
        self.cells[cell.index()] == 0
    }

    /// The pieces, in the order of the numbers of their cells.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (Cell, Color, usize)> + '_ {
        (0..CELLS_MAX as u8).map(Cell).filter_map(|cell| {
            let (color, row) = self.row(cell)?;
            Some((cell, color, row))
        })
    }

    pub(super) fn put(&mut self, cell: Cell, piece: Option<(Color, usize)>) {
        let code = piece.map_or(0, |(color, row)| {
            (row as u8 + 1) | if color == Color::White { 0 } else { BLACK }
        });
        self.cells[cell.index()] = code;
        if let Some((color, KING)) = piece {
            self.kings[color.index()] = cell;
        }
    }

    /// The cell of the pawn that passed over [`TablePosition::passed`]: the next one in its direction.
    pub(crate) fn passer(&self) -> Option<Cell> {
        let step = BoardTable::of_side(*self.table.pawn.steps.first()?, self.turn.other());
        self.table.step(self.passed?, step)
    }

    /// The cell of the piece that a legal move captures, if it captures one.
    pub(crate) fn captured_cell(&self, mv: TableMove) -> Option<Cell> {
        if mv.is_en_passant() {
            return self.passer();
        }
        (!self.is_vacant(mv.target())).then_some(mv.target())
    }

    /// The side and the letter of the piece that a legal move captures.
    pub fn captured(&self, mv: TableMove) -> Option<(Color, u8)> {
        self.piece(self.captured_cell(mv)?)
    }

    /// Makes a move that the pieces' movement allows.
    pub(super) fn make(&mut self, mv: TableMove) {
        let Some((color, row)) = self.row(mv.origin()) else { return };
        let captured = self.captured_cell(mv);
        if let Some(cell) = captured {
            self.put(cell, None);
        }
        self.put(mv.origin(), None);
        self.put(mv.target(), Some((color, mv.promotion_row().unwrap_or(row))));
        self.passed = self.passed_by(mv, color).filter(|_| row == PAWN);
        let is_quiet = row != PAWN && captured.is_none();
        self.clock = if is_quiet { self.clock.saturating_add(1) } else { 0 };
        self.number = self.number.saturating_add(u32::from(color == Color::Black));
        self.turn = color.other();
    }

    /// The cell between, if a move is a double step.
    fn passed_by(&self, mv: TableMove, color: Color) -> Option<Cell> {
        if !self.table.has_en_passant() {
            return None;
        }
        let step = BoardTable::of_side(*self.table.pawn.steps.first()?, color);
        let origin = self.table.coordinates(mv.origin());
        let is_double = plus(origin, times(step, 2)) == self.table.coordinates(mv.target());
        self.table.cell(plus(origin, step)).filter(|_| is_double)
    }
}
