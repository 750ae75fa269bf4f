//! The shapes of plies from their texts and from what was kept of them, 64 at a time.
//!
//! In: the [`Moves`] of a stretch, which are legal and canonical, and their [`Candidates`]. Out: the two bytes of each
//! [`Shape`](crate::notation::Shape), as its page describes them. Invariant: what a canonical text contains of the
//! origin is SAN's disambiguation, and its suffix is the check; castling is that of the standard's squares, where no
//! other rook can be on the h side. Cost: some fifty operations for 64 plies.

use pgnmill_simd::Wide;

use crate::notation::shape_bytes as bytes;

use super::found::Candidates;
use super::moves::{Moves, TAKES};
use super::record::Record;
use super::tables::{KING, PAWN};
use super::text::KINDS;

/// Sets [`Candidates::shapes`] of the first `plies` plies. Those of odd plies have no meaning.
#[inline(always)]
pub(super) fn set_shapes<W: Wide>(
    moves: &Moves,
    record: &Record,
    candidates: &mut Candidates,
    plies: usize,
) {
    let mut index = 0;
    while index < plies {
        let (low, high) = shapes_from::<W>(moves, record, candidates, index);
        W::store_first(low, 64, candidates.shapes[0].window(index));
        W::store_first(high, 64, candidates.shapes[1].window(index));
        index += 64;
    }
}

/// The lower and the upper bytes of the shapes of 64 plies.
#[inline(always)]
fn shapes_from<W: Wide>(
    moves: &Moves,
    record: &Record,
    candidates: &Candidates,
    index: usize,
) -> (W::Bytes, W::Bytes) {
    let (zero, one) = (W::fill(0), W::fill(1));
    let first = W::load(moves.first.chunk(index));
    let length = W::load(moves.bytes.chunk(index));
    let mark = W::load(moves.mark.chunk(index));
    let kind = W::permute(W::load(&KINDS), first);
    let (pawn, castling) = (W::equal(kind, W::fill(PAWN)), W::equal(first, W::fill(b'O')));
    let role = W::replace(W::replace(kind, pawn, zero), castling, W::fill(KING));
    let takes = W::intersect(W::load(moves.kind.chunk(index)), W::fill(TAKES)) & !castling;
    let taken = W::and(W::load(candidates.taken.chunk(index)), W::fill(7));
    let takes_pawn = takes & W::equal(taken, W::fill(PAWN));
    let takes_piece = takes & !takes_pawn;
    let differ = W::xor(W::load(record.squares.chunk(index)), W::load(moves.target.chunk(index)));
    let oblique = W::intersect(differ, W::fill(7)) & W::intersect(differ, W::fill(0x38));
    let double = W::equal(differ, W::fill(16));
    // Of a piece; the length is three bytes without disambiguation and capture.
    let written = W::sub(length, W::replace(W::fill(3), takes, W::fill(4)));
    let hint =
        W::replace(W::load(moves.ends[2].chunk(index)), takes, W::load(moves.ends[3].chunk(index)));
    let by_rank = !W::at_least(hint, W::fill(b'a'));
    let (single, both) = (W::equal(written, one), W::equal(written, W::fill(2)));

    let mut low = W::replace(zero, W::equal(mark, W::fill(b'+')), W::fill(bytes::CHECK));
    low = W::replace(low, W::equal(mark, W::fill(b'#')), W::fill(bytes::MATE));
    let add = [
        (single & !by_rank & !pawn & !castling, bytes::FILE),
        (single & by_rank & !pawn & !castling, bytes::RANK),
        (both & !pawn & !castling, bytes::SQUARE),
        (pawn & double & !takes, bytes::DOUBLE_STEP),
        (pawn & takes_pawn, bytes::PAWN_TAKES_PAWN),
        (pawn & takes_piece, bytes::PAWN_TAKES_PIECE),
        (oblique & !pawn & !castling, bytes::OBLIQUE),
        (takes_pawn & !pawn, bytes::TAKES_PAWN),
        (takes_piece & !pawn, bytes::TAKES_PIECE),
        (castling & W::equal(length, W::fill(3)), bytes::CASTLES_SHORT),
        (castling & W::equal(length, W::fill(5)), bytes::CASTLES_LONG),
    ];
    for (plies, summand) in add {
        low = W::replace(low, plies, W::or(low, W::fill(summand)));
    }
    (low, role)
}
