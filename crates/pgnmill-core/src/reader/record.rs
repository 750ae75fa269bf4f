//! The record of a game: the data of its replay that is kept until its verdict is known.
//!
//! In: the calls of a replay. Out: [`GameRecord`]s and the [`PlyRecord`]s of their moves, from which [`super::Game`]
//! computes positions, texts and comments again. Invariant: a game that is read again in another notation has one
//! record, that of the last reading. Cost: 16 bytes per ply; no position is kept.

use std::ops::Range;

use crate::chess::rules::{AnyPosition, Extras};
use crate::chess::{Move, Position};
use crate::notation::{Notation, OtherPly, Ply, SAN};
use crate::pgn::Outcome;
use crate::pgn::deviation::Deviation;
use crate::replay::{
    self, EachPly, FastVisitor, GameFault, NonPly, ReplayVisitor, TagSection, Verdict,
};

/// A move or a null move, and the span of its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PlyRecord {
    start: u32,
    end: u32,
    /// `None` for a null move.
    pub(super) mv: Option<Move>,
}

impl PlyRecord {
    fn new(span: &Range<usize>, mv: Option<Move>) -> PlyRecord {
        // A text that is replayed is at most as long as a game may be, 16 MiB.
        PlyRecord { start: span.start as u32, end: span.end as u32, mv }
    }

    /// This record in a text that begins `base` bytes later.
    fn moved_back(self, base: usize) -> PlyRecord {
        let base = base as u32;
        PlyRecord { start: self.start - base, end: self.end - base, mv: self.mv }
    }

