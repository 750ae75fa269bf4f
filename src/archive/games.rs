//! Games: where they start, from the text alone and from anywhere in it.
//!
//! In: text, whole or piece by piece, and what is known of the text before it. Out: the byte
//! offsets of the lines that start a game.
//!
//! A line *opens* a tag pair with blanks, `[`, a tag name and `"`; it *closes* one when its last
//! bytes, blanks and control bytes apart, are `"` and `]`. A line that opens one **starts a game**
//! when the nearest line before it that is not blank and does not begin with `%` or `;`
//!
//! * does not exist: the archive begins here, or
//! * neither opens nor closes a tag pair, or
//! * does, but the new tag is `Event` and a blank line lies between (a game of tags only came
//!   before).
//!
//! Comments are not looked at: one that is never closed spoils one game, not the archive. The rule
//! looks back to one line and no further, so that it gives the same answer whatever the text was
//! cut into.
//!
//! Cost: linear, no allocation; between line ends the search runs at the speed of `memchr`.
//!
//! ```
//! use pgnmill::archive::games::Starts;
//! let text = b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n[Site \"c\"]\n\n*\n";
//! assert_eq!(Starts::new(text).collect::<Vec<_>>(), [0, 22]);
//! ```

use super::line_scan::{LineEnds, NextStart};
use super::lines::{
    BYTE_ORDER_MARK, Head, Previous, SIGHT_BYTES, finished_head, head, line_before, look_back,
    previous_of, starts_game,
};
use crate::machine::Level;
use memchr::{memchr2, memrchr2};
use std::ops::Range;

/// The game starts of a text that begins where an archive or a game begins.
#[derive(Debug, Clone)]
pub struct Starts<'t> {
    text: &'t [u8],
    /// The last start that was found, or 0; `None` if the first line is still to be looked at.
    at: Option<usize>,
    level: Level,
}

impl<'t> Starts<'t> {
    /// Looks for the starts in `text`, such as that of a [`Block`](super::Block) of whole games.
    pub fn new(text: &'t [u8]) -> Starts<'t> {
        Starts::on(Level::best(), text)
    }

    /// The same with a given machine.
    pub fn on(level: Level, text: &'t [u8]) -> Starts<'t> {
        Starts { text, at: None, level }
    }
}

impl Iterator for Starts<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.at.is_none() {
            self.at = Some(0);
            if is_start(self.text, 0) {
                return Some(0);
            }
        }
        self.next_counted().0
    }
}

impl Starts<'_> {
    /// The next start, the text's first byte apart, and the line ends from the last one to it, or to the end.
    fn next_counted(&mut self) -> (Option<usize>, LineEnds) {
        let from = self.at.unwrap_or(0);
        let (found, ends) = self.level.run(NextStart { text: self.text, from });
        self.at = Some(found.unwrap_or(self.text.len()));
        (found, ends)
    }
}

/// Does the line that begins at `at`, of a text that begins where an archive or a game begins, start a game? Looks back to
/// the line before it only if it opens a tag pair, so that no line is looked back to twice.
pub(super) fn is_start(text: &[u8], at: usize) -> bool {
    match finished_head(text, at) {
        Head::Opens { event } => {
            let (previous, blank) = look_back(text, at);
            starts_game(event, previous, blank)
        }
        _ => false,
    }
}

/// The line that holds the byte before `at`, or begins there, without its line end.
pub(crate) fn line_of(text: &[u8], at: usize) -> Range<usize> {
    let begin = memrchr2(b'\n', b'\r', &text[..at]).map_or(0, |end| end + 1);
    let end = memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |end| at + end);
    begin..end
}

/// Does a line open or close a tag pair? A line that follows it and opens one then starts no game, but for `Event` behind a
/// blank line.
pub(crate) fn is_tag_line(text: &[u8], line: Range<usize>) -> bool {
    previous_of(finished_head(text, line.start), &text[line]) == Previous::Tag
}

/// Does the line that begins at `at` open a tag pair, and is it that of an `Event`? `None` if it opens none.
pub(crate) fn tag_opening(text: &[u8], at: usize) -> Option<bool> {
    match finished_head(text, at) {
        Head::Opens { event } => Some(event),
        _ => None,
    }
}

/// What the end of a text says of the line behind it, its own last line ended if it is not yet. Looks back no further than a
/// line that decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextEnd {
    previous: Previous,
    /// Does it end in a blank line, or one of comment alone behind a blank one?
    pub(crate) blank: bool,
}

