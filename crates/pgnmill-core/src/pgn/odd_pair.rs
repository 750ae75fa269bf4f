//! Tag pairs that are none as the standard has them, and have one reading: without quotes or with others, without a
//! bracket, with blanks of Unicode or a line end between their parts.
//!
//! In: text at a bracket, or at a name at the start of a line. Out: a [`TagPair`] with its deviation. What may
//! begin one is decided by `pgnmill_io::archive::odd_pairs`, as for the starts of games. In a tag section more
//! is taken: there any name in brackets, an absent bracket. Cost: a line once, and only where no tag pair of the
//! standard is.

use std::ops::Range;

use pgnmill_io::archive::blanks::blanks_end;
use pgnmill_io::archive::odd_pairs::{
    Context, ODD_PAIR_BYTES_MAX, OddOpening, Quote, closing_quote_bytes, ends_with_quote,
    is_known_name, odd_opening, other_quote_bytes, own_bracket, unbracketed_name,
};

use super::divided_pair::divided_opening;
use super::tag::{TAG_BYTES_MAX, TagPair, closing_double_quote_bytes, pair_follows};
use crate::pgn::deviation::Deviation;

/// Reads the pair that opens at `at`, where none of the standard does. `in_section`: tag pairs are before it.
#[cold]
pub(super) fn read(text: &[u8], at: usize, in_section: bool) -> Option<TagPair> {
    if text[at] != b'[' {
        return if in_section { unbracketed(text, at) } else { None };
    }
    let unclosed = || if in_section { unclosed(text, at) } else { None };
    let context = if in_section { Context::Section } else { Context::Text };
    let Some(OddOpening { name, value, quote }) = odd_opening(text, at, context).or_else(unclosed)
    else {
        let (name, value) = divided_opening(text, at, context)?;
        let pair = TagPair::read_value(text, at, name, value);
        let deviation = pair.deviation.or(Some(Deviation::TagOverLines));
        return Some(TagPair { deviation, ..pair });
    };
    Some(match quote {
        Quote::Straight => {
            let pair = TagPair::read_value(text, at, name, value);
            let deviation = pair.deviation.or(Some(Deviation::WhitespaceUnusual));
            TagPair { deviation, ..pair }
        }
        Quote::Other | Quote::Missing => read_value(text, at, name, value, quote),
    })
}

/// The beginning of a pair with a known name and without its last bracket.
fn unclosed(text: &[u8], at: usize) -> Option<OddOpening> {
    let name = unbracketed_name(text, at + 1)?;
    let value = blanks_end(text, name.end);
    let end = line_end(text, value);
    let is_value = end > value && !text[value..end].iter().any(|b| matches!(b, b'{' | b'[' | b']'));
    is_value.then_some(OddOpening { name, value, quote: Quote::Missing })
}

/// A pair without its first bracket, on a line of its own.
pub(super) fn unbracketed(text: &[u8], at: usize) -> Option<TagPair> {
    if at > 0 && !matches!(text[at - 1], b'\n' | b'\r') {
        return None;
    }
    let name = unbracketed_name(text, at)?;
    let value = blanks_end(text, name.end);
    let line = text[at..line_end(text, value)].trim_ascii_end();
    if !line.ends_with(b"]") || line.contains(&b'{') {
        return None;
    }
    let pair = match text[value] {
        b'"' => TagPair::read_value(text, at, name, value + 1),
        _ => {
            let bytes = other_quote_bytes(text, value);
            let quote = if bytes > 0 { Quote::Other } else { Quote::Missing };
            read_value(text, at, name, value + bytes, quote)
        }
    };
    let deviation = match pair.deviation {
        Some(Deviation::TagTooLong) => pair.deviation,
        _ => Some(Deviation::TagBracket),
    };
    (text[pair.end - 1] == b']').then_some(TagPair { deviation, ..pair })
}

/// Where the line from `at` on ends, or where no odd pair is longer.
fn line_end(text: &[u8], at: usize) -> usize {
    let seen = &text[at..text.len().min(at + ODD_PAIR_BYTES_MAX)];
    at + memchr::memchr2(b'\n', b'\r', seen).unwrap_or(seen.len())
}

/// A value with other quotes or none: it ends before the first bracket after a quote, else before that of the pair.
fn read_value(text: &[u8], at: usize, name: Range<usize>, value: usize, quote: Quote) -> TagPair {
    let end = line_end(text, value);
    let line = &text[value..end];
    let after_quote = |&at: &usize| ends_with_quote(&line[..at]);
    let quoted = match quote {
        Quote::Missing => None,
        _ => memchr::memchr_iter(b']', line).find(after_quote),
    };
    let bracket = quoted.or_else(|| own_bracket(line, 0)).map(|at| value + at);
    let inside = text[value..bracket.unwrap_or(end)].trim_ascii_end();
    let closing = match (inside, quote) {
        ([.., b'"'], _) => 1,
        (_, Quote::Other) => closing_quote_bytes(inside),
        _ => closing_double_quote_bytes(inside),
    };
    let is_closed = bracket.is_some() && (closing > 0 || quote == Quote::Missing);
    let deviation = Some(if is_closed { Deviation::TagQuote } else { Deviation::TagUnterminated });
    let end = bracket.map_or(value + inside.len(), |bracket| bracket + 1);
    let inside = inside[..inside.len() - closing].trim_ascii_end();
    TagPair { start: at, name, value: value..value + inside.len(), end, deviation }
}

/// The bracket of the line up to `end` after which another pair opens, else its last one.
fn closing_bracket(text: &[u8], from: usize, end: usize) -> Option<usize> {
    let mut last = None;
    for at in memchr::memchr_iter(b']', &text[from..end]) {
        last = Some(from + at);
        if pair_follows(text, from + at + 1) {
            break;
        }
    }
    last
}

/// Where a text in brackets ends that is among tag pairs and none of them: `["x"]`. `None` if what begins at
/// `at` may be movetext.
#[cold]
pub(crate) fn unreadable_end(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) != Some(&b'[') {
        return None;
    }
    let rest = &text[at..text.len().min(at + TAG_BYTES_MAX)];
    let line = &rest[..memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())];
    if line.iter().any(|byte| matches!(byte, b'{' | b'}')) {
        return None;
    }
    let end = at + line.len();
    let bracket = closing_bracket(text, at + 1, end)?;
    let is_last = blanks_end(text, bracket + 1) >= end || pair_follows(text, bracket + 1);
    is_last.then_some(bracket + 1)
}

/// What a message calls a text that is no tag pair.
pub(crate) fn unreadable_reason(text: &[u8]) -> &'static str {
    let name = text.iter().skip(1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    match &text[1.min(text.len())..1.min(text.len()) + name] {
        b"" => "a tag pair has a name before its value: [Name \"value\"]",
        name if is_known_name(name) => "this tag pair has no one reading: [Name \"value\"]",
        _ => "a tag pair has a name and a value in quotes: [Name \"value\"]",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is in braces is a comment, with whatever name it begins.
    #[test]
    fn a_comment_after_a_name_is_no_value() {
        for (line, is_pair) in [
            ("White \"A\"]", true),
            ("White A]", true),
            ("White {A}]", false),
            ("White A {b]", false),
            ("[White A", true),
            ("[White {A}", false),
            ("[White A {b", false),
        ] {
            assert_eq!(read(line.as_bytes(), 0, true).is_some(), is_pair, "{line}");
        }
    }
}
