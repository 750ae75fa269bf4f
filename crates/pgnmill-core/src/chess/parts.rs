//! A position from its parts, as code that keeps a game in another form has them.
//!
//! In: the position in which a stretch of a game began, and what has changed. Out: the position after it. Invariant:
//! the same as by [`Position::play`], ply by ply, if the parts are right.

use super::clocks::Clocks;
use super::position::NO_SQUARE;
use super::{Bitboard, Color, Position, Square};

/// What has changed since an earlier position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PositionParts {
    /// The roles in their order, then the colours.
    pub(crate) boards: [u64; 8],
    /// The rooks with which castling is still allowed.
    pub(crate) castling: Bitboard,
    /// The square that a pawn has just passed over.
    pub(crate) en_passant: Option<Square>,
    /// The plies since then.
    pub(crate) plies: u32,
    /// Of these, how many come after the last capture or pawn move; all if there was none.
    pub(crate) quiet: u32,
}

impl Position {
    /// The position some plies later.
    pub(crate) fn after_plies(&self, parts: &PositionParts) -> Position {
        let &PositionParts { boards, castling, en_passant, plies, quiet } = parts;
        let black_first = u32::from(self.turn == Color::Black);
        let fullmove = self.fullmove_number().wrapping_add((plies + black_first) / 2);
        let halfmove =
            if quiet == plies { self.halfmove_clock().wrapping_add(plies) } else { quiet };
        let mut next = Position {
            boards,
            castling,
            clocks: Clocks::new(halfmove, fullmove),
            turn: if plies % 2 == 0 { self.turn } else { self.turn.other() },
            en_passant: en_passant.map_or(NO_SQUARE, |square| square.index() as u8),
            ..*self
        };
        next.checkers = next.find_checkers();
        next
    }
}
