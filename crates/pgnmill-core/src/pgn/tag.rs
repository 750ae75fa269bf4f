//! One tag pair: `[Name "value"]` (PGN standard 8.1.1), intact or damaged.
//!
//! A value ends at the first unescaped quote. Real archives contain values with bare quotes (`[White "A "B" C"]`) and
//! unterminated values. A line has one reading in each of these cases: the value ends before the bracket or the
//! quote after which another pair opens, else at the last `"]` of the line or, if there is none, at its end.
//! What opens a pair, and its value; pairs without their quotes are read by `odd_pair.rs`, and `pair_at.rs` has the
//! pair of either kind at a place of the text; `divided_pair.rs` has line ends within a pair. Cost: one or two passes
//! over the line.

use std::ops::Range;

use memchr::memrchr;
use pgnmill_io::archive::blanks::blanks_end;
use pgnmill_io::archive::odd_pairs::{Context, closing_quote_bytes, odd_opening};
use pgnmill_simd::{self, Baseline, Machine};

use super::NOTATION_TAG;
use super::divided_pair::{divided_opening, gap_end};
use crate::pgn::deviation::Deviation;

/// The longest tag pair, in bytes. The standard allows 255 characters per line (4.3).
pub(super) const TAG_BYTES_MAX: usize = 64 * 1024;

/// A tag pair, as spans of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagPair {
    /// The first byte: its bracket, or its name where that is missing.
    pub start: usize,
    /// The name.
    pub name: Range<usize>,
    /// The value, with its escapes.
    pub value: Range<usize>,
    /// The byte after the closing bracket, or after the comma of a list behind it.
    pub end: usize,
    /// The deviation, if there is one.
    pub deviation: Option<Deviation>,
}

