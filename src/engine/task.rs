//! The seam between the engine and what is done with games: a task.
//!
//! A task is a value. The engine gives each job a visitor of the task, which visits the games of the job's blocks and fills a
//! part; the parts, beside the [`Facts`](super::Facts) that all tasks have in common, come to a [`Consumer`] in the order of the
//! text. The engine names no task: validation, conversion and measurement are three implementations in `tasks/`.
//!
//! ```text
//! Task ── visitor(context, part) ──► BlockVisitor: begin, ply…, end for each game ──► Part
//!                                                                                      │
//!                                 in the order of the text, with Facts and Base:       ▼
//!                                                                                   Consumer
//! ```
//!
//! Everything is monomorphised: a visitor that does nothing with a ply costs nothing.

use std::fmt::Debug;
use std::ops::Range;

use rayon::ThreadPool;

use crate::archive::Archive;
use crate::error::Result;
use crate::notation::{Notation, Ply};
use crate::replay::{Game, History, TagSection};

use super::facts::JobResult;
use super::joint::TextPiece;
use super::settings::{Base, Settings};

/// What is done with the games of archives.
pub trait Task: Debug + Sync {
    /// What a worker keeps from job to job, such as buffers.
    type Context: Default + Debug + Send;
    /// What a job comes to.
    type Part: Part;
    /// Visits the games of one block.
    type Visitor<'b>: BlockVisitor
    where
        Self: 'b;

    /// What the task requires of the history of a game.
    fn history(&self) -> History {
        History::Ignored
    }

    /// The visitor of one block, which adds to `part`.
    fn visitor<'b>(
        &'b self,
        settings: &'b Settings,
        context: &'b mut Self::Context,
        part: &'b mut Self::Part,
    ) -> Self::Visitor<'b>;
}

/// What a job comes to.
pub trait Part: Default + Debug + Send {
    /// Forgets everything but the memory.
    fn clear(&mut self);
}

impl Part for () {
    fn clear(&mut self) {}
}

/// Where a game lies in its job.
#[derive(Clone, Copy, Debug)]
pub struct GamePlace {
    /// Offset of its first byte in the job's text.
    pub offset: u64,
    /// Games before it in the job.
    pub number: u64,
}

/// What is special to a task: visits the games of one block in the order of the text.
///
/// Ranges are those of the `text` that a call carries. A game that turns out to be rejected has delivered plies before its
/// `end`.
pub trait BlockVisitor {
    /// A game begins at byte `start`, its moves in `notation`. A game that is read again in another notation begins again: what it delivered is void.
    fn begin(
        &mut self,
        text: &[u8],
        start: usize,
        tags: &TagSection,
        notation: &'static dyn Notation,
    ) {
        let _ = (text, start, tags, notation);
    }

    /// A ply: the place of its text, and its depth in variations (0 is the main line).
    fn ply(&mut self, text: &[u8], place: Range<usize>, ply: &Ply<'_>, depth: usize) {
        let _ = (text, place, ply, depth);
    }

    /// See `ReplayVisitor::non_move`.
    fn non_move(&mut self, text: &[u8], place: Range<usize>) {
        let _ = (text, place);
    }

    /// See `ReplayVisitor::redundant_suffix`.
    fn redundant_suffix(&mut self, text: &[u8], place: Range<usize>) {
        let _ = (text, place);
    }

    /// See `ReplayVisitor::long_number`.
    fn long_number(&mut self, text: &[u8], place: Range<usize>) {
        let _ = (text, place);
    }

    /// See `ReplayVisitor::needs_repair`.
    fn needs_repair(&mut self, text: &[u8]) -> bool {
        let _ = text;
        false
    }

    /// The game ends.
    fn end(&mut self, text: &[u8], game: &Game<'_>, place: GamePlace) {
        let _ = (text, game, place);
    }

    /// Text of no game, or of a game that is too long to be read.
    fn copy(&mut self, text: &[u8], piece: TextPiece) {
        let _ = (text, piece);
    }
}

/// Takes the results of jobs, in the order of the text, on the calling thread.
pub trait Consumer<P> {
    /// An archive begins.
    ///
    /// # Errors
    /// An output that cannot be opened.
    fn begin(&mut self, archive: &Archive) -> Result<()>;

    /// The next result; its bytes may be taken out of it.
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

    /// The jobs up to here took so many stored bytes more.
    fn progress(&mut self, stored_bytes: u64) {
        let _ = stored_bytes;
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
