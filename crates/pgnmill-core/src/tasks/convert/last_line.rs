//! The line of a text in which a tag pair or a move is.
//!
//! In: a text and an offset. Out: the line, its end, and whether it is one of tag pairs. Cost: a scan of the line,
//! once.

use std::ops::Range;

use pgnmill_io::archive::games::{is_tag_line, line_of};

/// The last line that was scanned, so that many games on one line share one scan.
#[derive(Debug, Default)]
pub(super) struct LastLine {
    /// Address and length of the text.
    text: (usize, usize),
    pub(super) line: Range<usize>,
    /// Its end, or a line feed where the text ends.
    pub(super) end: &'static [u8],
    pub(super) is_tag: bool,
}

impl LastLine {
    /// The line that contains the byte before `at`, or begins at `at`.
    pub(super) fn at(&mut self, text: &[u8], at: usize) -> &LastLine {
        let identity = (text.as_ptr() as usize, text.len());
        let is_known = self.text == identity && (self.line.start..=self.line.end).contains(&at);
        if !is_known || self.end.is_empty() {
            self.line = line_of(text, at);
            self.text = identity;
            self.end = line_end(&text[self.line.end..]);
            self.is_tag = is_tag_line(text, self.line.clone());
        }
        self
    }
}

/// The first line end in a text; `\n` if there is none.
fn line_end(text: &[u8]) -> &'static [u8] {
    match memchr::memchr2(b'\n', b'\r', text) {
        Some(at) if text[at] == b'\n' => b"\n",
        Some(at) if text.get(at + 1) == Some(&b'\n') => b"\r\n",
        Some(_) => b"\r",
        None => b"\n",
    }
}
