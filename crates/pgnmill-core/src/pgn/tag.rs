//! One tag pair: `[Name "value"]` (PGN standard 8.1.1), intact or damaged.
//!
//! A value ends at the first unescaped quote. Real archives contain values with bare quotes (`[White "A "B" C"]`) and
//! unterminated values. A line has one reading in each of these cases: the value ends before the bracket or the
//! quote after which another pair opens, else at the last `"]` of the line or, if there is none, at its end.
//! Pairs without their quotes are those of `odd_pair.rs`. Cost: one or two passes over the line.

use std::ops::Range;

use memchr::memrchr;
use pgnmill_simd::{self, Baseline, Machine};

use super::odd_pair;
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

/// Does a tag pair open at `at`, perhaps one without its quotes (`[Round 3]`)?
pub fn opens_tag_pair(text: &[u8], at: usize) -> bool {
    open(text, at).is_some()
        || text.get(at) == Some(&b'[') && odd_pair::read(text, at, false).is_some()
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
        match open(text, at) {
            Some((name, start)) => Some(TagPair::read_value(text, at, name, start)),
            None if text.get(at) == Some(&b'[') => odd_pair::read(text, at, false),
            None => None,
        }
    }

    /// The same in a tag section, where more is a tag pair: any name in brackets, and a line without its first
    /// bracket.
    pub fn read_in_section(text: &[u8], at: usize) -> Option<TagPair> {
        match open(text, at) {
            Some((name, start)) => Some(TagPair::read_value(text, at, name, start)),
            None if text.get(at).is_some_and(|&byte| byte == b'[' || byte.is_ascii_uppercase()) => {
                odd_pair::read(text, at, true)
            }
            None => None,
        }
    }

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
    let bracket = memrchr(b']', line);
    let inside = line[..bracket.unwrap_or(line.len())].trim_ascii_end();
    let end = bracket.map_or(inside.len(), |bracket| bracket + 1);
    let (value, odd) = match inside.strip_suffix(b"\"") {
        Some(value) if bracket.is_some() => (value, Deviation::TagQuote),
        Some(value) => (value, Deviation::TagUnterminated),
        None => match odd_pair::closing_double_quote_bytes(inside) {
            0 => (inside, Deviation::TagUnterminated),
            bytes => (&inside[..inside.len() - bytes], Deviation::TagQuote),
        },
    };
    let deviation = Some(if too_long { Deviation::TagTooLong } else { odd });
    let value = start..start + value.len();
    TagPair { start: at, name, value, end: start + end, deviation }
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
        if odd_pair::pair_follows(text, at) {
            return at;
        }
    }
    text.len()
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
        assert_eq!(value("[A \"b] [B \"c\"]"), ("b".into(), open, 6));
        assert_eq!(value("[A \"b\" [B \"c\"]"), ("b".into(), quote_missing_bracket(), 6));
        assert_eq!(value("[A \"b [x] c] [B \"c\"]"), ("b [x] c".into(), open, 12));
        assert_eq!(value("[A \"b”]"), ("b".into(), quote, 9));
        assert_eq!(value("[A \"b’]"), ("b’".into(), open, 9));
    }

    fn quote_missing_bracket() -> Option<Deviation> {
        Some(Deviation::TagUnterminated)
    }

    #[test]
    fn pairs_without_their_quotes_have_one_reading() {
        let (quote, open) = (Some(Deviation::TagQuote), Some(Deviation::TagUnterminated));
        for (text, expected, deviation, end) in [
            ("[Round 3]", "3", quote, 9),
            ("[Site]\n", "", quote, 6),
            ("[ Site ]", "", quote, 8),
            ("[White Able, A. ]", "Able, A.", quote, 17),
            ("[Event Open [A]]", "Open [A]", quote, 16),
            ("[White Able] [Black Baker]", "Able", quote, 12),
            ("[White “Able”] [Black \"B\"]", "Able", quote, 18),
            ("[White A\"]", "A", quote, 10),
            ("[White “A\"]", "A", quote, 13),
            ("[White “A]", "A", open, 12),
            ("[White “A", "A", open, 11),
            ("[White 'O'Hara']", "O'Hara", quote, 16),
            ("[White «A»]", "A", quote, 13),
            ("[White „A“]", "A", quote, 15),
            ("[White\u{a0}“A”]", "A", quote, 16),
            ("[Foo\u{a0}\"A\"]", "A", Some(Deviation::WhitespaceUnusual), 10),
        ] {
            assert_eq!(value(text), (expected.into(), deviation, end), "{text}");
            // Nothing of another line is part of it.
            let more = format!("{text}\n[Date x]\n]\"”\n");
            assert_eq!(value(&more), (expected.into(), deviation, end), "{text}");
        }
        let windows = b"[White \x93M\xFCller\x94]";
        assert_eq!(windows[TagPair::read(windows, 0).unwrap().value], *b"M\xFCller");
        let utf8 = "[White \u{201c}\u{414}]".as_bytes();
        assert_eq!(utf8[TagPair::read(utf8, 0).unwrap().value], *"\u{414}".as_bytes());
        // In a section, the context is known.
        for (text, expected, deviation) in [
            ("[Foo bar]", "bar", quote),
            ("[Round 3", "3", open),
            ("Round \"3\"]", "3", Some(Deviation::TagBracket)),
            ("Round 3]", "3", Some(Deviation::TagBracket)),
            ("White “A”]", "A", Some(Deviation::TagBracket)),
        ] {
            let pair = TagPair::read_in_section(text.as_bytes(), 0).expect(text);
            assert_eq!((&text[pair.value], pair.deviation), (expected, deviation), "{text}");
            assert_eq!(pair.end, text.len());
            assert!(TagPair::read(text.as_bytes(), 0).is_none(), "{text}");
        }
    }

    #[test]
    fn other_brackets_open_no_tag_pair() {
        for text in ["[%clk 0:01]", "[", "[\"x\"]", "[A]", "x[A \"b\"]"] {
            assert!(TagPair::read(text.as_bytes(), 0).is_none(), "{text}");
        }
    }
}
