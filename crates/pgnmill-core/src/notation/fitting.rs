//! The only legal move that fits a text: collects candidates, and names the reason if there is none.
//!
//! Shared by the readers of both squares, and by those that derive sets of origins and targets. Cost: one legality test
//! per pair of squares; no list of moves.

use crate::chess::{Bitboard, Board, Move, Position, Role, Square, uci};
use crate::pgn::deviation::Deviation;

/// Origin and target, each of two bytes that `square` reads, and what follows.
#[inline]
pub(super) fn two_squares(
    text: &[u8],
    square: impl Fn(u8, u8) -> Option<Square>,
) -> Result<(Square, Square, &[u8]), Deviation> {
    let [a, b, c, d, ref tail @ ..] = *text else { return Err(Deviation::MoveUnreadable) };
    let squares = square(a, b).zip(square(c, d)).ok_or(Deviation::MoveUnreadable)?;
    Ok((squares.0, squares.1, tail))
}

/// The plain move of four bytes that `square` reads in pairs; it may leave its own king attacked.
#[inline(always)]
pub(super) fn plain_move(
    text: [u8; 4],
    square: impl Fn(u8, u8) -> Option<Square>,
    position: &Position,
) -> Option<Move> {
    let [a, b, c, d] = text;
    position.plain_move(square(a, b)?, square(c, d)?)
}

/// The legal move between two squares, castling as in UCI.
pub(super) fn between(
    position: &impl Board,
    origin: Square,
    target: Square,
    promoted: Option<Role>,
) -> Result<Move, Deviation> {
    with_promotion(promoted, |promoted| {
        uci::find(position, origin, target, promoted).ok_or(Deviation::MoveIllegal)
    })
}

/// The moves that fit: none, one, or several.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UniqueMove {
    found: Option<Move>,
    several: bool,
}

impl UniqueMove {
    /// Adds a move that fits.
    pub(super) fn add(&mut self, mv: Move) {
        self.several |= self.found.is_some_and(|found| found != mv);
        self.found = Some(mv);
    }

    /// The move, if it is the only one.
    pub(super) fn answer(self) -> Result<Move, Deviation> {
        match self.found {
            Some(_) if self.several => Err(Deviation::MoveAmbiguous),
            Some(mv) => Ok(mv),
            None => Err(Deviation::MoveIllegal),
        }
    }
}

/// Visits the legal moves from `origins` to `targets`, except castling.
#[inline]
pub(super) fn visit_legal(
    position: &impl Board,
    origins: Bitboard,
    targets: Bitboard,
    promoted: Option<Role>,
    mut visit: impl FnMut(Move),
) {
    for origin in origins {
        for target in targets {
            if let Some(mv) = position.legal_move(origin, target, promoted)
                && mv.castling_side().is_none()
            {
                visit(mv);
            }
        }
    }
}

/// The result of `find` with the written promotion; if nothing fits, the promotion is named as the reason where it is
/// one.
pub(super) fn with_promotion(
    promoted: Option<Role>,
    find: impl Fn(Option<Role>) -> Result<Move, Deviation>,
) -> Result<Move, Deviation> {
    let found = find(promoted);
    if found != Err(Deviation::MoveIllegal) {
        return found;
    }
    let (other, blame) = match promoted {
        // Outside antichess no pawn becomes a king.
        Some(Role::King) => return Err(Deviation::MoveIllegal),
        None => (Some(Role::Queen), Deviation::PromotionPieceMissing),
        Some(_) => (None, Deviation::PromotionNotAPromotion),
    };
    Err(if find(other) == Err(Deviation::MoveIllegal) { Deviation::MoveIllegal } else { blame })
}

/// The role that a pawn may be promoted to, by its English letter; a king where the rules are not those of chess.
pub(super) fn promotion<B: Board>(letter: u8) -> Result<Role, Deviation> {
    Role::from_letter(letter)
        .filter(|role| Role::PROMOTIONS.contains(role) || !B::IS_STANDARD && *role == Role::King)
        .ok_or(Deviation::MoveUnreadable)
}
