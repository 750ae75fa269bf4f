//! Joints: the bytes between two pieces of text that were not adjacent in their source, so that they do not run
//! together.
//!
//! In: pieces of text (games, text between games) in the order in which they are written, each with its span in its
//! archive. Out: the bytes to insert before a piece. Invariant: the joined text, when it is read, contains exactly
//! the games of the pieces, in order. Pieces that were adjacent stay as they are, except for a game on the line on
//! which the preceding game ends, which gets a line of its own: the tag pair of another notation could not be removed
//! again without a trace. A game without a result is settled where the next piece of its source, which ends it,
//! follows. Elsewhere bytes are inserted only where they are necessary, with the last line end of the preceding piece,
//! else the first of the following one:
//!
//! * a line end if the preceding text ends within a line;
//! * a result (of the tag pair, or `*`) after a game without one, unless a tag pair starts the next game;
//! * an `Event` pair after an empty line, which starts a game after any text: after a rejected game without a
//!   definite end (open comment or variation), before a comment with which a game begins, and where games without tag
//!   pairs would become longer than a game may be;
//! * an empty line between text that a tag pair on the next line would make one (`Round "3"]`) and a tag pair;
//! * an empty comment where unpaired braces of earlier comments could be paired with later ones;
//! * a space before a `%` that was not in the first column and would now begin an escape line.
//!
//! The decision depends on the two adjacent pieces only, not on the division of the archive into jobs: a [`TextSeams`]
//! describes the pieces of one job's text, and a [`Joiner`], one per output, the end of the text
//! written so far. Cost: a few comparisons for pieces that were adjacent, otherwise a scan of both.
//!
//! Known exception: text without a game at the start of an archive, after a rejected game without a definite end,
//! becomes part of that game.

use pgnmill_io::archive::games::{TextEnd, next_line_opens, tag_opening};
use pgnmill_state::{Loader, State, state};

use crate::pgn::{BYTE_ORDER_MARK, line_end, opens_tag_pair};
use crate::replay::{GameHead, UnendedEnd};

use super::text_piece::{End, Kind, TextPiece};

/// Starts a game after any text, if it follows an empty line.
const EVENT: &[u8] = b"[Event \"?\"]";

/// The properties of the beginning of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceHead {
    pub(super) kind: Kind,
    /// Does its first line open a tag pair, and is that an `Event` pair?
    opens: Option<bool>,
    /// Does it begin with a tag pair?
    tag: bool,
    /// Does the line after its first one open a tag pair?
    next_opens: bool,
    /// Line ends before its first character that is not whitespace, two at most.
    lines: u8,
    /// Is it a game that begins with a comment or another token that can follow a result?
    follows_result: bool,
    /// Length of a byte order mark, with the whitespace before it, of a game that does not begin with a tag pair;
    /// else 0.
    bom_bytes: usize,
    /// Does it begin with a `%` that was not in the first column?
    pub(super) percent: bool,
    line_end: Option<&'static [u8]>,
    /// Of a game that was not rejected: what it begins with, as far as it ends the one before.
    game: Option<GameHead>,
}

