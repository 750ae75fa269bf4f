//! Games: where they start, from the text alone and from anywhere in it.
//!
//! In: text, whole or piece by piece, and what is known of the text before it. Out: the byte
//! offsets of the lines that start a game.
//!
//! A line *opens* a tag pair with spaces or tabs, `[`, a tag name and `"`; it *closes* one if its last bytes,
//! whitespace and control bytes ignored, are `"` and `]`. A line that opens one **starts a game** if the nearest line
//! before it that is not blank and does not begin with `%` or `;`
//!
//! * does not exist: the archive begins here, or
//! * neither opens nor closes a tag pair, or
//! * does, but the new tag is `Event` and a blank line is between (after a game of tags only).
//!
//! A line in brackets that opens none as the standard has it (`[Foo b]`), and a bracket alone, count as one that does
//! directly after such a line; elsewhere a line in brackets is prose after which an `Event`, or any tag after a blank
//! line, starts a game.
//!
//! Comments are not read: one that is never closed affects one game, not the archive. The rule depends on one line
//! before, and on the lines of one tag section where that is in brackets, so that it gives the same starts however the
//! text is divided.
//!
//! Cost: linear, no allocation; between line ends the search has the speed of `memchr`.
//!
//! ```
//! use pgnmill_io::archive::games::Starts;
//! let text = b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n[Site \"c\"]\n\n*\n";
//! assert_eq!(Starts::new(text).collect::<Vec<_>>(), [0, 22]);
//! ```

use memchr::{memchr2, memchr2_iter, memrchr2};
use pgnmill_simd::Level;
use pgnmill_state::state;
use std::ops::Range;

use super::line_scan::{LineEnds, NextStart};
use super::lines::{
    BYTE_ORDER_MARK, Head, LINE_EDGE_BYTES, Previous, class_of, finished_head, head, is_start,
    line_before, line_that_decides, previous_of, starts_game,
};

/// The game starts of a text that begins where an archive or a game begins.
#[derive(Debug, Clone)]
pub struct Starts<'t> {
    text: &'t [u8],
    /// The last start that was found, or 0; `None` before the first line was read.
    at: Option<usize>,
    level: Level,
}

impl<'t> Starts<'t> {
    /// Searches `text`, such as that of a [`Block`](super::Block) of whole games, with the best vector instructions.
    pub fn new(text: &'t [u8]) -> Starts<'t> {
        Starts::on(Level::best(), text)
    }

    /// The starts of games of a text, found with the vector instructions of a level.
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
    /// The next start after the first byte, and the line ends from the last start to it, or to the end.
    fn next_counted(&mut self) -> (Option<usize>, LineEnds) {
        let from = self.at.unwrap_or(0);
        let (found, ends) = self.level.run(NextStart { text: self.text, from });
        self.at = Some(found.unwrap_or(self.text.len()));
        (found, ends)
    }
}

/// The line that contains the byte before `at`, or begins there, without its line end.
pub fn line_of(text: &[u8], at: usize) -> Range<usize> {
    let begin = memrchr2(b'\n', b'\r', &text[..at]).map_or(0, |end| end + 1);
    let end = memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |end| at + end);
    begin..end
}

/// Does a line by itself open or close a tag pair? A line after it that opens one then starts no game, except for
/// `Event` after a blank line.
pub fn is_tag_line(text: &[u8], line: Range<usize>) -> bool {
    let head = finished_head(text, line.start);
    previous_of(head, &text[line], Previous::None, false) == Previous::Tag
}

/// Does the line that begins at `at` open a tag pair, and is it that of an `Event`? `None` if it opens none.
pub fn tag_opening(text: &[u8], at: usize) -> Option<bool> {
    match finished_head(text, at) {
        Head::Opens { event } => Some(event),
        _ => None,
    }
}

/// Does the next line of a text after its first one, blank lines and comments ignored, open a tag pair?
pub fn next_line_opens(text: &[u8]) -> bool {
    let begins = memchr2_iter(b'\n', b'\r', text).map(|end| finished_head(text, end + 1));
    let mut deciding = begins.skip_while(|head| matches!(head, Head::Blank | Head::Comment));
    matches!(deciding.next(), Some(Head::Opens { .. }))
}

/// The end of a text, as it decides whether a line after it starts a game. If the last line of the text has no line
/// end, one is assumed. Cost: reads back to the line that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextEnd {
    previous: Previous,
    /// Is the last line blank, or a comment line after a blank one?
    pub blank: bool,
}

state!(TextEnd { previous, blank });

