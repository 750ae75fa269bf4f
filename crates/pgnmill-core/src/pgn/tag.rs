//! One tag pair: `[Name "value"]` (PGN standard 8.1.1), intact or damaged.
//!
//! A value ends at the first unescaped quote. Real archives contain values with bare quotes (`[White "A "B" C"]`) and
//! unterminated values. A line has one reading in each of these cases: the value ends at the last `"]` of the line or,
//! if there is none, at its end. Cost: one or two passes over the line.

use std::ops::Range;

use memchr::{memchr2, memrchr};
use pgnmill_simd::{self, Baseline, Machine};

use crate::pgn::deviation::Deviation;

/// The longest tag pair, in bytes. The standard allows 255 characters per line (4.3).
pub(super) const TAG_BYTES_MAX: usize = 64 * 1024;

/// A tag pair, as spans of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagPair {
    /// The name.
    pub name: Range<usize>,
    /// The value, with its escapes.
    pub value: Range<usize>,
    /// The byte after the closing bracket.
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
fn open(text: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    if text.get(at) != Some(&b'[') {
        return None;
    }
    let start = whitespace_end(text, at + 1);
    let end = name_end(text, start);
    let quote = whitespace_end(text, end);
    (end > start && text.get(quote) == Some(&b'"')).then_some((start..end, quote + 1))
}

/// Does a tag pair open at `at`?
pub fn opens_tag_pair(text: &[u8], at: usize) -> bool {
    open(text, at).is_some()
}

impl TagPair {
    /// Reads the tag pair that opens at `at`; `None` if none does.
    ///
    /// ```
    /// use pgnmill_core::pgn::TagPair;
    /// let text = b"[White \"A \"B\" C\"]\n";
    /// let pair = TagPair::read(text, 0).unwrap();
    /// assert_eq!(&text[pair.value], b"A \"B\" C");
    /// ```
    pub fn read(text: &[u8], at: usize) -> Option<TagPair> {
        let (name, start) = open(text, at)?;
        let mut quote = start;
        // The usual tag pair: no escape, and a bracket after the first quote.
        loop {
            quote = plain_end(text, quote);
            match text.get(quote) {
                Some(b'"') => break,
                Some(b'\\') if matches!(text.get(quote + 1), Some(b'"' | b'\\')) => quote += 2,
                Some(b'\n' | b'\r') | None => return Some(read_damaged(text, name, start)),
                Some(_) => quote += 1,
            }
        }
        let bracket = whitespace_end(text, quote + 1);
        if text.get(bracket) != Some(&b']') {
            return Some(read_damaged(text, name, start));
        }
        let long = bracket - at > TAG_BYTES_MAX;
        let deviation = long.then_some(Deviation::TagTooLong);
        Some(TagPair { name, value: start..quote, end: bracket + 1, deviation })
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
fn read_damaged(text: &[u8], name: Range<usize>, start: usize) -> TagPair {
    let rest = &text[start..];
    let line = &rest[..memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())];
    let too_long = line.len() > TAG_BYTES_MAX;
    let bracket = memrchr(b']', line);
    let (value_end, end, odd) = match bracket {
        Some(bracket) => {
            let inside = line[..bracket].trim_ascii_end();
            match inside.strip_suffix(b"\"") {
                Some(value) => (value.len(), bracket + 1, Deviation::TagQuote),
                None => (inside.len(), bracket + 1, Deviation::TagUnterminated),
            }
        }
        None => {
            let inside = line.trim_ascii_end();
            let value = inside.strip_suffix(b"\"").unwrap_or(inside);
            (value.len(), inside.len(), Deviation::TagUnterminated)
        }
    };
    let deviation = Some(if too_long { Deviation::TagTooLong } else { odd });
    TagPair { name, value: start..start + value_end, end: start + end, deviation }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> (String, Option<Deviation>, usize) {
        let pair = TagPair::read(text.as_bytes(), 0).expect("a tag pair");
        (text[pair.value].to_string(), pair.deviation, pair.end)
    }

    #[test]
    fn damaged_values_have_one_reading() {
        assert_eq!(value("[A \"b\"]x"), ("b".into(), None, 7));
        assert_eq!(value("[A \"\"]"), (String::new(), None, 6));
        assert_eq!(value("[ A  \"b\" ]"), ("b".into(), None, 10));
        assert_eq!(value(r#"[A "b \"c\" \\"]"#), (r#"b \"c\" \\"#.into(), None, 16));
        let quote = Some(Deviation::TagQuote);
        assert_eq!(value("[A \"b \"c\" d\"]\n"), ("b \"c\" d".into(), quote, 13));
        let open = Some(Deviation::TagUnterminated);
        assert_eq!(value("[A \"b]\n[B \"c\"]"), ("b".into(), open, 6));
        assert_eq!(value("[A \"b\n[B \"c\"]"), ("b".into(), open, 5));
        assert_eq!(value("[A \"b\""), ("b".into(), open, 6));
        assert_eq!(value("[A \"b\"][B \"c\"]").0, "b");
    }

    #[test]
    fn other_brackets_open_no_tag_pair() {
        for text in ["[%clk 0:01]", "[", "[\"x\"]", "[A]", "x[A \"b\"]"] {
            assert!(TagPair::read(text.as_bytes(), 0).is_none(), "{text}");
        }
    }
}
