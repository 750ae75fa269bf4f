//! Tag pairs over two lines: between the tokens of a pair the standard allows any whitespace (PGN 7, 8.1), so that
//! `[White`, a line end and `"A"]` are the pair White.
//!
//! In: text at a bracket. Out: where the name and the value begin, or where whitespace ends. Invariant: one line end
//! at most, so that an empty line still ends a tag section. Outside of one the name must be a known one, as for other
//! pairs that a line by itself does not show. Cost: at most [`ODD_PAIR_BYTES_MAX`] bytes, where no pair of the standard
//! is on the line.

use std::ops::Range;

use pgnmill_io::archive::blanks::blanks_end;
use pgnmill_io::archive::odd_pairs::{Context, ODD_PAIR_BYTES_MAX, is_known_name};

use super::{NOTATION_TAG, line_end};

/// Where whitespace from `at` on ends, with two line ends at most, and how many there are.
pub(super) fn gap_end(text: &[u8], at: usize) -> (usize, usize) {
    let (mut end, mut line_ends) = (blanks_end(text, at), 0);
    while line_ends < 2 {
        let bytes = line_end::len(&text[end..]);
        if bytes == 0 {
            break;
        }
        line_ends += 1;
        end = blanks_end(text, end + bytes);
    }
    (end, line_ends)
}

/// The name and the start of the value of the pair that the bracket at `at` opens, with one line end between the
/// bracket, the name and the quote.
///
/// The project's own pair is read as the standard's on one line, or not at all: a writer replaces its value.
#[cold]
pub(super) fn divided_opening(
    text: &[u8],
    at: usize,
    context: Context,
) -> Option<(Range<usize>, usize)> {
    let seen = &text[..text.len().min(at + ODD_PAIR_BYTES_MAX)];
    if seen.get(at) != Some(&b'[') {
        return None;
    }
    let (start, before) = gap_end(seen, at + 1);
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let end = start + seen[start..].iter().take_while(is_name).count();
    let name = &seen[start..end];
    let (quote, after) = gap_end(seen, end);
    let is_named = is_known_name(name)
        || context == Context::Section
            && name.first().is_some_and(u8::is_ascii_alphabetic)
            && name != NOTATION_TAG;
    let is_divided = before + after == 1 && seen.get(quote) == Some(&b'"');
    (is_divided && is_named).then_some((start..end, quote + 1))
}
