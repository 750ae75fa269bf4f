//! One stretch of movetext: decoded, played, and the game's line brought to its end.
//!
//! In: text at an offset of a main line, and how much of the plies is found besides (`candidates.rs`). Out: [`End`]:
//! how many plies were legal with canonical texts, and where the text goes on; the positions before and after the last
//! of them. Invariant: at anything that is not read here the stretch ends, before it. Cost: see the page of this
//! folder; the plies of a stretch that does not end its game are played once more, for the position before the last.

use pgnmill_simd::{RareKernel, Wide, WideKernel};

use crate::chess::rules::Standard;
use crate::chess::{Color, Position};

use super::Vectors;
use super::board::Board;
use super::found::Source;
use super::moves::Moves;
use super::play::play;
use super::record::{CANDIDATES, NOTHING, Record};
use super::shapes::set_shapes;
use super::text::decode;
use crate::replay::fast::ending::usual_end;
use crate::replay::line::Line;

/// A brace within so many bytes: the game has comments.
const COMMENT_WITHIN_BYTES: u32 = 40;

/// Whitespace before a move number, at most.
const SPACES_MAX: usize = 4;

/// A stretch that is read here has at least so many plies, one per so many bytes that were read for it, and one of so
/// many that were decoded; after one that has not, the rest of the game is left to the other paths. So nothing is read
/// or decoded again and again.
const PLIES_MIN: usize = 8;
const BYTES_PER_PLY_MAX: usize = 1 << 10;
const DECODED_PER_PLY_MAX: usize = 4;

/// What a stretch came to.
pub(super) struct End {
    pub(super) plies: usize,
    /// Plies that were decoded for it.
    decoded: usize,
    /// The offset of the next token.
    pub(super) at: usize,
    /// Bytes that were read for it.
    read_bytes: usize,
    /// The stretch ended because it could not be longer.
    pub(super) is_full: bool,
    /// Only the result follows.
    pub(super) is_last: bool,
}

impl End {
    /// Was the stretch long enough for another attempt?
    pub(super) fn pays(&self) -> bool {
        self.plies >= PLIES_MIN
            && self.read_bytes / BYTES_PER_PLY_MAX <= self.plies
            && self.decoded / DECODED_PER_PLY_MAX <= self.plies
    }
}

/// Movetext from an offset to where this design ends.
pub(super) struct Stretch<'s> {
    pub(super) vectors: &'s mut Vectors,
    pub(super) line: &'s mut Line<Standard>,
    pub(super) text: &'s [u8],
    pub(super) at: usize,
    /// With candidates: are the boards before the plies required?
    pub(super) boards: bool,
    /// Are the spans of the texts required?
    pub(super) spans: bool,
}

/// A stretch of which so much is found; see `candidates.rs`.
pub(super) struct Finding<'s, const FIND: u8>(pub(super) Stretch<'s>);

impl<const FIND: u8> WideKernel for Finding<'_, FIND> {
    /// `None` if no ply was read.
    type Output = Option<End>;

    #[inline(always)]
    fn run<W: Wide>(self) -> Option<End> {
        let Stretch { vectors, line, text, at, boards, spans } = self.0;
        let start = text.get(at..)?;
        let spaces = start.iter().take(SPACES_MAX).take_while(|&&byte| byte <= b' ').count();
        let from = at + spaces;
        let start = &start[spaces..];
        if line.is_numbered() || !start.first()?.is_ascii_digit() {
            return None;
        }
        let first = *line.position();
        // UCI writes castling in Chess960 otherwise.
        if FIND != NOTHING && first.is_chess960() {
            return None;
        }
        let braces = W::equal(W::load_first(start), W::fill(b'{'));
        let has_comments = braces.trailing_zeros() < COMMENT_WITHIN_BYTES;
        let Decoded { next, read_bytes, is_full } = if has_comments {
            vectors.decode_with_comments::<W>(text, from, &first)?
        } else {
            vectors.decode_plain::<W>(text, from, &first)?
        };
        let Vectors { moves, stripped, record, candidates, .. } = vectors;
        let mut board = Board::<W>::of(&first);
        let count = moves.count;
        let mut played = play::<W, FIND>(&mut board, moves, record, 0, count, first.turn());
        if FIND != NOTHING {
            let decoded = if has_comments { stripped.text() } else { text };
            let source = Source { text: decoded, first: &first };
            played = candidates.find::<W, FIND>(moves, record, &source, played);
        }
        if played == 0 {
            return None;
        }
        let is_last = played == count && usual_end(text, next).is_some();
        let end = if played == count {
            next
        } else {
            let (start, bytes) = moves.span(played - 1);
            let start = if has_comments { stripped.original::<W>(text, start) } else { start };
            start + bytes
        };
        if is_last {
            // The position before the last move is not required.
            let (now, other) = line.slots();
            let last = if played.is_multiple_of(2) { now } else { other };
            *last.position = position_after(&board, &first, moves, played);
            line.advance_by(played as u32, false);
        } else {
            W::apart(Again { line, moves, record, first: &first, played });
        }
        if FIND == CANDIDATES {
            set_shapes::<W>(moves, record, candidates, played);
            if boards {
                candidates.find_boards::<W>(record, played);
            }
        } else if FIND != NOTHING && spans {
            vectors.spans::<W>(played, has_comments);
        }
        let is_full = is_full && played == count;
        Some(End { plies: played, decoded: count, at: end, read_bytes, is_full, is_last })
    }
}

