//! What phase B keeps of plies for a visitor that takes lines: the board before each, and where its piece was.
//!
//! In: the plies as they are played. Out: their boards and origins, from which `candidates.rs` finds the rest.
//! Invariant: what is kept is of legal moves, once they are found to be. Whether anything is kept is a constant of the
//! code, so that validation pays nothing. Cost: two to four stores per ply, one of them of 64 bytes, beside the chain
//! of boards.

use pgnmill_simd::Wide;

use crate::chess::Position;

use super::board::{Board, bit};
use super::moves::{Column, Moves, PLIES_MAX};
use super::tables::Lanes;

/// What a visitor requires of plies: nothing.
pub(super) const NOTHING: u8 = 0;
/// Origins and targets.
pub(super) const ORIGINS: u8 = 1;
/// The pieces that could arrive, too, no heavier than that which moves.
pub(super) const ARRIVALS: u8 = 2;
/// The heavier ones too, which of all these could arrive legally, and the squares of both sides and of pawns.
pub(super) const CANDIDATES: u8 = 3;

/// One word per ply. A few more, so that the entries of one ply in several arrays are not a power of two apart: they
/// would be in the same set of the cache, which has room for eight.
pub(super) type Words = [u64; PLIES_MAX + 40];
/// No words yet.
pub(super) const NO_WORDS: Words = [0; PLIES_MAX + 40];

/// The plies of a stretch.
pub(super) struct Record {
    /// The pieces before each ply.
    boards: Vec<Lanes>,
    /// The square that the piece leaves, as a bit; of castling, the king.
    pub(super) origins: Words,
    /// The squares by their indices.
    pub(super) squares: Column,
    /// The square of the king of the side that moves, before it does.
    pub(super) kings: Column,
}

impl Record {
    pub(super) fn new() -> Record {
        Record {
            boards: vec![Lanes([0; 64]); PLIES_MAX],
            origins: NO_WORDS,
            squares: Column::new(),
            kings: Column::new(),
        }
    }

    /// Keeps the board before a ply of a side.
    #[inline(always)]
    pub(super) fn keep<W: Wide, const KEEP: u8>(
        &mut self,
        index: usize,
        before: &Board<W>,
        side: usize,
    ) {
        if let Some(lanes) = self.boards.get_mut(index) {
            W::store(before.pieces, &mut lanes.0);
        }
        if KEEP == CANDIDATES {
            self.kings.set(index, before.kings[side & 1] as u8);
        }
    }

    /// Keeps where the piece of a ply was.
    #[inline(always)]
    pub(super) fn keep_origin<const KEEP: u8>(&mut self, index: usize, origin: u64) {
        self.origins[index & (PLIES_MAX - 1)] = origin;
        if KEEP >= ARRIVALS {
            self.squares.set(index, origin.trailing_zeros() as u8);
        }
    }

    /// The pieces before a ply.
    #[inline(always)]
    pub(super) fn pieces<W: Wide>(&self, index: usize) -> W::Bytes {
        W::load(&self.boards[index & (PLIES_MAX - 1)].0)
    }

    /// The piece on a square before a ply.
    #[inline(always)]
    pub(super) fn piece(&self, index: usize, square: usize) -> u8 {
        self.boards[index & (PLIES_MAX - 1)].0[square & 63]
    }

    /// The board before a ply, in a stretch that begins at `first`.
    #[inline(always)]
    pub(super) fn board<W: Wide>(&self, index: usize, moves: &Moves, first: &Position) -> Board<W> {
        let mut board = Board::<W>::of(first);
        if index == 0 {
            return board;
        }
        board.pieces = self.pieces::<W>(index);
        let black = W::at_least(board.pieces, W::fill(super::tables::BLACK));
        board.sides = [W::at_least(board.pieces, W::fill(1)) & !black, black];
        for (index, &origin) in self.origins[..index].iter().enumerate() {
            board.last = origin | bit(usize::from(moves.target.at(index)));
            board.touched |= board.last;
        }
        board
    }
}
