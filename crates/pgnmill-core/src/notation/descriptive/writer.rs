//! The writer of descriptive texts: the first text, in the order of effort, that fits no other legal move.
//!
//! Input: a position and a legal move; output: the text without its check suffix, or only its length. Cost: the other
//! moves that the shortest text fits ([`super::rivals`]), then at most 25 comparisons with each.

use arrayvec::ArrayVec;

use super::parts::{DescribedPiece, Goal};
use super::rivals::visit_rivals;
use crate::chess::{Bitboard, Board, CastlingSide, Move, MoveKind, Position, Role, Square};
use crate::notation::ply::legal_among;
use crate::notation::{Lineage, MoveText};

/// Writes a move without its check suffix.
pub(super) fn write_body(
    position: &impl Board,
    mv: Move,
    lineage: Option<&Lineage>,
    text: &mut MoveText,
) {
    if let Some(side) = mv.castling_side() {
        return text.push_bytes(if side == CastlingSide::Short { b"O-O" } else { b"O-O-O" });
    }
    let (piece, goal) = piece_and_goal(position, mv, lineage);
    let (piece_effort, goal_effort) = least_effort(position, mv, &piece, &goal);
    piece.write(piece_effort, position.turn(), text);
    goal.write(goal_effort, position.turn(), text);
    if let Some(role) = mv.promoted() {
        text.push(b'=');
        text.push(role.letter());
    }
    if mv.kind() == MoveKind::EnPassant {
        text.push_bytes(b"e.p.");
    }
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
