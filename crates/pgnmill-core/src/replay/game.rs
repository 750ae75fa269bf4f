//! What a replay delivers: games with their verdicts, and the visitor that receives them.
//!
//! All spans are byte ranges of the text that was replayed. Nothing is copied.

use std::ops::Range;

use crate::chess::Position;
use crate::chess::rules::AnyPosition;
use crate::notation::{CandidateLine, Notation, OtherPly, Ply};
use crate::pgn::deviation::Deviation;
use crate::pgn::{Outcome, Tag};

use super::{BoardLine, Occurrence, TagSection};

/// The verdict on a game. Every game has exactly one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every move is legal; every text is canonical or merely noted.
    Accepted,
    /// Every move is legal; some texts are not canonical and were read generously.
    Repaired,
    /// The game has a fault.
    Rejected,
}

/// Why a game was rejected.
#[derive(Clone, Debug)]
pub struct GameFault {
    /// The kind of fault.
    pub kind: Deviation,
    /// Its span in the text.
    pub text: Range<usize>,
    /// Its ply, counted from 1; 0 before the first move.
    pub ply: u32,
    /// The reason, for a person.
    pub detail: String,
    /// The position before it, where the fault is in the moves.
    pub position: Option<AnyPosition>,
    /// Where the last comment before it begins that holds another opening brace, and perhaps moves that were
    /// meant to be played.
    pub comment: Option<usize>,
}

/// A game whose end was read.
#[derive(Debug)]
pub struct Game<'g> {
    /// Its span in the text.
    pub span: Range<usize>,
    /// Its tag pairs.
    pub tags: &'g TagSection,
    /// Its verdict.
    pub verdict: Verdict,
    /// Why it was rejected.
    pub fault: Option<&'g GameFault>,
    /// Plies of the main line.
    pub plies: u32,
    /// Plies in variations.
    pub variation_plies: u32,
    /// The span of the result token, if there is one.
    pub result: Option<Range<usize>>,
    /// The notes and repairs of a game that is not rejected, in the order of the text, where they are kept: see
    /// `Replayer::with_notes`. [`NOTES_PER_GAME_MAX`](super::NOTES_PER_GAME_MAX) at most.
    pub notes: &'g [Occurrence],
    /// How many more there were.
    pub notes_omitted: u64,
    /// Does the next game of the text end it, because its own end is not written?
    pub followed: bool,
    /// Does its own text end it, whatever follows: with a result outside variations, and no unclosed comment after it?
    pub closed: bool,
}

impl Game<'_> {
    /// The value of the `Result` tag pair, if it is a result.
    pub fn result_of_tag(&self, text: &[u8]) -> Option<Outcome> {
        self.tags.span(Tag::Result).and_then(|value| Outcome::from_any(&text[value]))
    }

    /// The result token; without one, or where it is none, the `Result` tag pair.
    pub fn outcome(&self, text: &[u8]) -> Option<Outcome> {
        let spans = [self.result.clone(), self.tags.span(Tag::Result)];
        spans.into_iter().flatten().find_map(|span| Outcome::from_any(&text[span]))
    }
}

