//! What a Lichess variant changes in the rules of chess.
//!
//! In: a [`VariantPosition`]. Out: the implementation of [`Rules`] for each type that implements [`Variant`].
//! Invariant:
//! no move is legal once the game is over (`variants.md`, 3). Cost: that of the ruleset's own methods.

use super::kind::VariantKind;
use super::variant_position::VariantPosition;
use super::{GameEnd, Rules, Start};
use crate::chess::{Bitboard, CastlingSide, Color, FenError, FenNotes, Move, Role, king_attacks};

/// A ruleset on eight by eight squares with the pieces of chess.
pub(super) trait Variant: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// Which ruleset it is.
    const KIND: VariantKind;
    /// The record of a game without one.
    const INITIAL: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// Have the sides pockets?
    const HAS_POCKETS: bool = false;
    /// Are checks counted?
    const COUNTS_CHECKS: bool = false;
    /// May a pawn become a king?
    const PROMOTES_TO_KINGS: bool = false;
    /// Does castling exist?
    const CASTLES: bool = true;

    /// Visits every move that the pieces' movement allows, drops included, until `visit` returns `true`; castling only
    /// where it is legal. King safety, explosions and obligations are not considered.
    fn visit_pseudo(position: &VariantPosition, visit: &mut impl FnMut(Move) -> bool) -> bool {
        visit_steps::<Self>(position, visit)
    }

    /// Is a move of [`Variant::visit_pseudo`] legal? The game is not over.
    fn is_legal(position: &VariantPosition, mv: Move) -> bool {
        position.base.is_safe(mv)
    }

    /// Castling on a side, if it is legal now.
    fn castle(position: &VariantPosition, side: CastlingSide) -> Option<Move> {
        position.base.castle(side)
    }

    /// Visits the legal moves of a position in which the game is not over, until `visit` returns `true`.
    fn visit_moves(position: &VariantPosition, visit: &mut impl FnMut(Move) -> bool) -> bool {
        Self::visit_pseudo(position, &mut |mv| Self::is_legal(position, mv) && visit(mv))
    }

    /// Changes `next`, which has the board after the move, as the ruleset requires; the checkers follow.
    fn finish(before: &VariantPosition, mv: Move, next: &mut VariantPosition) {
        let _ = (before, mv, next);
    }

    /// The pieces that give check to the side to move.
    fn checkers(position: &VariantPosition) -> Bitboard {
        position.base.find_checkers()
    }

    /// The end that is not a lack of moves.
    fn special_end(position: &VariantPosition) -> Option<GameEnd> {
        let _ = position;
        None
    }

    /// The end of a game in which the side to move has no legal move.
    fn end_without_moves(position: &VariantPosition) -> GameEnd {
        match position.checkers().has_any() {
            true => GameEnd::Win(position.turn().other()),
            false => GameEnd::Draw,
        }
    }

    /// Refuses a position from which no game can continue; its checkers are not yet found.
    ///
    /// # Errors
    /// The reason.
    fn check_record(position: &VariantPosition) -> Result<(), FenError> {
        one_king_each(position)?;
        no_pawn_on_back_rank(position)?;
        waiting_king_is_safe(position)
    }
}

impl<V: Variant> Rules for V {
    type Position = VariantPosition;
    type Move = Move;

    #[inline(always)]
    fn turn(position: &VariantPosition) -> Color {
        position.turn()
    }

    #[inline(always)]
    fn fullmove_number(position: &VariantPosition) -> u32 {
        position.base.fullmove_number()
    }

    fn visit_legal(position: &VariantPosition, visit: &mut impl FnMut(Move) -> bool) -> bool {
        V::special_end(position).is_none() && V::visit_moves(position, visit)
    }

    #[inline(always)]
    fn play_into(position: &VariantPosition, mv: Move, next: &mut VariantPosition) {
        position.play_board(mv, next);
        V::finish(position, mv, next);
        next.base.checkers = V::checkers(next);
    }

    fn pass(position: &VariantPosition) -> Option<VariantPosition> {
        if position.checkers().has_any() || V::end(position).is_some() {
            return None;
        }
        let mut next = *position;
        next.base = position.base.play_null();
        next.base.checkers = V::checkers(&next);
        Some(next)
    }