impl TextEnd {
    /// The end of `text`.
    pub fn new(text: &[u8]) -> TextEnd {
        let begin = memrchr2(b'\n', b'\r', text).map_or(0, |end| end + 1);
        let last = finished_head(text, begin);
        let (line, blank) = match last {
            Head::Blank | Head::Comment => line_that_decides(text, begin),
            _ => (Some((begin..text.len(), last)), false),
        };
        // What is before the text may be a tag section.
        let class = |(line, head)| class_of(text, line, head, Some(Previous::Unknown));
        let previous = line.map_or(Previous::None, class);
        TextEnd { previous, blank: blank || (last == Head::Blank && begin < text.len()) }
    }

    /// Does a line that opens a tag pair, an `Event` or another, start a game there? `blank`: after one more blank
    /// line. False if no line decides.
    pub fn starts(self, event: bool, blank: bool) -> bool {
        self.previous != Previous::None && starts_game(event, self.previous, self.blank || blank)
    }
}

/// The games of a text that begins where an archive or a game begins, with the offset of each.
///
/// They tile the text: the text before the first start is an item too, as if it were a game.
///
/// ```
/// use pgnmill_io::archive::games::Games;
/// let games: Vec<_> = Games::new(b"junk\n[Event \"a\"]\n\n*\n").collect();
/// assert_eq!(games, [(0, b"junk\n" as &[u8]), (5, b"[Event \"a\"]\n\n*\n")]);
/// ```
#[derive(Debug, Clone)]
pub struct Games<'t> {
    starts: Starts<'t>,
    from: usize,
}

impl<'t> Games<'t> {
    /// Divides `text` into games, with the best vector instructions.
    pub fn new(text: &'t [u8]) -> Games<'t> {
        Games::on(Level::best(), text)
    }

    /// The games of a text, found with the vector instructions of a level.
    pub fn on(level: Level, text: &'t [u8]) -> Games<'t> {
        Games { starts: Starts::on(level, text), from: 0 }
    }

    /// The next game with its line ends.
    pub fn next_counted(&mut self) -> Option<(usize, &'t [u8], LineEnds)> {
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

/// The first game start in `from..until`; reads back before `from` only if a line there decides.
///
/// `text` begins where an archive or a game begins. Reads `from..until` and a few bytes more. This search is the second
/// pass over a text of few starts, and must be much cheaper than the first, whatever the text is: where brackets are
/// rare, only they are searched for, and where one is, [`STRETCH_BYTES`] are scanned together.
pub(super) fn first_start(level: Level, text: &[u8], from: usize, until: usize) -> Option<usize> {
    let sight_end = until.saturating_add(2 * LINE_EDGE_BYTES).min(text.len());
    let mut at = from;
    while at < sight_end {
        // A bracket after spaces, or a byte order mark: no other byte begins a line that matters.
        at += memchr2(b'[', BYTE_ORDER_MARK[0], &text[at..sight_end])?;
        let line = at - text[from..at].iter().rev().take_while(|byte| is_blank(**byte)).count();
        if line >= until {
            return None;
        }
        if line == 0 && is_start(text, 0) {
            return Some(0);
        }
        // From the line end before a line that a bracket begins, else from that after the line.
        let before = line.checked_sub(1).filter(|&before| b"\n\r".contains(&text[before]));
        let from = match before {
            Some(before) => before,
            None => at + memchr2(b'\n', b'\r', &text[at..sight_end])?,
        };
        // Lines that begin in the stretch are included as far as they can matter.
        let end = from + STRETCH_BYTES;
        let seen = &text[..text.len().min(end + LINE_EDGE_BYTES + BYTE_ORDER_MARK.len())];
        let (found, _) = level.run(NextStart { text: seen, from });
        if found.is_some() {
            return found.filter(|&start| start < until);
        }
        at = end.max(at + 1);
    }
    None
}

/// Does a line that begins in `range` start a game, in a text that begins where an archive or a game does?
pub fn starts_within(level: Level, text: &[u8], range: Range<usize>) -> bool {
    first_start(level, text, range.start, range.end).is_some()
}

/// How much is scanned together.
const STRETCH_BYTES: usize = 1024;

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The last game start of a text to which more may be added, and the new floor.
///
/// `text` begins where an archive or a game begins (that start is not returned). Lines that begin before `floor` were
/// read before; those before the floor that is returned need not be read again.
pub(super) fn last_start(text: &[u8], floor: usize) -> (Option<usize>, usize) {
    // The line in which the text ends: with more text it may open a tag pair.
    let fresh = floor.saturating_sub(1);
    let mut start = match memrchr2(b'\n', b'\r', &text[fresh..]) {
        Some(end) => fresh + end + 1,
        None if floor == 0 => 0,
        None => return (None, text.len()),
    };
    let mut next_floor = text.len();
    // A line that opens a tag pair, and whether a blank line is before it.
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
            Head::Comment => {}
            _ => {
                if let Some((at, event)) = opener
                    && starts_game(event, class_of(text, begin..end, line_head, None), blank)
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