impl PieceHead {
    pub(super) fn of(text: &[u8], piece: &TextPiece) -> PieceHead {
        let mut lead = text.iter().take_while(|&&byte| byte <= b' ').count();
        let ends = text[..lead].iter().enumerate();
        let lines =
            ends.filter(|&(at, &b)| b == b'\n' && (at == 0 || text[at - 1] != b'\r') || b == b'\r');
        let lines = lines.take(2).count() as u8;
        let line = text[..lead].iter().rposition(|b| matches!(b, b'\n' | b'\r'));
        let opens = tag_opening(text, line.map_or(0, |end| end + 1));
        let has_bom = text[lead..].starts_with(BYTE_ORDER_MARK);
        lead += if has_bom { BYTE_ORDER_MARK.len() } else { 0 };
        let is_game = matches!(piece.kind, Kind::Game { .. });
        let is_legal = piece.kind == Kind::Game { rejected: false };
        // A byte order mark ends the game before: nothing goes there.
        let can_follow = is_game && !has_bom;
        let follows = |byte: &u8| matches!(byte, b'{' | b';' | b'%' | b'$' | b'!' | b'?');
        PieceHead {
            kind: piece.kind,
            opens: opens.filter(|_| is_game),
            tag: is_game && opens_tag_pair(text, lead),
            next_opens: is_game && next_line_opens(text),
            lines,
            follows_result: can_follow && text.get(lead).is_some_and(follows),
            bom_bytes: if has_bom && opens.is_none() { lead } else { 0 },
            percent: text.first() == Some(&b'%') && !piece.first_column,
            line_end: line_end::first(text),
            game: if is_legal && !has_bom { GameHead::of(text, 0) } else { None },
        }
    }
}

/// A line end.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineEnd(pub(super) &'static [u8]);

impl State for LineEnd {
    fn save(&self, out: &mut Vec<u8>) {
        self.0.to_vec().save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<LineEnd> {
        let text: Vec<u8> = from.value()?;
        let ends = [&b"\n"[..], b"\r\n", b"\r"];
        ends.into_iter().find(|end| *end == text).map(LineEnd)
    }
}

/// The properties of the end of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextTail {
    pub(super) end: End,
    /// Is it that of a game which the next piece of its source ends?
    pub(super) followed: bool,
    /// Else, for a game without a result: what begins the next one.
    pub(super) unended: Option<UnendedEnd>,
    pub(super) rejected: bool,
    pub(super) in_line: bool,
    /// Does the last line contain more than whitespace, and does it open a tag pair?
    pub(super) fills_line: bool,
    pub(super) tag_line: bool,
    pub(super) last_piece: TextEnd,
    /// Does it contain braces that later ones could be paired with?
    pub(super) unpaired_braces: bool,
    /// Is the last line a tag pair without its first bracket, if a tag pair is on the next line?
    pub(super) loose_pair: bool,
    pub(super) line_end: Option<LineEnd>,
    /// Bytes since the last piece that certainly starts a game.
    pub(super) run_bytes: u64,
}

state!(TextTail {
    end,
    followed,
    unended,
    rejected,
    in_line,
    fills_line,
    tag_line,
    last_piece,
    unpaired_braces,
    loose_pair,
    line_end,
    run_bytes
});

/// The bytes between two texts.
#[derive(Debug, Default)]
pub(super) struct Joint {
    pub(super) bytes: Vec<u8>,
    /// Offset in the second text at which they are inserted.
    pub(super) at: usize,
    /// Does the second text then certainly start a game?
    pub(super) starts: bool,
    /// Do they separate unpaired braces from later ones?
    pub(super) separates_braces: bool,
}

impl Joint {
    /// Adds what starts a game after any text that ends with a line end: an empty line and an `Event` pair.
    fn start_game(&mut self, tail: &TextTail, head: &PieceHead, line_end: &[u8]) {
        if !tail.last_piece.blank || !self.bytes.is_empty() {
            self.bytes.extend_from_slice(line_end);
        }
        if head.opens != Some(true) {
            self.bytes.extend_from_slice(EVENT);
            self.bytes.extend_from_slice(line_end);
            if !head.tag {
                self.bytes.extend_from_slice(line_end);
            }
        }
        self.starts = true;
    }
}

/// Does a game begin on the line on which the game before it ends, so that it gets a line of its own? A rejected game
/// is copied as it is. After a line that opens a tag pair no game starts: without it one could.
fn run_together(tail: &TextTail, head: &PieceHead) -> bool {
    let can_begin_line =
        head.kind == Kind::Game { rejected: false } && !(tail.tag_line && head.next_opens);
    let is_ended = (tail.end == End::Closed || tail.followed) && !tail.rejected;
    is_ended && tail.fills_line && head.lines == 0 && (head.tag || can_begin_line)
}

