//! Check suffixes: `+` where a move gives check, `#` where it mates, none elsewhere.
//!
//! In: the board after a move, the lanes around the king from which it is attacked, and the byte after the body of the
//! text. Out: whether that byte is right. Cost: one ply in twenty; up to eight attacks on squares around the king, and
//! the squares between king and attacker.

use pgnmill_simd::{RareKernel, Wide};

use super::board::{Board, arriving, bit, squares};
use super::tables::{
    BISHOP, FROM_LEFT, FROM_RIGHT, KNIGHT, QUEEN, ROOK, STEP, STEP_OR_TWO, Tables,
};

/// Is the check suffix of a move of side `US` right?
pub(super) struct Checked<'b, W: Wide, const US: usize> {
    /// The board after the move.
    pub(super) board: &'b Board<W>,
    /// The lanes of the other king from which it is attacked.
    pub(super) check: u64,
    /// The byte after the body of the text.
    pub(super) mark: u8,
    pub(super) tables: &'b Tables,
}

impl<W: Wide, const US: usize> RareKernel<W> for Checked<'_, W, US> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Checked { board, check, mark, tables } = self;
        match mark {
            0..=b' ' | b'!' | b'?' => check == 0,
            b'+' => check != 0 && can_answer(board, 1 - US, check, tables),
            b'#' => check != 0 && !can_answer(board, 1 - US, check, tables),
            _ => false,
        }
    }
}

/// Has a side that is in check a legal move? `check`: the lanes of its king from which it is attacked.
#[inline(always)]
fn can_answer<W: Wide>(board: &Board<W>, side: usize, check: u64, tables: &Tables) -> bool {
    let king = board.kings[side & 1] & 63;
    let rays = &tables.squares[king].rays.0;
    let mut after = *board;
    let mut group = 0;
    while group < 8 {
        let target = usize::from(rays[8 * group]);
        if target != king && board.sides[side & 1] & bit(target) == 0 {
            // The king hides no square behind itself, and what it captures attacks nothing: lanes that are no square
            // contain the target.
            after.pieces = W::replace(board.pieces, bit(king) | bit(target), W::fill(0));
            if after.attackers(target, 1 - side, tables) == 0 {
                return true;
            }
        }
        group += 1;
    }
    // In double check only the king can move.
    if check & (check - 1) != 0 {
        return false;
    }
    let lane = check.trailing_zeros() as usize & 63;
    let attacker = usize::from(rays[lane]);
    let first = if lane % 8 == 7 { lane } else { lane & !7 };
    let mut between = first;
    while between <= lane {
        let target = usize::from(rays[between & 63]);
        if reaches(board, side, target, target == attacker, tables) {
            return true;
        }
        between += 1;
    }
    takes_en_passant(board, side, attacker, tables)
}

/// Can a piece other than the king legally go to a square, which is empty or, if `takes`, has an attacker?
#[inline(always)]
fn reaches<W: Wide>(
    board: &Board<W>,
    side: usize,
    target: usize,
    takes: bool,
    tables: &Tables,
) -> bool {
    let kinds = &tables.kinds[side & 1];
    let around = board.around(target, tables);
    let mut lanes = W::fill(0);
    for role in [KNIGHT, BISHOP, ROOK, QUEEN] {
        lanes = W::or(lanes, arriving::<W>(around, &kinds[usize::from(role)]));
    }
    if takes {
        lanes = W::or(lanes, arriving::<W>(around, &kinds[FROM_LEFT]));
        lanes = W::or(lanes, arriving::<W>(around, &kinds[FROM_RIGHT]));
    } else {
        // Two steps lead to the fourth rank.
        let kind = if target >> 3 == 3 + side { STEP_OR_TWO } else { STEP };
        lanes = W::or(lanes, arriving::<W>(around, &kinds[kind]));
    }
    let mut pieces = squares::<W>(lanes, target, tables);
    while pieces != 0 {
        let from = pieces & pieces.wrapping_neg();
        if board.is_safe_after(side, from, bit(target), 0, tables) {
            return true;
        }
        pieces ^= from;
    }
    false
}

/// Can a pawn capture the attacker, a pawn, en passant?
#[inline(always)]
fn takes_en_passant<W: Wide>(
    board: &Board<W>,
    side: usize,
    attacker: usize,
    tables: &Tables,
) -> bool {
    let Some((square, pawn)) = board.passed(1 - side) else { return false };
    if pawn != bit(attacker) {
        return false;
    }
    for kind in [FROM_LEFT, FROM_RIGHT] {
        let from = board.origins(square.index(), &tables.kinds[side & 1][kind], tables);
        if from != 0 && board.is_safe_after(side, from, bit(square.index()), pawn, tables) {
            return true;
        }
    }
    false
}
