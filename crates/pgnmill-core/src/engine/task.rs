//! The interface between the engine and the processing of games: a task.
//!
//! In: the games of a job. Out: the part of the job. A task is a value. It gives [`BlockGames`] a visitor for each
//! block, which visits the games of the block and adds to the part of the job; a [`Consumer`] takes the parts in the
//! order of the text, with the [`Facts`](super::Facts) that all tasks have in common. Invariant: the engine depends on
//! no particular task; validation, conversion and measurement are three implementations in `tasks/`.
//!
//! ```text
//! Task ── visit(games, context, part) ──► BlockVisitor: begin, ply…, end per game ──► Part
//!                                                                                 │
//!                            in the order of the text, with Facts and Base:       ▼
//!                                                                              Consumer
//! ```
//!
//! Cost: the fast path of replay is compiled for each visitor that reads plies, in the crate of the task; all others
//! share one.

use std::fmt::Debug;

use super::pool::Pool;
use pgnmill_io::archive::{Archive, Input};
use pgnmill_io::error::{Error, Result};

use crate::notation::Notation;
use crate::replay::History;

use super::block_games::BlockGames;
use super::facts::JobResult;
use super::moves_use::MovesUse;
use super::settings::Base;
use super::start::Start;

/// A way to process the games of archives.
pub trait Task: Debug + Sync {
    /// The state that a worker keeps from job to job, such as buffers.
    type Context: Default + Debug + Send;
    /// The result of a job.
    type Part: Part;

    /// Does the task require the history of a game? See [`History`].
    fn history(&self) -> History {
        History::Ignored
    }

    /// Is nothing but the moves of a game written? A game that does not begin in the array of the rules of the run is
    /// then rejected: see [`Replayer::writing_moves_alone`](crate::replay::Replayer::writing_moves_alone).
    fn writes_moves_alone(&self) -> bool {
        false
    }

    /// The notation that the text of games is rewritten in, if it is.
    fn target(&self) -> Option<&'static dyn Notation> {
        None
    }

    /// What the task requires of the moves of games.
    fn moves(&self) -> MovesUse {
        MovesUse::Visited
    }

    /// Visits the games of one block: calls [`BlockGames::visit`] with a visitor that adds to `part`.
    fn visit(&self, games: BlockGames<'_, '_>, context: &mut Self::Context, part: &mut Self::Part);
}

/// The part of a job's result that is specific to the task.
pub trait Part: Default + Debug + Send {
    /// Empties it and keeps its memory.
    fn clear(&mut self);
}

impl Part for () {
    fn clear(&mut self) {}
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
        pool: &Pool,
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
    fn failed(&mut self, input: &Input, error: Error, pool: &Pool) -> Result<()> {
        let _ = (input, pool);
        Err(error)
    }

    /// Is it time to save the state of the run? Called after each job and after each archive.
    fn is_checkpoint_due(&mut self) -> bool {
        false
    }

    /// Is the state of a run that is stopped saved, however long ago that was done?
    fn saves_when_stopped(&self) -> bool {
        false
    }

    /// Saves the state of the run, which can go on from `start`: all results before it were consumed.
    ///
    /// # Errors
    /// What cannot be written.
    fn checkpoint(&mut self, start: Start, pool: &Pool) -> Result<()> {
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
    fn end(&mut self, archive: &str, pool: &Pool) -> Result<()> {
        let _ = (archive, pool);
        Ok(())
    }

    /// All archives are at their end.
    ///
    /// # Errors
    /// An output that cannot be written.
    fn close(&mut self, pool: &Pool) -> Result<()> {
        let _ = pool;
        Ok(())
    }
}
