//! The value of a position for the side to move, in hundredths of a pawn: static evaluation, then a search of captures.
//!
//! Enough for games that look like chess: pieces are developed and defended, hanging ones captured, kings castled, pawns
//! advanced in endings and lone kings driven to the edge. There are no plans. Integers only, no tables by square.

use pgnmill_core::chess::{Bitboard, Color, Move, Position, Role, Square};
use pgnmill_core::chess::{bishop_attacks, rook_attacks};

/// The value of mate.
pub(super) const MATE: i32 = 20_000;
/// The depth of the search of captures, in plies.
const DEPTH: u32 = 4;
/// By role, pawn to king.
const MEN: [i32; 6] = [100, 315, 330, 500, 920, 0];
/// Nearness of a file or rank to the middle.
const MIDDLE: [i32; 8] = [0, 1, 2, 3, 3, 2, 1, 0];
/// A pawn's advance, by rank from its own side; more if no pawn can stop it.
const ADVANCE: [i32; 8] = [0, 0, 3, 8, 16, 30, 55, 0];
const PASSED: [i32; 8] = [0, 4, 6, 14, 30, 60, 100, 0];
/// A king's shelter by file, while queens are about.
const SHELTER: [i32; 8] = [12, 24, 20, -14, -8, -16, 26, 14];

/// The value of the position for the side to move after the search of captures; `-MATE` if it is mated.
pub(super) fn worth(position: &Position) -> i32 {
    quiet(position, -2 * MATE, 2 * MATE, DEPTH)
}

fn quiet(position: &Position, mut alpha: i32, beta: i32, depth: u32) -> i32 {
    let in_check = position.in_check();
    if in_check && !position.has_legal_move() {
        return -MATE;
    }
    let standing = counted(position);
    if depth == 0 {
        return standing;
    }
    if !in_check {
        if standing >= beta {
            return standing;
        }
        alpha = alpha.max(standing);
    }
    let mut best = if in_check { -MATE } else { standing };
    let mut moves = position.legal_moves();
    if !in_check {
        moves.retain(|mv| position.is_capture(*mv) || mv.promoted() == Some(Role::Queen));
    }
    moves.sort_by_key(|&mv| (-gain(position, mv), mv.role(), mv.origin(), mv.target()));
    for mv in moves {
        let score = -quiet(&position.play(mv), -beta, -alpha, depth - 1);
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// The order of captures: the most valuable piece by the least valuable first.
fn gain(position: &Position, mv: Move) -> i32 {
    let taken = position.captured_role(mv).map_or(0, |role| MEN[role.index()]);
    let promoted = mv.promoted().map_or(0, |role| MEN[role.index()]);
    8 * (taken + promoted) - MEN[mv.role().index()]
}

/// The static value, for the side to move.
fn counted(position: &Position) -> i32 {
    let us = position.turn();
    let ending = is_ending(position);
    let mut balance = side(position, us, ending) - side(position, us.other(), ending);
    if ending && balance.abs() > 300 {
        let winner = if balance > 0 { us } else { us.other() };
        balance += balance.signum() * hunt(position, winner);
    }
    // There is nothing to win without mating material.
    if balance > 0 && is_bare(position, us) || balance < 0 && is_bare(position, us.other()) {
        balance /= 16;
    }
    balance
}

/// `true` in endings, where kings may leave their shelter.
fn is_ending(position: &Position) -> bool {
    let count = |role: Role| position.role(role).count() as i32;
    9 * count(Role::Queen) + 5 * count(Role::Rook) + 3 * (count(Role::Knight) + count(Role::Bishop))
        <= 26
}

/// `true` without pawns and mating material.
pub(super) fn is_bare(position: &Position, color: Color) -> bool {
    let ours = position.color(color);
    let mating = position.role(Role::Pawn) | position.role(Role::Rook) | position.role(Role::Queen);
    (ours & mating).is_empty() && ours.count() <= 2
}

fn side(position: &Position, color: Color, ending: bool) -> i32 {
    let ours = position.color(color);
    let occupied = position.occupied();
    let mut sum = 0;
    for role in Role::ALL {
        for square in position.role(role) & ours {
            let (file, rank) = (square.file(), color.rank(square.rank()));
            let middle = MIDDLE[file as usize] + MIDDLE[rank as usize];
            let home = i32::from(rank == 0);
            sum += MEN[role.index()]
                + match role {
                    Role::Pawn => pawn(position, color, square, rank),
                    Role::Knight => 7 * middle - 20 - 22 * home,
                    Role::Bishop => {
                        4 * bishop_attacks(square, occupied).count() as i32 - 14 - 22 * home
                    }
                    Role::Rook => 2 * rook_attacks(square, occupied).count() as i32 - 8,
                    Role::Queen => middle - 8 * i32::from(!ending && rank > 3),
                    Role::King if ending => 6 * middle,
                    Role::King => SHELTER[file as usize] - 30 * i32::from(rank),
                };
        }
    }
    let bishops = (position.role(Role::Bishop) & ours).count();
    sum + 25 * i32::from(bishops > 1) + 10 * (position.castling_rooks() & ours).count() as i32
}

fn pawn(position: &Position, color: Color, square: Square, rank: u8) -> i32 {
    let file = square.file();
    let mut lanes = Bitboard::file(file);
    let mut beside = Bitboard::EMPTY;
    for near in [file.wrapping_sub(1), file + 1].into_iter().filter(|&near| near < 8) {
        beside |= Bitboard::file(near);
    }
    lanes |= beside;
    let pawns = position.role(Role::Pawn);
    let stops = (pawns & position.color(color.other()) & lanes)
        .into_iter()
        .any(|other| color.rank(other.rank()) > rank);
    let alone = (pawns & position.color(color) & beside).is_empty();
    let central = if matches!(file, 3 | 4) && (2..5).contains(&rank) { 14 } else { 0 };
    ADVANCE[rank as usize] + central + if stops { 0 } else { PASSED[rank as usize] }
        - 10 * i32::from(alone)
}

/// The distance of the losing king from the middle, and the nearness of the winning king.
fn hunt(position: &Position, winner: Color) -> i32 {
    let (ours, theirs) = (position.king(winner), position.king(winner.other()));
    let middle = MIDDLE[theirs.file() as usize] + MIDDLE[theirs.rank() as usize];
    let apart = ours.file().abs_diff(theirs.file()).max(ours.rank().abs_diff(theirs.rank()));
    12 * (6 - middle) + 8 * (7 - i32::from(apart))
}