/// What was decoded besides the moves.
struct Decoded {
    /// The offset of the token at which it stopped.
    next: usize,
    read_bytes: usize,
    /// There was no room for more.
    is_full: bool,
}

impl Vectors {
    #[inline(always)]
    fn decode_plain<W: Wide>(
        &mut self,
        text: &[u8],
        from: usize,
        first: &Position,
    ) -> Option<Decoded> {
        if first.turn() == Color::Black {
            return None;
        }
        let number = first.fullmove_number() as usize;
        let next = decode::<W, false>(text, from, number, false, &mut self.moves);
        let is_full = self.moves.is_full();
        (self.moves.count > 0).then_some(Decoded { next, read_bytes: next - from, is_full })
    }

    #[inline(always)]
    fn decode_with_comments<W: Wide>(
        &mut self,
        text: &[u8],
        from: usize,
        first: &Position,
    ) -> Option<Decoded> {
        let Vectors { moves, stripped, .. } = self;
        stripped.copy::<W>(text, from);
        let (number, black) = (first.fullmove_number() as usize, first.turn() == Color::Black);
        let next = decode::<W, true>(stripped.text(), 0, number, black, moves);
        if moves.count == 0 {
            return None;
        }
        Some(Decoded {
            next: stripped.original::<W>(text, next),
            read_bytes: stripped.read_bytes(),
            is_full: moves.is_full() || stripped.is_full(text),
        })
    }

    /// Finds the texts of the first plies.
    #[inline(always)]
    fn spans<W: Wide>(&mut self, plies: usize, has_comments: bool) {
        let Vectors { moves, stripped, starts, bytes, .. } = self;
        starts.clear();
        bytes.clear();
        moves.spans(plies, starts, bytes);
        if has_comments {
            stripped.originals::<W>(starts);
        }
    }
}

/// The position after so many plies from `first`, which the board is at.
#[inline(always)]
fn position_after<W: Wide>(
    board: &Board<W>,
    first: &Position,
    moves: &Moves,
    plies: usize,
) -> Position {
    board.position(first, plies as u32, moves.quiet_plies(plies) as u32)
}

/// Plays moves that are known to be legal once more, for the positions before and after the last of them.
struct Again<'a> {
    line: &'a mut Line<Standard>,
    moves: &'a mut Moves,
    record: &'a mut Record,
    first: &'a Position,
    played: usize,
}

impl<W: Wide> RareKernel<W> for Again<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Again { line, moves, record, first, played } = self;
        let mut board = Board::<W>::of(first);
        let last = played - 1;
        play::<W, NOTHING>(&mut board, moves, record, 0, last, first.turn());
        let before = position_after(&board, first, moves, last);
        play::<W, NOTHING>(&mut board, moves, record, last, played, before.turn());
        let after = position_after(&board, first, moves, played);
        let (now, other) = line.slots();
        let (before_slot, after_slot) =
            if played.is_multiple_of(2) { (other, now) } else { (now, other) };
        (*before_slot.position, *after_slot.position) = (before, after);
        line.advance_by(played as u32, false);
    }
}