impl TextEnd {
    /// What the end of `text` says.
    pub(crate) fn new(text: &[u8]) -> TextEnd {
        let begin = memrchr2(b'\n', b'\r', text).map_or(0, |end| end + 1);
        let last = finished_head(text, begin);
        let (previous, blank) = match last {
            Head::Blank | Head::Mark => look_back(text, begin),
            _ => (previous_of(last, &text[begin..]), false),
        };
        TextEnd { previous, blank: blank || (last == Head::Blank && begin < text.len()) }
    }

    /// Does a line that opens a tag pair, that of an `Event` or another, start a game there? `blank`: behind another blank
    /// line. Where no line decides it the answer is no.
    pub(crate) fn starts(self, event: bool, blank: bool) -> bool {
        self.previous != Previous::None && starts_game(event, self.previous, self.blank || blank)
    }
}

/// The games of a text that begins where an archive or a game begins, with the offset of each.
///
/// They tile the text: what stands before the first start is given too, as if it were a game.
///
/// ```
/// use pgnmill::archive::games::Games;
/// let games: Vec<_> = Games::new(b"junk\n[Event \"a\"]\n\n*\n").collect();
/// assert_eq!(games, [(0, b"junk\n" as &[u8]), (5, b"[Event \"a\"]\n\n*\n")]);
/// ```
#[derive(Debug, Clone)]
pub struct Games<'t> {
    starts: Starts<'t>,
    from: usize,
}

impl<'t> Games<'t> {
    /// Cuts `text` into games.
    pub fn new(text: &'t [u8]) -> Games<'t> {
        Games::on(Level::best(), text)
    }

    /// The same with a given machine.
    pub fn on(level: Level, text: &'t [u8]) -> Games<'t> {
        Games { starts: Starts::on(level, text), from: 0 }
    }

    /// The next game with its line ends.
    pub(crate) fn next_counted(&mut self) -> Option<(usize, &'t [u8], LineEnds)> {
        let (text, from) = (self.starts.text, self.from);
        if from == text.len() {
            return None;
        }
        let (next, ends) = self.starts.next_counted();
        self.from = next.unwrap_or(text.len());
        Some((from, &text[from..self.from], ends))
    }
}

impl<'t> Iterator for Games<'t> {
    type Item = (usize, &'t [u8]);

    fn next(&mut self) -> Option<(usize, &'t [u8])> {
        self.next_counted().map(|(start, text, _)| (start, text))
    }
}

/// The search for starts as a small state that survives the text: resumed as text is added at the
/// end and as text that was understood is forgotten at the front.
#[derive(Debug, Clone)]
pub(super) struct Scanner {
    /// Where the current line begins; meaningless once that was forgotten, and `head` is then
    /// known.
    at: usize,
    head: Option<Head>,
    /// No line end of the current line lies before this.
    searched: usize,
    previous: Previous,
    blank: bool,
    /// A byte order mark may stand at `at`.
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
    /// `more`: text may still follow; a line that it could change is then left for the next call.
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
                Head::Mark | Head::Fragment => {}
                Head::Opens { .. } | Head::Other => {
                    self.previous = previous_of(line_head, &text[self.at..end]);
                    if self.previous == Previous::Plain && self.head.is_none() {
                        self.previous = previous_of(finished_head(text, self.at), b"");
                    }
                    self.blank = false;
                }
            }
            (self.at, self.head, self.bom) = (next, None, false);
        }
    }

    /// Whether the current line follows a tag pair and begins with a bracket. It then starts no
    /// game, and mostly its end tells that it is a tag pair as well: its head need be read only
    /// when it does not.
    #[inline]
    fn is_among_tags(&self, text: &[u8]) -> bool {
        self.previous == Previous::Tag && !self.blank && text.get(self.at) == Some(&b'[')
    }

    /// Where the current line ends and the next one begins; `None` if that is not in the text.
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
            0xEF => head(text, self.at, true, !more),
            _ => Some(Head::Other),
        }
    }

    /// How many of `len` bytes of text may be forgotten: no start can be found in them any more,
    /// and none of them is needed to find the next one.
    pub(super) fn understood(&self, len: usize) -> usize {
        match self.head {
            None => self.at,
            Some(_) => self.at.max(len.saturating_sub(SIGHT_BYTES + 1)),
        }
    }

    /// How many of the `blanks` that the text begins with, all of which were seen, may be forgotten:
    /// not those in front of a bracket, which can open a tag pair.
    pub(super) fn passable(&self, blanks: usize) -> usize {
        match self.head {
            None | Some(Head::Blank) => self.at.min(blanks),
            Some(_) => blanks,
        }
    }

    /// Whether the first `len` bytes of the text end where a tag pair can still be opened on the
    /// current line, or on a line whose beginning was never seen.
    pub(super) fn can_see(&self, len: usize) -> bool {
        match self.head {
            None => len <= self.at + SIGHT_BYTES,
            head => head == Some(Head::Fragment),
        }
    }

    /// The first `len` bytes of the text are gone.
    pub(super) fn forget(&mut self, len: usize) {
        self.at = self.at.saturating_sub(len);
        self.searched = self.searched.saturating_sub(len);
        self.bom &= len == 0;
    }
}

