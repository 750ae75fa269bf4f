//! The second design of the replay: movetext is decoded without a board, then played on a board in one register.
//!
//! In: the text of a game at an offset where the general loop of [`super::moves`] would continue, in the main
//! line. Out: how many plies are legal with canonical texts, the positions after them, and where the text goes on.
//! Invariant: what is read here the general loop reads with the same result (`tests/levels.rs`); at anything else
//! the stretch ends, before it. It runs on machines with vectors of 64 bytes ([`Wide`]).
//!
//! ```text
//! text ─► without comments ─► windows of 64 bytes ─► arrays of moves ─► board in one register ─► position
//!         comments.rs         text.rs, numbers.rs    moves.rs           play.rs                   board.rs
//!                             phase A: no board                         phase B: tables.rs
//!                                                                       rare: special.rs, checks.rs
//! ```
//!
//! Why two phases: a move number and the text of a move do not depend on the board, and the board does not depend on
//! where a text begins; apart, each is a short chain of operations, and eight texts are read in the time of one. Why
//! one register: a permutation brings all 64 squares that matter for a target into lanes at once, and the first piece
//! of each of eight rays is found by one subtraction (`board.rs`).
//!
//! Cost, on an AMD EPYC (Zen 4): 2.3 ns per ply for the text and 10.8 for the board, of 18.6 that a game takes;
//! with the first design it takes 26 (`benches/README.md`).

mod board;
mod checks;
mod comments;
mod moves;
mod numbers;
mod play;
mod record;
mod special;
mod tables;
mod text;

use std::fmt;

use crate::chess::rules::Standard;
use crate::chess::{Color, Position};
use crate::machine::{RareKernel, Wide, WideKernel};
use crate::notation::{LineNeeds, LinePlies, Notation};

use super::fast::ending::usual_end;
use super::line::Line;
use super::ruleset::MovetextVisitor;
use super::{MoveLine, Replayer};
use board::Board;
use comments::Stripped;
use moves::Moves;
use play::play;
use record::{ARRIVALS, Keeper, NOTHING, ORIGINS, Record, Source, promoting};
use text::decode;

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

/// Memory that is used again from game to game.
pub(super) struct Vectors {
    moves: Box<Moves>,
    stripped: Stripped,
    record: Box<Record>,
    /// Of the plies that were kept: where their texts begin, their bytes, and the new texts.
    starts: Vec<usize>,
    bytes: Vec<u8>,
    words: Vec<u64>,
}

impl Vectors {
    fn new() -> Vectors {
        Vectors {
            moves: Moves::new(),
            stripped: Stripped::new(),
            record: Record::new(),
            starts: Vec::new(),
            bytes: Vec::new(),
            words: Vec::new(),
        }
    }
}

impl fmt::Debug for Vectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Vectors")
    }
}

impl Replayer<'_> {
    /// Validates the main line from byte `at` on as far as this design leads; returns where the fast path continues,
    /// and whether the game ends there. A visitor that takes lines receives one per stretch; no other ply is delivered.
    #[inline(always)]
    pub(in crate::replay) fn vector_movetext<V: MovetextVisitor<Standard>>(
        &mut self,
        line: &mut Line<Standard>,
        text: &[u8],
        at: usize,
        visitor: &mut V,
    ) -> (usize, bool) {
        if !self.level.is_wide() || self.state.leaves_vectors || line.has_lineage() {
            return (at, false);
        }
        let to = if V::TAKES_LINES { visitor.line_notation() } else { None };
        let writer = to.and_then(Notation::line_writer);
        if V::READS_PLIES && writer.is_none() {
            return (at, false);
        }
        let (mut at, level) = (at, self.level);
        loop {
            let vectors = self.vectors.get_or_insert_with(|| Box::new(Vectors::new()));
            let stretch = Stretch { vectors, line, text, at, to };
            let end = match writer.map(|writer| writer.needs) {
                None => level.run_wide(Keeping::<NOTHING>(stretch)),
                // Constants, so that visitors without lines do not contain the other two.
                Some(LineNeeds::Origins) if V::TAKES_LINES => {
                    level.run_wide(Keeping::<ORIGINS>(stretch))
                }
                Some(LineNeeds::Arrivals) if V::TAKES_LINES => {
                    level.run_wide(Keeping::<ARRIVALS>(stretch))
                }
                Some(_) => None,
            };
            let Some(Some(end)) = end else {
                self.state.leaves_vectors = true;
                return (at, false);
            };
            self.state.plies += end.plies as u32;
            if V::TAKES_LINES
                && let Some(writer) = writer
            {
                let Vectors { moves, record, starts, bytes, words, .. } = &mut **vectors;
                words.clear();
                words.resize(end.plies, 0);
                let plies = LinePlies {
                    origins: &record.origins[..end.plies],
                    targets: moves.target.first(end.plies),
                    arrivals: &record.arrivals[..end.plies],
                };
                (writer.write)(level, &plies, words);
                let kept = record.texts.iter().filter(|&&(index, _)| index < end.plies);
                kept.for_each(|&(index, word)| words[index] = word);
                visitor.line(text, &MoveLine { starts, bytes, words });
            }
            at = end.at;
            self.state.leaves_vectors = !end.pays();
            if end.is_last || self.state.leaves_vectors || !end.is_full {
                return (at, end.is_last);
            }
        }
    }
}

