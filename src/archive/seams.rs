//! Seams: the games that lie across the edges of what workers decoded.
//!
//! In: the [`Edges`] of every job, in the order of the jobs. Out: the blocks between the interiors,
//! and the absolute offset of each job's text.
//!
//! Invariants: seam blocks and interiors, in order, joined are the archive's text; seams are cut by
//! the same rule as everything else; about two games of the greatest length are held at most.
//!
//! ```
//! use pgnmill::archive::{Archive, Buffers, Input, Options, JobOutcome, Seams};
//! # fn main() -> pgnmill::error::Result<()> {
//! # let path = std::env::temp_dir().join(format!("pgnmill-doc-stitch-{}.pgn",
//! std::process::id()));
//! # std::fs::write(&path, "[Event \"a\"]\n\n*\n").unwrap();
//! let options = Options::default();
//! let archive = Archive::open(&Input::Path(path.clone()), &options)?;
//! let (mut buffers, mut stitcher) = (Buffers::default(), Seams::new(&options));
//! let mut text = Vec::new();
//! for job in archive.jobs() {
//!     let mut interior = Vec::new(); // a worker's part
//!     let outcome = job?.run(&mut buffers, &mut |block| {
//!         interior.extend_from_slice(block.text);
//!         Ok(())
//!     })?;
//!     let mut seam = |block: pgnmill::archive::Block<'_>| {
//!         text.extend_from_slice(block.text);
//!         Ok(())
//!     };
//!     match outcome {
//!         JobOutcome::Done(edges) => {
//!             let _base = stitcher.before(&edges, &mut seam)?;
//!             text.extend_from_slice(&interior);
//!             stitcher.after(&edges);
//!         }
//!         JobOutcome::InOrder(mut rerun) => {
//!             while let Some(damage) = rerun.run(&mut stitcher, &mut seam)? {
//!                 eprintln!("{damage}");
//!             }
//!         }
//!         JobOutcome::Damaged(damage) => {
//!             stitcher.cut(&mut seam)?;
//!             eprintln!("{damage}");
//!         }
//!     }
//! }
//! stitcher.finish(&mut |block| {
//!     text.extend_from_slice(block.text);
//!     Ok(())
//! })?;
//! assert_eq!(text, b"[Event \"a\"]\n\n*\n");
//! # std::fs::remove_file(&path).unwrap();
//! # Ok(())
//! # }
//! ```

use super::inflate::Source;
use super::split::{Sizes, Splitter};
use super::{Options, Visit};
use crate::error::Result;

/// What a job leaves to be joined to its neighbours.
#[derive(Debug, Default)]
pub struct Edges {
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

    /// The length of the job's text: head, interior and tail.
    pub fn text_bytes(&self) -> u64 {
        self.text_bytes
    }

    /// How much of the text was not visited as blocks of the interior.
    pub fn edge_bytes(&self) -> u64 {
        (self.head.len() + self.tail.len()) as u64
    }
}

/// Joins the edges of jobs, in their order.
#[derive(Debug)]
pub struct Seams {
    splitter: Splitter,
    /// The offset of the current job's text.
    base: u64,
    /// Frames before it.
    frames: u64,
}

impl Seams {
    /// A stitcher at the beginning of an archive, with the options the archive was opened with.
    pub fn new(options: &Options) -> Seams {
        Seams { splitter: Splitter::new(Sizes::new(options), Vec::new()), base: 0, frames: 0 }
    }

    /// Joins a job's head to the text held and visits what is then complete: the blocks before the
    /// job's interior. Their offsets are absolute.
    ///
    /// Returns the offset of the job's text, to be added to that of each block of its interior.
    ///
    /// # Errors
    /// That of `visit`.
    pub fn before(&mut self, edges: &Edges, visit: &mut Visit<'_>) -> Result<u64> {
        self.splitter.push(&edges.head);
        self.splitter.visit_runs(!edges.split, visit)?;
        Ok(self.base)
    }

    /// Takes the job's tail, after its interior.
    pub fn after(&mut self, edges: &Edges) {
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
    pub fn finish(&mut self, visit: &mut Visit<'_>) -> Result<()> {
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
    pub fn cut(&mut self, visit: &mut Visit<'_>) -> Result<()> {
        self.splitter.cut(visit)
    }

    /// The length of the text that came so far.
    pub fn text_bytes(&self) -> u64 {
        self.base
    }

    /// How many frames came so far.
    pub fn frames(&self) -> u64 {
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