/// The first game start in `from..until`, looking back over the text before `from` only if it
/// matters.
///
/// `text` begins where an archive or a game begins. Reads `from..until` and a few bytes more. This
/// search is the second pass over a text of few starts, and must be much cheaper than the first,
/// whatever the text is: no byte is looked at but brackets where these are rare, and where one is,
/// a stretch of lines is looked at together.
pub(super) fn first_start(text: &[u8], from: usize, until: usize) -> Option<usize> {
    let sight_end = until.saturating_add(2 * SIGHT_BYTES).min(text.len());
    let mut at = from;
    while at < sight_end {
        // A bracket behind blanks, or a byte order mark: whatever else a line begins with.
        at += memchr2(b'[', BYTE_ORDER_MARK[0], &text[at..sight_end])?;
        let line = at - text[from..at].iter().rev().take_while(|byte| is_blank(**byte)).count();
        if line >= until {
            return None;
        }
        if line == 0 && is_start(text, 0) {
            return Some(0);
        }
        // From the line end before a line that a bracket begins, else from that behind the line.
        let before = line.checked_sub(1).filter(|&before| b"\n\r".contains(&text[before]));
        let from = match before {
            Some(before) => before,
            None => at + memchr2(b'\n', b'\r', &text[at..sight_end])?,
        };
        // Lines that begin in the stretch are seen as far as they are ever looked at.
        let end = from + STRETCH_BYTES;
        let seen = &text[..text.len().min(end + SIGHT_BYTES + BYTE_ORDER_MARK.len())];
        let (found, _) = Level::best().run(NextStart { text: seen, from });
        if found.is_some() {
            return found.filter(|&start| start < until);
        }
        at = end.max(at + 1);
    }
    None
}

/// Does a line that begins in `places` start a game, in a text that begins where an archive or a game does?
pub(crate) fn starts_within(text: &[u8], places: Range<usize>) -> bool {
    first_start(text, places.start, places.end).is_some()
}

/// How much is looked at together.
const STRETCH_BYTES: usize = 1024;

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The last game start of a text to which more may be added, and the new floor.
///
/// `text` begins where an archive or a game begins (that start is not reported). Lines that begin
/// before `floor` have been looked at already; those before the floor that is returned need no
/// second look.
pub(super) fn last_start(text: &[u8], floor: usize) -> (Option<usize>, usize) {
    // The line that the text stops in: it may still turn out to open a tag pair.
    let fresh = floor.saturating_sub(1);
    let mut start = match memrchr2(b'\n', b'\r', &text[fresh..]) {
        Some(end) => fresh + end + 1,
        None if floor == 0 => 0,
        None => return (None, text.len()),
    };
    let mut next_floor = text.len();
    // A line that opens a tag pair, and whether a blank line stands before it.
    let mut opener: Option<(usize, bool)> = None;
    let mut blank = false;
    if start < text.len() {
        match head(text, start, true, false) {
            None => next_floor = start,
            Some(Head::Opens { event }) => opener = Some((start, event)),
            Some(_) => {}
        }
    }
    while opener.is_some() || start > floor {
        let Some((begin, end)) = line_before(text, start) else { break };
        let line_head = finished_head(text, begin);
        match line_head {
            Head::Blank => blank = true,
            Head::Mark => {}
            _ => {
                let previous = previous_of(line_head, &text[begin..end]);
                if let Some((at, event)) = opener
                    && starts_game(event, previous, blank)
                {
                    return (Some(at), next_floor);
                }
                opener = match line_head {
                    Head::Opens { event } if begin >= floor => Some((begin, event)),
                    _ => None,
                };
                blank = false;
            }
        }
        start = begin;
    }
    (opener.map(|(at, _)| at).filter(|&at| at > 0), next_floor)
}

#[cfg(test)]
#[path = "games_tests.rs"]
mod tests;
