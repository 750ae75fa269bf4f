//! Atomic chess: a capture removes both pieces and, except for pawns, all pieces around (`variants.md`, 4.2).

use super::GameEnd;
use super::kind::VariantKind;
use super::variant::{Variant, no_pawn_on_back_rank, one_king_each};
use super::variant_position::VariantPosition;
use crate::chess::{
    Bitboard, CastlingSide, Color, FenError, Move, MoveKind, Position, Role, Square, between,
    king_attacks,
};

/// The rules of atomic chess.
#[derive(Clone, Copy, Debug)]
pub struct Atomic;

impl Variant for Atomic {
    const KIND: VariantKind = VariantKind::Atomic;

    fn is_legal(position: &VariantPosition, mv: Move) -> bool {
        is_legal(position, mv)
    }

    fn castle(position: &VariantPosition, side: CastlingSide) -> Option<Move> {
        castle(position, side)
    }

    fn finish(before: &VariantPosition, mv: Move, next: &mut VariantPosition) {
        if before.base.is_capture(mv) {
            next.remove(blast(&before.base, mv));
            for color in [Color::White, Color::Black] {
                if next.kings(color).is_empty() {
                    next.base.castling &= !next.base.color(color);
                }
            }
        }
    }

    fn checkers(position: &VariantPosition) -> Bitboard {
        let base = &position.base;
        let (us, them) = (base.turn, base.turn.other());
        let (Some(king), Some(other)) = (position.king(us), position.king(them)) else {
            return Bitboard::EMPTY;
        };
        if king_attacks(king).has(other) {
            return Bitboard::EMPTY;
        }
        base.attackers(king, them, base.occupied()) & !base.role(Role::King)
    }

    fn special_end(position: &VariantPosition) -> Option<GameEnd> {
        let has_lost = |color: &Color| position.kings(*color).is_empty();
        let loser = [Color::White, Color::Black].into_iter().find(has_lost)?;
        Some(GameEnd::Win(loser.other()))
    }

    fn check_record(position: &VariantPosition) -> Result<(), FenError> {
        one_king_each(position)?;
        no_pawn_on_back_rank(position)?;
        let mut waiting = *position;
        waiting.base.turn = position.turn().other();
        match Atomic::checkers(&waiting).is_empty() {
            true => Ok(()),
            false => Err(FenError::SideNotToMoveInCheck),
        }
    }
}

/// The squares that a capture empties, the origin and a pawn captured en passant not included.
fn blast(before: &Position, mv: Move) -> Bitboard {
    king_attacks(mv.target()) & !before.role(Role::Pawn) | Bitboard::of(mv.target())
}

/// Is the king at `king` safe from pieces other than kings, if exactly `occupied` is occupied? `remaining`: the pieces
/// that are still there.
fn is_safe(
    base: &Position,
    king: Square,
    other: Square,
    remaining: Bitboard,
    occupied: Bitboard,
) -> bool {
    let them = base.turn.other();
    let by = base.color(them) & remaining & !base.role(Role::King);
    king_attacks(other).has(king) || !base.is_attacked(king, them, by, occupied)
}

/// Is a move of the pieces legal? Castling is only made when it is.
fn is_legal(position: &VariantPosition, mv: Move) -> bool {
    let base = &position.base;
    if mv.castling_side().is_some() {
        return true;
    }
    let (Some(king), Some(other)) = (position.king(base.turn), position.king(base.turn.other()))
    else {
        return false;
    };
    let origin = Bitboard::of(mv.origin());
    let mut gone = origin;
    if base.is_capture(mv) {
        if mv.role() == Role::King {
            return false;
        }
        gone |= blast(base, mv);
        if mv.kind() == MoveKind::EnPassant {
            gone |= base.captured_square(mv).map_or(Bitboard::EMPTY, Bitboard::of);
        }
        let occupied = base.occupied() & !gone;
        return !gone.has(king) && (gone.has(other) || is_safe(base, king, other, !gone, occupied));
    }
    let king = if mv.role() == Role::King { mv.target() } else { king };
    let occupied = base.occupied() & !gone | Bitboard::of(mv.target());
    is_safe(base, king, other, !gone, occupied)
}

/// Castling on a side, if it is legal: as in chess, but squares beside the other king are never attacked.
fn castle(position: &VariantPosition, side: CastlingSide) -> Option<Move> {
    let base = &position.base;
    let (king, other) = (position.king(base.turn)?, position.king(base.turn.other())?);
    let rook = base.castling_rook(base.turn, side)?;
    if position.checkers().has_any() {
        return None;
    }
    let (king_to, rook_to) = (side.king_target(king.rank()), side.rook_target(king.rank()));
    let ends = Bitboard::of(king_to) | Bitboard::of(rook_to);
    let others = base.occupied() ^ (Bitboard::of(king) | Bitboard::of(rook));
    let path = between(king, king_to) | between(rook, rook_to) | ends;
    if (path & others).has_any() {
        return None;
    }
    let walking = base.occupied() ^ Bitboard::of(king);
    let all = !Bitboard::EMPTY;
    let mut passed = between(king, king_to);
    // The square that the king reaches counts as it is afterwards: beside the other king, a slider may attack the
    // square through the king's origin, and the rook then covers it.
    let is_free = passed.all(|square| is_safe(base, square, other, all, walking))
        && is_safe(base, king_to, other, all, others | ends);
    is_free.then(|| Move::castle(side, king, rook))
}
