//! Racing Kings: no move may give check, and the first king on the eighth rank wins (`variants.md`, 4.6).

use super::GameEnd;
use super::kind::VariantKind;
use super::variant::{Variant, one_king_each};
use super::variant_position::VariantPosition;
use crate::chess::{Bitboard, Color, FenError, Move, Role};

/// The rank of the goal, for both sides.
const GOAL: Bitboard = Bitboard::rank(7);

/// The rules of Racing Kings.
#[derive(Clone, Copy, Debug)]
pub struct RacingKings;

impl Variant for RacingKings {
    const KIND: VariantKind = VariantKind::RacingKings;
    const INITIAL: &'static str = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1";
    const CASTLES: bool = false;

    fn is_legal(position: &VariantPosition, mv: Move) -> bool {
        position.base.is_safe(mv) && !gives_check(position, mv)
    }

    /// No legal move gives check.
    fn checkers(_: &VariantPosition) -> Bitboard {
        Bitboard::EMPTY
    }

    fn special_end(position: &VariantPosition) -> Option<GameEnd> {
        let is_there = |color| (position.kings(color) & GOAL).has_any();
        match (is_there(Color::White), is_there(Color::Black)) {
            (false, false) => None,
            (false, true) => Some(GameEnd::Win(Color::Black)),
            (true, true) => Some(GameEnd::Draw),
            (true, false) if position.turn() == Color::Black && reaches_goal(position) => None,
            (true, false) => Some(GameEnd::Win(Color::White)),
        }
    }

    fn end_without_moves(_: &VariantPosition) -> GameEnd {
        GameEnd::Draw
    }

    fn check_record(position: &VariantPosition) -> Result<(), FenError> {
        one_king_each(position)?;
        let base = &position.base;
        let is_attacked = |color: &Color| {
            let attackers = base.attackers(base.king(*color), color.other(), base.occupied());
            attackers.has_any()
        };
        let is_impossible =
            base.role(Role::Pawn).has_any() || [Color::White, Color::Black].iter().any(is_attacked);
        if is_impossible { Err(FenError::Impossible) } else { Ok(()) }
    }
}

/// Does a move give check?
fn gives_check(position: &VariantPosition, mv: Move) -> bool {
    let mut next = *position;
    position.play_board(mv, &mut next);
    next.base.find_checkers().has_any()
}

/// Has the side to move a legal king move to the goal?
fn reaches_goal(position: &VariantPosition) -> bool {
    RacingKings::visit_moves(position, &mut |mv| mv.role() == Role::King && GOAL.has(mv.target()))
}
