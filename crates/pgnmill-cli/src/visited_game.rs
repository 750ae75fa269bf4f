//! A game as `explain` replays it: its verdict, its fault, and the requested move.
//!
//! In: the plies of one game. Out: a [`VisitedGame`], and the part of it to show. Invariant: a constant number of moves
//! is kept, however long the game is. Cost: that of the replay.

use std::ops::Range;

use pgnmill_core::chess::rules::AnyPosition;
use pgnmill_core::notation::{self, AnyPly, MoveText, Notation, OtherPly, Ply, SAN};
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_core::replay::{Game, GameFault, ReplayVisitor, TagSection, Verdict};
use pgnmill_io::error::{Error, Result};

use super::game_view::Focus;

/// A move that was played.
#[derive(Clone)]
struct PlayedPly {
    span: Range<usize>,
    before: AnyPosition,
    after: AnyPosition,
    /// Its text in the usual notation of the rules.
    canonical: MoveText,
    depth: usize,
}

/// The requested move: the one at a byte, or a ply of the main line.
#[derive(Clone, Copy, Default)]
pub(super) struct Request {
    pub(super) at: Option<usize>,
    pub(super) ply: Option<u32>,
}

/// The moves of a game that may be shown: a constant number, however long the game is.
#[derive(Clone, Default)]
struct KeptPlies {
    /// The last one whose text begins at or before the requested byte.
    at: Option<PlayedPly>,
    /// The requested ply of the main line, its last ply, and the number of its plies.
    nth: Option<PlayedPly>,
    last: Option<PlayedPly>,
    plies: u32,
}

impl KeptPlies {
    fn add(&mut self, played: PlayedPly, request: Request) {
        if request.at.is_some_and(|at| played.span.start <= at) {
            self.at = Some(played.clone());
        }
        if played.depth == 0 {
            self.plies = self.plies.saturating_add(1);
            if request.ply == Some(self.plies) {
                self.nth = Some(played.clone());
            }
            self.last = Some(played);
        }
    }
}

/// Visits one game and keeps the requested data.
pub(super) struct GameVisitor {
    request: Request,
    /// Where the game is in the text that is replayed; what is kept has offsets in the game.
    span: Range<usize>,
    moves: KeptPlies,
    notation: &'static dyn Notation,
    pub(super) game: Option<VisitedGame>,
}

/// The data of a game.
pub(super) struct VisitedGame {
    moves: KeptPlies,
    pub(super) notation: &'static dyn Notation,
    pub(super) tags_end: usize,
    start: Option<AnyPosition>,
    pub(super) verdict: Verdict,
    pub(super) fault: Option<GameFault>,
}

impl GameVisitor {
    pub(super) fn new(request: Request, span: Range<usize>) -> GameVisitor {
        GameVisitor { request, span, moves: KeptPlies::default(), notation: SAN, game: None }
    }

    /// A range of the text as one of the game.
    fn in_game(&self, range: &Range<usize>) -> Range<usize> {
        let Range { start, end } = self.span;
        let moved = |at: usize| at.clamp(start, end) - start;
        moved(range.start)..moved(range.end)
    }

    fn add(&mut self, span: Range<usize>, ply: AnyPly<'_>, depth: usize) {
        let span = self.in_game(&span);
        let (before, after, mut canonical) = (ply.before(), ply.after(), MoveText::default());
        // Its own notation has a text for every ply of a game.
        let _ = ply.encode(notation::usual(before.rules()), &mut canonical);
        self.moves.add(PlayedPly { span, before, after, canonical, depth }, self.request);
    }
}

impl ReplayVisitor for GameVisitor {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, notation: &'static dyn Notation) {
        self.moves = KeptPlies::default();
        self.notation = notation;
    }

    fn ply(&mut self, _: &[u8], span: Range<usize>, ply: &Ply<'_>, depth: usize) {
        self.add(span, AnyPly::Chess(ply), depth);
    }

    fn other_ply(
        &mut self,
        _: &[u8],
        span: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> std::result::Result<(), Deviation> {
        self.add(span, AnyPly::Other(ply), depth);
        Ok(())
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>) {
        if self.game.is_some() {
            return;
        }
        let mut fault = game.fault.cloned();
        if let Some(fault) = &mut fault {
            fault.text = self.in_game(&fault.text);
            fault.comment = fault.comment.map(|at| self.in_game(&(at..at)).start);
        }
        self.game = Some(VisitedGame {
            moves: std::mem::take(&mut self.moves),
            notation: self.notation,
            tags_end: self.in_game(&(0..game.tags.end)).end,
            start: game.tags.initial_position(text, |_| ()).ok(),
            verdict: game.verdict,
            fault,
        });
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

impl VisitedGame {
    /// The part to show: the requested ply; or the fault, unless a byte before it is requested; or the move at that
    /// byte; or the end of the game.
    pub(super) fn focus(&self, at: Option<usize>, ply: Option<u32>) -> Result<Focus> {
        if let Some(number) = ply {
            return self.of_ply(number);
        }
        let to_fault = |fault: &&GameFault| at.is_none_or(|at| at >= fault.text.start);
        if let Some(fault) = self.fault.as_ref().filter(to_fault) {
            return Ok(Focus {
                text: Some(fault.text.clone()),
                ply: fault.ply,
                position: fault.position,
                is_fault: true,
                ..Focus::default()
            });
        }
        let Some(at) = at else { return Ok(self.end()) };
        match &self.moves.at {
            Some(played) => Ok(self.of_played(played)),
            None => Ok(Focus { text: Some(at..at + 1), position: self.start, ..Focus::default() }),
        }
    }

    /// The ply of the main line with a number, from 1.
    fn of_ply(&self, number: u32) -> Result<Focus> {
        if let Some(fault) = self.fault.as_ref().filter(|fault| fault.ply == number) {
            let text = Some(fault.text.clone());
            let (ply, position) = (fault.ply, fault.position);
            return Ok(Focus { text, ply, position, is_fault: true, ..Focus::default() });
        }
        self.moves.nth.as_ref().map(|played| self.of_played(played)).ok_or_else(|| {
            let plies = self.moves.plies;
            Error::usage(format!("{plies} plies of the game were read; there is no ply {number}"))
        })
    }

    fn of_played(&self, played: &PlayedPly) -> Focus {
        Focus {
            text: Some(played.span.clone()),
            ply: self.ply_of(&played.before),
            position: Some(played.before),
            played: Some(played.canonical),
            depth: played.depth,
            is_fault: false,
        }
    }

    /// The number of the ply that is played in a position.
    fn ply_of(&self, position: &AnyPosition) -> u32 {
        let half = |position: &AnyPosition| {
            2 * position.fullmove_number() + position.turn().index() as u32
        };
        let start = self.start.map_or(2, |start| half(&start));
        half(position).saturating_sub(start) + 1
    }

    /// The position in which the main line ends.
    fn end(&self) -> Focus {
        let last = self.moves.last.as_ref();
        let position = last.map(|played| played.after).or(self.start);
        let ply = position.map_or(0, |position| self.ply_of(&position).saturating_sub(1));
        Focus { text: last.map(|played| played.span.clone()), ply, position, ..Focus::default() }
    }
}