    /// The span of the text.
    pub(super) fn text(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A game, without its text. Ranges are those of the text that was replayed.
#[derive(Clone, Debug)]
pub(super) struct GameRecord {
    pub(super) span: Range<usize>,
    /// Offset of the byte after the last tag pair.
    pub(super) tags_end: usize,
    /// The first ply of the game in the list of plies, and the one after its last.
    pub(super) plies: Range<usize>,
    pub(super) notation: &'static dyn Notation,
    /// `None` if the tag pairs have no valid position, or the board is not that of chess.
    pub(super) start: Option<Position>,
    /// What the ruleset of a variant adds to it.
    pub(super) extras: Option<Extras>,
    pub(super) verdict: Verdict,
    pub(super) fault: Option<GameFault>,
    pub(super) result: Option<Outcome>,
    /// Offset of the result token; without one, of the end of the game.
    pub(super) movetext_end: usize,
    /// All moves are in the main line, and none of them is a null move.
    pub(super) is_one_line: bool,
    /// False for a game that is too long to be read, or whose beginning is lost.
    pub(super) has_been_read: bool,
}

impl GameRecord {
    /// The record of a game that was not read, a text of `len` bytes.
    pub(super) fn unread(len: usize, kind: Deviation, detail: &str) -> GameRecord {
        let detail = detail.to_string();
        let fault = GameFault { kind, text: 0..0, ply: 0, detail, position: None, comment: None };
        GameRecord {
            span: 0..len,
            tags_end: 0,
            plies: 0..0,
            notation: SAN,
            start: None,
            extras: None,
            verdict: Verdict::Rejected,
            fault: Some(fault),
            result: None,
            movetext_end: len,
            is_one_line: true,
            has_been_read: false,
        }
    }

    /// The record and its plies for a text that consists of the game alone.
    pub(super) fn alone(mut self, plies: &[PlyRecord]) -> (GameRecord, Box<[PlyRecord]>) {
        let base = self.span.start;
        let end = self.span.end;
        let plies: Box<[PlyRecord]> = plies.iter().map(|ply| ply.moved_back(base)).collect();
        let moved = |at: usize| at.clamp(base, end) - base;
        self.tags_end = moved(self.tags_end);
        self.movetext_end = moved(self.movetext_end);
        if let Some(fault) = &mut self.fault {
            fault.text = moved(fault.text.start)..moved(fault.text.end);
        }
        (self.span, self.plies) = (0..end - base, 0..plies.len());
        (self, plies)
    }
}

/// Records games.
#[derive(Debug)]
pub(super) struct Recorder {
    pub(super) games: Vec<GameRecord>,
    pub(super) plies: Vec<PlyRecord>,
    first_ply: usize,
    base: usize,
    notation: &'static dyn Notation,
    /// See [`GameRecord::is_one_line`]; of the current game.
    is_one_line: bool,
}

impl Default for Recorder {
    fn default() -> Recorder {
        let notation = SAN;
        let (games, plies) = (Vec::new(), Vec::new());
        Recorder { games, plies, first_ply: 0, base: 0, notation, is_one_line: true }
    }
}

impl Recorder {
    pub(super) fn clear(&mut self) {
        self.games.clear();
        self.plies.clear();
        self.first_ply = 0;
    }

    /// The text that is replayed next begins at `base` in the text to which the ranges of the records refer.
    pub(super) fn set_base(&mut self, base: usize) {
        self.base = base;
    }

    fn based(&self, range: &Range<usize>) -> Range<usize> {
        range.start + self.base..range.end + self.base
    }

    pub(super) fn begin(&mut self, notation: &'static dyn Notation) {
        self.plies.truncate(self.first_ply);
        self.notation = notation;
        self.is_one_line = true;
    }

    #[inline(always)]
    pub(super) fn ply(&mut self, span: &Range<usize>, mv: Move, depth: usize) {
        self.is_one_line &= depth == 0;
        let span = self.based(span);
        self.plies.push(PlyRecord::new(&span, Some(mv)));
    }

    pub(super) fn non_ply(&mut self, text: &[u8], span: &Range<usize>, kind: NonPly) {
        if kind.is_in_place_of_move() && replay::is_null_move(&text[span.clone()]) {
            self.is_one_line = false;
            self.plies.push(PlyRecord::new(&self.based(span), None));
        }
    }

    /// A ply of other rules.
    ///
    /// # Errors
    /// There are no moves on other boards than that of chess here: the fault that rejects the game.
    pub(super) fn other_ply(
        &mut self,
        span: &Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        match ply {
            OtherPly::Variant(ply) => {
                self.ply(span, ply.mv(), depth);
                Ok(())
            }
            OtherPly::Chess99(_) | OtherPly::Table(_) => Err(Deviation::NotationNotForBoard),
        }
    }

    pub(super) fn end(&mut self, text: &[u8], game: &replay::Game<'_>) {
        let (start, extras) = match game.tags.initial_position(text, |_| ()) {
            Ok(AnyPosition::Chess(start)) => (Some(start), None),
            Ok(AnyPosition::Variant(start)) => (Some(*start.board()), Some(start.extras())),
            Ok(AnyPosition::Chess99(_) | AnyPosition::Table(_)) | Err(_) => (None, None),
        };
        let plies = self.first_ply..self.plies.len();
        self.first_ply = plies.end;
        let mut fault = game.fault.cloned();
        fault.iter_mut().for_each(|fault| fault.text = self.based(&fault.text));
        self.games.push(GameRecord {
            span: self.based(&game.span),
            tags_end: game.tags.end + self.base,
            plies,
            notation: self.notation,
            start,
            extras,
            verdict: game.verdict,
            fault,
            result: game.outcome(text),
            movetext_end: self.base + game.result.as_ref().map_or(game.span.end, |it| it.start),
            is_one_line: self.is_one_line,
            has_been_read: true,
        });
    }
}

impl FastVisitor for Recorder {
    type Reads = EachPly;
}

impl ReplayVisitor for Recorder {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, notation: &'static dyn Notation) {
        Recorder::begin(self, notation);
    }

    #[inline(always)]
    fn ply(&mut self, _: &[u8], span: Range<usize>, ply: &Ply<'_>, depth: usize) {
        Recorder::ply(self, &span, ply.mv(), depth);
    }

    fn other_ply(
        &mut self,
        _: &[u8],
        span: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        Recorder::other_ply(self, &span, ply, depth)
    }

    fn non_ply(&mut self, text: &[u8], span: Range<usize>, kind: NonPly) {
        Recorder::non_ply(self, text, &span, kind);
    }

    fn end(&mut self, text: &[u8], game: &replay::Game<'_>) {
        Recorder::end(self, text, game);
    }
}
