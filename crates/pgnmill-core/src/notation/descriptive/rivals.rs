//! The other moves that the shortest text of a move fits.
//!
//! Input: a move and the goal that its text names. Output: the other legal moves of pieces of that role to a square of
//! the same short name, or that capture a piece of the same role. Cost: one lookup of the attackers of the square's
//! twin, or the attacks of each piece of the role; nothing is listed.

use crate::chess::{
    Bitboard, Board, Color, Move, MoveKind, Role, Square, bishop_attacks, king_attacks,
    knight_attacks, pawn_attacks, rook_attacks,
};

use super::parts::{Goal, twins};

/// Visits the other legal moves that the shortest text of `mv` fits, too: origin, and the square that names the goal.
/// `same` are the other pieces of the role that could make the same move.
#[inline(always)]
pub(super) fn visit_rivals(
    position: &impl Board,
    mv: Move,
    goal: &Goal,
    same: Bitboard,
    mut visit: impl FnMut(Square, Square),
) {
    let (role, origin, target) = (mv.role(), mv.origin(), mv.target());
    let here = Bitboard::of(target);
    same.into_iter().for_each(|piece| visit(piece, target));
    let mut offer = |other: Move, goal: Square| {
        if position.is_legal(other) {
            visit(other.origin(), goal);
        }
    };
    let normal = |origin, target| match mv.promoted() {
        Some(to) => Move::promotion(origin, target, to),
        None => Move::normal(role, origin, target),
    };
    match goal {
        Goal::Square(square) if role == Role::Pawn => {
            // Onto the square itself no other pawn can advance.
            for twin in twins(*square) & !here {
                if let Some(pawn) = position.pawn_advancing_to(twin) {
                    offer(normal(pawn, twin), twin);
                }
            }
        }
        Goal::Square(square) => {
            for twin in twins(*square) & !here & !position.occupied() {
                for piece in position.own_attackers(role, twin) {
                    offer(normal(piece, twin), twin);
                }
            }
        }
        Goal::Victim(victim) if mv.kind() == MoveKind::EnPassant => {
            for piece in position.own_attackers(role, target) & !Bitboard::of(origin) {
                offer(Move::en_passant(piece, target), victim.square);
            }
        }
        Goal::Victim(victim) => {
            let mut victims = position.them() & position.role(victim.role);
            if role == Role::Pawn {
                let last = Bitboard::BACK_RANKS;
                victims &= if mv.promoted().is_some() { last } else { !last };
            } else {
                victims &= !here;
            }
            if victims.is_empty() {
                return;
            }
            let occupied = position.occupied();
            for piece in position.ours(role) {
                for taken in attacks(position.turn(), role, piece, occupied) & victims {
                    if piece != origin || taken != target {
                        offer(normal(piece, taken), taken);
                    }
                }
            }
        }
    }
}

/// The squares that a piece attacks.
#[inline(always)]
fn attacks(turn: Color, role: Role, piece: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn_attacks(turn, piece),
        Role::Knight => knight_attacks(piece),
        Role::Bishop => bishop_attacks(piece, occupied),
        Role::Rook => rook_attacks(piece, occupied),
        Role::Queen => rook_attacks(piece, occupied) | bishop_attacks(piece, occupied),
        Role::King => king_attacks(piece),
    }
}
