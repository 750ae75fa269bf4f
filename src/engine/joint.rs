//! Joints: the bytes between two pieces of text that were not adjacent in their source, so that they do not run
//! together.
//!
//! In: pieces of text (games, text between games) in the order in which they are written, each with its span in its
//! archive. Out: the bytes to insert before a piece. Invariant: the joined text, when it is read, contains exactly
//! the games of the pieces, in order. Pieces that were adjacent stay as they are, except for a tag pair on the line
//! on which the preceding game ends, which gets a line of its own. Elsewhere bytes are inserted only where they are
//! necessary, with the last line end of the preceding piece, else the first of the following one:
//!
//! * a line end if the preceding text ends within a line;
//! * a result (of the tag pair, or `*`) after a game without one, unless a tag pair starts the next game;
//! * an `Event` pair after an empty line, which starts a game after any text: after a rejected game without a
//!   definite end (open comment or variation), and where games without tag pairs would become longer than a game may
//!   be;
//! * an empty comment where unpaired braces of earlier comments could be paired with later ones;
//! * a space before a `%` that was not in the first column and would now begin an escape line.
//!
//! The decision depends on the two adjacent pieces only, not on the division of the archive into jobs: a
//! [`TextSeams`] describes the pieces of one job's text, and a [`Joiner`], one per output, the end of the text
//! written so far. Cost: a few comparisons for pieces that were adjacent, otherwise a scan of both.
//!
//! Known exception: text without a game at the start of an archive, after a rejected game without a definite end,
//! becomes part of that game.

use crate::archive::GAME_BYTES_MAX;
use crate::archive::games::{TextEnd, tag_opening};
use crate::pgn::{BYTE_ORDER_MARK, opens_tag_pair};
use crate::state::{Loader, State, state};

use super::insertions::{Insertions, splice};
use super::text_piece::{End, Kind, TextPiece};

/// Starts a game after any text, if it follows an empty line.
const EVENT: &[u8] = b"[Event \"?\"]";

/// The properties of the beginning of a piece.
#[derive(Clone, Copy, Debug)]
struct PieceHead {
    kind: Kind,
    /// Does its first line open a tag pair, and is that an `Event` pair?
    opens: Option<bool>,
    /// Does it begin with a tag pair?
    tag: bool,
    /// Line ends before its first character that is not whitespace, two at most.
    lines: u8,
    /// Is it a rejected game that begins with a comment or another token that can follow a result?
    follows_result: bool,
    /// Length of a byte order mark, with the whitespace before it, of a game that does not begin with a tag pair;
    /// else 0.
    bom_bytes: usize,
    /// Does it begin with a `%` that was not in the first column?
    percent: bool,
    line_end: Option<&'static [u8]>,
}

impl PieceHead {
    fn of(text: &[u8], piece: &TextPiece) -> PieceHead {
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
        let follows = |byte: &u8| matches!(byte, b'{' | b';' | b'%' | b'$' | b'!' | b'?');
        PieceHead {
            kind: piece.kind,
            opens: opens.filter(|_| is_game),
            tag: is_game && opens_tag_pair(text, lead),
            lines,
            follows_result: piece.kind == Kind::Game { rejected: true }
                && text.get(lead).is_some_and(follows),
            bom_bytes: if has_bom && opens.is_none() { lead } else { 0 },
            percent: text.first() == Some(&b'%') && !piece.first_column,
            line_end: first_line_end(text),
        }
    }
}

