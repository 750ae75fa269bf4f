//! The rank of a move among the legal ones, by an estimate of their worth: the order of a simple code for moves.
//!
//! Input: a position and a legal move; output: how many moves are legal and how many of them come before it. The order
//! needs no openings and no earlier moves; it is cheap and documented, so that a decoder can compute it too:
//!
//! * the value of a piece is 1 (pawn), 3 (knight, bishop), 5 (rook), 9 (queen), 20 (king);
//! * its loss on a square that the other side attacks is this value, less that of the lightest attacker if its own side
//!   also attacks the square, and never less than 0;
//! * the worth of a move is sixteen times (the captured value, plus the value of the promoted piece less a pawn, plus
//!   the loss on the origin, less the loss on the target square), plus the difference in distance from the edge (0 on
//!   an edge to 6 in the middle; for a king negated while there are queens); that of castling is 4 plus this
//!   difference;
//! * moves of equal worth keep the order of [`Position::legal_moves`].
//!
//! Cost: some thousand instructions per ply.

use crate::chess::{Bitboard, Color, Move, Position, Role, Square};

/// The rank of a move among the legal ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rank {
    /// How many moves are legal.
    pub legal: usize,
    /// How many of them come before it.
    pub before: usize,
}

/// The rank of a legal move.
pub fn rank(position: &Position, mv: Move) -> Rank {
    let moves = position.legal_moves();
    let (own, mut before, mut passed) = (worth(position, mv), 0, false);
    for &other in &moves {
        if other == mv {
            passed = true;
            continue;
        }
        let worth = worth(position, other);
        before += usize::from(worth > own || worth == own && !passed);
    }
    Rank { legal: moves.len(), before }
}

const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 20,
    }
}

/// The estimated worth of a legal move, in sixteenths of a pawn.
pub(super) fn worth(position: &Position, mv: Move) -> i32 {
    let (role, origin, arrival) = (mv.role(), mv.origin(), mv.arrival());
    let queens = position.role(Role::Queen).has_any();
    let nearer = middle(arrival) - middle(origin);
    let nearer = if role == Role::King && queens { -nearer } else { nearer };
    if mv.castling_side().is_some() {
        return nearer + 4;
    }
    let occupied = position.occupied();
    let left = occupied & !Bitboard::of(origin);
    let taken = position.captured_role(mv).map_or(0, value);
    let promoted = mv.promoted().map_or(0, |role| value(role) - 1);
    let loss_before = if role == Role::King { 0 } else { loss(position, origin, role, occupied) };
    let loss_after = loss(position, arrival, mv.arriving_role(), left);
    16 * (taken + promoted + loss_before - loss_after) + nearer
}

/// The loss of a piece of the side to move on a square.
fn loss(position: &Position, square: Square, role: Role, occupied: Bitboard) -> i32 {
    let us = position.turn();
    let attackers = attackers_of(position, square, us.other(), occupied);
    let Some(lightest) = Role::ALL.into_iter().find(|&r| (attackers & position.role(r)).has_any())
    else {
        return 0;
    };
    let protected =
        (attackers_of(position, square, us, occupied) & !Bitboard::of(square)).has_any();
    (value(role) - if protected { value(lightest) } else { 0 }).max(0)
}

fn attackers_of(position: &Position, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
    position.attackers(square, color, occupied) & occupied
}

fn middle(square: Square) -> i32 {
    let from_edge = |index: u8| i32::from(index.min(7 - index));
    from_edge(square.file()) + from_edge(square.rank())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_a_position_are_all_different() {
        let fens: [&[u8]; 4] = [
            b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            b"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            b"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            b"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ];
        for fen in fens {
            let (position, _) = Position::from_fen(fen).unwrap();
            let moves = position.legal_moves();
            let mut ranks: Vec<usize> =
                moves.iter().map(|&mv| rank(&position, mv).before).collect();
            ranks.sort_unstable();
            assert_eq!(ranks, (0..moves.len()).collect::<Vec<_>>());
        }
    }

    /// The capture of an unprotected queen is the first move.
    #[test]
    fn what_wins_most_comes_first() {
        let (position, _) = Position::from_fen(b"4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1").unwrap();
        let takes = position.legal_moves().into_iter().find(|&mv| position.is_capture(mv)).unwrap();
        assert_eq!(rank(&position, takes).before, 0);
    }
}
