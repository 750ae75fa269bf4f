//! Horde: one side has pawns and no king, and loses when all are captured (`variants.md`, 4.7).

use super::GameEnd;
use super::kind::VariantKind;
use super::variant::{Variant, visit_steps, waiting_king_is_safe};
use super::variant_position::VariantPosition;
use crate::chess::{Bitboard, CastlingSide, Color, FenError, Move, Role};

/// The rules of Horde.
#[derive(Clone, Copy, Debug)]
pub struct Horde;

impl Variant for Horde {
    const KIND: VariantKind = VariantKind::Horde;
    const INITIAL: &'static str =
        "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1";

    fn visit_pseudo(position: &VariantPosition, visit: &mut impl FnMut(Move) -> bool) -> bool {
        visit_steps::<Self>(position, visit)
            || is_horde(position) && visit_long_steps(position, visit)
    }

    /// The horde has no king to protect; it may not capture the other one, which a record can expose.
    fn is_legal(position: &VariantPosition, mv: Move) -> bool {
        match is_horde(position) {
            true => !position.kings(position.turn().other()).has(mv.target()),
            false => position.base.is_safe(mv),
        }
    }

    fn castle(position: &VariantPosition, side: CastlingSide) -> Option<Move> {
        if is_horde(position) { None } else { position.base.castle(side) }
    }

    /// Only the double step from the second rank allows en passant.
    fn finish(before: &VariantPosition, mv: Move, next: &mut VariantPosition) {
        let first = before.turn().rank(0);
        if mv.role() == Role::Pawn && mv.origin().rank() == first {
            next.base.forget_en_passant();
        }
    }

    fn checkers(position: &VariantPosition) -> Bitboard {
        match position.kings(position.turn()).is_empty() {
            true => Bitboard::EMPTY,
            false => position.base.find_checkers(),
        }
    }

    fn special_end(position: &VariantPosition) -> Option<GameEnd> {
        let is_gone = |color: &Color| position.base.color(*color).is_empty();
        let loser = [Color::White, Color::Black].into_iter().find(is_gone)?;
        Some(GameEnd::Win(loser.other()))
    }

    fn check_record(position: &VariantPosition) -> Result<(), FenError> {
        let kings = |color| position.kings(color).count();
        let horde = match (kings(Color::White), kings(Color::Black)) {
            (0, 1) => Color::White,
            (1, 0) => Color::Black,
            _ => return Err(FenError::NoKing),
        };
        let pawns = position.base.role(Role::Pawn) & Bitboard::BACK_RANKS;
        let own = position.base.color(horde) & Bitboard::rank(horde.rank(0));
        if (pawns & !own).has_any() {
            return Err(FenError::PawnOnBackRank);
        }
        // The vectors of `variants.md` have records in which the horde is to move and attacks the king.
        if position.turn() == horde { Ok(()) } else { waiting_king_is_safe(position) }
    }
}

/// Has the side to move no king?
fn is_horde(position: &VariantPosition) -> bool {
    position.kings(position.turn()).is_empty()
}

/// The double steps of pawns on the first rank.
fn visit_long_steps(position: &VariantPosition, visit: &mut impl FnMut(Move) -> bool) -> bool {
    let (base, color) = (&position.base, position.turn());
    let empty = !base.occupied();
    let mut pawns = base.ours(Role::Pawn) & Bitboard::rank(color.rank(0));
    pawns.any(|origin| {
        let on = |rank| crate::chess::Square::at(origin.file(), color.rank(rank));
        empty.has(on(1)) && empty.has(on(2)) && visit(Move::normal(Role::Pawn, origin, on(2)))
    })
}
