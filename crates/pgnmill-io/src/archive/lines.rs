//! Lines: whether a line of an archive starts a game.
//!
//! In: text and the offset where a line begins. Out: its [`Head`] (blank, comment, opens a tag pair, anything else),
//! whether it closes a tag pair, and the kind of the line before it.
//!
//! A line ends with LF, CRLF or a bare CR. Only the first and the last [`LINE_EDGE_BYTES`] bytes of a line are read, so
//! that a line of any length is classified in constant memory: a tag name or an indentation that is longer does not
//! open a tag pair, and a longer line is never blank.
//!
//! Cost: constant for a head and an end; `line_before` reads the line once, backwards, and `class_of` the lines of a
//! tag section. Example: [`games`](super::games).

use std::ops::Range;

use memchr::memrchr2;
use pgnmill_state::state;

use super::blanks::{BLANK_BYTES_MAX, blanks_end};
use super::odd_pairs::{Context, is_bracket_alone, is_bracketed, odd_opening};

/// How many bytes at the beginning and at the end of a line are read.
pub(super) const LINE_EDGE_BYTES: usize = 256;

pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The class of a line by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    /// Nothing but spaces and tabs.
    Blank,
    /// `%` or `;` in the first column: an escape or a comment, ignored.
    Comment,
    /// `[`, a tag name, `"`; `event` when the name is exactly `Event`.
    Opens { event: bool },
    /// Anything else.
    Other,
    /// A line whose beginning is not in the text.
    Fragment,
}

/// The nearest line before a line, blank and comment lines ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Previous {
    /// Not in the text.
    Unknown,
    /// There is none: the archive begins here.
    None,
    /// It neither opens nor closes a tag pair.
    Plain,
    /// It opens or closes a tag pair, or is one more of a tag section: see [`class_of`].
    Tag,
    /// It is in brackets, with a name that is no known tag's, and in no tag section: prose, or a tag pair without
    /// quotes.
    Bracketed,
}

state!(enum Previous { 0 => Unknown, 1 => None, 2 => Plain, 3 => Tag, 4 => Bracketed });

/// Reads the head of the line that begins at `at`.
///
/// `None`: the text ends before the head is decided, and more may follow (`complete` is false). `bom`: a byte order
/// mark is skipped. One may begin any line, where archives were joined.
pub(super) fn head(text: &[u8], at: usize, bom: bool, complete: bool) -> Option<Head> {
    let mut line = &text[at..];
    if bom {
        if let Some(rest) = line.strip_prefix(BYTE_ORDER_MARK) {
            line = rest;
        } else if !complete && BYTE_ORDER_MARK.starts_with(line) {
            return None;
        }
    }
    let seen = &line[..line.len().min(LINE_EDGE_BYTES)];
    // The head where the text ends: too long, at the end of the archive, or not yet decided.
    let stop = |head| {
        if seen.len() == LINE_EDGE_BYTES { Some(Head::Other) } else { complete.then_some(head) }
    };

    let mut i = skip_spaces(seen, 0);
    match seen.get(i) {
        None => return stop(Head::Blank),
        Some(b'\n' | b'\r') => return Some(Head::Blank),
        Some(b'%' | b';') if i == 0 => return Some(Head::Comment),
        Some(b'[') => {}
        Some(0x80..) => return blank_head(seen, i, complete).or_else(|| stop(Head::Blank)),
        Some(_) => return Some(Head::Other),
    }
    let bracket = i;
    let name_start = skip_spaces(seen, i + 1);
    i = name_start;
    while let Some(&byte) = seen.get(i) {
        let in_name =
            byte == b'_' || byte.is_ascii_alphabetic() || (i > name_start && byte.is_ascii_digit());
        if !in_name {
            break;
        }
        i += 1;
    }
    let name = &seen[name_start..i];
    i = skip_spaces(seen, i);
    match seen.get(i) {
        None => stop(Head::Other),
        Some(b'"') if !name.is_empty() => Some(Head::Opens { event: name == b"Event" }),
        Some(_) if name.is_empty() => Some(Head::Other),
        // Mostly a bracket of prose. What is no pair of the standard is decided by its whole line.
        Some(_) => match memchr::memchr2(b'\n', b'\r', seen) {
            None if !complete && seen.len() < LINE_EDGE_BYTES => None,
            end => Some(odd_head(&seen[bracket..end.unwrap_or(seen.len())])),
        },
    }
}

/// The head of a line that begins with a blank of Unicode, or with another character beyond ASCII; `None` if the
/// text ends before it is decided.
#[cold]
fn blank_head(seen: &[u8], at: usize, complete: bool) -> Option<Head> {
    let at = blanks_end(seen, at);
    match seen.get(at) {
        None => None,
        Some(b'\n' | b'\r') => Some(Head::Blank),
        // The beginning of another blank.
        Some(0x80..) if !complete && seen.len() - at < BLANK_BYTES_MAX => None,
        Some(_) => Some(Head::Other),
    }
}