/// Plies of the main line, one after the other, none of which is delivered otherwise.
#[derive(Clone, Copy, Debug)]
pub enum MoveLine<'a> {
    /// Their texts in the notation that the visitor named.
    Texts(TextLine<'a>),
    /// What their lengths follow from.
    Candidates(CandidateLine<'a>),
    /// The boards before them.
    Boards(BoardLine<'a>),
    /// The position after them.
    Last(&'a Position),
}

/// Plies with their texts in another notation.
#[derive(Clone, Copy, Debug)]
pub struct TextLine<'a> {
    /// Where the text of each ply begins.
    pub starts: &'a [usize],
    /// The bytes of each of these texts, with the check suffix.
    pub bytes: &'a [u8],
    /// The new texts, as words: see [`text_of`](crate::notation::text_of).
    pub words: &'a [u64],
}

/// What a visitor receives of a line.
#[derive(Clone, Copy, Debug)]
pub enum LineRequest {
    /// [`MoveLine::Texts`] in this notation, if it has a [`LineWriter`](crate::notation::LineWriter).
    Texts(&'static dyn Notation),
    /// [`MoveLine::Candidates`].
    Candidates {
        /// Are [`CandidateLine::sides`] and [`CandidateLine::pawns`] required?
        boards: bool,
    },
    /// [`MoveLine::Boards`].
    Boards {
        /// Are [`BoardLine::starts`] and [`BoardLine::bytes`] required?
        texts: bool,
    },
    /// [`MoveLine::Last`].
    Last,
}

/// What a token of movetext is that is no ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NonPly {
    /// A null move, and the depth of its line in variations (0 = main line).
    NullMove(usize),
    /// Another token in the place of a move that moves no piece: an annotation, a resignation, a result without
    /// whitespace after a number.
    NonMove,
    /// A move number of so many digits without a full stop that a notation of digits alone would take it for a move.
    LongNumber,
    /// A suffix of the last move that the canonical text contains in another spelling: conversion removes it.
    RedundantSuffix,
    /// The end of a piece in brackets that is part of the last move (`e8(Q)`): a text without brackets is not divided
    /// from what follows.
    BracketEnd,
    /// A `$` without a number.
    NagWithoutNumber,
}

impl NonPly {
    /// Is the token in the place of a move?
    pub fn is_in_place_of_move(self) -> bool {
        matches!(self, NonPly::NullMove(_) | NonPly::NonMove)
    }
}

/// Receives the games of a replay; all methods have defaults that do nothing. Calls are in the order of the text;
/// those between a `begin` and its `end` belong to one game. A game that is rejected in the end has delivered its plies
/// up to the fault; the visitor discards them.
pub trait ReplayVisitor {
    /// What it receives of lines instead of plies, in the current game, if it reads `PliesOrLines`.
    /// Plies that are not in lines are delivered one by one.
    fn line_request(&self) -> Option<LineRequest> {
        None
    }

    /// Plies of the main line, as requested.
    fn line(&mut self, text: &[u8], line: &MoveLine<'_>) {
        let _ = (text, line);
    }

    /// A game begins at byte `start`; its moves are in `notation`. Before its `end` the game may begin again, in
    /// another notation: what was delivered of it is then void.
    fn begin(
        &mut self,
        text: &[u8],
        start: usize,
        tags: &TagSection,
        notation: &'static dyn Notation,
    ) {
        let _ = (text, start, tags, notation);
    }

    /// A ply, the span of its text, and its depth in variations (0 = main line).
    fn ply(&mut self, text: &[u8], place: Range<usize>, ply: &Ply<'_>, depth: usize) {
        let _ = (text, place, ply, depth);
    }

    /// A ply of a game of other rules than those of chess, as [`ReplayVisitor::ply`].
    ///
    /// # Errors
    /// The visitor cannot represent the ply: the fault that rejects the game.
    fn other_ply(
        &mut self,
        text: &[u8],
        place: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        let _ = (text, place, ply, depth);
        Ok(())
    }

    /// A token of movetext that is no ply.
    fn non_ply(&mut self, text: &[u8], place: Range<usize>, kind: NonPly) {
        let _ = (text, place, kind);
    }

    /// The game ends.
    fn end(&mut self, text: &[u8], game: &Game<'_>) {
        let _ = (text, game);
    }

    /// Called once per game before its `end`: returns whether the visitor's own text of the game needs more than new
    /// moves, such as a space between a number and a move. The game then counts as repaired.
    fn needs_repair(&mut self, text: &[u8]) -> bool {
        let _ = text;
        false
    }

    /// Bytes that belong to no game.
    fn between(&mut self, text: &[u8], place: Range<usize>) {
        let _ = (text, place);
    }
}