    #[inline(always)]
    fn in_check(position: &VariantPosition) -> bool {
        position.checkers().has_any()
    }

    fn end(position: &VariantPosition) -> Option<GameEnd> {
        V::special_end(position).or_else(|| {
            let has_move = V::visit_moves(position, &mut |_| true);
            (!has_move).then(|| V::end_without_moves(position))
        })
    }
}

/// Receives moves until it returns `true`.
type Visit<'v> = &'v mut dyn FnMut(Move) -> bool;

/// A record that was read, or its error.
type ReadRecord = Result<(VariantPosition, FenNotes), FenError>;

/// The functions of a ruleset, for code that is compiled once for all of them.
pub(super) struct VariantRules {
    pub kind: VariantKind,
    pub initial: fn(bool) -> VariantPosition,
    pub from_fen: fn(&[u8], bool) -> ReadRecord,
    pub visit_legal: fn(&VariantPosition, Visit<'_>) -> bool,
    pub visit_pseudo: fn(&VariantPosition, Visit<'_>) -> bool,
    pub is_legal: fn(&VariantPosition, Move) -> bool,
    pub play_into: fn(&VariantPosition, Move, &mut VariantPosition),
    pub pass: fn(&VariantPosition) -> Option<VariantPosition>,
    pub special_end: fn(&VariantPosition) -> Option<GameEnd>,
    pub end: fn(&VariantPosition) -> Option<GameEnd>,
    pub has_pockets: bool,
    pub counts_checks: bool,
    pub promotes_to_kings: bool,
}

impl VariantRules {
    /// Those of one ruleset.
    pub(super) const fn of<V: Variant + Start<Position = VariantPosition, Move = Move>>()
    -> VariantRules {
        VariantRules {
            kind: V::KIND,
            initial: <V as Start>::initial,
            from_fen: <V as Start>::from_fen,
            visit_legal: |position, mut visit| <V as Rules>::visit_legal(position, &mut visit),
            visit_pseudo: |position, mut visit| V::visit_pseudo(position, &mut visit),
            is_legal: V::is_legal,
            play_into: <V as Rules>::play_into,
            pass: <V as Rules>::pass,
            special_end: V::special_end,
            end: <V as Rules>::end,
            has_pockets: V::HAS_POCKETS,
            counts_checks: V::COUNTS_CHECKS,
            promotes_to_kings: V::PROMOTES_TO_KINGS,
        }
    }
}

/// The moves of all pieces of the side to move, and castling.
pub(super) fn visit_steps<V: Variant>(
    position: &VariantPosition,
    visit: &mut impl FnMut(Move) -> bool,
) -> bool {
    let base = &position.base;
    let targets = !base.us();
    for king in position.kings(base.turn) {
        for target in king_attacks(king) & targets {
            if visit(Move::normal(Role::King, king, target)) {
                return true;
            }
        }
    }
    base.visit_pieces(targets, visit)
        || base.visit_pawns(targets, visit)
        || [CastlingSide::Short, CastlingSide::Long]
            .into_iter()
            .any(|side| V::castle(position, side).is_some_and(&mut *visit))
}

/// Each side has one king.
pub(super) fn one_king_each(position: &VariantPosition) -> Result<(), FenError> {
    let has_one = |color| position.king(color).is_some();
    let all = has_one(Color::White) && has_one(Color::Black);
    if all { Ok(()) } else { Err(FenError::NoKing) }
}

/// No pawn is on the first or the eighth rank.
pub(super) fn no_pawn_on_back_rank(position: &VariantPosition) -> Result<(), FenError> {
    let pawns = position.base.role(Role::Pawn) & Bitboard::BACK_RANKS;
    if pawns.is_empty() { Ok(()) } else { Err(FenError::PawnOnBackRank) }
}

/// The king of the side that is not to move is not attacked.
pub(super) fn waiting_king_is_safe(position: &VariantPosition) -> Result<(), FenError> {
    let base = &position.base;
    let waiting = base.turn.other();
    let Some(king) = position.king(waiting) else { return Ok(()) };
    match base.attackers(king, base.turn, base.occupied()).is_empty() {
        true => Ok(()),
        false => Err(FenError::SideNotToMoveInCheck),
    }
}
