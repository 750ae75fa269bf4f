//! The writer of descriptive texts: the first text, in the order of effort, that fits no other legal move.
//!
//! Input: a position, a legal move and a language; output: the text without its check suffix, or only its length. The
//! rivals of a move are the other legal moves of pieces of that role to a square of the same short name, or that
//! capture a piece of the same role. Cost: one lookup of the attackers of the square's twin, or the attacks of each
//! piece of the role; then at most 25 comparisons with each rival.
//!
//! A drop is the piece, `@` and the square: `N@KB3`, `P@K4`; the short name of the square (`N@B3`) where no other
//! legal drop of that piece fits it. Source: `variants.md`, section 6. A dropped piece has no wing.

use arrayvec::ArrayVec;

use super::lettering::Lettering;
use super::parts::{DescribedPiece, Goal, push_square, twins};
use crate::chess::{
    Bitboard, Board, CastlingSide, Color, Move, MoveKind, Position, Role, Square, bishop_attacks,
    king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};
use crate::notation::drops::AT;
use crate::notation::ply::legal_among;
use crate::notation::{Lineage, MoveText};

/// Writes a move without its check suffix. With a `lineage` pieces may be named by their wings.
pub(super) fn write<B: Board>(
    position: &B,
    mv: Move,
    lineage: Option<&Lineage>,
    lettering: &Lettering,
    text: &mut MoveText,
) {
    if !B::IS_STANDARD && mv.is_drop() {
        return write_drop(position, mv, lettering, text);
    }
    if let Some(side) = mv.castling_side() {
        return text.push_bytes(if side == CastlingSide::Short { b"O-O" } else { b"O-O-O" });
    }
    let (piece, goal) = piece_and_goal(position, mv, lineage);
    let (piece_effort, goal_effort) = least_effort(position, mv, &piece, &goal);
    piece.write(piece_effort, position.turn(), lettering, text);
    goal.write(goal_effort, position.turn(), lettering, text);
    if let Some(role) = mv.promoted() {
        text.push(b'=');
        text.push(lettering.letter(role));
    }
    if mv.kind() == MoveKind::EnPassant {
        text.push_bytes(lettering.en_passant);
    }
}

fn write_drop(position: &impl Board, mv: Move, lettering: &Lettering, text: &mut MoveText) {
    let (role, square) = (mv.role(), mv.target());
    let mut others = (twins(square) & !Bitboard::of(square)).into_iter();
    let is_rivalled = others.any(|other| position.drop_of(role, other).is_some());
    text.push(lettering.letter(role));
    text.push(AT);
    push_square(square, position.turn(), is_rivalled, lettering, text);
}

#[inline(always)]
fn piece_and_goal(
    position: &impl Board,
    mv: Move,
    lineage: Option<&Lineage>,
) -> (DescribedPiece, Goal) {
    let piece = DescribedPiece::new(position, mv.origin(), mv.role(), lineage);
    let goal = match position.captured_square(mv).and_then(|at| Some((at, position.role_at(at)?))) {
        Some((square, role)) => Goal::Victim(DescribedPiece::new(position, square, role, lineage)),
        None => Goal::Square(mv.target()),
    };
    (piece, goal)
}

/// Rivals, each as an origin and the square that names the goal.
type Rivals = ArrayVec<(Square, Square), 512>;

/// The efforts for piece and goal of the first text that fits no rival.
fn least_effort(position: &impl Board, mv: Move, piece: &DescribedPiece, goal: &Goal) -> (u8, u8) {
    let same = match mv.role() {
        Role::Pawn => Bitboard::EMPTY,
        role => {
            let others = position.own_attackers(role, mv.target()) & !Bitboard::of(mv.origin());
            legal_among(position, role, others, mv.target())
        }
    };
    let mut rivals = Rivals::new();
    visit_rivals(position, mv, goal, same, |origin, goal| rivals.push((origin, goal)));
    if rivals.is_empty() { (0, 0) } else { effort_among(&rivals, piece, goal) }
}

fn effort_among(rivals: &[(Square, Square)], piece: &DescribedPiece, goal: &Goal) -> (u8, u8) {
    for effort in 1..=8u8 {
        for goal_effort in (0..=effort.min(4)).rev() {
            let (Some(origins), Some(goals)) =
                (piece.squares(effort - goal_effort), goal.squares(goal_effort))
            else {
                continue;
            };
            if !rivals.iter().any(|rival| origins.has(rival.0) && goals.has(rival.1)) {
                return (effort - goal_effort, goal_effort);
            }
        }
    }
    // Both squares in full: no two moves have the same, except en passant, which has a suffix of its own.
    (4, if matches!(goal, Goal::Square(_)) { 1 } else { 4 })
}

/// The lengths of the texts of a move that does not castle, without check suffixes: without wings, and with them where
/// the history is known. `legal_rivals` are those of [`super::super::Facts`].
#[inline(always)]
pub(in crate::notation) fn lengths(
    position: &Position,
    mv: Move,
    legal_rivals: Bitboard,
    lineage: Option<&Lineage>,
) -> [u8; 2] {
    let (piece, goal) = piece_and_goal(position, mv, None);
    let same = match mv.role() {
        Role::Pawn => Bitboard::EMPTY,
        role => legal_rivals & position.role(role),
    };
    let mut rivals = Rivals::new();
    visit_rivals(position, mv, &goal, same, |origin, goal| rivals.push((origin, goal)));
    let ending =
        2 * u8::from(mv.promoted().is_some()) + 4 * u8::from(mv.kind() == MoveKind::EnPassant);
    if rivals.is_empty() {
        return [piece.length(0) + goal.length(0) + ending; 2];
    }
    let length = |(piece, goal): (DescribedPiece, Goal)| {
        let (piece_effort, goal_effort) = effort_among(&rivals, &piece, &goal);
        piece.length(piece_effort) + goal.length(goal_effort) + ending
    };
    let plain = length((piece, goal));
    match lineage {
        None => [plain; 2],
        Some(_) => [plain, length(piece_and_goal(position, mv, lineage))],
    }
}

/// Visits the other legal moves that the shortest text of `mv` fits, too: origin, and the square that names the goal.
/// `same` are the other pieces of the role that could make the same move.
#[inline(always)]
fn visit_rivals(
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
