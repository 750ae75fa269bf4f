//! Crazyhouse: captured pieces change sides and can be dropped (`variants.md`, 4.1).

use super::kind::VariantKind;
use super::variant::{Variant, visit_steps};
use super::variant_position::VariantPosition;
use crate::chess::{Bitboard, Color, Move, Role, between};

/// The rules of Crazyhouse.
#[derive(Clone, Copy, Debug)]
pub struct Crazyhouse;

/// The roles that a pocket can hold.
const POCKET: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl Variant for Crazyhouse {
    const KIND: VariantKind = VariantKind::Crazyhouse;
    const HAS_POCKETS: bool = true;

    fn visit_pseudo(position: &VariantPosition, visit: &mut impl FnMut(Move) -> bool) -> bool {
        visit_steps::<Self>(position, visit) || visit_drops(position, visit)
    }

    /// A drop is legal anywhere, or, in check, between the king and the one piece that gives it.
    fn is_legal(position: &VariantPosition, mv: Move) -> bool {
        if !mv.is_drop() {
            return position.base.is_safe(mv);
        }
        let checkers = position.checkers();
        let blocks =
            |checker| between(position.base.king(position.turn()), checker).has(mv.target());
        checkers.is_empty() || checkers.single().is_some_and(blocks)
    }

    fn finish(before: &VariantPosition, mv: Move, next: &mut VariantPosition) {
        let us = before.turn().index();
        if mv.is_drop() {
            next.pockets[us][mv.role().index()] -= 1;
            return;
        }
        let (origin, target) = (Bitboard::of(mv.origin()), Bitboard::of(mv.target()));
        if let Some(square) = before.base.captured_square(mv)
            && let Some(role) = before.base.role_at(square)
        {
            let role = if before.promoted.has(square) { Role::Pawn } else { role };
            if let Some(count) = next.pockets[us].get_mut(role.index()) {
                *count += 1;
            }
        }
        let stays_promoted = (before.promoted & origin).has_any() || mv.promoted().is_some();
        next.promoted = before.promoted & !origin & !target;
        if stays_promoted {
            next.promoted |= target;
        }
    }
}

/// The drops on empty squares.
fn visit_drops(position: &VariantPosition, visit: &mut impl FnMut(Move) -> bool) -> bool {
    let (color, squares) = (position.turn(), !position.base.occupied());
    POCKET.into_iter().filter(|&role| position.in_pocket(color, role) > 0).any(|role| {
        let mut squares = squares_for(role, squares);
        squares.any(|square| visit(Move::drop(role, square)))
    })
}

/// The squares of a set on which a role may be dropped.
fn squares_for(role: Role, squares: Bitboard) -> Bitboard {
    if role == Role::Pawn { squares & !Bitboard::BACK_RANKS } else { squares }
}

/// Both pockets together hold at most all pieces of a game. `variants.md` counts those on the board, too, but some of
/// its vectors have more.
pub(super) const PIECES_MAX: u32 = 32;

/// The pieces of both pockets.
pub(super) fn pocket_pieces(position: &VariantPosition) -> u32 {
    let counts =
        |color: Color| position.pockets[color.index()].iter().map(|&count| u32::from(count));
    counts(Color::White).chain(counts(Color::Black)).sum()
}
