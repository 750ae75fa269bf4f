//! The tag pair at a place of the text, whichever kind it is: of the standard, or one of `odd_pair.rs`.
//!
//! In: text, and whether tag pairs are before it. Out: a [`TagPair`], or that none opens there. Invariant: a text
//! that the standard reads is read as the standard does. Cost: what `tag.rs` and `odd_pair.rs` cost; the latter only
//! where the former reads nothing.

use pgnmill_io::archive::blanks::blanks_end;

use super::tag::{TagPair, open, pair_follows};
use super::{NOTATION_TAG, odd_pair};
use crate::pgn::deviation::Deviation;

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
        let pair = match open(text, at) {
            Some((name, start)) => Some(TagPair::read_value(text, at, name, start)),
            None if text.get(at) == Some(&b'[') => odd_pair::read(text, at, false),
            None => None,
        };
        pair.map(|pair| pair.with_comma(text))
    }

    /// Reads the tag pair that opens at `at` in a tag section, where more is a tag pair: any name in brackets, and a
    /// line without its first bracket.
    pub fn read_in_section(text: &[u8], at: usize) -> Option<TagPair> {
        let pair = match open(text, at) {
            Some((name, start)) => Some(TagPair::read_value(text, at, name, start)),
            None if text.get(at).is_some_and(|&byte| byte == b'[' || byte.is_ascii_uppercase()) => {
                odd_pair::read(text, at, true)
            }
            None => None,
        };
        pair.map(|pair| pair.with_comma(text))
    }

    /// The pair with the comma of a list directly behind its bracket (`[White "A"],`), if its line ends there or
    /// another pair opens.
    #[inline]
    fn with_comma(self, text: &[u8]) -> TagPair {
        if text.get(self.end) != Some(&b',') {
            return self;
        }
        let end = self.end + 1;
        let rest = blanks_end(text, end);
        let ends_line = matches!(text.get(rest), None | Some(b'\n' | b'\r'));
        if text[self.end - 1] != b']' || !(ends_line || pair_follows(text, rest)) {
            return self;
        }
        let deviation = self.deviation.or(Some(Deviation::TagComma));
        TagPair { end, deviation, ..self }
    }
}

/// Does a pair without its first bracket open at `at`, and one with it on the next line? The project's own pair, which
/// a conversion may put there, does not count.
pub(crate) fn opens_unbracketed(text: &[u8], at: usize) -> bool {
    // Nearly every word begins no name of a tag.
    let pair = if text[at].is_ascii_uppercase() { odd_pair::unbracketed(text, at) } else { None };
    pair.is_some_and(|pair| {
        let rest = &text[pair.end..];
        let space = &rest[..rest.iter().position(|&byte| byte > b' ').unwrap_or(rest.len())];
        let ends = |end: u8| space.iter().filter(|&&byte| byte == end).count();
        let next = blanks_end(text, pair.end + space.len());
        let is_own = TagPair::read(text, next).is_some_and(|own| text[own.name] == *NOTATION_TAG);
        ends(b'\n').max(ends(b'\r')) < 2 && !is_own && pair_follows(text, next)
    })
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
