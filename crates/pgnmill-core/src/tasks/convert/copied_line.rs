//! A line of plies with new texts, copied with what is between them.
//!
//! In: the text, and a [`TextLine`]. Out: the text between the plies and their new texts. Invariant: before each
//! text of a line is whitespace or a full stop, so that no text becomes part of a number. Cost: one copy of sixteen
//! bytes and one word per ply, mostly.

use crate::notation::text_of;
use crate::replay::TextLine;

/// Text between two moves up to this length is copied in one operation.
const GAP_BYTES: usize = 16;
const LONG_GAP_BYTES: usize = 64;

/// A word, copied whole.
const WORD_BYTES: usize = 8;

/// Adds the text from `copied` on to the end of a line; returns that end.
pub(super) fn copy_line(
    text: &[u8],
    copied: usize,
    line: &TextLine<'_>,
    out: &mut Vec<u8>,
) -> usize {
    let TextLine { starts, bytes, words } = *line;
    let Some(&last) = starts.last() else { return copied };
    let begin = out.len();
    // Room for whole operations at the end.
    out.resize(begin + last - copied + WORD_BYTES * starts.len() + LONG_GAP_BYTES, 0);
    let (mut at, mut to) = (copied, begin);
    for ((&start, &bytes), &word) in starts.iter().zip(bytes).zip(words) {
        let gap = start - at;
        copy_gap(&text[at..], &mut out[to..], gap);
        to += gap;
        let (new, count) = text_of(word);
        out[to..to + WORD_BYTES].copy_from_slice(&new);
        to += count;
        at = start + usize::from(bytes);
    }
    out.truncate(to);
    at
}

/// Copies the first `gap` bytes.
#[inline(always)]
fn copy_gap(from: &[u8], to: &mut [u8], gap: usize) {
    if gap <= GAP_BYTES
        && let (Some(from), Some(to)) = (from.first_chunk(), to.first_chunk_mut())
    {
        let from: &[u8; GAP_BYTES] = from;
        *to = *from;
    } else if gap <= LONG_GAP_BYTES
        && let (Some(from), Some(to)) = (from.first_chunk(), to.first_chunk_mut())
    {
        let from: &[u8; LONG_GAP_BYTES] = from;
        *to = *from;
    } else {
        to[..gap].copy_from_slice(&from[..gap]);
    }
}
