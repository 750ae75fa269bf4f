//! Antichess, giveaway and suicide: who has no pieces or no moves has won, and captures are obligatory (`variants.md`,
//! 4.3). Kings are pieces like others.

use super::GameEnd;
use super::kind::VariantKind;
use super::variant::{Variant, no_pawn_on_back_rank, visit_steps};
use super::variant_position::VariantPosition;
use crate::chess::{
    Bitboard, CastlingSide, Color, FenError, Move, Role, Square, between, king_attacks,
};

/// The rules of antichess as Lichess has it: without castling.
#[derive(Clone, Copy, Debug)]
pub struct Antichess;

/// Antichess with castling.
#[derive(Clone, Copy, Debug)]
pub struct Giveaway;

/// Antichess with castling, in which the fewer pieces decide if the side to move has no move.
#[derive(Clone, Copy, Debug)]
pub struct Suicide;

macro_rules! losing {
    ($name:ident, $castles:expr, $without_moves:expr) => {
        impl Variant for $name {
            const KIND: VariantKind = VariantKind::$name;
            const CASTLES: bool = $castles;
            const PROMOTES_TO_KINGS: bool = true;

            /// A pawn may also become a king.
            fn visit_pseudo(
                position: &VariantPosition,
                visit: &mut impl FnMut(Move) -> bool,
            ) -> bool {
                let to_king = |mv: Move| Move::promotion(mv.origin(), mv.target(), Role::King);
                visit_steps::<Self>(position, &mut |mv| {
                    visit(mv) || mv.promoted() == Some(Role::Queen) && visit(to_king(mv))
                })
            }

            fn is_legal(position: &VariantPosition, mv: Move) -> bool {
                position.base.is_capture(mv) || !must_capture(position)
            }

            fn castle(position: &VariantPosition, side: CastlingSide) -> Option<Move> {
                castle(position, side).filter(|_| !must_capture(position))
            }

            fn visit_moves(
                position: &VariantPosition,
                visit: &mut impl FnMut(Move) -> bool,
            ) -> bool {
                let (base, must_capture) = (&position.base, must_capture(position));
                Self::visit_pseudo(position, &mut |mv| {
                    (!must_capture || base.is_capture(mv)) && visit(mv)
                })
            }

            fn checkers(_: &VariantPosition) -> Bitboard {
                Bitboard::EMPTY
            }

            fn finish(before: &VariantPosition, mv: Move, next: &mut VariantPosition) {
                keep_rights(before, mv, next);
            }

            fn special_end(position: &VariantPosition) -> Option<GameEnd> {
                position.base.us().is_empty().then(|| GameEnd::Win(position.turn()))
            }

            fn end_without_moves(position: &VariantPosition) -> GameEnd {
                $without_moves(position)
            }

            fn check_record(position: &VariantPosition) -> Result<(), FenError> {
                no_pawn_on_back_rank(position)
            }
        }
    };
}

losing!(Antichess, false, side_to_move_wins);
losing!(Giveaway, true, side_to_move_wins);
losing!(Suicide, true, fewer_pieces_win);

fn side_to_move_wins(position: &VariantPosition) -> GameEnd {
    GameEnd::Win(position.turn())
}

fn fewer_pieces_win(position: &VariantPosition) -> GameEnd {
    let (us, them) = (position.base.us().count(), position.base.them().count());
    match us.cmp(&them) {
        std::cmp::Ordering::Less => GameEnd::Win(position.turn()),
        std::cmp::Ordering::Equal => GameEnd::Draw,
        std::cmp::Ordering::Greater => GameEnd::Win(position.turn().other()),
    }
}

/// Can the side to move capture?
fn must_capture(position: &VariantPosition) -> bool {
    let base = &position.base;
    let takes = &mut |mv| base.is_capture(mv);
    let kings = position.kings(base.turn).into_iter();
    kings.map(king_attacks).any(|attacked| (attacked & base.them()).has_any())
        || base.visit_pieces(base.them(), takes)
        || base.visit_pawns(base.them(), takes)
}

/// Sets the castling rights after a move: they belong to a king, end with it, and do not pass to another one.
fn keep_rights(before: &VariantPosition, mv: Move, next: &mut VariantPosition) {
    let rights = before.base.castling;
    if rights.is_empty() {
        return;
    }
    next.base.castling = rights & !(Bitboard::of(mv.origin()) | Bitboard::of(mv.target()));
    for color in [Color::White, Color::Black] {
        let king = before.base.castling_king(color);
        let has_moved = color == before.turn() && king == Some(mv.origin());
        if has_moved || king.is_none() || next.base.castling_king(color) != king {
            next.base.castling &= !next.base.color(color);
        }
    }
}

/// Castling on a side: attacks do not matter.
fn castle(position: &VariantPosition, side: CastlingSide) -> Option<Move> {
    let base = &position.base;
    let king = base.castling_king(base.turn)?;
    let is_on_side = |rook: &Square| (rook.file() > king.file()) == (side == CastlingSide::Short);
    let rook = (base.castling & base.us()).into_iter().find(is_on_side)?;
    let (king_to, rook_to) = (side.king_target(king.rank()), side.rook_target(king.rank()));
    let ends = Bitboard::of(king_to) | Bitboard::of(rook_to);
    let others = base.occupied() ^ (Bitboard::of(king) | Bitboard::of(rook));
    let path = between(king, king_to) | between(rook, rook_to) | ends;
    (path & others).is_empty().then(|| Move::castle(side, king, rook))
}
