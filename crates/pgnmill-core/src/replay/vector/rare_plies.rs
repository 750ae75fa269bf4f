//! Which plies of a stretch are not as most are, 64 at a time.
//!
//! In: the [`Moves`] that were played, and their [`Record`]. Out: one bit per ply ([`Rare`]): castling, plies that
//! arrays do not describe, plies near a pawn that changes which pieces could arrive, plies in check. Invariant: a ply
//! without a bit is described by what `candidates.rs` found. Cost: some forty operations for 64 plies.

use pgnmill_simd::Wide;

use crate::chess::Position;

use super::board::Board;
use super::moves::{Moves, SPECIAL};
use super::record::{ARRIVALS, CANDIDATES, Record};
use super::tables::{BLACK, FROM_LEFT, PAWN};
use super::text::{IOTA, SECOND_BITS};

/// The seventh rank of a side.
#[inline(always)]
pub(super) const fn seventh(side: usize) -> u64 {
    if side == 0 { 0xff << 48 } else { 0xff << 8 }
}

/// What the 64 plies before left.
pub(super) struct Before {
    /// By side: may it have a pawn on its seventh rank?
    sevenths: [bool; 2],
    /// Twice the square that a pawn has just passed over; an odd number if there is none.
    passed: u8,
    /// Is the side to move in check?
    is_check: bool,
}

impl Before {
    #[inline(always)]
    pub(super) fn of<W: Wide>(first: &Position) -> Before {
        let board = Board::<W>::of(first);
        let white = W::equal(board.pieces, W::fill(PAWN)) & seventh(0);
        let black = W::equal(board.pieces, W::fill(PAWN + BLACK)) & seventh(1);
        let passed = first.en_passant_square().map_or(1, |square| 2 * square.index() as u8);
        Before { sevenths: [white != 0, black != 0], passed, is_check: first.in_check() }
    }

    /// Of the plies of a side, those after one of them in which a pawn reaches the seventh rank.
    #[inline(always)]
    fn near(&mut self, side: usize, plies: u64, reach: u64) -> u64 {
        let reach = plies & reach;
        let after = if reach == 0 { 0 } else { !(reach ^ (reach - 1)) };
        let after = if self.sevenths[side] { u64::MAX } else { after };
        self.sevenths[side] |= reach != 0;
        plies & after
    }
}

/// Which of 64 plies are not as most are.
pub(super) struct Rare {
    pub(super) castling: u64,
    /// The arrays do not describe them.
    pub(super) odd: u64,
    /// The sets may be wrong because of pawns.
    pub(super) near: u64,
    /// The king is attacked before them.
    pub(super) checked: u64,
}

impl Rare {
    #[inline(always)]
    pub(super) fn of<W: Wide, const FIND: u8>(
        moves: &Moves,
        record: &Record,
        index: usize,
        turn: usize,
        before: &mut Before,
    ) -> Rare {
        let kind = W::load(moves.kind.chunk(index));
        let castling = W::equal(W::load(moves.first.chunk(index)), W::fill(b'O'));
        let kinds = W::and(kind, W::fill(15));
        let special = W::intersect(kind, W::fill(SPECIAL));
        let promotions = W::equal(kinds, W::fill(PAWN)) & special;
        if FIND < ARRIVALS {
            return Rare { castling, odd: promotions, near: 0, checked: 0 };
        }
        let target = W::load(moves.target.chunk(index));
        let origin = W::load(record.squares.chunk(index));
        // Of a double step, or what looks like one.
        let double = W::equal(W::xor(origin, target), W::fill(16)) & !castling;
        let passed = W::replace(W::fill(1), double, W::add(origin, target));
        let twice = W::add(target, target);
        let previous = W::replace(
            W::permute(passed, W::sub(W::load(&IOTA), W::fill(1))),
            1,
            W::fill(before.passed),
        );
        let odd = promotions | W::equal(previous, twice);
        let whites = if (turn + index).is_multiple_of(2) { SECOND_BITS } else { !SECOND_BITS };
        let pawns = W::at_least(kinds, W::fill(PAWN)) & !castling;
        let rank = W::and(target, W::fill(0x38));
        let mut near = before.near(0, whites, pawns & W::equal(rank, W::fill(0x30)))
            | before.near(1, !whites, pawns & W::equal(rank, W::fill(0x08)));
        let checks = W::equal(W::load(moves.mark.chunk(index)), W::fill(b'+'));
        let mut checked = 0;
        if FIND == CANDIDATES {
            near |= pawns & W::at_least(kinds, W::fill(FROM_LEFT as u8));
            checked = checks << 1 | u64::from(before.is_check);
        }
        let mut bytes = [0; 64];
        W::store(passed, &mut bytes);
        (before.passed, before.is_check) = (bytes[63], checks >> 63 != 0);
        Rare { castling, odd, near, checked }
    }
}
