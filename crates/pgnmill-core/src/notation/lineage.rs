//! The file on which each piece began the game, for the notations that require the history of the game.
//!
//! Input: the starting position, then the moves. Output: a file for every piece on the board. A promoted piece begins
//! where it was promoted. A game from another position has no lineage. Cost: 64 bytes, copied per ply, and only for a
//! notation that requires it.
//!
//! ```
//! use pgnmill_core::chess::Position;
//! use pgnmill_core::chess::Square;
//! use pgnmill_core::notation::{self, Lineage};
//! let start = Position::initial();
//! let mv = notation::find("san").unwrap().decode(&start, b"Nf3").unwrap();
//! let lineage = Lineage::initial().after(mv);
//! assert_eq!(lineage.file(Square::at(5, 2)), 6);
//! ```

use pgnmill_state::state;

use crate::chess::{Bitboard, Color, Move, MoveKind, Position, Role, Square};

/// In the place of the file of a piece that was dropped.
const DROPPED: u8 = 8;

/// The file (0 = a … 7 = h) on which the piece on each square began the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lineage {
    files: [u8; 64],
}

state!(Lineage { files });

impl Lineage {
    /// The starting position: every piece is on the file on which it begins.
    pub const fn initial() -> Lineage {
        let mut files = [0; 64];
        let mut square = 0;
        while square < 64 {
            files[square] = square as u8 & 7;
            square += 1;
        }
        Lineage { files }
    }

    /// The lineage of a game from this position: only the starting position has one.
    pub fn of(start: &Position) -> Option<Lineage> {
        let initial = Position::initial();
        let colors = [Color::White, Color::Black];
        let same = Role::ALL.into_iter().all(|role| start.role(role) == initial.role(role))
            && colors.into_iter().all(|color| start.color(color) == initial.color(color))
            && start.turn() == initial.turn()
            && start.castling_rooks() == initial.castling_rooks();
        same.then(Lineage::initial)
    }

    /// The file on which the piece on `square` began; arbitrary for an empty square.
    #[inline(always)]
    pub const fn file(&self, square: Square) -> u8 {
        self.files[square.index()]
    }

    /// The squares of `pieces` whose piece began on a file below 4: the queen's side.
    #[inline]
    pub fn queenside(&self, pieces: Bitboard) -> Bitboard {
        pieces
            .into_iter()
            .filter(|&piece| self.file(piece) < 4)
            .fold(Bitboard::EMPTY, |set, piece| set | Bitboard::of(piece))
    }

    /// Was the piece on `square` dropped? It has no file on which it began.
    pub const fn is_dropped(&self, square: Square) -> bool {
        self.files[square.index()] == DROPPED
    }

    /// The squares of `pieces` whose piece was dropped.
    pub fn dropped(&self, pieces: Bitboard) -> Bitboard {
        let dropped = pieces.into_iter().filter(|&piece| self.is_dropped(piece));
        dropped.fold(Bitboard::EMPTY, |set, piece| set | Bitboard::of(piece))
    }

    /// The lineage after a legal move or drop.
    #[inline]
    pub fn after(&self, mv: Move) -> Lineage {
        let mut next = *self;
        let (origin, target) = (mv.origin(), mv.target());
        match mv.kind() {
            MoveKind::CastleShort | MoveKind::CastleLong => {
                let rook = self.file(target);
                if let Some(side) = mv.castling_side() {
                    next.files[side.rook_target(origin.rank()).index()] = rook;
                }
                next.files[mv.arrival().index()] = self.file(origin);
            }
            _ if mv.is_drop() => next.files[mv.target().index()] = DROPPED,
            _ if mv.promoted().is_some() => next.files[target.index()] = target.file(),
            _ => next.files[target.index()] = self.file(origin),
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::CastlingSide;

    #[test]
    fn castling_takes_the_rook_along() {
        let (king, rook) = (Square::at(4, 0), Square::at(7, 0));
        let lineage = Lineage::initial().after(Move::castle(CastlingSide::Short, king, rook));
        assert_eq!(lineage.file(Square::at(6, 0)), 4);
        assert_eq!(lineage.file(Square::at(5, 0)), 7);
    }

    #[test]
    fn a_promoted_piece_begins_on_the_file_of_its_promotion() {
        let mv = Move::promotion(Square::at(6, 6), Square::at(7, 7), Role::Knight);
        assert_eq!(Lineage::initial().after(mv).file(Square::at(7, 7)), 7);
    }

    #[test]
    fn only_the_starting_position_has_a_lineage() {
        let start = Position::initial();
        assert_eq!(Lineage::of(&start), Some(Lineage::initial()));
        assert_eq!(Lineage::of(&start.with_chess960(true)), Some(Lineage::initial()));
        let fen = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(Lineage::of(&Position::from_fen(fen).unwrap().0), None);
    }
}
