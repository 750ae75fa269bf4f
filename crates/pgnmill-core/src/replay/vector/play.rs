//! Phase B: decoded moves are played on the board, and each is checked to be legal and canonical.
//!
//! In: [`Moves`] and a [`Board`]. Out: how many of them are legal moves with canonical texts; the board after them; for
//! `KEEP` the boards before them (`record.rs`).
//! The first that is not, or that is not read here, ends the play: the general loop continues before it.
//!
//! A plain move, nine of ten: exactly one piece of the kind comes to the target, the target is empty or has a
//! piece of the other side as the text has it, and the own king is not attacked afterwards. All else is rare and
//! elsewhere (`special.rs`, `checks.rs`).
//!
//! Cost: the board depends on the board before by two permutations, the borrow and a masked move;
//! texts, legality and checks are beside that chain.

use pgnmill_simd::Wide;

use crate::chess::Color;

use super::board::{Board, arriving, bit};
use super::checks::Checked;
use super::moves::{MARKED, Moves, SPECIAL, TAKES};
use super::record::{NOTHING, Record};
use super::special::Special;
use super::tables::{KING, TABLES, Tables};

/// Plays moves from `first` on, up to but not including `end`, by turns; `turn` is the side that moves first. Returns
/// the index at which it stopped; then the board is of no use unless that is `end`.
#[inline(always)]
pub(super) fn play<W: Wide, const KEEP: u8>(
    board: &mut Board<W>,
    moves: &mut Moves,
    record: &mut Record,
    first: usize,
    end: usize,
    turn: Color,
) -> usize {
    // The compiler shall not know the address: then one register is enough for all tables.
    let tables: &Tables = std::hint::black_box(&TABLES);
    // By value, so that it stays in registers.
    let mut current = *board;
    let mut index = first;
    if turn == Color::Black && index < end {
        if !ply::<W, 1, KEEP>(&mut current, moves, record, index, tables) {
            return index;
        }
        index += 1;
    }
    while index + 2 <= end {
        if !ply::<W, 0, KEEP>(&mut current, moves, record, index, tables) {
            return index;
        }
        if !ply::<W, 1, KEEP>(&mut current, moves, record, index + 1, tables) {
            return index + 1;
        }
        index += 2;
    }
    if index < end {
        if !ply::<W, 0, KEEP>(&mut current, moves, record, index, tables) {
            return index;
        }
        index += 1;
    }
    *board = current;
    index
}

/// One ply of side `US`; returns whether it is legal and its text canonical.
#[inline(always)]
fn ply<W: Wide, const US: usize, const KEEP: u8>(
    board: &mut Board<W>,
    moves: &mut Moves,
    record: &mut Record,
    index: usize,
    tables: &Tables,
) -> bool {
    let them = 1 - US;
    let target = usize::from(moves.target.at(index)) & 63;
    let flags = moves.kind.at(index);
    if flags & SPECIAL == 0 {
        let kind = &tables.kinds[US][usize::from(flags & 15)];
        let square = &tables.squares[target];
        let around = W::permute(board.pieces, W::load(&square.rays.0));
        let mover = W::permute(arriving::<W>(around, kind), W::load(&square.lanes.0));
        let (from, to) = (W::intersect(mover, mover), bit(target));
        let takes = u64::from((flags / TAKES) & 1) << target;
        let (ours, theirs) = (board.sides[US], board.sides[them]);
        let wrong = (ours | (theirs ^ takes)) & to;
        if KEEP != NOTHING {
            record.keep::<W, KEEP>(index, board, US);
            record.keep_origin::<KEEP>(index, from);
        }
        if from.count_ones() == 1 && wrong == 0 {
            // `mover` is 1 at the origin: minus that is all ones there.
            let gone = W::sub(W::fill(0), mover);
            let placed = W::replace(board.pieces, to, W::load(&kind.code.0));
            board.pieces = W::and_not(placed, gone);
            board.sides[US] = ours ^ (from | to);
            board.sides[them] = theirs & !to;
            board.touched |= from | to;
            board.last = from | to;
            let is_king = flags & 15 == KING;
            board.kings[US] = if is_king { target } else { board.kings[US] };
            if board.attackers(board.kings[US], them, tables) != 0 {
                return false;
            }
            let check = board.attackers(board.kings[them], US, tables);
            if flags & MARKED != 0 || check != 0 {
                let board = *board;
                let mark = moves.mark.at(index);
                return W::apart(Checked::<W, US> { board: &board, check, mark, tables });
            }
            return true;
        }
    }
    let mut copy = *board;
    let legal = W::apart(Special::<W, US, KEEP> { board: &mut copy, moves, record, index, tables });
    *board = copy;
    legal
}
