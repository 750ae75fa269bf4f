//! Seams: the games that lie across the edges of what workers decoded.
//!
//! In: the [`Edges`] of every job, in the order of the jobs. Out: the blocks between the interiors,
//! and the absolute offset of each job's text.
//!
//! Invariants: seam blocks and interiors, in order, joined are the archive's text; seams are cut by
//! the same rule as everything else; about two games of the greatest length are held at most.

use super::inflate::Source;
use super::splitter::{Sizes, Splitter};
use super::{Options, Visit};
use crate::error::Result;

/// What a job leaves to be joined to its neighbours.
#[derive(Debug, Default)]
pub(crate) struct Edges {
    /// The text before the first start that is certain; all of the text when there is none.
    pub(super) head: Vec<u8>,
    /// The text from the last start on.
    pub(super) tail: Vec<u8>,
    /// A game starts right after the head.
    pub(super) split: bool,
    /// How long the job's text is, edges and interior.
    pub(super) text_bytes: u64,
    /// How many frames it was stored in.
    pub(super) frames: u64,
}

impl Edges {
    /// Of a text that is all interior: it begins and ends where games do.
    pub(super) fn none(text_bytes: u64) -> Edges {
        Edges { split: true, text_bytes, ..Edges::default() }
    }

    /// How much of the text was not visited as blocks of the interior.
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
    /// Frames before it.
    frames: u64,
}

impl Seams {
    /// The seams of an archive whose text begins at offset `base`, with the options the archive was opened with.
    pub(crate) fn new(options: &Options, base: u64) -> Seams {
        let mut splitter = Splitter::new(Sizes::new(options), Vec::new());
        splitter.restart(base);
        Seams { splitter, base, frames: 0 }
    }

    /// Joins a job's head to the text held and visits what is then complete: the blocks before the
    /// job's interior. Their offsets are absolute.
    ///
    /// Returns the offset of the job's text, to be added to that of each block of its interior.
    ///
    /// # Errors
    /// That of `visit`.
    pub(crate) fn before(&mut self, edges: &Edges, visit: &mut Visit<'_>) -> Result<u64> {
        self.splitter.push(&edges.head);
        self.splitter.visit_runs(!edges.split, visit)?;
        Ok(self.base)
    }

    /// Takes the job's tail, after its interior.
    pub(crate) fn after(&mut self, edges: &Edges) {
        self.base += edges.text_bytes;
        self.frames += edges.frames;
        if edges.split {
            self.splitter.restart(self.base - edges.tail.len() as u64);
            self.splitter.push(&edges.tail);
        }
    }

    /// Visits what is left, at the end of the archive, and begins anew.
    ///
    /// # Errors
    /// That of `visit`.
    pub(crate) fn finish(&mut self, visit: &mut Visit<'_>) -> Result<()> {
        self.splitter.visit_runs(false, visit)?;
        self.splitter.restart(0);
        (self.base, self.frames) = (0, 0);
        Ok(())
    }

    /// Damage lies behind the text that came so far: visits what is left of it, and never joins it
    /// to what comes.
    ///
    /// # Errors
    /// That of `visit`.
    pub(crate) fn cut(&mut self, visit: &mut Visit<'_>) -> Result<()> {
        self.splitter.cut(visit)
    }

    /// The length of the text that came so far.
    pub(crate) fn text_bytes(&self) -> u64 {
        self.base
    }

    /// How many frames came so far.
    pub(crate) fn frames(&self) -> u64 {
        self.frames
    }

    /// So many frames have been read in order.
    pub(super) fn add_frames(&mut self, frames: u64) {
        self.frames += frames;
    }

    /// Reads some text of a job in order; returns how much: 0 at its end.
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
