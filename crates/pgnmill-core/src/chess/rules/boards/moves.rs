//! The moves of a position on the board of a table, and attacks.
//!
//! In: a position. Out: each legal move once, in an order that depends on the position alone; whether a cell is
//! attacked. A move is legal if the pieces' movement allows it and the own king is not attacked after it. Cost: for
//! each move that the movement allows a copy of the position, and a comparison per vector of each piece of the other
//! side.

use super::cell::{CELLS_MAX, Cell, plus, times};
use super::path::{Turn, circle, path};
use super::position::TablePosition;
use super::table::{BoardTable, PAWN};
use super::table_move::TableMove;
use crate::chess::Color;

/// Calls a function with moves until it returns `true`.
pub(super) type Visit<'v> = &'v mut dyn FnMut(TableMove) -> bool;

impl TablePosition {
    /// The letter, a capital, of what a pawn becomes in a move.
    pub fn promotion(&self, mv: TableMove) -> Option<u8> {
        Some(self.table().pieces.get(mv.promotion_row()?)?.letter)
    }

    /// A legal move as 16 bits, which no other legal move of the position has and which are not all ones.
    ///
    /// A pawn that reaches a last cell promotes, so that of a promotion only the index of what it becomes is needed: a
    /// factor for four of them, and for a fifth (the unicorn) the numbers that these leave, with the file of the
    /// target.
    pub(crate) fn packed(&self, mv: TableMove) -> u16 {
        const CELLS: u16 = CELLS_MAX as u16;
        let (origin, target) = (u16::from(mv.origin.0), u16::from(mv.target.0));
        let letter = self.promotion(mv);
        let index = self.table().pawn.becomes.iter().position(|it| Some(*it) == letter);
        match index.unwrap_or(0) as u16 {
            index @ 0..=3 => (index * CELLS + origin) * CELLS + target,
            _ => {
                let files = self.table().files.len() as u16;
                4 * CELLS * CELLS + origin * files + target % files
            }
        }
    }

    /// Visits the legal moves.
    pub(super) fn visit_legal(&self, visit: Visit<'_>) -> bool {
        self.pieces().any(|(origin, owner, _)| {
            owner == self.turn && self.visit_from(origin, &mut |mv| self.is_legal(mv) && visit(mv))
        })
    }

    /// Is the own king not attacked after a move that the pieces' movement allows?
    pub(crate) fn is_legal(&self, mv: TableMove) -> bool {
        let mut after = *self;
        after.make(mv);
        !after.is_attacked(after.king(self.turn), after.turn)
    }

    /// Visits the moves that the movement of the piece on a cell allows, legal or not; `true` if the function returned
    /// it.
    pub(crate) fn visit_from(
        &self,
        origin: Cell,
        visit: &mut dyn FnMut(TableMove) -> bool,
    ) -> bool {
        let Some((color, row)) = self.row(origin) else { return false };
        if row == PAWN {
            return self.visit_pawn(origin, color, visit);
        }
        self.visit_targets(origin, row, &mut |target| {
            self.row(target).is_none_or(|(owner, _)| owner != color)
                && visit(TableMove::new(origin, target))
        })
    }

    /// Visits the cells that a piece other than a pawn reaches, those of the own side included.
    fn visit_targets(
        &self,
        from: Cell,
        row_index: usize,
        visit: &mut dyn FnMut(Cell) -> bool,
    ) -> bool {
        let (table, row) = (self.table(), &self.table().pieces[row_index]);
        let origin = table.coordinates(from);
        for &vector in row.leaps.iter().copied().flatten() {
            if table.cell(plus(origin, vector)).is_some_and(&mut *visit) {
                return true;
            }
        }
        for &vector in row.rides.iter().copied().flatten() {
            let cells = (1..).map_while(|steps| table.cell(plus(origin, times(vector, steps))));
            for cell in cells {
                if visit(cell) {
                    return true;
                }
                if !self.is_vacant(cell) {
                    break;
                }
            }
        }
        let is_vacant = |cell| self.is_vacant(cell);
        for first in 0..row.circles.len() {
            for turn in [Turn::Clockwise, Turn::Counter] {
                let reached = circle(table, row, (from, first), turn, &is_vacant);
                for (steps, cell) in (1..).zip(reached.into_iter().flatten()) {
                    // Of several paths to a cell one is the move.
                    let is_own = cell != from
                        && path(table, row, (from, cell), &is_vacant).is_some_and(|path| {
                            path.vector == row.circles[first]
                                && path.steps == steps
                                && path.turn.unwrap_or(Turn::Clockwise) == turn
                        });
                    if is_own && visit(cell) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Visits the moves of a pawn, promotions one by one.
    fn visit_pawn(&self, origin: Cell, color: Color, visit: Visit<'_>) -> bool {
        let table = self.table();
        let mut arrive = |target: Cell, is_en_passant: bool| {
            let mv = TableMove { is_en_passant, ..TableMove::new(origin, target) };
            if !table.is_last(target, color) {
                return visit(mv);
            }
            let rows = table.pawn.becomes.iter().filter_map(|&letter| table.row_of(letter));
            rows.into_iter().any(|row| visit(TableMove { promotion: row as u8, ..mv }))
        };
        for (index, &step) in table.pawn.steps.iter().enumerate() {
            let step = BoardTable::of_side(step, color);
            let is_vacant = |cell: &Cell| self.is_vacant(*cell);
            let Some(one) = table.step(origin, step).filter(is_vacant) else { continue };
            if arrive(one, false) {
                return true;
            }
            if index == 0
                && table.is_double(origin, color)
                && let Some(two) = table.step(one, step).filter(is_vacant)
                && arrive(two, false)
            {
                return true;
            }
        }
        for &step in table.pawn.captures {
            let Some(target) = table.step(origin, BoardTable::of_side(step, color)) else {
                continue;
            };
            let is_enemy = self.row(target).is_some_and(|(owner, _)| owner != color);
            let is_passed = self.passed == Some(target);
            if (is_enemy || is_passed) && arrive(target, is_passed) {
                return true;
            }
        }
        false
    }

    /// Does a piece of a side attack a cell?
    pub(crate) fn is_attacked(&self, cell: Cell, by: Color) -> bool {
        let (table, target) = (self.table(), self.table().coordinates(cell));
        self.pieces().any(|(from, owner, row)| {
            if owner != by {
                return false;
            }
            if row == PAWN {
                let distance = plus(target, times(table.coordinates(from), -1));
                let mut captures = table.pawn.captures.iter();
                return captures.any(|&step| BoardTable::of_side(step, by) == distance);
            }
            path(table, &table.pieces[row], (from, cell), &|cell| self.is_vacant(cell)).is_some()
        })
    }

    /// Is the king of a side attacked?
    pub fn is_in_check(&self, color: Color) -> bool {
        self.is_attacked(self.king(color), color.other())
    }

    /// Has the side to move a legal move?
    pub fn has_legal_move(&self) -> bool {
        self.visit_legal(&mut |_| true)
    }
}
