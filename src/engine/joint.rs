//! Where two texts meet that did not stand side by side: what is put between them, so that they do not run together.
//!
//! In: pieces of text (games, text between games) as they are written one behind the other, each with its place in its
//! archive. Out: the bytes to put before a piece. Invariant: read again, what is joined is the games of the
//! pieces, in order. Pieces that stood side by side stay as they are, but for a tag pair on the line where the game before
//! it ends, which gets a line of its own. Elsewhere nothing is put where nothing is needed, and otherwise, in the line
//! ends of the text before:
//!
//! * a line end where the text before ends within a line;
//! * a result, that of its tag pair or `*`, behind a game that has none, where no tag pair starts the next game;
//! * an `Event` pair behind a blank line, which starts a game whatever comes before, behind a rejected game that leaves open
//!   where it ends (a comment, a variation), and where games without tag pairs would become longer than a game may be;
//! * an empty comment, where braces of comments before could be paired with later ones;
//! * a blank before `%`, which would begin an escape only now.
//!
//! The decision is made by the two pieces that meet and does not depend on how the archive was cut into jobs: a [`TextSeams`] keeps
//! what the pieces of one report are, and a [`Joiner`], one an output, what was written last. What it costs: nothing to speak of
//! where pieces stood side by side, else a look at both.
//!
//! Known to be otherwise: text of no game that begins an archive, behind a rejected game that leaves its end open, becomes
//! part of that game.

use std::ops::Range;

use crate::archive::GAME_BYTES_MAX;
use crate::archive::games::{TextEnd, tag_opening};
use crate::pgn::{BYTE_ORDER_MARK, opens_tag_pair};

use super::joints::{Insertions, splice};

/// Starts a game whatever comes before, behind a blank line.
const EVENT: &[u8] = b"[Event \"?\"]";

/// What a piece of text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Game {
        rejected: bool,
    },
    Between,
    /// The piece before it goes on.
    Rest,
}

/// How a text ends, for whoever reads what follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// With a game whose own text says so.
    Closed,
    /// With text of no game.
    Between,
    /// With a game that goes on until another starts; the result is what could end it.
    Open(&'static str),
    /// With a game that nothing ends but the start of another.
    Wild,
}

impl End {
    fn is_settled(self) -> bool {
        matches!(self, End::Closed | End::Between)
    }
}

/// A piece of text, and where it comes from.
#[derive(Clone, Debug)]
pub struct TextPiece {
    pub(crate) kind: Kind,
    /// How it ends; of text between games nothing is asked.
    pub(crate) end: End,
    /// Where it lies in the report's text.
    pub(crate) source: Range<u64>,
    /// Does it begin where the archive room finds a start?
    pub(crate) starts: bool,
    /// Did it stand in the first column?
    pub(crate) first_column: bool,
}

/// What the beginning of a piece says.
#[derive(Clone, Copy, Debug)]
struct Front {
    kind: Kind,
    /// Its first line opens a tag pair: that of an `Event`?
    opens: Option<bool>,
    /// It begins with a tag pair.
    tag: bool,
    /// Line ends before its first sign, two at most.
    lines: u8,
    /// It begins with a comment or what else follows a result, and is rejected.
    comment: bool,
    /// So many bytes are a byte order mark, before a game that begins with no tag pair.
    mark_bytes: usize,
    /// It begins with `%`, which stood within a line.
    percent: bool,
    line_end: Option<&'static [u8]>,
}

impl Front {
    fn of(text: &[u8], piece: &TextPiece) -> Front {
        let mut lead = text.iter().take_while(|&&byte| byte <= b' ').count();
        let ends = text[..lead].iter().enumerate();
        let lines =
            ends.filter(|&(at, &b)| b == b'\n' && (at == 0 || text[at - 1] != b'\r') || b == b'\r');
        let lines = lines.take(2).count() as u8;
        let line = text[..lead].iter().rposition(|b| matches!(b, b'\n' | b'\r'));
        let opens = tag_opening(text, line.map_or(0, |end| end + 1));
        let marked = text[lead..].starts_with(BYTE_ORDER_MARK);
        lead += if marked { BYTE_ORDER_MARK.len() } else { 0 };
        let is_game = matches!(piece.kind, Kind::Game { .. });
        let follows = |byte: &u8| matches!(byte, b'{' | b';' | b'%' | b'$' | b'!' | b'?');
        Front {
            kind: piece.kind,
            opens: opens.filter(|_| is_game),
            tag: is_game && opens_tag_pair(text, lead),
            lines,
            comment: piece.kind == Kind::Game { rejected: true }
                && text.get(lead).is_some_and(follows),
            mark_bytes: if marked && opens.is_none() { lead } else { 0 },
            percent: text.first() == Some(&b'%') && !piece.first_column,
            line_end: first_line_end(text),
        }
    }
}

