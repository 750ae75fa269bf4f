//! The pieces of one job's text and the joints between them.
//!
//! In: pieces in the order in which they are written, each after its text was added. Out: the joints within the job,
//! and what the [`Joiner`](super::Joiner) must know to join the text of the job to the text before it. Invariant: what
//! is joined does not depend on where a job begins. Cost: a few comparisons for pieces that were adjacent.

use pgnmill_io::archive::blanks::blank_bytes;
use pgnmill_io::archive::games::{TextEnd, line_of, tag_opening};
use pgnmill_io::archive::odd_pairs::unbracketed_name;

use crate::pgn::line_end;
use crate::replay::UnendedEnd;

use super::insertions::Insertions;
use super::joint::{Joint, LineEnd, PieceHead, TextTail, joint_between};
use super::text_piece::{End, Kind, TextPiece};

/// The text between games with which a job's text begins, and the first game after it. If the text written before is a
/// game that only the start of another one can end, the text between games becomes part of it, and the joints are
/// others.
#[derive(Debug, Default)]
struct Lead {
    /// These joints.
    joints: Insertions,
    /// The last offset at which a joint of this text can be.
    end: Option<usize>,
    /// Offset of the first game in the text of the job, if it does not certainly start there.
    game: Option<usize>,
    /// Are there unpaired braces before that game that could be paired with those of the last piece?
    unpaired: bool,
}

/// A joint instead of another one.
#[derive(Debug)]
struct Replacement {
    old: Option<usize>,
    at: usize,
    bytes: Vec<u8>,
}

/// The pieces of one job's text and the joints between them.
#[derive(Debug, Default)]
pub struct TextSeams {
    /// The joints, in order; the one before the first piece is computed by the [`Joiner`].
    pub(super) joints: Insertions,
    pub(super) first: Option<(PieceHead, u64)>,
    /// The last piece: its offset in the text, the end of its source, how it ends.
    last: usize,
    pub(super) source_end: u64,
    pub(super) end: Option<End>,
    followed: bool,
    /// The last piece is a game; and is it of chess, from its starting position?
    is_game: bool,
    usual_start: bool,
    rejected: bool,
    /// Only text between games, or the continuation of a game, was added.
    pub(super) no_game: bool,
    /// The first and the last piece that certainly start a game.
    pub(super) starts: Option<(usize, usize)>,
    /// The offset up to which braces were scanned, and whether some are unpaired.
    braces: (usize, bool),
    /// Was an empty comment inserted because of unpaired braces?
    pub(super) separates_braces: bool,
    /// The first joint that is another one if braces of the text written before are unpaired.
    if_unpaired: Option<Replacement>,
    /// The first joint after the first game that is another one if the braces before that game do not count.
    if_started: Option<Replacement>,
    lead: Lead,
}

impl TextSeams {
    /// Records a piece that was added to `text` and extends from `start` to its end.
    #[inline]
    pub(crate) fn piece(&mut self, text: &[u8], start: usize, piece: &TextPiece) {
        let is_adjacent = piece.source.start == self.source_end;
        match self.end {
            None => {
                self.first = Some((PieceHead::of(&text[start..], piece), piece.source.start));
                self.no_game = true;
                if piece.starts {
                    self.starts = Some((start, start));
                }
            }
            // The usual case.
            Some(End::Closed | End::Between) if is_adjacent && piece.starts && !self.leads() => {
                self.surely_starts(start);
            }
            // Only the last line of an archive can lack its line end.
            Some(_) if piece.kind == Kind::Line => {}
            Some(_) => self.add_joint(text, start, piece, is_adjacent),
        }
        self.end = Some(match (piece.kind, self.end) {
            (Kind::Rest, _) | (Kind::Between, Some(End::Unbounded)) => End::Unbounded,
            (Kind::Between | Kind::Line, _) => End::Between,
            (Kind::Game { .. }, _) => piece.end,
        });
        (self.followed, self.usual_start) = (piece.followed, piece.usual_start);
        self.is_game = matches!(piece.kind, Kind::Game { .. });
        self.rejected = piece.kind == Kind::Game { rejected: true };
        self.no_game &= !matches!(piece.kind, Kind::Game { .. });
        self.last = start;
        self.source_end = piece.source.end;
    }

    fn add_joint(&mut self, text: &[u8], start: usize, piece: &TextPiece, is_adjacent: bool) {
        let Some(tail) = self.tail(&text[..start]) else { return };
        let head = PieceHead::of(&text[start..], piece);
        let joint_after = |tail: TextTail| joint_between(&tail, &head, is_adjacent, false);
        let joint = joint_after(tail);
        let old = (!joint.bytes.is_empty()).then_some(start + joint.at);
        if joint.separates_braces && self.lead.unpaired && !self.braces.1 {
            let Joint { bytes, at, .. } = joint_after(TextTail { unpaired_braces: false, ..tail });
            self.if_started = Some(Replacement { old, at: start + at, bytes });
        }
        if self.leads() {
            let unbounded = joint_after(TextTail { end: End::Unbounded, ..tail });
            self.lead.end = Some(start + joint.at.max(unbounded.at));
            if !unbounded.bytes.is_empty() {
                self.lead.joints.push(start + unbounded.at, &unbounded.bytes);
            }
            if matches!(head.kind, Kind::Game { .. }) {
                (self.lead.game, self.lead.unpaired) = (Some(start), tail.unpaired_braces);
                self.braces = (start, false);
            }
        }
        let depends = self.starts.is_none() && !self.separates_braces && !tail.unpaired_braces;
        if depends && self.if_unpaired.is_none() {
            let Joint { bytes, at, separates_braces, .. } =
                joint_after(TextTail { unpaired_braces: true, ..tail });
            self.if_unpaired = separates_braces.then(|| Replacement { old, at: start + at, bytes });
        }
        if joint.starts || is_adjacent && piece.starts && tail.end.is_settled() {
            self.surely_starts(start);
        } else if joint.separates_braces {
            self.separates_braces = true;
            self.forget_braces(start);
        }
        if !joint.bytes.is_empty() {
            self.joints.push(start + joint.at, &joint.bytes);
        }
    }