/// A line end.
#[derive(Clone, Copy, Debug)]
struct LineEnd(&'static [u8]);

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
struct TextTail {
    end: End,
    rejected: bool,
    in_line: bool,
    last_piece: TextEnd,
    /// Does it contain braces that later ones could be paired with?
    unpaired_braces: bool,
    line_end: Option<LineEnd>,
    /// Bytes since the last piece that certainly starts a game.
    run_bytes: u64,
}

/// The bytes between two texts.
#[derive(Debug, Default)]
struct Joint {
    bytes: Vec<u8>,
    /// Offset in the second text at which they are inserted.
    at: usize,
    /// Does the second text then certainly start a game?
    starts: bool,
    /// Do they separate unpaired braces from later ones?
    separates_braces: bool,
}

/// The joint between a text and a piece. `long`: as one game they would be longer than a game may be.
fn joint_between(tail: &TextTail, head: &PieceHead, is_adjacent: bool, long: bool) -> Joint {
    let mut joint = Joint::default();
    if head.kind == Kind::Rest {
        return joint;
    }
    let line_end = tail.line_end.map(|LineEnd(end)| end).or(head.line_end).unwrap_or(b"\n");
    let in_line = tail.in_line && head.lines == 0;
    let after_empty_line = head.lines > u8::from(tail.in_line);
    joint.starts = head.opens.is_some_and(|event| tail.last_piece.starts(event, after_empty_line));
    if is_adjacent && tail.end.is_settled() {
        if in_line && head.tag && tail.end == End::Closed && !tail.rejected {
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
            (head.follows_result || long) && head.bom_bytes == 0
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
        if !tail.last_piece.blank || !joint.bytes.is_empty() {
            joint.bytes.extend_from_slice(line_end);
        }
        if head.opens != Some(true) {
            joint.bytes.extend_from_slice(EVENT);
            joint.bytes.extend_from_slice(line_end);
            if !head.tag {
                joint.bytes.extend_from_slice(line_end);
            }
        }
        joint.starts = true;
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

/// The first game of a job's text that begins with text between games. If the text written before is a game that only
/// the start of another one can end, that text becomes part of it, and the joint before the game is another one.
#[derive(Clone, Copy, Debug)]
struct Lead {
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
    joints: Insertions,
    first: Option<(PieceHead, u64)>,
    /// The last piece: its offset in the text, the end of its source, how it ends.
    last: usize,
    source_end: u64,
    end: Option<End>,
    rejected: bool,
    /// Only text between games, or the continuation of a game, was added.
    no_game: bool,
    /// The first and the last piece that certainly start a game.
    starts: Option<(usize, usize)>,
    /// The offset up to which braces were scanned, and whether some are unpaired.
    braces: (usize, bool),
    lead: Option<Lead>,
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
    fn start_lead(&mut self, lead: &Lead) {
        let tail = TextTail { end: End::Unbounded, ..lead.tail };
        let joint = joint_between(&tail, &lead.head, lead.is_adjacent, false);
        self.joints.replace(lead.joint, (lead.start + joint.at, &joint.bytes));
        self.starts = Some((lead.start, self.starts.map_or(lead.start, |(_, last)| last)));
        if let Some(lead) = &mut self.lead {
            lead.braces_count = false;
        }
    }

    /// The properties of the end of the text; `None` if no piece was added.
    fn tail(&mut self, text: &[u8]) -> Option<TextTail> {
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

state!(TextTail { end, rejected, in_line, last_piece, unpaired_braces, line_end, run_bytes });

/// The end of what was written to one output, and the joints for what follows.
#[derive(Debug, Default)]
pub struct Joiner {
    tail: Option<TextTail>,
    /// The end of the last piece's source in its archive; `None` if the next piece cannot be adjacent to it.
    source_end: Option<u64>,
    is_new_archive: bool,
}

state!(Joiner { tail, source_end, is_new_archive });

impl Joiner {
    /// The next piece is of another archive.
    pub fn archive_begins(&mut self) {
        (self.source_end, self.is_new_archive) = (None, true);
    }

    /// The next piece is not adjacent to the last one.
    pub fn breaks(&mut self) {
        self.source_end = None;
    }

    /// Inserts the joints into `text`, including the one between the text written before and the first piece. `offset`:
    /// that of the job in its archive; `ends`: offsets in the text, which are adjusted.
    pub fn join(
        &mut self,
        offset: u64,
        text: &mut Vec<u8>,
        seams: &mut TextSeams,
        ends: &mut [u64],
    ) {
        let Some((head, source)) = seams.first else { return };
        if self.tail.is_some_and(|tail| tail.end == End::Unbounded)
            && let Some(lead) = seams.lead
        {
            seams.start_lead(&lead);
        }
        let is_adjacent = self.source_end == Some(offset + source);
        let lead_bytes = seams.starts.map_or(text.len(), |(first, _)| first) as u64;
        let joint = match &self.tail {
            Some(tail) => {
                let long = tail.run_bytes + lead_bytes > GAME_BYTES_MAX as u64;
                joint_between(tail, &head, is_adjacent, self.is_new_archive && long)
            }
            None if head.percent => Joint { bytes: vec![b' '], ..Joint::default() },
            None => Joint::default(),
        };
        let Some(mut tail) = seams.tail(text) else { return };
        let before = self.tail.filter(|_| !joint.starts && seams.starts.is_none());
        if let Some(before) = before {
            tail.unpaired_braces |= before.unpaired_braces && !joint.separates_braces;
            tail.run_bytes += before.run_bytes;
            if seams.no_game && before.end == End::Unbounded {
                tail.end = End::Unbounded;
            }
        }
        // The continuation of a piece.
        if seams.no_game && seams.end == Some(End::Unbounded) {
            tail.line_end = tail.line_end.or(self.tail.and_then(|before| before.line_end));
        }
        self.tail = Some(tail);
        (self.source_end, self.is_new_archive) = (Some(offset + seams.source_end), false);
        if !joint.bytes.is_empty() || !seams.joints.is_empty() {
            splice(text, (joint.at, &joint.bytes), &seams.joints, ends);
        }
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

fn first_line_end(text: &[u8]) -> Option<&'static [u8]> {
    let at = memchr::memchr2(b'\n', b'\r', text)?;
    Some(match (text[at], text.get(at + 1)) {
        (b'\n', _) => b"\n",
        (_, Some(b'\n')) => b"\r\n",
        _ => b"\r",
    })
}

fn last_line_end(text: &[u8]) -> Option<&'static [u8]> {
    let at = memchr::memrchr2(b'\n', b'\r', text)?;
    Some(match (text[at], at.checked_sub(1).map(|before| text[before])) {
        (b'\n', Some(b'\r')) => b"\r\n",
        (b'\n', _) => b"\n",
        _ => b"\r",
    })
}