/// What the end of a text says.
#[derive(Clone, Copy, Debug)]
struct Back {
    end: End,
    rejected: bool,
    in_line: bool,
    behind: TextEnd,
    /// Braces that later ones could be paired with.
    loose: bool,
    line_end: Option<&'static [u8]>,
    /// Bytes since the last piece that surely starts a game.
    run_bytes: u64,
}

/// What is put between two texts, and whether the second then surely starts a game.
#[derive(Debug, Default)]
struct Put {
    bytes: Vec<u8>,
    /// After so many bytes of the second.
    at: usize,
    starts: bool,
    settles_braces: bool,
}

/// `long`: read as one text they would be longer than a game may be.
fn put(back: &Back, front: &Front, side_by_side: bool, long: bool) -> Put {
    let mut put = Put::default();
    if front.kind == Kind::Rest {
        return put;
    }
    let line_end = back.line_end.or(front.line_end).unwrap_or(b"\n");
    let in_line = back.in_line && front.lines == 0;
    let blank = front.lines > u8::from(back.in_line);
    put.starts = front.opens.is_some_and(|event| back.behind.starts(event, blank));
    if side_by_side && back.end.is_settled() {
        if in_line && front.tag && back.end == End::Closed && !back.rejected {
            put.bytes.extend_from_slice(line_end);
        }
        // Within a line a tag pair starts no game.
        put.starts &= !in_line || !put.bytes.is_empty();
        return put;
    }
    if in_line {
        put.bytes.extend_from_slice(line_end);
    }
    let is_game = matches!(front.kind, Kind::Game { .. });
    let end_line = |bytes: &mut Vec<u8>| {
        if back.in_line && bytes.is_empty() {
            bytes.extend_from_slice(line_end);
        }
    };
    let unsure = match back.end {
        _ if put.starts => false,
        End::Open(result) => {
            end_line(&mut put.bytes);
            put.bytes.extend_from_slice(result.as_bytes());
            put.bytes.extend_from_slice(line_end);
            put.starts = front.opens.is_some();
            // What follows the result could take in a comment that the next game leaves open.
            (front.comment || long) && front.mark_bytes == 0
        }
        End::Wild => true,
        End::Closed => front.comment || long,
        End::Between => long,
    };
    // A byte order mark is one in front of a tag pair, but not behind it.
    if unsure && front.mark_bytes > 0 {
        put.at = front.mark_bytes;
        put.bytes = line_end.to_vec();
    }
    if unsure && is_game && !put.starts {
        end_line(&mut put.bytes);
        if !back.behind.blank || !put.bytes.is_empty() {
            put.bytes.extend_from_slice(line_end);
        }
        if front.opens != Some(true) {
            put.bytes.extend_from_slice(EVENT);
            put.bytes.extend_from_slice(line_end);
            if !front.tag {
                put.bytes.extend_from_slice(line_end);
            }
        }
        put.starts = true;
    }
    if back.loose && back.end != End::Wild && !put.starts {
        end_line(&mut put.bytes);
        put.bytes.extend_from_slice(b"{}");
        put.bytes.extend_from_slice(line_end);
        put.settles_braces = true;
    }
    if front.percent {
        put.bytes.push(b' ');
    }
    put
}

/// What the pieces of one report's text are.
#[derive(Debug, Default)]
pub struct TextSeams {
    /// What is put before pieces, in order; before the first it is up to the [`Joiner`].
    joints: Insertions,
    first: Option<(Front, u64)>,
    /// The last piece: where it begins in the text, where its source ends, how it ends.
    last: usize,
    source_end: u64,
    end: Option<End>,
    rejected: bool,
    /// Nothing but text between games, or the rest of a game, was added.
    no_game: bool,
    /// The first and the last piece that surely start a game.
    starts: Option<(usize, usize)>,
    /// Braces are known up to here, and whether they are loose.
    braces: (usize, bool),
    /// Line ends are known up to here, and the last one.
    line_end: (usize, Option<&'static [u8]>),
}

impl TextSeams {
    /// A piece was added to `text`: it runs from `start` to the end.
    #[inline]
    pub(crate) fn piece(&mut self, text: &[u8], start: usize, piece: &TextPiece) {
        let side_by_side = piece.source.start == self.source_end;
        match self.end {
            None => {
                self.first = Some((Front::of(&text[start..], piece), piece.source.start));
                self.no_game = true;
                if piece.starts {
                    self.starts = Some((start, start));
                }
            }
            // As nearly always.
            Some(End::Closed | End::Between) if side_by_side && piece.starts => {
                self.surely_starts(start);
            }
            Some(_) => self.meet(text, start, piece, side_by_side),
        }
        self.end = Some(match (piece.kind, self.end) {
            (Kind::Rest, _) | (Kind::Between, Some(End::Wild)) => End::Wild,
            (Kind::Between, _) => End::Between,
            (Kind::Game { .. }, _) => piece.end,
        });
        self.rejected = piece.kind == Kind::Game { rejected: true };
        self.no_game &= !matches!(piece.kind, Kind::Game { .. });
        self.last = start;
        self.source_end = piece.source.end;
    }