fn whitespace_end(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

/// May a tag name contain this byte?
const IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

fn name_end(text: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = text.get(at) {
        if !IN_NAME[byte as usize] {
            break;
        }
        at += 1;
    }
    at
}

/// The index of the first byte from `at` on that is a quote, a backslash or a control character, or the length of the
/// text.
#[inline(always)]
fn plain_end(text: &[u8], at: usize) -> usize {
    let found = pgnmill_simd::find::<Baseline>(text, at, |bytes| {
        let special = Baseline::or(Baseline::equal(bytes, b'"'), Baseline::equal(bytes, b'\\'));
        Baseline::or(special, Baseline::below(bytes, b' '))
    });
    found.unwrap_or(text.len())
}

/// The span of the name and the start of the value, if a tag pair opens at `at`: a bracket, a name, a quote.
#[inline(always)]
pub(super) fn open(text: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    if text.get(at) != Some(&b'[') {
        return None;
    }
    let start = whitespace_end(text, at + 1);
    let end = name_end(text, start);
    let quote = whitespace_end(text, end);
    (end > start && text.get(quote) == Some(&b'"')).then_some((start..end, quote + 1))
}

/// Does a tag pair open at `at`, perhaps one without its quotes (`[Round 3]`)?
pub fn opens_tag_pair(text: &[u8], at: usize) -> bool {
    let opens_odd = || {
        odd_opening(text, at, Context::Text).is_some()
            || divided_opening(text, at, Context::Text).is_some()
    };
    open(text, at).is_some() || text.get(at) == Some(&b'[') && opens_odd()
}

/// Does a tag pair open at `at`, blanks before it apart?
pub(super) fn pair_follows(text: &[u8], at: usize) -> bool {
    let at = blanks_end(text, at);
    text.get(at) == Some(&b'[') && opens_tag_pair(text, at)
}

impl TagPair {
    /// The pair of the bracket at `at`, with its value from `start` on.
    #[inline(always)]
    pub(super) fn read_value(text: &[u8], at: usize, name: Range<usize>, start: usize) -> TagPair {
        let mut quote = start;
        // The usual tag pair: no escape, and a bracket after the first quote.
        loop {
            quote = plain_end(text, quote);
            match text.get(quote) {
                Some(b'"') => break,
                Some(b'\\') if matches!(text.get(quote + 1), Some(b'"' | b'\\')) => quote += 2,
                Some(b'\n' | b'\r') | None => return read_damaged(text, at, name, start),
                Some(_) => quote += 1,
            }
        }
        let bracket = whitespace_end(text, quote + 1);
        if text.get(bracket) != Some(&b']') {
            return read_damaged(text, at, name, start);
        }
        let long = bracket - at > TAG_BYTES_MAX;
        let deviation = long.then_some(Deviation::TagTooLong);
        TagPair { start: at, name, value: start..quote, end: bracket + 1, deviation }
    }

    /// Appends the value in canonical form: quotes are escaped, and so is a backslash at its end.
    ///
    /// ```
    /// use pgnmill_core::pgn::TagPair;
    /// let text = b"[White \"A \"B\" C\"]\n";
    /// let mut value = Vec::new();
    /// TagPair::read(text, 0).unwrap().append_value(text, &mut value);
    /// assert_eq!(value, b"A \\\"B\\\" C");
    /// ```
    pub fn append_value(&self, text: &[u8], out: &mut Vec<u8>) {
        let mut rest = &text[self.value.clone()];
        loop {
            rest = match rest {
                [] => return,
                [b'\\', escaped @ (b'"' | b'\\'), rest @ ..] => {
                    out.extend([b'\\', *escaped]);
                    rest
                }
                [b'"', rest @ ..] => {
                    out.extend(b"\\\"");
                    rest
                }
                [b'\\'] => {
                    out.extend(b"\\\\");
                    &[]
                }
                [byte, rest @ ..] => {
                    out.push(*byte);
                    rest
                }
            };
        }
    }
}

/// Reads a value with bare quotes, or one that is not terminated.
#[cold]
fn read_damaged(text: &[u8], at: usize, name: Range<usize>, start: usize) -> TagPair {
    let rest = &text[start..];
    let line = &rest[..damaged_end(text, start) - start];
    let too_long = line.len() > TAG_BYTES_MAX;
    if !too_long
        && let Some((value, end, deviation)) = read_closed_elsewhere(text, &name, line, start)
    {
        let value = start..start + value;
        return TagPair { start: at, name, value, end, deviation: Some(deviation) };
    }
    let bracket = memrchr(b']', line);
    let inside = line[..bracket.unwrap_or(line.len())].trim_ascii_end();
    let end = bracket.map_or(inside.len(), |bracket| bracket + 1);
    let (value, odd) = match inside.strip_suffix(b"\"") {
        Some(value) if bracket.is_some() => (value, Deviation::TagQuote),
        Some(value) => (value, Deviation::TagUnterminated),
        None => match closing_double_quote_bytes(inside) {
            0 => (inside, Deviation::TagUnterminated),
            bytes => (&inside[..inside.len() - bytes], Deviation::TagQuote),
        },
    };
    let deviation = Some(if too_long { Deviation::TagTooLong } else { odd });
    let value = start..start + value.len();
    TagPair { start: at, name, value, end: start + end, deviation }
}

/// A value whose quote ends the line, with its bracket on the next one (`[White "A"`, `]`), or is followed by another
/// mark in place of the bracket (`[White "A"|`): its length, where the pair ends, and the deviation.
fn read_closed_elsewhere(
    text: &[u8],
    name: &Range<usize>,
    line: &[u8],
    start: usize,
) -> Option<(usize, usize, Deviation)> {
    const MARKS: &[u8] = b")}>|";
    let inside = line.trim_ascii_end();
    if let [before @ .., mark] = inside
        && MARKS.contains(mark)
        && let Some(value) = before.trim_ascii_end().strip_suffix(b"\"")
    {
        return Some((value.len(), start + inside.len(), Deviation::TagBracket));
    }
    let value = &line[..memrchr(b'"', line)?];
    let (bracket, line_ends) = gap_end(text, start + value.len() + 1);
    let is_closed = line_ends == 1 && text.get(bracket) == Some(&b']');
    if !is_closed || text[name.clone()] == *NOTATION_TAG {
        return None;
    }
    let odd = if is_plain(value) { Deviation::TagOverLines } else { Deviation::TagQuote };
    Some((value.len(), bracket + 1, odd))
}

/// Is every quote of a value escaped, and does no backslash escape the quote after it?
fn is_plain(mut value: &[u8]) -> bool {
    loop {
        value = match value {
            [] => return true,
            [b'\\', b'"' | b'\\', rest @ ..] => rest,
            [b'"', ..] | [b'\\'] => return false,
            [_, rest @ ..] => rest,
        };
    }
}

/// Where the text of a damaged value ends: with its line, or before it with a bracket or a quote after which
/// another pair opens. Cost: the text up to there.
fn damaged_end(text: &[u8], start: usize) -> usize {
    let ends = |byte: &u8| matches!(byte, b']' | b'"' | b'\n' | b'\r');
    let mut at = start;
    while let Some(found) = text[at..].iter().position(ends) {
        at += found + 1;
        if matches!(text[at - 1], b'\n' | b'\r') {
            return at - 1;
        }
        if pair_follows(text, at) {
            return at;
        }
    }
    text.len()
}

/// The bytes of a quote with two strokes that ends a value which begins with no such quote. An apostrophe is
/// part of it.
pub(super) fn closing_double_quote_bytes(value: &[u8]) -> usize {
    let quotes = ["”", "“", "″", "»"].map(str::as_bytes);
    match closing_quote_bytes(value) {
        0 => 0,
        1 if value.ends_with(b"\x93") || value.ends_with(b"\x94") || value.ends_with(b"\xBB") => 1,
        bytes if quotes.iter().any(|quote| value.ends_with(quote)) => bytes,
        _ => 0,
    }
}