/// The head of a line, from its bracket on, that opens no pair as the standard has it.
#[cold]
fn odd_head(line: &[u8]) -> Head {
    match odd_opening(line, 0, Context::LineStart) {
        Some(opening) => Head::Opens { event: line[opening.name] == *b"Event" },
        None => Head::Other,
    }
}

/// Does a line, without its line end, close a tag pair: `"`, whitespace, `]`, whitespace? Control bytes are whitespace,
/// as they are between tokens: else a new pair after it could make one game of two.
#[inline]
pub(super) fn closes(line: &[u8]) -> bool {
    let seen = &line[line.len().saturating_sub(LINE_EDGE_BYTES)..];
    match trim_whitespace(seen) {
        [before @ .., b']'] => trim_whitespace(before).last() == Some(&b'"'),
        _ => false,
    }
}

/// The line that ends just before `start`, as (its first byte, its end without the line end).
///
/// `start` is the beginning of a line; `None` if there is no line before it.
pub(super) fn line_before(text: &[u8], start: usize) -> Option<(usize, usize)> {
    let mut end = start.checked_sub(1)?;
    if text[end] == b'\n' && end > 0 && text[end - 1] == b'\r' {
        end -= 1;
    }
    let begin = memrchr2(b'\n', b'\r', &text[..end]).map_or(0, |i| i + 1);
    Some((begin, end))
}

/// The line before the line at `start`, and whether a blank line is between.
///
/// `text` begins where an archive or a game begins. Reads back to that line and, if it is one of a tag section only
/// after others, to the line that decides.
pub(super) fn previous_line(text: &[u8], start: usize) -> (Previous, bool) {
    match line_that_decides(text, start) {
        (None, blank) => (Previous::None, blank),
        (Some((line, head)), blank) => (class_of(text, line, head, None), blank),
    }
}

/// The nearest line before the line at `start` that is neither blank nor a comment, and whether a blank line is
/// between.
pub(super) fn line_that_decides(
    text: &[u8],
    mut start: usize,
) -> (Option<(Range<usize>, Head)>, bool) {
    let mut blank = false;
    while let Some((begin, end)) = line_before(text, start) {
        match finished_head(text, begin) {
            Head::Blank => blank = true,
            Head::Comment => {}
            head => return (Some((begin..end, head)), blank),
        }
        start = begin;
    }
    (None, blank)
}

/// The head of a line whose end is in the text.
pub(super) fn finished_head(text: &[u8], begin: usize) -> Head {
    head(text, begin, true, true).unwrap_or(Head::Other)
}

/// The class of a complete line by itself.
enum OwnClass {
    /// Whatever is before it.
    Certain(Previous),
    /// It is one more line of a tag section after one of these, with no blank line between; else this.
    AfterTag(Previous),
}

#[inline]
fn own_class(head: Head, line: &[u8]) -> OwnClass {
    match head {
        Head::Opens { .. } => OwnClass::Certain(Previous::Tag),
        _ if closes(line) => OwnClass::Certain(Previous::Tag),
        _ if is_bracketed(line) => OwnClass::AfterTag(Previous::Bracketed),
        _ if is_bracket_alone(line) => OwnClass::AfterTag(Previous::Plain),
        _ => OwnClass::Certain(Previous::Plain),
    }
}

/// The class of a complete line, neither blank nor a comment, for the lines after it. `before`, `blank`: the class of
/// the line before it, and whether a blank line is between.
#[inline]
pub(super) fn previous_of(head: Head, line: &[u8], before: Previous, blank: bool) -> Previous {
    match (own_class(head, line), before) {
        (OwnClass::AfterTag(_), Previous::Tag | Previous::Unknown) if !blank => before,
        (OwnClass::Certain(class) | OwnClass::AfterTag(class), _) => class,
    }
}

/// The class of a line of a text; reads back to the line that decides. `first`: the class of the line before the text,
/// if there is one. Cost: the lines of one tag section, each once, because a line that opens a tag pair decides.
pub(super) fn class_of(
    text: &[u8],
    line: Range<usize>,
    head: Head,
    first: Option<Previous>,
) -> Previous {
    let class = match own_class(head, &text[line.clone()]) {
        OwnClass::Certain(class) => return class,
        OwnClass::AfterTag(class) => class,
    };
    let mut start = line.start;
    loop {
        match line_that_decides(text, start) {
            (_, true) => return class,
            (None, false) => return first.unwrap_or(class),
            (Some((line, head)), false) => match own_class(head, &text[line.clone()]) {
                OwnClass::Certain(Previous::Tag) => return Previous::Tag,
                OwnClass::Certain(_) => return class,
                OwnClass::AfterTag(_) => start = line.start,
            },
        }
    }
}

