//! A move on the board of a table.
//!
//! In: cells, a promotion, whether a pawn is captured en passant. Out: a [`TableMove`], which has a meaning only
//! together with the position in which it is legal. Cost: four bytes.
//!
//! Example: `moves.rs`.

use super::cell::Cell;

/// A move on the board of a table. Two moves of a position are equal exactly if they are the same move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct TableMove {
    pub(super) origin: Cell,
    pub(super) target: Cell,
    /// The row of what a pawn becomes; 0 for none.
    pub(super) promotion: u8,
    pub(super) is_en_passant: bool,
}

impl TableMove {
    pub(super) fn new(origin: Cell, target: Cell) -> TableMove {
        TableMove { origin, target, promotion: 0, is_en_passant: false }
    }

    /// The cell that the piece leaves.
    pub fn origin(self) -> Cell {
        self.origin
    }

    /// The cell that the piece reaches.
    pub fn target(self) -> Cell {
        self.target
    }

    /// Is a pawn captured that passed over the target?
    pub fn is_en_passant(self) -> bool {
        self.is_en_passant
    }

    /// The row of what a pawn becomes.
    pub(crate) fn promotion_row(self) -> Option<usize> {
        (self.promotion > 0).then_some(usize::from(self.promotion))
    }
}