/// The line end between them.
fn line_end_between(tail: &TextTail, head: &PieceHead) -> &'static [u8] {
    tail.line_end.map(|LineEnd(end)| end).or(head.line_end).unwrap_or(b"\n")
}

/// The joint between a text and a piece. `long`: as one game they would be longer than a game may be.
pub(super) fn joint_between(
    tail: &TextTail,
    head: &PieceHead,
    is_adjacent: bool,
    long: bool,
) -> Joint {
    if head.kind == Kind::Line {
        let end: &[u8] = if tail.in_line { line_end_between(tail, head) } else { b"" };
        return Joint { bytes: end.to_vec(), ..Joint::default() };
    }
    let mut joint = joint_of_games(tail, head, is_adjacent, long);
    let after_empty_line = head.lines > u8::from(tail.in_line);
    // Text between games that a tag pair on the next line would make one.
    let makes_pair = tail.loose_pair && tail.end == End::Between && head.tag;
    if makes_pair && !is_adjacent && !after_empty_line && joint.at == 0 {
        joint.bytes.splice(0..0, line_end_between(tail, head).iter().copied());
    }
    joint
}

/// The joint as far as games decide it.
fn joint_of_games(tail: &TextTail, head: &PieceHead, is_adjacent: bool, long: bool) -> Joint {
    let mut joint = Joint::default();
    if head.kind == Kind::Rest {
        return joint;
    }
    let line_end = line_end_between(tail, head);
    let in_line = tail.in_line && head.lines == 0;
    let after_empty_line = head.lines > u8::from(tail.in_line);
    joint.starts = head.opens.is_some_and(|event| tail.last_piece.starts(event, after_empty_line));
    // The tag pairs that separated a game from the one before may have been removed.
    let loses_comment = head.follows_result && tail.end == End::Closed;
    // Of a game with a tag pair that was removed, and of its source's archive alone.
    let begins = || tail.unended.zip(head.game).is_some_and(|(end, game)| end.ends_before(game));
    if is_adjacent && (tail.end.is_settled() || tail.followed || begins()) && !loses_comment {
        if run_together(tail, head) {
            joint.bytes.extend_from_slice(line_end);
        }
        // Within a line a tag pair starts no game.
        joint.starts &= !in_line || !joint.bytes.is_empty();
        return joint;
    }
    if in_line {
        joint.bytes.extend_from_slice(line_end);
    }
    let is_game = matches!(head.kind, Kind::Game { .. });
    let end_line = |bytes: &mut Vec<u8>| {
        if tail.in_line && bytes.is_empty() {
            bytes.extend_from_slice(line_end);
        }
    };
    let is_uncertain = match tail.end {
        _ if joint.starts => false,
        End::Open(result) => {
            end_line(&mut joint.bytes);
            joint.bytes.extend_from_slice(result.as_bytes());
            joint.bytes.extend_from_slice(line_end);
            joint.starts = head.opens.is_some();
            // A comment that the next game leaves open could become part of the text after the result.
            head.follows_result || long
        }
        End::Unbounded => true,
        End::Closed => head.follows_result || long,
        End::Between => long,
    };
    // A byte order mark is recognised before a tag pair, not after it.
    if is_uncertain && head.bom_bytes > 0 {
        joint.at = head.bom_bytes;
        joint.bytes = line_end.to_vec();
    }
    if is_uncertain && is_game && !joint.starts {
        end_line(&mut joint.bytes);
        joint.start_game(tail, head, line_end);
    }
    if tail.unpaired_braces && tail.end != End::Unbounded && !joint.starts {
        end_line(&mut joint.bytes);
        joint.bytes.extend_from_slice(b"{}");
        joint.bytes.extend_from_slice(line_end);
        joint.separates_braces = true;
    }
    if head.percent {
        joint.bytes.push(b' ');
    }
    joint
}
