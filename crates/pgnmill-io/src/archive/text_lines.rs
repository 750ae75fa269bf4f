//! Lines of a text: where they end, whole or piece by piece.
//!
//! In: text that begins where a line begins. Out: the spans of its lines, each with its line end: LF, CR LF, or CR
//! alone. Invariants: the spans joined are the text; a line end is never divided, and a carriage return at the end of a
//! text to which more may be added ends no line yet. Cost: one search of each byte.
//!
//! ```
//! use pgnmill_io::archive::text_lines::TextLines;
//! let lines: Vec<_> = TextLines::new(b"a\r\nb\rc").collect();
//! assert_eq!(lines, [0..3, 3..5, 5..6]);
//! ```

use std::ops::Range;

use memchr::{memchr2, memrchr};

/// The lines of a text.
#[derive(Clone, Debug)]
pub struct TextLines<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> TextLines<'t> {
    /// The lines of `text`.
    pub fn new(text: &'t [u8]) -> TextLines<'t> {
        TextLines { text, at: 0 }
    }
}

impl Iterator for TextLines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        let rest = &self.text[start..];
        if rest.is_empty() {
            return None;
        }
        self.at = start + first_end(rest, false).unwrap_or(rest.len());
        Some(start..self.at)
    }
}

/// The end of the first line, after its line end. `more`: text may follow.
pub(super) fn first_end(text: &[u8], more: bool) -> Option<usize> {
    let end = memchr2(b'\n', b'\r', text)?;
    match (text[end], text.get(end + 1)) {
        (b'\r', Some(b'\n')) => Some(end + 2),
        (b'\r', None) if more => None,
        _ => Some(end + 1),
    }
}

/// The end of the last whole line of a text to which more may be added; nothing before `from` ends one.
pub(super) fn last_end(text: &[u8], from: usize) -> Option<usize> {
    let feed = memrchr(b'\n', &text[from..]);
    let returned = || memrchr(b'\r', &text[from..text.len().saturating_sub(1).max(from)]);
    feed.or_else(returned).map(|end| from + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every text of a few characters, in every division: the same lines.
    #[test]
    fn lines_do_not_depend_on_the_pieces() {
        for number in 0..3_u32.pow(7) {
            let letter = |place: u32| b"x\r\n"[(number / 3_u32.pow(place) % 3) as usize];
            let text: Vec<u8> = (0..7).map(letter).collect();
            let lines: Vec<_> = TextLines::new(&text).collect();
            let joined: Vec<u8> =
                lines.iter().flat_map(|line| text[line.clone()].to_vec()).collect();
            assert_eq!(joined, text);
            for line in &lines {
                let inner = &text[line.start..line.end - 1];
                assert!(
                    !inner.contains(&b'\n') && (!inner.contains(&b'\r') || inner.ends_with(b"\r"))
                );
            }
            for end in 0..=text.len() {
                if let Some(last) = last_end(&text[..end], 0) {
                    assert!(lines.iter().any(|line| line.end == last), "{lines:?} {last}");
                }
                if let Some(first) = first_end(&text[..end], true) {
                    assert_eq!(first, lines[0].end);
                }
            }
        }
    }
}
