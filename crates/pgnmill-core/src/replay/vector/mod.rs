//! The second design of the replay: movetext is decoded without a board, then played on a board in one register.
//!
//! In: the text of a game at an offset where the general loop of [`super::moves`] would continue, in the main
//! line. Out: how many plies are legal with canonical texts, the positions after them, and where the text goes on.
//! Invariant: what is read here the general loop reads with the same result (`tests/reading/levels.rs`); at anything
//! else the stretch ends, before it. It runs on machines with vectors of 64 bytes ([`Wide`]).
//!
//! ```text
//! text ─► without comments ─► windows of 64 bytes ─► arrays of moves ─► board in one register ─► position
//!         comments.rs         text.rs, numbers.rs    moves.rs           play.rs                   board.rs
//!                             phase A: no board                         phase B: tables.rs
//!                                                                       rare: special.rs, checks.rs
//! ```
//!
//! Visitors that take lines receive plies as arrays: `record.rs` keeps the board before each ply, `candidates.rs` finds
//! the pieces that could have made it, `shapes.rs` what the lengths of most texts follow from.
//!
//! Why two phases: a move number and the text of a move do not depend on the board, and the board does not depend on
//! where a text begins; apart, each is a short chain of operations, and eight texts are read in the time of one. Why
//! one register: a permutation brings all 64 squares that matter for a target into lanes at once, and the first piece
//! of each of eight rays is found by one subtraction (`board.rs`).
//!
//! Cost, on an AMD EPYC (Zen 4): 2.3 ns per ply for the text and 10.8 for the board, of 18.6 that a game takes;
//! with the first design it takes 26. Candidates and shapes take 13 more (`benches/README.md`).

mod board;
mod board_line;
mod candidates;
mod checks;
mod comments;
mod found;
mod keys;
mod moves;
mod numbers;
mod play;
mod rare_plies;
mod record;
mod shapes;
mod single;
mod special;
mod stretch;
mod tables;
mod text;

use std::fmt;

use pgnmill_simd::Level;

use crate::chess::rules::Standard;
use crate::chess::{Color, Position};
use crate::notation::{
    CandidateLine, LineNeeds, LinePlies, LineWriter, MoveText, Notation, OddPly, word_of,
};

use super::line::Line;
use super::{LineRequest, MoveLine, ReplayVisitor, Replayer, TextLine};

pub use board_line::BoardLine;
use comments::Stripped;
use found::Candidates;
pub use keys::KeyedPly;
use moves::Moves;
use record::{ARRIVALS, CANDIDATES, NOTHING, ORIGINS, Record};
use stretch::{Finding, Stretch};

/// Memory that is used again from game to game.
pub(super) struct Vectors {
    moves: Box<Moves>,
    stripped: Stripped,
    record: Record,
    candidates: Box<Candidates>,
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
            candidates: Box::new(Candidates::new()),
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

/// What is kept of the plies of a game, and what becomes of it.
#[derive(Clone, Copy)]
enum Kept {
    Nothing,
    Last,
    Texts(&'static dyn Notation, &'static LineWriter),
    Candidates { boards: bool },
    Boards { texts: bool },
}

impl Kept {
    /// `None` if the notation has no line writer.
    fn of(request: LineRequest) -> Option<Kept> {
        match request {
            LineRequest::Candidates { boards } => Some(Kept::Candidates { boards }),
            LineRequest::Boards { texts } => Some(Kept::Boards { texts }),
            LineRequest::Last => Some(Kept::Last),
            LineRequest::Texts(to) => to.line_writer().map(|writer| Kept::Texts(to, writer)),
        }
    }
}

impl Replayer<'_> {
    /// Validates the main line from byte `at` on as far as this design leads; returns where the fast path continues,
    /// and whether the game ends there. No ply is delivered.
    pub(in crate::replay) fn vector_check(
        &mut self,
        line: &mut Line<Standard>,
        text: &[u8],
        at: usize,
    ) -> (usize, bool) {
        self.stretches(line, text, at, Kept::Nothing, &mut |_| {})
    }

    /// Checks movetext as [`Self::vector_check`] does; the visitor receives a line per stretch, as requested.
    pub(in crate::replay) fn vector_lines(
        &mut self,
        line: &mut Line<Standard>,
        text: &[u8],
        at: usize,
        request: LineRequest,
        visitor: &mut dyn ReplayVisitor,
    ) -> (usize, bool) {
        let Some(kept) = Kept::of(request) else { return (at, false) };
        self.stretches(line, text, at, kept, &mut |line| visitor.line(text, line))
    }

