//! The two loops that run for every ply and every written notation: characters are summed, lengths are counted.
//!
//! Their number of rounds is known to the compiler, and so is that no length leaves its histogram: two and three
//! instructions a notation, against seven each where it has to look. That is what this file is for.

use crate::notation::{LENGTHS_COUNT, Length, MOVE_TEXT_BYTES_MAX};

/// How many lengths a histogram has: a power of two, so that a length is brought into bounds without a branch.
pub(super) const LENGTHS: usize = 64;

const _: () = assert!(MOVE_TEXT_BYTES_MAX < LENGTHS);

/// Adds the characters of a ply's texts to the sums of the written notations, which come first in `sums`.
#[inline(always)]
pub(super) fn add_characters(sums: &mut [u64], lengths: &[Length; LENGTHS_COUNT]) {
    if let Some(sums) = sums.first_chunk_mut::<LENGTHS_COUNT>() {
        for (sum, length) in sums.iter_mut().zip(lengths) {
            *sum += u64::from(length.characters);
        }
    }
}

/// Counts the lengths of a ply's texts: a histogram of [`LENGTHS`] a written notation.
#[inline(always)]
pub(super) fn count_lengths(counts: &mut [u64], lengths: &[Length; LENGTHS_COUNT]) {
    if let Some(counts) = counts.as_chunks_mut::<LENGTHS>().0.first_chunk_mut::<LENGTHS_COUNT>() {
        for (counts, length) in counts.iter_mut().zip(lengths) {
            counts[usize::from(length.characters) % LENGTHS] += 1;
        }
    }
}