    /// Is the last piece a game that only the start of another one ends?
    fn is_unended(&self) -> bool {
        self.is_game && !self.followed && matches!(self.end, Some(End::Open(_) | End::Unbounded))
    }

    /// Has the text of the job text between games alone so far?
    fn leads(&self) -> bool {
        self.no_game && self.end == Some(End::Between)
    }

    fn surely_starts(&mut self, start: usize) {
        self.starts = Some((self.starts.map_or(start, |(first, _)| first), start));
        self.forget_braces(start);
    }

    /// No brace before `start` can be paired with a later one.
    fn forget_braces(&mut self, start: usize) {
        self.braces = (start, false);
        self.lead.unpaired = false;
    }

    /// Adapts the joints to a text before that ends with a game that only the start of another one can end. `false` if
    /// the text does not begin with text between games, so that none of them changes.
    pub(super) fn follow_unbounded(&mut self) -> bool {
        let Some(end) = self.lead.end else { return false };
        self.joints.replace_until(end, &self.lead.joints);
        if let Some(start) = self.lead.game {
            self.starts = Some((start, self.starts.map_or(start, |(_, last)| last)));
            self.lead.unpaired = false;
            if let Some(Replacement { old, at, bytes }) = self.if_started.take() {
                self.joints.replace(old, (at, &bytes));
            }
        }
        true
    }

    /// Adapts the joints to a text before with unpaired braces.
    pub(super) fn follow_unpaired_braces(&mut self) {
        if let Some(Replacement { old, at, bytes }) = self.if_unpaired.take() {
            self.joints.replace(old, (at, &bytes));
            self.separates_braces = true;
        }
    }

    /// The properties of the end of the text; `None` if no piece was added.
    pub(super) fn tail(&mut self, text: &[u8]) -> Option<TextTail> {
        let end = self.end?;
        let (known, unpaired) = self.braces;
        self.braces = (text.len(), unpaired || has_unpaired_braces(&text[known..]));
        let last = &text[self.last..];
        Some(TextTail {
            end,
            followed: self.followed,
            unended: (self.is_unended() && !leaves_comment_open(last))
                .then(|| UnendedEnd::of(last, 0, self.usual_start)),
            rejected: self.rejected,
            in_line: !matches!(last.last(), Some(b'\n' | b'\r')),
            // Comments alone are before the first token of the next game, which so begins its line.
            fills_line: fills_line(last)
                && !(self.followed && UnendedEnd::of(last, 0, self.usual_start).ends_line()),
            tag_line: tag_opening(last, line_of(last, last.len()).start).is_some(),
            last_piece: TextEnd::new(last),
            unpaired_braces: self.braces.1 || self.lead.unpaired,
            // Of this piece alone: what was before it in the job depends on the division into jobs.
            loose_pair: is_loose_pair(last),
            line_end: line_end::last(last).map(LineEnd),
            run_bytes: (text.len() - self.starts.map_or(0, |(_, last)| last)) as u64,
        })
    }

    /// Empties it and keeps its memory.
    pub(crate) fn clear(&mut self) {
        let mut joints = std::mem::take(&mut self.joints);
        joints.clear();
        *self = TextSeams { joints, ..TextSeams::default() };
    }
}

/// Could one of the braces be paired with a later one?
fn has_unpaired_braces(text: &[u8]) -> bool {
    let mut open = false;
    for at in memchr::memchr2_iter(b'{', b'}', text) {
        if open == (text[at] == b'{') {
            return true;
        }
        open = !open;
    }
    open
}

/// Could the end of a comment be in a text that follows: is one open, or does one contain an opening brace?
fn leaves_comment_open(text: &[u8]) -> bool {
    let mut open = false;
    for at in memchr::memchr2_iter(b'{', b'}', text) {
        if open && text[at] == b'{' {
            return true;
        }
        open = text[at] == b'{';
    }
    open
}

/// Is the last line, perhaps after its line end, a tag pair without its first bracket, if another one follows it?
fn is_loose_pair(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let line = line_of(text, text.len()).start;
    text.ends_with(b"]") && unbracketed_name(text, line).is_some()
}

/// Does the last line contain more than whitespace, that of Unicode included?
fn fills_line(text: &[u8]) -> bool {
    let (mut at, text) = (0, &text[line_of(text, text.len()).start..]);
    while let Some(&byte) = text.get(at) {
        at += match byte {
            0..=b' ' => 1,
            _ => match blank_bytes(text, at) {
                0 => return true,
                bytes => bytes,
            },
        };
    }
    false
}