/// Does a line that opens a tag pair start a game, after such a line?
#[inline]
pub(super) fn starts_game(event: bool, previous: Previous, blank: bool) -> bool {
    match previous {
        Previous::None | Previous::Plain => true,
        // An unknown line is one of these; an `Event` after a blank line starts a game after any.
        Previous::Tag | Previous::Unknown => event && blank,
        // In a tag section, no line is empty and one pair is the `Event`.
        Previous::Bracketed => event || blank,
    }
}

/// Does the line that begins at `at`, of a text that begins where an archive or a game begins, start a game? Reads the
/// line before it only if it opens a tag pair, so that no line is read backwards twice.
pub(super) fn is_start(text: &[u8], at: usize) -> bool {
    match finished_head(text, at) {
        Head::Opens { event } => {
            let (previous, blank) = previous_line(text, at);
            starts_game(event, previous, blank)
        }
        _ => false,
    }
}

fn skip_spaces(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

#[inline]
fn trim_whitespace(mut text: &[u8]) -> &[u8] {
    while let [before @ .., 0..=b' '] = text {
        text = before;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(line: &[u8]) -> Head {
        head(line, 0, false, true).expect("a complete line is decided")
    }

    #[test]
    fn heads_of_complete_lines() {
        assert_eq!(whole(b"[Event \"x\"]"), Head::Opens { event: true });
        assert_eq!(whole(b" \t[ Event\t\"x"), Head::Opens { event: true });
        assert_eq!(whole(b"[Event\""), Head::Opens { event: true });
        assert_eq!(whole(b"[_a9 \"x\"]"), Head::Opens { event: false });
        assert_eq!(whole(b"[EventDate \"x\"]"), Head::Opens { event: false });
        for other in ["[9a \"x\"]", "[Foo x]", "[\"x\"]", "[Event", "1. e4", "[%clk 0:01]", "x%"] {
            assert_eq!(whole(other.as_bytes()), Head::Other, "{other}");
        }
        assert_eq!(whole(b" %"), Head::Other);
        assert_eq!(whole(b"%[Event \"x\"]"), Head::Comment);
        assert_eq!(whole(b"; 1. e4"), Head::Comment);
        assert_eq!(whole(b"  \t\r\nx"), Head::Blank);
        assert_eq!(whole(b""), Head::Blank);
    }

    #[test]
    fn the_opening_must_not_cross_a_line_end() {
        assert_eq!(whole(b"[Event\n\"x\"]"), Head::Other);
        assert_eq!(whole(b"[\rEvent \"x\"]"), Head::Other);
    }

    #[test]
    fn a_truncated_head_is_undecided_until_its_limit() {
        for cut in ["", " ", "[", "[Eve", "[Event", "[Event "] {
            assert_eq!(head(cut.as_bytes(), 0, false, false), None, "{cut:?}");
        }
        let mut line = vec![b' '; LINE_EDGE_BYTES - 1];
        assert_eq!(head(&line, 0, false, false), None);
        assert_eq!(whole(&line), Head::Blank);
        line.push(b' ');
        assert_eq!(head(&line, 0, false, false), Some(Head::Other));
        assert_eq!(whole(&line), Head::Other);
    }

    #[test]
    fn the_quote_must_be_within_the_limit() {
        let with_name =
            |name_bytes: usize| [b"[" as &[u8], &vec![b'a'; name_bytes], b"\""].concat();
        assert_eq!(whole(&with_name(LINE_EDGE_BYTES - 2)), Head::Opens { event: false });
        assert_eq!(whole(&with_name(LINE_EDGE_BYTES - 1)), Head::Other);
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        let line = b"\xEF\xBB\xBF[Event \"x\"]";
        assert_eq!(head(line, 0, true, true), Some(Head::Opens { event: true }));
        assert_eq!(head(line, 0, false, true), Some(Head::Other));
        assert_eq!(head(&line[..2], 0, true, false), None);
    }

    #[test]
    fn closing_lines() {
        for line in ["[a \"b\"]", "x\" ]\t ", "\"]", "[a \"b\"\0]\x0f"] {
            assert!(closes(line.as_bytes()), "{line}");
        }
        for line in ["", "]", "\"", "\"]x", "[%clk 1]"] {
            assert!(!closes(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn lines_backwards_with_every_line_end() {
        let text = b"a\r\nb\n\nc\rd";
        assert_eq!(line_before(text, 8), Some((6, 7)));
        assert_eq!(line_before(text, 6), Some((5, 5)));
        assert_eq!(line_before(text, 5), Some((3, 4)));
        assert_eq!(line_before(text, 3), Some((0, 1)));
        assert_eq!(line_before(text, 0), None);
    }
}
