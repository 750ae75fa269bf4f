//! What the replay tells of a game, and who listens.

use std::ops::Range;

use crate::chess::{Move, Position};
use crate::notation::{Lineage, Notation, Ply};
use crate::pgn::Outcome;
use crate::pgn::deviation::Deviation;

use super::fast::movetext::Place;
use super::{Occurrence, TagSection};

/// What became of a game. Every game read has exactly one verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every move proved, every text canonical or merely noted.
    Accepted,
    /// Every move proved; some texts had to be read generously.
    Repaired,
    /// Something could not be proved.
    Rejected,
}

/// Why a game was rejected.
#[derive(Clone, Debug)]
pub struct GameFault {
    /// What it is.
    pub kind: Deviation,
    /// Where it stands in the text that was replayed.
    pub text: Range<usize>,
    /// The ply it stands at, counted from 1; 0 before the first move.
    pub ply: u32,
    /// Why, in words.
    pub detail: String,
    /// The position there, where the fault is in the moves.
    pub position: Option<Position>,
}

/// A game that has come to its end.
#[derive(Debug)]
pub struct Game<'g> {
    /// Where it lies in the text that was replayed.
    pub span: Range<usize>,
    /// Its tag pairs.
    pub tags: &'g TagSection,
    /// What became of it.
    pub verdict: Verdict,
    /// Why it was rejected.
    pub fault: Option<&'g GameFault>,
    /// Plies of the main line.
    pub plies: u32,
    /// Plies in variations.
    pub variation_plies: u32,
    /// Where the result token stands, if there is one.
    pub result: Option<Range<usize>>,
    /// The notes and repairs of a game that is not rejected, in the order of the text, where they are kept: see
    /// [`Replayer::with_notes`](super::Replayer::with_notes). [`NOTES_PER_GAME_MAX`](super::NOTES_PER_GAME_MAX) at most.
    pub notes: &'g [Occurrence],
    /// How many more there were.
    pub notes_omitted: u64,
    /// Does its own text say where it ends, whatever follows: a result outside of variations, and no comment left open behind it?
    pub closed: bool,
}

impl Game<'_> {
    /// What the `Result` tag pair says, if it is one of the standard's results.
    pub fn result_of_tag(&self, text: &[u8]) -> Option<Outcome> {
        self.tags.result().and_then(|value| Outcome::from_canonical(&text[value]))
    }
}

/// Who hears of a replay. Calls come in the order of the text; between a `begin` and its `end` they are of one game,
/// and a game that turns out to be rejected has told its plies already, which the visitor takes back.
pub trait ReplayVisitor {
    /// A game begins. `notation` is the one its moves are written in. Before the game's `end` it may begin anew, in
    /// another notation: what was told of it is then void.
    fn begin(
        &mut self,
        text: &[u8],
        start: usize,
        tags: &TagSection,
        notation: &'static dyn Notation,
    );

    /// A ply: the place of its text, and how deep in variations it stands (0 = main line).
    fn ply(&mut self, text: &[u8], place: Range<usize>, ply: &Ply<'_>, depth: usize);

    /// A word in the place of a move that moves nobody: a null move, an annotation, a resignation, a result that stands
    /// against a number.
    fn non_move(&mut self, text: &[u8], place: Range<usize>) {
        let _ = (text, place);
    }

    /// A move number of so many digits without a full stop that a notation of digits alone would take it for a move.
    fn long_number(&mut self, text: &[u8], place: Range<usize>) {
        let _ = (text, place);
    }

    /// A suffix of the last move in a spelling that the canonical text of the move makes needless: conversion leaves it out.
    fn redundant_suffix(&mut self, text: &[u8], place: Range<usize>) {
        let _ = (text, place);
    }

    /// The game ends.
    fn end(&mut self, text: &[u8], game: &Game<'_>);

    /// Asked of every game when all of it was told, before its `end`: did its new text need more than new moves, such as a
    /// blank between a number and a move that stood against it? Then the game counts as repaired.
    fn needs_repair(&mut self, text: &[u8]) -> bool {
        let _ = text;
        false
    }

    /// Bytes that belong to no game.
    fn between(&mut self, text: &[u8], place: Range<usize>);
}

/// A line of play: the main line or a variation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// The position in which the next move is made, and the one before the last move, where a variation on it
    /// begins. They change places at every move, so that none is copied.
    positions: [Position; 2],
    /// The history that goes with each position, where a notation asks for it and the game has one.
    lineages: [Lineage; 2],
    has_lineage: bool,
    now: bool,
    /// Has a move been made in this line?
    pub moved: bool,
    /// Plies from the beginning of the game.
    pub ply: u32,
    /// Is the rest of the line text that is kept as it stands?
    pub dead: bool,
    /// Has the number of the next move been seen?
    pub numbered: bool,
}

static INITIAL_LINEAGE: Lineage = Lineage::initial();

impl Line {
    pub(super) fn new(position: &Position, lineage: Option<&Lineage>) -> Line {
        Line {
            positions: [*position; 2],
            lineages: [*lineage.unwrap_or(&INITIAL_LINEAGE); 2],
            has_lineage: lineage.is_some(),
            now: false,
            moved: false,
            ply: 0,
            dead: false,
            numbered: false,
        }
    }

