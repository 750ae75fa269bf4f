//! The interface between the engine and the processing of games: a task.
//!
//! In: the games of a job. Out: the part of the job. A task is a value. The engine creates a visitor for each block,
//! which visits the games of the block and adds to the part of the job; a [`Consumer`] takes the parts in the order
//! of the text, with the [`Facts`](super::Facts) that all tasks have in common. Invariant: the engine depends on no
//! particular task; validation, conversion and measurement are three implementations in `tasks/`.
//!
//! ```text
//! Task ── visitor(context, part) ──► BlockVisitor: begin, ply…, end per game ──► Part
//!                                                                                 │
//!                            in the order of the text, with Facts and Base:       ▼
//!                                                                              Consumer
//! ```
//!
//! Cost: the fast path of replay is compiled for each visitor that reads plies; all others share one.

use std::fmt::Debug;
use std::ops::Range;

use rayon::ThreadPool;

use crate::archive::{Archive, Input};
use crate::error::{Error, Result};
use crate::notation::{Notation, OtherPly, Ply};
use crate::pgn::deviation::Deviation;
use crate::replay::{Game, History, LineRequest, MoveLine, Reads, TagSection};
use crate::select::{GameView, Selection};

use super::facts::JobResult;
use super::settings::{Base, Settings};
use super::start::Start;
use super::text_piece::TextPiece;
use super::unreadable::Unreadables;

/// A way to process the games of archives.
pub trait Task: Debug + Sync {
    /// The state that a worker keeps from job to job, such as buffers.
    type Context: Default + Debug + Send;
    /// The result of a job.
    type Part: Part;
    /// Visits the games of one block.
    type Visitor<'b>: BlockVisitor
    where
        Self: 'b;

    /// Does the task require the history of a game? See [`History`].
    fn history(&self) -> History {
        History::Ignored
    }

    /// The notation that the text of games is rewritten in, if it is.
    fn target(&self) -> Option<&'static dyn Notation> {
        None
    }

    /// Does the task require the moves of games? If not, the visitor gets [`BlockVisitor::end`] alone, without a
    /// verdict, and only in runs with a selection.
    fn reads_moves(&self) -> bool {
        true
    }

    /// The visitor of one block, which adds to `part`.
    fn visitor<'b>(
        &'b self,
        settings: &'b Settings,
        context: &'b mut Self::Context,
        part: &'b mut Self::Part,
    ) -> Self::Visitor<'b>;
}

/// The part of a job's result that is specific to the task.
pub trait Part: Default + Debug + Send {
    /// Empties it and keeps its memory.
    fn clear(&mut self);
}

impl Part for () {
    fn clear(&mut self) {}
}

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

    /// See `ReplayVisitor::non_move`.
    fn non_move(&mut self, text: &[u8], span: Range<usize>) {
        let _ = (text, span);
    }

    /// See `ReplayVisitor::redundant_suffix`.
    fn redundant_suffix(&mut self, text: &[u8], span: Range<usize>) {
        let _ = (text, span);
    }

    /// See `ReplayVisitor::long_number`.
    fn long_number(&mut self, text: &[u8], span: Range<usize>) {
        let _ = (text, span);
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

/// Receives the results of jobs, in the order of the text, on the calling thread.
pub trait Consumer<P> {
    /// The input of this index is opened next.
    ///
    /// # Errors
    /// An output that cannot be opened.
    fn input(&mut self, index: usize) -> Result<()> {
        let _ = index;
        Ok(())
    }

    /// An archive begins.
    ///
    /// # Errors
    /// An output that cannot be opened.
    fn begin(&mut self, archive: &Archive) -> Result<()>;

    /// The next result; the consumer may take its buffers.
    ///
    /// # Errors
    /// An output that cannot be written.
    fn result(
        &mut self,
        archive: &str,
        base: Base,
        result: &mut JobResult<P>,
        pool: &ThreadPool,
    ) -> Result<()>;

    /// A job is finished, which read so many stored bytes.
    fn progress(&mut self, stored_bytes: u64) {
        let _ = stored_bytes;
    }

    /// An input could not be opened, or not be read to its end; the results before that were consumed, and there is
    /// no [`Consumer::end`] of this archive. `Ok` goes on with the next input.
    ///
    /// # Errors
    /// `error`, which then ends the run; an output that cannot be written.
    fn failed(&mut self, input: &Input, error: Error, pool: &ThreadPool) -> Result<()> {
        let _ = (input, pool);
        Err(error)
    }

    /// Is it time to save the state of the run? Called after each job and after each archive.
    fn is_checkpoint_due(&mut self) -> bool {
        false
    }

    /// Saves the state of the run, which can go on from `start`: all results before it were consumed.
    ///
    /// # Errors
    /// What cannot be written.
    fn checkpoint(&mut self, start: Start, pool: &ThreadPool) -> Result<()> {
        let _ = (start, pool);
        Ok(())
    }

    /// Does it require no more results? The run then ends as if the inputs ended here.
    fn is_done(&self) -> bool {
        false
    }

    /// The archive is at its end.
    ///
    /// # Errors
    /// An output that cannot be written.
    fn end(&mut self, archive: &str, pool: &ThreadPool) -> Result<()> {
        let _ = (archive, pool);
        Ok(())
    }

    /// All archives are at their end.
    ///
    /// # Errors
    /// An output that cannot be written.
    fn close(&mut self, pool: &ThreadPool) -> Result<()> {
        let _ = pool;
        Ok(())
    }
}
