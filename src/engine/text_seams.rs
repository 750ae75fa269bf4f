//! The pieces of one job's text and the joints between them.
//!
//! In: pieces in the order in which they are written, each after its text was added. Out: the joints within the job,
//! and what the [`Joiner`](super::Joiner) must know to join the text of the job to the text before it. Invariant: what
//! is joined does not depend on where a job begins. Cost: a few comparisons for pieces that were adjacent.

use crate::archive::games::TextEnd;

use super::insertions::Insertions;
use super::joint::{LineEnd, PieceHead, TextTail, joint_between};
use super::text_piece::{End, Kind, TextPiece};

/// The first game of a job's text that begins with text between games. If the text written before is a game that only
/// the start of another one can end, that text becomes part of it, and the joint before the game is another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lead {
    /// The end of the text before the game.
    tail: TextTail,
    head: PieceHead,
    is_adjacent: bool,
    /// Offset of the game in the text of the job.
    start: usize,
    /// Offset at which the joint is inserted, if it has bytes.
    joint: Option<usize>,
    /// Could unpaired braces before the game be paired with those of the last piece?
    braces_count: bool,
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
    rejected: bool,
    /// Only text between games, or the continuation of a game, was added.
    pub(super) no_game: bool,
    /// The first and the last piece that certainly start a game.
    pub(super) starts: Option<(usize, usize)>,
    /// The offset up to which braces were scanned, and whether some are unpaired.
    braces: (usize, bool),
    pub(super) lead: Option<Lead>,
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
            Some(End::Closed | End::Between) if is_adjacent && piece.starts => {
                self.surely_starts(start);
            }
            Some(_) => self.add_joint(text, start, piece, is_adjacent),
        }
        self.end = Some(match (piece.kind, self.end) {
            (Kind::Rest, _) | (Kind::Between, Some(End::Unbounded)) => End::Unbounded,
            (Kind::Between, _) => End::Between,
            (Kind::Game { .. }, _) => piece.end,
        });
        self.rejected = piece.kind == Kind::Game { rejected: true };
        self.no_game &= !matches!(piece.kind, Kind::Game { .. });
        self.last = start;
        self.source_end = piece.source.end;
    }

    fn add_joint(&mut self, text: &[u8], start: usize, piece: &TextPiece, is_adjacent: bool) {
        let Some(tail) = self.tail(&text[..start]) else { return };
        let head = PieceHead::of(&text[start..], piece);
        let joint = joint_between(&tail, &head, is_adjacent, false);
        if self.no_game && self.end == Some(End::Between) && matches!(head.kind, Kind::Game { .. })
        {
            let at = (!joint.bytes.is_empty()).then_some(start + joint.at);
            let lead = Lead { tail, head, is_adjacent, start, joint: at, braces_count: true };
            self.lead = Some(lead);
            self.braces = (start, false);
        }
        if joint.starts {
            self.surely_starts(start);
        } else if joint.separates_braces {
            self.forget_braces(start);
        }
        if !joint.bytes.is_empty() {
            self.joints.push(start + joint.at, &joint.bytes);
        }
    }

    fn surely_starts(&mut self, start: usize) {
        self.starts = Some((self.starts.map_or(start, |(first, _)| first), start));
        self.forget_braces(start);
    }

    /// No brace before `start` can be paired with a later one.
    fn forget_braces(&mut self, start: usize) {
        self.braces = (start, false);
        if let Some(lead) = &mut self.lead {
            lead.braces_count = false;
        }
    }

    /// Replaces the joint before the first game by one that starts it after a game without an end.
    pub(super) fn start_lead(&mut self, lead: &Lead) {
        let tail = TextTail { end: End::Unbounded, ..lead.tail };
        let joint = joint_between(&tail, &lead.head, lead.is_adjacent, false);
        self.joints.replace(lead.joint, (lead.start + joint.at, &joint.bytes));
        self.starts = Some((lead.start, self.starts.map_or(lead.start, |(_, last)| last)));
        if let Some(lead) = &mut self.lead {
            lead.braces_count = false;
        }
    }

    /// The properties of the end of the text; `None` if no piece was added.
    pub(super) fn tail(&mut self, text: &[u8]) -> Option<TextTail> {
        let end = self.end?;
        let (known, unpaired) = self.braces;
        self.braces = (text.len(), unpaired || has_unpaired_braces(&text[known..]));
        let of_lead = |lead: Lead| lead.braces_count && lead.tail.unpaired_braces;
        let last = &text[self.last..];
        Some(TextTail {
            end,
            rejected: self.rejected,
            in_line: !matches!(last.last(), Some(b'\n' | b'\r')),
            last_piece: TextEnd::new(last),
            unpaired_braces: self.braces.1 || self.lead.is_some_and(of_lead),
            // Of this piece alone: what was before it in the job depends on the division into jobs.
            line_end: last_line_end(last).map(LineEnd),
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

fn last_line_end(text: &[u8]) -> Option<&'static [u8]> {
    let at = memchr::memrchr2(b'\n', b'\r', text)?;
    Some(match (text[at], at.checked_sub(1).map(|before| text[before])) {
        (b'\n', Some(b'\r')) => b"\r\n",
        (b'\n', _) => b"\n",
        _ => b"\r",
    })
}