    /// The position in which the next move is made.
    #[inline(always)]
    pub(super) fn position(&self) -> &Position {
        &self.positions[usize::from(self.now)]
    }

    /// Has the last move taken a pawn that had passed it? What was taken then stood elsewhere than what took it stands now.
    pub(super) fn took_en_passant(&self) -> bool {
        let (before, after) = (&self.positions[usize::from(!self.now)], self.position());
        let taken = before.them() ^ after.us();
        taken.has_any() && (taken & after.them()).is_empty()
    }

    /// The history of the game up to here.
    #[inline(always)]
    pub(super) fn lineage(&self) -> Option<&Lineage> {
        if self.has_lineage { Some(&self.lineages[usize::from(self.now)]) } else { None }
    }

    /// Keeps the history for the position that [`Line::turn`] will turn to.
    #[inline(always)]
    pub(super) fn note_lineage(&mut self, mv: Move) {
        if self.has_lineage {
            let now = usize::from(self.now);
            self.lineages[1 - now] = self.lineages[now].after(mv);
        }
    }

    /// Plays a legal move into the other place; [`Line::turn`] then makes it the position.
    #[inline(always)]
    pub(super) fn play(&mut self, mv: Move) -> (&Position, &Position, Option<&Lineage>) {
        let [first, second] = &mut self.positions;
        let (before, next) = if self.now { (second, first) } else { (first, second) };
        before.play_into(mv, next);
        let lineage =
            if self.has_lineage { Some(&self.lineages[usize::from(self.now)]) } else { None };
        (before, next, lineage)
    }

    /// Has the game a history that is kept?
    pub(super) fn has_lineage(&self) -> bool {
        self.has_lineage
    }

    /// The place of the position in which the next move is made, and the other.
    #[inline(always)]
    pub(super) fn places(&mut self) -> (Place<'_>, Place<'_>) {
        let ([first, second], [elder, younger]) = (&mut self.positions, &mut self.lineages);
        let first = Place { position: first, lineage: elder };
        let second = Place { position: second, lineage: younger };
        if self.now { (second, first) } else { (first, second) }
    }

    /// So many plies were made by turns in the two places. `numbered`: the number of the next move has been seen.
    #[inline(always)]
    pub(super) fn went(&mut self, plies: u32, numbered: bool) {
        self.now ^= !plies.is_multiple_of(2);
        self.moved |= plies > 0;
        self.ply += plies;
        self.numbered = numbered;
    }

    /// The other position is the position now.
    #[inline(always)]
    pub(super) fn turn(&mut self) {
        self.now = !self.now;
        self.moved = true;
        self.numbered = false;
        self.ply += 1;
    }

    /// The side to move passes.
    pub(super) fn pass(&mut self) {
        let other = usize::from(!self.now);
        self.positions[other] = self.position().play_null();
        self.lineages[other] = self.lineages[1 - other];
        self.turn();
    }

    /// The line that replaces the last move.
    pub(super) fn variation(&self) -> Line {
        let other = usize::from(!self.now);
        let lineage = self.has_lineage.then_some(&self.lineages[other]);
        let line = Line::new(&self.positions[other], lineage);
        Line { dead: self.dead, ply: self.ply.saturating_sub(1), ..line }
    }
}