/// What a stretch came to.
struct End {
    plies: usize,
    /// Plies that were decoded for it.
    decoded: usize,
    /// The offset of the next token.
    at: usize,
    /// Bytes that were read for it.
    read_bytes: usize,
    /// The stretch ended because it could not be longer.
    is_full: bool,
    /// Only the result follows.
    is_last: bool,
}

impl End {
    /// Was the stretch long enough for another attempt?
    fn pays(&self) -> bool {
        self.plies >= PLIES_MIN
            && self.read_bytes / BYTES_PER_PLY_MAX <= self.plies
            && self.decoded / DECODED_PER_PLY_MAX <= self.plies
    }
}

/// Movetext from an offset to where this design ends.
struct Stretch<'s> {
    vectors: &'s mut Vectors,
    line: &'s mut Line<Standard>,
    text: &'s [u8],
    at: usize,
    /// The notation that is written.
    to: Option<&'static dyn Notation>,
}

/// A stretch of which so much is kept; see `record.rs`.
struct Keeping<'s, const KEEP: u8>(Stretch<'s>);

impl<const KEEP: u8> WideKernel for Keeping<'_, KEEP> {
    /// `None` if no ply was read.
    type Output = Option<End>;

    #[inline(always)]
    fn run<W: Wide>(self) -> Option<End> {
        let Stretch { vectors, line, text, at, to } = self.0;
        let start = text.get(at..)?;
        let spaces = start.iter().take(SPACES_MAX).take_while(|&&byte| byte <= b' ').count();
        let from = at + spaces;
        let start = &start[spaces..];
        if line.is_numbered() || !start.first()?.is_ascii_digit() {
            return None;
        }
        let first = *line.position();
        // UCI writes castling in Chess960 otherwise.
        if KEEP != NOTHING && first.is_chess960() {
            return None;
        }
        let braces = W::equal(W::load_first(start), W::fill(b'{'));
        let has_comments = braces.trailing_zeros() < COMMENT_WITHIN_BYTES;
        let Decoded { next, read_bytes, is_full } = if has_comments {
            vectors.decode_with_comments::<W>(text, from, &first)?
        } else {
            vectors.decode_plain::<W>(text, from, &first)?
        };
        let Vectors { moves, stripped, record, .. } = vectors;
        record.texts.clear();
        let decoded = if has_comments { stripped.text() } else { text };
        let source = to.map(|to| Source { text: decoded, first: &first, to });
        let mut keeper = Keeper { record, source };
        let mut board = Board::<W>::of(&first);
        if KEEP == ARRIVALS {
            board.promoting = [promoting(&board, 0), promoting(&board, 1)];
        }
        let count = moves.count;
        let played = play::<W, KEEP>(&mut board, moves, &mut keeper, 0, count, first.turn());
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
            W::apart(Again { line, moves, keeper, first: &first, played });
        }
        if KEEP != NOTHING {
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
    keeper: Keeper<'a>,
    first: &'a Position,
    played: usize,
}

impl<W: Wide> RareKernel<W> for Again<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Again { line, moves, mut keeper, first, played } = self;
        let mut board = Board::<W>::of(first);
        let last = played - 1;
        play::<W, NOTHING>(&mut board, moves, &mut keeper, 0, last, first.turn());
        let before = position_after(&board, first, moves, last);
        play::<W, NOTHING>(&mut board, moves, &mut keeper, last, played, before.turn());
        let after = position_after(&board, first, moves, played);
        let (now, other) = line.slots();
        let (before_slot, after_slot) =
            if played.is_multiple_of(2) { (other, now) } else { (now, other) };
        (*before_slot.position, *after_slot.position) = (before, after);
        line.advance_by(played as u32, false);
    }
}