    fn meet(&mut self, text: &[u8], start: usize, piece: &TextPiece, side_by_side: bool) {
        let Some(back) = self.back(&text[..start]) else { return };
        let put = put(&back, &Front::of(&text[start..], piece), side_by_side, false);
        if put.starts {
            self.surely_starts(start);
        } else if put.settles_braces {
            self.braces = (start, false);
        }
        if !put.bytes.is_empty() {
            self.joints.push(start + put.at, &put.bytes);
        }
    }

    fn surely_starts(&mut self, start: usize) {
        self.starts = Some((self.starts.map_or(start, |(first, _)| first), start));
        self.braces = (start, false);
    }

    /// What the end of the text says, if anything was added to it.
    fn back(&mut self, text: &[u8]) -> Option<Back> {
        let end = self.end?;
        let (known, loose) = self.braces;
        self.braces = (text.len(), loose || is_loose(&text[known..]));
        let known = self.line_end.0;
        self.line_end = (text.len(), last_line_end(text, known).or(self.line_end.1));
        let last = &text[self.last..];
        Some(Back {
            end,
            rejected: self.rejected,
            in_line: !matches!(last.last(), Some(b'\n' | b'\r')),
            behind: TextEnd::new(last),
            loose: self.braces.1,
            line_end: self.line_end.1,
            run_bytes: (text.len() - self.starts.map_or(0, |(_, last)| last)) as u64,
        })
    }

    /// Forgets everything but the memory.
    pub(crate) fn clear(&mut self) {
        let mut joints = std::mem::take(&mut self.joints);
        joints.clear();
        *self = TextSeams { joints, ..TextSeams::default() };
    }
}

/// What was written last to one output.
#[derive(Debug, Default)]
pub struct Joiner {
    back: Option<Back>,
    /// Where the source of the last piece ends in its archive, while nothing can lie between it and the next.
    source_end: Option<u64>,
    another: bool,
}

impl Joiner {
    /// What is written next is of another archive.
    pub fn archive_begins(&mut self) {
        (self.source_end, self.another) = (None, true);
    }

    /// What was written last and what comes next do not stand side by side.
    pub fn breaks(&mut self) {
        self.source_end = None;
    }

    /// Puts between the pieces of `text` what they need, the first and what was written before included. `offset`: that of
    /// the report in its archive; `ends`: places in the text, which move with it.
    pub fn join(
        &mut self,
        offset: u64,
        text: &mut Vec<u8>,
        seams: &mut TextSeams,
        ends: &mut [u64],
    ) {
        let Some((front, source)) = seams.first else { return };
        let side_by_side = self.source_end == Some(offset + source);
        let lead_bytes = seams.starts.map_or(text.len(), |(first, _)| first) as u64;
        let put = match &self.back {
            Some(back) => {
                let long = back.run_bytes + lead_bytes > GAME_BYTES_MAX as u64;
                put(back, &front, side_by_side, self.another && long)
            }
            None if front.percent => Put { bytes: vec![b' '], ..Put::default() },
            None => Put::default(),
        };
        let Some(mut back) = seams.back(text) else { return };
        let before = self.back.filter(|_| !put.starts && seams.starts.is_none());
        if let Some(before) = before {
            back.loose |= before.loose && !put.settles_braces;
            back.run_bytes += before.run_bytes;
            if seams.no_game && before.end == End::Wild {
                back.end = End::Wild;
            }
        }
        back.line_end = back.line_end.or(self.back.and_then(|before| before.line_end));
        self.back = Some(back);
        (self.source_end, self.another) = (Some(offset + seams.source_end), false);
        if !put.bytes.is_empty() || !seams.joints.is_empty() {
            splice(text, (put.at, &put.bytes), &seams.joints, ends);
        }
    }
}

/// Could one of the braces be paired with a later one?
fn is_loose(text: &[u8]) -> bool {
    let mut open = false;
    for at in memchr::memchr2_iter(b'{', b'}', text) {
        if open == (text[at] == b'{') {
            return true;
        }
        open = !open;
    }
    open
}

fn first_line_end(text: &[u8]) -> Option<&'static [u8]> {
    let at = memchr::memchr2(b'\n', b'\r', text)?;
    Some(match (text[at], text.get(at + 1)) {
        (b'\n', _) => b"\n",
        (_, Some(b'\n')) => b"\r\n",
        _ => b"\r",
    })
}

/// The last line end that ends after byte `start`.
fn last_line_end(text: &[u8], start: usize) -> Option<&'static [u8]> {
    let at = start + memchr::memrchr2(b'\n', b'\r', &text[start..])?;
    Some(match (text[at], at.checked_sub(1).map(|before| text[before])) {
        (b'\n', Some(b'\r')) => b"\r\n",
        (b'\n', _) => b"\n",
        _ => b"\r",
    })
}
