//! What is kept of plies for a visitor that writes texts: origins, targets, the pieces that could arrive.
//!
//! In: the plies as they are played. Out: the arrays of [`LinePlies`](crate::notation::LinePlies), and the texts of
//! plies that do not follow from arrays. Whether anything is kept is a constant of the code, so that validation
//! pays nothing. Cost: two or three stores per ply, beside the chain of boards; a position for one ply in two
//! hundred.

use crate::chess::Position;
use crate::machine::Wide;
use crate::notation::{Check, MoveText, Notation, Ply, san, word_of};

use super::board::{Board, bit, first_of_rays, squares};
use super::moves::{Moves, PLIES_MAX};
use super::tables::{BLACK, PAWN, Tables};

/// Keeps nothing.
pub(super) const NOTHING: u8 = 0;
/// Keeps origins and targets.
pub(super) const ORIGINS: u8 = 1;
/// Keeps the pieces that could arrive, too.
pub(super) const ARRIVALS: u8 = 2;

/// The arrays, by ply.
pub(super) struct Record {
    pub(super) origins: [u64; PLIES_MAX],
    pub(super) arrivals: [u64; PLIES_MAX],
    /// The texts of plies that do not follow from the arrays, as words.
    pub(super) texts: Vec<(usize, u64)>,
}

/// What the text of a single ply is written from.
#[derive(Clone, Copy)]
pub(super) struct Source<'s> {
    /// The text that was decoded.
    pub(super) text: &'s [u8],
    /// The position at its beginning.
    pub(super) first: &'s Position,
    pub(super) to: &'static dyn Notation,
}

/// Where plies are kept, and what their texts are written from; without a source nothing is kept.
pub(super) struct Keeper<'k> {
    pub(super) record: &'k mut Record,
    pub(super) source: Option<Source<'k>>,
}

impl Record {
    pub(super) fn new() -> Box<Record> {
        Box::new(Record { origins: [0; PLIES_MAX], arrivals: [0; PLIES_MAX], texts: Vec::new() })
    }

    /// Keeps a ply.
    #[inline(always)]
    pub(super) fn keep(&mut self, index: usize, origin: u64, arrivals: u64) {
        self.origins[index & (PLIES_MAX - 1)] = origin;
        self.arrivals[index & (PLIES_MAX - 1)] = arrivals;
    }

    /// Keeps the text of a canonical move, of which `before` is the board; returns whether it has one.
    #[inline(always)]
    pub(super) fn keep_text<W: Wide>(
        &mut self,
        index: usize,
        before: &Board<W>,
        moves: &Moves,
        source: &Source<'_>,
    ) -> bool {
        let position = before.position(source.first, index as u32, 0);
        let (start, bytes) = moves.span(index);
        let token = source.text.get(start..start + bytes);
        let Some((mv, _)) = token.and_then(|token| san::read_canonical(token, &position)) else {
            return false;
        };
        let after = position.play(mv);
        let mut text = MoveText::default();
        source.to.encode(&Ply::new(&position, mv, &after, Check::None), &mut text);
        let Some(word) = word_of(&text) else { return false };
        self.texts.push((index, word));
        self.keep(index, 1, 1);
        true
    }
}

/// The pieces of a side, no heavier than `role` (the code of a piece), that could arrive on a square, by the
/// contents of its lanes. `class`: see [`Tables::rivals`].
#[inline(always)]
pub(super) fn arrivals<W: Wide>(
    around: W::Bytes,
    side: usize,
    role: u8,
    class: usize,
    square: usize,
    tables: &Tables,
) -> u64 {
    let pieces = W::look_up(W::load(&tables.roles[side & 1].0), around);
    let rivals = W::load(&tables.rivals[side & 1][usize::from(role) & 7][class & 3].0);
    squares::<W>(W::and(first_of_rays::<W>(pieces), rivals), square, tables)
}

/// The targets on which another piece than those that the lanes show could arrive: the square that a pawn has just
/// passed over, and all squares where a pawn can be promoted, since a promotion is written by another square.
#[inline(always)]
pub(super) fn odd_targets<W: Wide>(board: &Board<W>, side: usize) -> u64 {
    (board.last << 8 & board.last >> 8) | board.promoting[side & 1]
}

/// All ones if a pawn of the side is on its seventh rank.
#[inline(always)]
pub(super) fn promoting<W: Wide>(board: &Board<W>, side: usize) -> u64 {
    let pawns = W::equal(board.pieces, W::fill(PAWN + BLACK * side as u8));
    if pawns & seventh(side) != 0 { u64::MAX } else { 0 }
}

/// The seventh rank of a side.
#[inline(always)]
pub(super) const fn seventh(side: usize) -> u64 {
    if side == 0 { 0xff << 48 } else { 0xff << 8 }
}

/// The class of a target: 2 if it is captured on, 1 if a pawn's double step reaches it, 0 otherwise.
#[inline(always)]
pub(super) fn class_of(target: usize, takes: bool, side: usize) -> usize {
    if takes { 2 } else { usize::from(target >> 3 == 3 + side) }
}

/// Keeps castling: the king's origin, and the square that the text names.
#[inline(always)]
pub(super) fn keep_castling<const KEEP: u8>(
    record: &mut Record,
    moves: &mut Moves,
    index: usize,
    king: usize,
    [king_target, rook]: [usize; 2],
) {
    moves.target.set(index, if KEEP == ARRIVALS { rook } else { king_target } as u8);
    record.keep(index, bit(king), bit(king));
}
