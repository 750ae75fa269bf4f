//! What visits the games of a block.
//!
//! In: calls of the replay, game by game in the order of the text. Out: whatever the visitor adds to the part of its
//! task. Invariant: a game has one `end`, whatever its verdict. An example: `tasks/validate.rs`, whose visitor does
//! nothing.

use std::ops::Range;

use crate::notation::{Notation, OtherPly, Ply};
use crate::pgn::deviation::Deviation;
use crate::replay::{Game, LineRequest, MoveLine, NonPly, PositionLine, Reads, TagSection};
use crate::select::{GameView, Selection};

use super::text_piece::TextPiece;
use super::unreadable::Unreadables;

/// The position of a game in its job.
#[derive(Clone, Copy, Debug)]
pub struct GamePlace {
    /// Offset of its first byte in the job's text.
    pub offset: u64,
    /// Games before it in the job.
    pub number: u64,
}

/// Visits the games of one block, in the order of the text. All methods have defaults that do nothing.
///
/// Ranges are relative to the `text` argument of the same call. For a rejected game `ply` may have been called before
/// `end` reports the verdict.
pub trait BlockVisitor {
    /// What it reads of main lines; the less, the faster is the replay.
    type Reads: Reads;

    /// See `ReplayVisitor::line_request`.
    fn line_request(&self) -> Option<LineRequest> {
        None
    }

    /// See `ReplayVisitor::line`.
    fn line(&mut self, text: &[u8], line: &MoveLine<'_>) {
        let _ = (text, line);
    }

    /// A game begins at byte `start`, with moves in `notation`. A game that is read again in another notation begins
    /// again; its plies so far are then void.
    fn begin(
        &mut self,
        text: &[u8],
        start: usize,
        tags: &TagSection,
        notation: &'static dyn Notation,
    ) {
        let _ = (text, start, tags, notation);
    }

    /// A ply: the span of its text, and its depth in variations (0 is the main line).
    fn ply(&mut self, text: &[u8], span: Range<usize>, ply: &Ply<'_>, depth: usize) {
        let _ = (text, span, ply, depth);
    }

    /// A ply of a game of other rules than those of chess, as [`BlockVisitor::ply`].
    ///
    /// # Errors
    /// The task cannot represent the ply: the fault that rejects the game.
    fn other_ply(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> std::result::Result<(), Deviation> {
        let _ = (text, span, ply, depth);
        Ok(())
    }

    /// See `ReplayVisitor::non_ply`.
    fn non_ply(&mut self, text: &[u8], span: Range<usize>, kind: NonPly) {
        let _ = (text, span, kind);
    }

    /// See `ReplayVisitor::needs_repair`.
    fn needs_repair(&mut self, text: &[u8]) -> bool {
        let _ = text;
        false
    }

    /// The game ends.
    fn end(&mut self, text: &[u8], game: &Game<'_>, game_place: GamePlace) {
        let _ = (text, game, game_place);
    }

    /// A line of a file of positions, which is at `span` with its line end, and at `place` in its job.
    fn position(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        line: &PositionLine<'_>,
        place: GamePlace,
    ) {
        let _ = (text, span, line, place);
    }

    /// Called before the first other method of a game that a selection chose; not called in runs without a selection.
    fn selected(&mut self, selection: &Selection, game: &GameView<'_>) {
        let _ = (selection, game);
    }

    /// Called after [`BlockVisitor::end`]: the values of the game that the task could not read, in the order of the
    /// text, if there are any. They are counted, and listed with the faults; the verdict does not change.
    fn unreadable(&mut self) -> Option<Unreadables> {
        None
    }

    /// Text that belongs to no game, or to a game that is too long to be read.
    fn copy(&mut self, text: &[u8], piece: TextPiece) {
        let _ = (text, piece);
    }
}
