//! The search for game starts in text that arrives in pieces.
//!
//! In: the text that is held, which grows at its end and is dropped at its front. Out: the offsets of game starts, as
//! [`games`](super::games) defines them. The text may begin anywhere: then only those starts are found that are certain
//! whatever text came before.
//!
//! Invariant: the starts do not depend on the pieces. Memory: no more text is needed than [`Scanner::understood`]
//! leaves, some hundred bytes. Cost: each byte is read about once.

use super::lines::{
    Head, LINE_EDGE_BYTES, Previous, finished_head, head, previous_of, starts_game,
};
use memchr::memchr2;

/// The state of the search: resumed as text is added at the end and dropped at the front.
#[derive(Debug, Clone)]
pub(super) struct Scanner {
    /// The beginning of the current line; without meaning once that was dropped, and `head` is then known.
    at: usize,
    head: Option<Head>,
    /// There is no line end of the current line before this.
    searched: usize,
    previous: Previous,
    blank: bool,
    /// A byte order mark may be at `at`.
    bom: bool,
}

impl Scanner {
    /// The text begins where an archive or a game begins.
    pub(super) fn at_start() -> Scanner {
        let previous = Previous::None;
        Scanner { at: 0, head: None, searched: 0, previous, blank: false, bom: true }
    }

    /// The text begins anywhere. Only starts that are certain whatever came before are found.
    pub(super) fn unknown() -> Scanner {
        let (head, previous) = (Some(Head::Fragment), Previous::Unknown);
        Scanner { head, previous, bom: false, ..Scanner::at_start() }
    }

    /// The next start in `text`, which is the text of the last call, perhaps with more at the end.
    ///
    /// `more`: text may follow; a line that it could change is then left for the next call.
    pub(super) fn next(&mut self, text: &[u8], more: bool) -> Option<usize> {
        loop {
            let line_head = match self.head {
                Some(line_head) => line_head,
                None if !more && self.is_among_tags(text) => {
                    self.searched = self.at;
                    Head::Other
                }
                None => {
                    let line_head = self.read_head(text, more)?;
                    self.head = Some(line_head);
                    self.searched = self.at;
                    if let Head::Opens { event } = line_head
                        && starts_game(event, self.previous, self.blank)
                    {
                        return Some(self.at);
                    }
                    line_head
                }
            };
            let (end, next) = self.line_end(text, more)?;
            match line_head {
                Head::Blank => self.blank = true,
                Head::Comment | Head::Fragment => {}
                Head::Opens { .. } | Head::Other => {
                    let (line, before, blank) = (&text[self.at..end], self.previous, self.blank);
                    self.previous = previous_of(line_head, line, before, blank);
                    if self.previous != Previous::Tag && self.head.is_none() {
                        let line_head = finished_head(text, self.at);
                        self.previous = previous_of(line_head, line, before, blank);
                    }
                    self.blank = false;
                }
            }
            (self.at, self.head, self.bom) = (next, None, false);
        }
    }

    /// Does the current line follow a tag pair and begin with a bracket? It then starts no game, and mostly its end
    /// shows that it is a tag pair as well: its head need be read only if not.
    #[inline]
    fn is_among_tags(&self, text: &[u8]) -> bool {
        self.previous == Previous::Tag && !self.blank && text.get(self.at) == Some(&b'[')
    }

    /// The end of the current line and the beginning of the next; `None` if they are not in the text.
    #[inline]
    fn line_end(&mut self, text: &[u8], more: bool) -> Option<(usize, usize)> {
        let Some(found) = memchr2(b'\n', b'\r', &text[self.searched..]) else {
            self.searched = text.len();
            return None;
        };
        let end = self.searched + found;
        self.searched = end;
        match (text[end], text.get(end + 1)) {
            (b'\r', Some(b'\n')) => Some((end, end + 2)),
            (b'\r', None) if more => None,
            _ => Some((end, end + 1)),
        }
    }

    #[inline]
    fn read_head(&self, text: &[u8], more: bool) -> Option<Head> {
        match *text.get(self.at)? {
            b'\n' | b'\r' => Some(Head::Blank),
            b'[' | b' ' | b'\t' | b'%' | b';' => head(text, self.at, self.bom, !more),
            // A byte order mark, or blanks of Unicode.
            0x80.. => head(text, self.at, true, !more),
            _ => Some(Head::Other),
        }
    }

    /// How many of `len` bytes of text may be dropped: no start will be found in them, and none of them is needed to
    /// find the next one.
    pub(super) fn understood(&self, len: usize) -> usize {
        match self.head {
            None => self.at,
            Some(_) => self.at.max(len.saturating_sub(LINE_EDGE_BYTES + 1)),
        }
    }

    /// How many of the `blanks` whitespace bytes at the beginning of the text, all of which were read, may be dropped:
    /// not those before a bracket, which can open a tag pair.
    pub(super) fn passable(&self, blanks: usize) -> usize {
        match self.head {
            None | Some(Head::Blank) => self.at.min(blanks),
            Some(_) => blanks,
        }
    }

    /// Can a tag pair still be opened after the first `len` bytes of the text, on the current line or on a line whose
    /// beginning was not in the text?
    pub(super) fn can_see(&self, len: usize) -> bool {
        match self.head {
            None => len <= self.at + LINE_EDGE_BYTES,
            head => head == Some(Head::Fragment),
        }
    }

    /// The first `len` bytes of the text were dropped.
    pub(super) fn forget(&mut self, len: usize) {
        self.at = self.at.saturating_sub(len);
        self.searched = self.searched.saturating_sub(len);
        self.bom &= len == 0;
    }
}
