//! The moves of games alone: a game a line, or PGN that is written anew.
//!
//! In: the replay of a block. Out: [`Rewritten::text`]: of each game that is not rejected the moves of its main line,
//! with a space between two of them (but of TCN), as a line, or as a game of PGN with the tag pairs that its text has.
//! Invariants: a line states no position and no rules, so that a game that begins elsewhere, or has other rules than
//! the run, is rejected by the replay; a game without moves is the line `*`. What is between games, comments,
//! variations and results are not written. Cost: the encoding of each ply.
//!
//! ```text
//! 1. e4 {best} e5 2. Nf3 1-0  ──► e2e4 e7e5 g1f3
//! ```

use std::ops::Range;

use crate::chess::Color;
use crate::engine::{BlockVisitor, GamePlace, TextPiece};
use crate::notation::{self, MoveText, Notation, OtherPly, Ply, null_move, text_of};
use crate::pgn::deviation::Deviation;
use crate::pgn::{NOTATION_TAG, Outcome, TagPairs};
use crate::replay::{Game, LineRequest, MoveLine, NonPly, PliesOrLines, TagSection, Verdict};

use super::rewritten::Rewritten;

/// The tag pairs of a game that has none (PGN standard, 8.1.1).
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];
/// A line of movetext is as long at most (PGN standard, 8.2.1), unless a move is longer.
const LINE_BYTES_MAX: usize = 79;

/// The movetext of the game that is read; kept by a worker from block to block.
#[derive(Debug, Default)]
pub struct Movetext {
    text: Vec<u8>,
    /// Where its last line begins.
    line: usize,
}

impl Movetext {
    fn clear(&mut self) {
        self.text.clear();
        self.line = 0;
    }

    /// Adds a word, and what is between it and the word before it: a space, or the end of a line that would become too
    /// long.
    fn word(&mut self, word: &[u8], line_bytes_max: usize) {
        if !self.text.is_empty() {
            let bytes = self.text.len() - self.line + 1 + word.len();
            if bytes > line_bytes_max {
                self.text.push(b'\n');
                self.line = self.text.len();
            } else {
                self.text.push(b' ');
            }
        }
        self.text.extend_from_slice(word);
    }
}

/// Writes the moves of the games of a block.
#[derive(Debug)]
pub(super) struct MovesAlone<'r> {
    part: &'r mut Rewritten,
    movetext: &'r mut Movetext,
    to: &'static dyn Notation,
    /// Is it PGN that is written?
    is_pgn: bool,
    line_bytes_max: usize,
    /// Plies of the game so far.
    plies: usize,
    text: MoveText,
}

impl<'r> MovesAlone<'r> {
    /// `is_pgn`: with tag pairs, numbers and results.
    pub(super) fn new(
        to: &'static dyn Notation,
        is_pgn: bool,
        movetext: &'r mut Movetext,
        part: &'r mut Rewritten,
    ) -> MovesAlone<'r> {
        let line_bytes_max = if is_pgn { LINE_BYTES_MAX } else { usize::MAX };
        let text = MoveText::default();
        MovesAlone { part, movetext, to, is_pgn, line_bytes_max, plies: 0, text }
    }

    /// Adds the text of a ply, and in PGN its number.
    fn ply_text(&mut self, color: Color, number: u32) {
        if self.is_pgn && (color == Color::White || self.plies == 0) {
            let dots = if color == Color::White { "." } else { "..." };
            self.movetext.word(format!("{number}{dots}").as_bytes(), self.line_bytes_max);
        }
        if self.to.is_of_pairs() {
            self.movetext.text.extend_from_slice(self.text.as_bytes());
        } else {
            self.movetext.word(self.text.as_bytes(), self.line_bytes_max);
        }
        self.plies += 1;
    }

    /// Adds the tag pairs of a game of PGN: those of its text, or the roster.
    fn tag_pairs(&mut self, text: &[u8], game: &Game<'_>, result: &str) {
        let (tags, out) = (game.tags, &mut self.part.text);
        let mut pair_of = |name: &[u8], value: &[u8]| {
            for piece in [b"[", name, b" \"", value, b"\"]\n"] {
                out.extend_from_slice(piece);
            }
        };
        let section = game.span.start..tags.end.max(game.span.start);
        let (mut has_result, mut value) = (false, Vec::new());
        for pair in TagPairs::new(text, section) {
            let name = &text[pair.name.clone()];
            if name != NOTATION_TAG {
                has_result |= name == b"Result";
                value.clear();
                pair.append_value(text, &mut value);
                pair_of(name, &value);
            }
        }
        if tags.count == 0 {
            ROSTER.iter().for_each(|(name, value)| pair_of(name.as_bytes(), value.as_bytes()));
        }
        if !has_result {
            pair_of(b"Result", result.as_bytes());
        }
        if !notation::is_same(self.to, notation::usual(tags.rules)) {
            pair_of(NOTATION_TAG, self.to.info().name.as_bytes());
        }
        self.part.text.push(b'\n');
    }
}

impl BlockVisitor for MovesAlone<'_> {
    type Reads = PliesOrLines;

    fn line_request(&self) -> Option<LineRequest> {
        (!self.is_pgn).then_some(LineRequest::Texts(self.to))
    }

    fn line(&mut self, _: &[u8], line: &MoveLine<'_>) {
        let MoveLine::Texts(line) = line else { return };
        for &word in line.words {
            let (text, bytes) = text_of(word);
            self.movetext.word(&text[..bytes], usize::MAX);
        }
        self.plies += line.words.len();
    }

    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {
        self.movetext.clear();
        self.plies = 0;
    }

    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if depth == 0 {
            self.text.clear();
            self.to.encode_ply(ply, &mut self.text);
            self.ply_text(ply.color(), ply.before().fullmove_number());
        }
    }

    fn other_ply(
        &mut self,
        _: &[u8],
        _: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        if depth == 0 {
            // In Chess 99 either side may begin, which a line does not state.
            if !self.is_pgn && self.plies == 0 && ply.color() == Color::Black {
                return Err(Deviation::NotationNeedsInitialArray);
            }
            self.text.clear();
            ply.encode(self.to, &mut self.text)?;
            self.ply_text(ply.color(), ply.fullmove_number());
        }
        Ok(())
    }

    fn non_ply(&mut self, _: &[u8], _: Range<usize>, kind: NonPly) {
        if kind == NonPly::NullMove(0) {
            self.movetext.word(null_move(self.to), self.line_bytes_max);
        }
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>, place: GamePlace) {
        if game.verdict == Verdict::Rejected {
            return;
        }
        let start = self.part.text.len();
        let source = place.offset..place.offset + game.span.len() as u64;
        if self.is_pgn {
            let result = game.outcome(text).unwrap_or(Outcome::Unknown).canonical();
            self.tag_pairs(text, game, result);
            self.movetext.word(result.as_bytes(), self.line_bytes_max);
            self.part.text.append(&mut self.movetext.text);
            self.part.text.extend_from_slice(b"\n\n");
            self.part.end_game(start, &TextPiece::whole_game(source));
        } else {
            if self.movetext.text.is_empty() {
                self.movetext.word(b"*", usize::MAX);
            }
            self.part.text.append(&mut self.movetext.text);
            self.part.text.push(b'\n');
            self.part.end_game(start, &TextPiece::line(source));
        }
    }

    fn copy(&mut self, _: &[u8], _: TextPiece) {}
}
