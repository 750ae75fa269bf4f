//! The tag pairs of a tag section, in order.
//!
//! In: the text of a game from its first byte to the end of its last tag pair. Out: [`TagPair`]s. A byte order mark,
//! escape lines and comments to the end of a line are skipped. Cost: each byte once or twice; nothing is allocated.

use std::ops::Range;

use pgnmill_io::archive::blanks::blank_bytes;

use super::{BYTE_ORDER_MARK, TagPair, unreadable_end};

/// The tag pairs of a tag section.
#[derive(Clone, Debug)]
pub struct TagPairs<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
}

impl<'t> TagPairs<'t> {
    /// The tag pairs that begin in `section` of the text.
    ///
    /// ```
    /// use pgnmill_core::pgn::TagPairs;
    /// let text = b"\xef\xbb\xbf[Event \"a\"]\n; [no pair]\n[White \"b\"]\n";
    /// let names = TagPairs::new(text, 0..text.len()).map(|pair| &text[pair.name]);
    /// assert!(names.eq([&b"Event"[..], b"White"]));
    /// ```
    pub fn new(text: &'t [u8], section: Range<usize>) -> TagPairs<'t> {
        TagPairs { text, at: section.start, end: section.end.min(text.len()) }
    }
}

/// Where the last tag pair at the beginning of a game ends; 0 if there is none. A byte order mark may be before it;
/// comments to the end of a line and escape lines may be between the pairs.
///
/// ```
/// use pgnmill_core::pgn::tag_section_end;
/// assert_eq!(tag_section_end(b"[A \"b\"]\n; c\n[D \"e\"]\n\n1. e4 {[F \"g\"]} *"), 19);
/// ```
pub fn tag_section_end(text: &[u8]) -> usize {
    let start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    read_tag_section(text, start, |_| {})
}

/// Calls `each` with the tag pairs from `at` to the first text that is no tag pair, no comment to the end of a line and
/// no escape line. Returns where the last pair ends; 0 if there is none.
#[inline]
pub(crate) fn read_tag_section(
    text: &[u8],
    mut at: usize,
    mut each: impl FnMut(&TagPair),
) -> usize {
    let mut end = 0;
    loop {
        while let Some(&byte) = text.get(at) {
            at += match byte {
                0..=b' ' => 1,
                0x80.. if blank_bytes(text, at) > 0 => blank_bytes(text, at),
                _ => break,
            };
        }
        if let Some(pair) = TagPair::read_in_section(text, at) {
            each(&pair);
            (at, end) = (pair.end, pair.end);
            continue;
        }
        if end > 0
            && let Some(unreadable_end) = unreadable_end(text, at)
        {
            at = unreadable_end;
            continue;
        }
        let is_line = match text.get(at) {
            Some(b';') => true,
            Some(b'%') => at == 0 || matches!(text[at - 1], b'\n' | b'\r'),
            _ => false,
        };
        if !is_line {
            return end;
        }
        at = memchr::memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |length| at + length);
    }
}

impl Iterator for TagPairs<'_> {
    type Item = TagPair;

    fn next(&mut self) -> Option<TagPair> {
        while self.at < self.end {
            let rest = &self.text[self.at..self.end];
            if rest[0] <= b' ' {
                self.at += 1;
            } else if let Some(pair) = TagPair::read_in_section(self.text, self.at) {
                self.at = pair.end;
                return Some(pair);
            } else if let Some(end) = unreadable_end(self.text, self.at) {
                self.at = end;
            } else if rest[0] >= 0x80 && blank_bytes(self.text, self.at) > 0 {
                // A byte order mark is one.
                self.at += blank_bytes(self.text, self.at);
            } else {
                // A comment or an escape line.
                let line = memchr::memchr2(b'\n', b'\r', rest);
                self.at = line.map_or(self.end, |length| self.at + length + 1);
            }
        }
        None
    }
}
