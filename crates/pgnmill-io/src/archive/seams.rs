//! Seams: the games that lie across the edges of jobs.
//!
//! In: the [`Edges`] of every job, in the order of the jobs. Out: the blocks between the interiors, and the absolute
//! offset of each job's text.
//!
//! Invariants: seam blocks and interiors, in order, joined are the text of the archive; seams are divided by the same
//! rule as all other text. Memory: about two games of the greatest length. Example: the driver.

use pgnmill_state::state;

use super::deliver::Sizes;
use super::inflate::Source;
use super::splitter::{Splitter, SplitterState};
use super::{Options, Visit};
use crate::error::Result;

/// The text of a job that must be joined to that of its neighbours.
#[derive(Debug, Default)]
pub struct Edges {
    /// The text before the first start that is certain; all of the text when there is none.
    pub(super) head: Vec<u8>,
    /// The text from the last start on.
    pub(super) tail: Vec<u8>,
    /// A game starts directly after the head.
    pub(super) split: bool,
    /// The length of the job's text, edges and interior.
    pub(super) text_bytes: u64,
    /// The number of its frames.
    pub(super) frames: u64,
}

impl Edges {
    /// The edges of a text that is all interior: it begins and ends where games do.
    pub(super) fn none(text_bytes: u64) -> Edges {
        Edges { split: true, text_bytes, ..Edges::default() }
    }

    /// How much of the text was not visited as blocks of the interior, in bytes.
    pub(crate) fn edge_bytes(&self) -> u64 {
        (self.head.len() + self.tail.len()) as u64
    }
}

/// Joins the edges of jobs, in their order.
#[derive(Debug)]
pub(crate) struct Seams {
    splitter: Splitter,
    /// The offset of the current job's text.
    base: u64,
    /// The frames before it.
    frames: u64,
}

/// The state of seams between two jobs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SeamsState {
    base: u64,
    frames: u64,
    splitter: SplitterState,
}
state!(SeamsState { base, frames, splitter });

impl Seams {
    /// The seams of an archive whose text begins at offset `base`, with the options the archive was opened with.
    pub(crate) fn new(options: &Options, base: u64) -> Seams {
        let mut splitter = Splitter::new(Sizes::new(options), Vec::new());
        splitter.restart(base);
        Seams { splitter, base, frames: 0 }
    }

    /// Joins a job's head to the text held and visits the blocks that are then complete, those before the job's
    /// interior. Their offsets are absolute.
    ///
    /// Returns the offset of the job's text, to be added to that of each block of its interior.
    ///
    /// # Errors
    /// The error of `visit`.
    pub(crate) fn before(&mut self, edges: &Edges, visit: &mut Visit<'_>) -> Result<u64> {
        self.splitter.push(&edges.head);
        self.splitter.visit_runs(!edges.split, visit)?;
        Ok(self.base)
    }

    /// Holds the job's tail, after its interior.
    pub(crate) fn after(&mut self, edges: &Edges) {
        self.base += edges.text_bytes;
        self.frames += edges.frames;
        if edges.split {
            self.splitter.restart(self.base - edges.tail.len() as u64);
            self.splitter.push(&edges.tail);
        }
    }

    /// Visits the text that is left, at the end of the archive, and begins again.
    ///
    /// # Errors
    /// The error of `visit`.
    pub(crate) fn finish(&mut self, visit: &mut Visit<'_>) -> Result<()> {
        self.splitter.visit_runs(false, visit)?;
        self.splitter.restart(0);
        (self.base, self.frames) = (0, 0);
        Ok(())
    }

    /// Damage follows the text so far: visits what is left of it, which is never joined to later text.
    ///
    /// # Errors
    /// The error of `visit`.
    pub(crate) fn cut(&mut self, visit: &mut Visit<'_>) -> Result<()> {
        self.splitter.cut(visit)
    }

    /// The state between two jobs; `None` within a game that is too long to hold.
    pub(super) fn save(&self) -> Option<SeamsState> {
        let splitter = self.splitter.save()?;
        Some(SeamsState { base: self.base, frames: self.frames, splitter })
    }

    /// The seams with a state that was saved.
    pub(super) fn load(options: &Options, state: SeamsState) -> Seams {
        let SeamsState { base, frames, splitter } = state;
        let splitter = Splitter::load(Sizes::new(options), splitter);
        Seams { splitter, base, frames }
    }

    /// The length of the text so far.
    pub(crate) fn text_bytes(&self) -> u64 {
        self.base
    }

    /// The number of frames so far.
    pub(crate) fn frames(&self) -> u64 {
        self.frames
    }

    /// Counts frames that were read in order.
    pub(super) fn add_frames(&mut self, frames: u64) {
        self.frames += frames;
    }

    /// Reads some text of a job in order; returns its length: 0 at the end of the job.
    pub(super) fn read_on(
        &mut self,
        source: &mut dyn Source,
        visit: &mut Visit<'_>,
    ) -> Result<usize> {
        let added = self.splitter.fill(source)?;
        self.base += added as u64;
        self.splitter.visit_runs(true, visit)?;
        debug_assert_eq!(self.splitter.offset() + self.splitter.text().len() as u64, self.base);
        Ok(added)
    }
}