    /// All stretches from byte `at` on, each passed to `deliver`.
    fn stretches(
        &mut self,
        line: &mut Line<Standard>,
        text: &[u8],
        at: usize,
        kept: Kept,
        deliver: &mut dyn FnMut(&MoveLine<'_>),
    ) -> (usize, bool) {
        if !self.level.is_wide() || self.state.leaves_vectors || line.has_lineage() {
            return (at, false);
        }
        let (mut at, level) = (at, self.level);
        loop {
            let vectors = self.vectors.get_or_insert_with(|| Box::new(Vectors::new()));
            let first = (line.position().turn(), line.position().fullmove_number());
            let start = matches!(kept, Kept::Boards { .. }).then(|| *line.position());
            let boards = matches!(kept, Kept::Candidates { boards: true });
            let spans = matches!(kept, Kept::Texts(..) | Kept::Boards { texts: true });
            let stretch = Stretch { vectors, line, text, at, boards, spans };
            let end = match kept {
                Kept::Nothing | Kept::Last => level.run_wide(Finding::<NOTHING>(stretch)),
                Kept::Candidates { .. } => level.run_wide(Finding::<CANDIDATES>(stretch)),
                Kept::Boards { .. } => level.run_wide(Finding::<ORIGINS>(stretch)),
                Kept::Texts(_, writer) => match writer.needs {
                    LineNeeds::Origins => level.run_wide(Finding::<ORIGINS>(stretch)),
                    LineNeeds::Arrivals => level.run_wide(Finding::<ARRIVALS>(stretch)),
                },
            };
            let Some(Some(end)) = end else {
                self.state.leaves_vectors = true;
                return (at, false);
            };
            self.state.plies += end.plies as u32;
            match kept {
                Kept::Nothing => {}
                Kept::Last => deliver(&MoveLine::Last(line.position())),
                Kept::Texts(to, writer) => {
                    vectors.write(level, to, writer, end.plies);
                    let Vectors { starts, bytes, words, .. } = &**vectors;
                    deliver(&MoveLine::Texts(TextLine { starts, bytes, words }));
                }
                Kept::Boards { texts } => {
                    let ends = [start.as_ref().unwrap_or(line.position()), line.position()];
                    deliver(&MoveLine::Boards(vectors.boards(level, ends, end.plies, texts)));
                }
                Kept::Candidates { .. } => {
                    deliver(&MoveLine::Candidates(vectors.candidates(first, end.plies)));
                }
            }
            at = end.at;
            self.state.leaves_vectors = !end.pays();
            if end.is_last || self.state.leaves_vectors || !end.is_full {
                return (at, end.is_last);
            }
        }
    }
}

/// Writes the texts of a line as words; of the plies that it does not describe by their positions.
fn write_words(
    level: Level,
    to: &'static dyn Notation,
    writer: &LineWriter,
    line: &LinePlies<'_>,
    odd: &[OddPly],
    words: &mut Vec<u64>,
) {
    words.clear();
    words.resize(line.origins.len(), 0);
    (writer.write)(level, line, words);
    for odd in odd {
        let mut text = MoveText::default();
        odd.with(|ply| to.encode_ply(ply, &mut text));
        words[odd.index] = word_of(&text).expect("texts of a line writer fit a word");
    }
}

impl Vectors {
    /// The odd plies among the first so many.
    fn odd(&self, plies: usize) -> &[OddPly] {
        let odd = &self.candidates.odd;
        &odd[..odd.partition_point(|ply| ply.index < plies)]
    }

    /// Writes the texts of the first plies as words.
    fn write(
        &mut self,
        level: Level,
        to: &'static dyn Notation,
        writer: &LineWriter,
        plies: usize,
    ) {
        let mut words = std::mem::take(&mut self.words);
        let Vectors { moves, record, candidates, .. } = &*self;
        let line = LinePlies {
            origins: &record.origins[..plies],
            targets: moves.target.first(plies),
            arrivals: &candidates.lighter[..plies],
        };
        write_words(level, to, writer, &line, self.odd(plies), &mut words);
        self.words = words;
    }

    /// The first plies, between these positions.
    fn boards<'v>(
        &'v self,
        level: Level,
        [first, last]: [&'v Position; 2],
        plies: usize,
        texts: bool,
    ) -> BoardLine<'v> {
        let Vectors { moves, record, starts, bytes, .. } = self;
        let count = if texts { plies } else { 0 };
        BoardLine {
            level,
            record,
            moves,
            first,
            last,
            starts: &starts[..count],
            bytes: &bytes[..count],
            origins: &record.origins[..plies],
            targets: moves.target.first(plies),
            promotions: self.odd(plies),
        }
    }

    /// The first plies, of which `first` is the first side and number.
    fn candidates(&self, first: (Color, u32), plies: usize) -> CandidateLine<'_> {
        let Vectors { record, candidates: found, .. } = self;
        CandidateLine {
            first,
            shapes: [found.shapes[0].first(plies), found.shapes[1].first(plies)],
            origins: &record.origins[..plies],
            candidates: &found.all[..plies],
            lighter: &found.lighter[..plies],
            legal: &found.legal[..plies],
            sides: [&found.sides[0][..plies], &found.sides[1][..plies]],
            pawns: &found.pawns[..plies],
            odd: self.odd(plies),
        }
    }
}
