//! Single plies whose sets of candidates are corrected, or that are read by themselves.
//!
//! In: a ply that `rare_plies.rs` or `candidates.rs` marked. Out: the legal pieces among its candidates, each moved on
//! the board before, or the ply as [`OddPly`], with a position. Cost: one ply in ten; a position for one in two
//! hundred.

use pgnmill_simd::{RareKernel, Wide};

use crate::chess::Color;
use crate::notation::{Check, OddPly, san};

use super::board::{bit, is_safe_after};
use super::found::{Candidates, Source};
use super::moves::{Moves, PLIES_MAX};
use super::rare_plies::seventh;
use super::record::{CANDIDATES, Record};
use super::tables::{BLACK, FILE_A, FROM_LEFT, PAWN, TABLES};

/// Are the sets of a ply wrong because of a pawn: one that can be promoted, or another on the file of one that
/// captures? Then whether the files are enough for its text does not follow from them.
#[inline(always)]
pub(super) fn is_near<W: Wide, const FIND: u8>(
    moves: &Moves,
    record: &Record,
    index: usize,
    side: usize,
) -> bool {
    let own_pawns = W::equal(record.pieces::<W>(index), W::fill(PAWN + BLACK * side as u8));
    let origin = record.origins[index & (PLIES_MAX - 1)];
    let doubled = own_pawns & !origin & FILE_A << (origin.trailing_zeros() & 7);
    let captures = usize::from(moves.kind.at(index) & 15) >= FROM_LEFT;
    let doubled = if FIND == CANDIDATES && captures { doubled } else { 0 };
    own_pawns & seventh(side) | doubled != 0
}

/// A ply that is not as most are: its sets are corrected, or it is read by itself. Returns whether that is possible.
pub(super) struct Single<'a, const FIND: u8> {
    pub(super) candidates: &'a mut Candidates,
    pub(super) moves: &'a Moves,
    pub(super) record: &'a Record,
    pub(super) source: &'a Source<'a>,
    pub(super) index: usize,
    pub(super) is_odd: bool,
    pub(super) is_checked: bool,
}

impl<W: Wide, const FIND: u8> RareKernel<W> for Single<'_, FIND> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Single { candidates, moves, record, source, index, is_odd, is_checked } = self;
        let side = (usize::from(source.first.turn() == Color::Black) + index) & 1;
        let (pieces, entry) = (record.pieces::<W>(index), index & (PLIES_MAX - 1));
        let origin = record.origins[entry];
        if is_odd {
            return candidates.read_odd::<W>(moves, record, source, index);
        }
        if FIND == CANDIDATES {
            let doubtful = match is_checked {
                true => candidates.all[entry] & !origin,
                false => candidates.doubtful[entry],
            };
            let (king, target) = (usize::from(record.kings.at(index)), moves.target.at(index));
            let target = usize::from(target) & 63;
            let illegal = Illegal::<W> { pieces, king, doubtful, target, side };
            candidates.legal[entry] &= !illegal.find();
        }
        true
    }
}

/// Of the pieces in `doubtful`, those whose move to a target is not legal.
struct Illegal<W: Wide> {
    pieces: W::Bytes,
    /// The square of the own king.
    king: usize,
    doubtful: u64,
    target: usize,
    side: usize,
}

impl<W: Wide> Illegal<W> {
    #[inline(always)]
    fn find(self) -> u64 {
        let Illegal { pieces, king, doubtful, target, side } = self;
        let (mut rest, mut illegal) = (doubtful, 0);
        while rest != 0 {
            let from = rest & rest.wrapping_neg();
            let king = if from == bit(king) { target } else { king };
            let is_safe = is_safe_after::<W>(pieces, side, king, [from, bit(target)], &TABLES);
            illegal |= if is_safe { 0 } else { from };
            rest ^= from;
        }
        illegal
    }
}

impl Candidates {
    /// Reads a ply by itself; returns whether that is possible.
    #[inline(always)]
    fn read_odd<W: Wide>(
        &mut self,
        moves: &Moves,
        record: &Record,
        &Source { text, first }: &Source<'_>,
        index: usize,
    ) -> bool {
        let board = record.board::<W>(index, moves, first);
        let before = board.position(first, index as u32, 0);
        let (start, bytes) = moves.span(index);
        let token = text.get(start..start + bytes);
        let Some((mv, _)) = token.and_then(|token| san::read_canonical(token, &before)) else {
            return false;
        };
        let check = match moves.mark.at(index) {
            b'+' => Check::Check,
            b'#' => Check::Mate,
            _ => Check::None,
        };
        self.odd.push(OddPly { index, before, mv, check });
        true
    }
}
