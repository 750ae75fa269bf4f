//! The driver of an archive: the outcomes of its jobs, in order, become the text of the archive from first to last
//! byte.
//!
//! In: for each job, in order, its [`JobOutcome`] and whatever a worker made of its interior. Out, through a
//! [`Handler`]: the interiors with their absolute offsets, the blocks of the seams between them, and damage. All code
//! that reads an archive uses this driver: the engine with interiors from workers, [`Archive::visit_in_order`] and
//! [`Blocks`] with jobs that run one after the other on the calling thread. No other file matches on a [`JobOutcome`].
//!
//! Invariants: interiors, seam blocks and damage come in the order of the text, and each byte of the text comes once.
//! The interior of a job that must be read again in order is passed to [`Handler::discard`]. Cost: that of [`Seams`].
//!
//! ```
//! use pgnmill_io::archive::{Archive, InOrder, Options};
//! let stored = b"[Event \"a\"]\n\n*\n".as_slice();
//! let archive = Archive::from_reader("memory", stored, &Options::default())?;
//! let mut text = Vec::new();
//! for item in archive.blocks() {
//!     match item? {
//!         InOrder::Block(block) => text.extend_from_slice(&block.text),
//!         InOrder::Damage(offset, damage) => eprintln!("before text byte {offset}: {damage}"),
//!     }
//! }
//! assert_eq!(text, stored);
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

use super::place::Place;
use super::resume::Position;
use super::{Archive, Block, Buffers, Damage, JobOutcome, Jobs, Part, Seams, Watch};
use crate::error::{Error, Result};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// A consumer of the parts of an archive, in the order of the text. `T` is what a worker made of a job's interior.
pub trait Handler<T> {
    /// The interior of a job, whose text begins at `offset`.
    ///
    /// # Errors
    /// Any error ends the reading.
    fn interior(&mut self, offset: u64, interior: T) -> Result<()>;

    /// A block that lies across jobs; its offset is absolute.
    ///
    /// # Errors
    /// Any error ends the reading.
    fn seam(&mut self, block: Block<'_>) -> Result<()>;

    /// Damage that was skipped; the text before it ends at `offset`.
    ///
    /// # Errors
    /// Any error ends the reading.
    fn damage(&mut self, offset: u64, damage: &Damage) -> Result<()>;

    /// The interior of a job that is read again in order: its blocks come once more, through [`Handler::seam`].
    fn discard(&mut self, interior: T) {
        drop(interior);
    }
}

/// Joins the outcomes of the jobs of one archive.
#[derive(Debug)]
pub struct Driver {
    seams: Seams,
    watch: Watch,
}

impl Driver {
    /// The driver of an archive, before its first job.
    pub fn new(archive: &Archive) -> Driver {
        let text_begin = archive.text_begin().unwrap_or(0);
        Driver { seams: Seams::new(&archive.options, text_begin), watch: archive.watch() }
    }

    /// The driver of an archive from a position on, to which the archive was [set](Archive::go_to).
    pub fn at(archive: &Archive, position: Position) -> Driver {
        let seams = Seams::load(&archive.options, position.seams);
        Driver { seams, watch: archive.watch() }
    }

    /// The position after the job that was taken last; `next` is where the next one begins. `None` if the reading
    /// cannot go on there.
    pub fn position(&self, next: Option<Place>) -> Option<Position> {
        Some(Position { place: next?, seams: self.seams.save()? })
    }

    /// Takes the outcome of the next job, and what was made of its interior.
    ///
    /// # Errors
    /// The error of the job or of the handler; a mapped file that has become shorter.
    pub fn job<T>(
        &mut self,
        outcome: Result<JobOutcome>,
        interior: T,
        handler: &mut impl Handler<T>,
    ) -> Result<()> {
        self.watch.check()?;
        let seams = &mut self.seams;
        match outcome.map_err(|error| error.after_frames(seams.frames()))? {
            JobOutcome::Done(edges) => {
                let offset = seams.before(&edges, &mut |block| handler.seam(block))?;
                handler.interior(offset, interior)?;
                seams.after(&edges);
            }
            JobOutcome::InOrder(mut rerun) => {
                handler.discard(interior);
                while let Some(damage) = rerun.run(seams, &mut |block| handler.seam(block))? {
                    handler.damage(seams.text_bytes(), &damage)?;
                }
            }
            JobOutcome::Damaged(mut damage) => {
                handler.discard(interior);
                seams.cut(&mut |block| handler.seam(block))?;
                damage.frame += seams.frames();
                handler.damage(seams.text_bytes(), &damage)?;
            }
        }
        Ok(())
    }

    /// Takes the end of the archive: visits the last seam.
    ///
    /// # Errors
    /// The error of the handler; a mapped file that has become shorter.
    pub fn finish<T>(&mut self, handler: &mut impl Handler<T>) -> Result<()> {
        self.seams.finish(&mut |block| handler.seam(block))?;
        self.watch.check()
    }
}

/// A block that owns its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedBlock {
    /// The text, never empty.
    pub text: Vec<u8>,
    /// Its absolute offset in the text of the archive.
    pub offset: u64,
    /// What it contains.
    pub part: Part,
}

impl OwnedBlock {
    /// The block as a borrowed one.
    pub fn as_block(&self) -> Block<'_> {
        Block { text: &self.text, offset: self.offset, part: self.part }
    }
}

impl From<Block<'_>> for OwnedBlock {
    fn from(Block { text, offset, part }: Block<'_>) -> OwnedBlock {
        OwnedBlock { text: text.to_vec(), offset, part }
    }
}

/// The next item of an archive that is read in order.
#[derive(Debug)]
pub enum InOrder {
    /// Text.
    Block(OwnedBlock),
    /// Damage that was skipped; the text before it ends at the offset.
    Damage(u64, Damage),
}

/// Blocks and damage that were read and not yet returned.
#[derive(Debug, Default)]
struct Pending(VecDeque<InOrder>);

impl Handler<Vec<OwnedBlock>> for Pending {
    fn interior(&mut self, base: u64, interior: Vec<OwnedBlock>) -> Result<()> {
        let absolute = |block: OwnedBlock| OwnedBlock { offset: base + block.offset, ..block };
        self.0.extend(interior.into_iter().map(|block| InOrder::Block(absolute(block))));
        Ok(())
    }

    fn seam(&mut self, block: Block<'_>) -> Result<()> {
        self.0.push_back(InOrder::Block(block.into()));
        Ok(())
    }

    fn damage(&mut self, offset: u64, damage: &Damage) -> Result<()> {
        self.0.push_back(InOrder::Damage(offset, damage.clone()));
        Ok(())
    }
}

/// The blocks of an archive in the order of its text, read on the calling thread.
///
/// After an error the iterator ends; the blocks that were read before the error come before it. Memory: the text of one
/// job, twice at most.
#[derive(Debug)]
pub struct Blocks {
    jobs: Option<Jobs>,
    buffers: Buffers,
    driver: Driver,
    pending: Pending,
    error: Option<Error>,
}

impl Blocks {
    fn new(archive: Archive) -> Blocks {
        let driver = Driver::new(&archive);
        let jobs = Some(archive.jobs());
        let (buffers, pending) = (Buffers::default(), Pending::default());
        Blocks { jobs, buffers, driver, pending, error: None }
    }

    fn run_job(&mut self, jobs: &mut Jobs) -> Result<ControlFlow<()>> {
        let Some(job) = jobs.next() else {
            self.driver.finish(&mut self.pending)?;
            return Ok(ControlFlow::Break(()));
        };
        // The offset of a job's text is known only after the jobs before it: its blocks wait here.
        let mut interior: Vec<OwnedBlock> = Vec::new();
        let outcome = job?.run(&mut self.buffers, &mut |block| {
            interior.push(block.into());
            Ok(())
        });
        if let Ok(JobOutcome::Done(edges)) = &outcome {
            let interior_bytes: usize = interior.iter().map(|block| block.text.len()).sum();
            debug_assert_eq!(interior_bytes as u64 + edges.edge_bytes(), edges.text_bytes);
        }
        self.driver.job(outcome, interior, &mut self.pending)?;
        Ok(ControlFlow::Continue(()))
    }
}

impl Iterator for Blocks {
    type Item = Result<InOrder>;

    fn next(&mut self) -> Option<Result<InOrder>> {
        loop {
            if let Some(next) = self.pending.0.pop_front() {
                return Some(Ok(next));
            }
            if let Some(error) = self.error.take() {
                return Some(Err(error));
            }
            let mut jobs = self.jobs.take()?;
            match self.run_job(&mut jobs) {
                Ok(ControlFlow::Continue(())) => self.jobs = Some(jobs),
                Ok(ControlFlow::Break(())) => {}
                Err(error) => self.error = Some(error),
            }
        }
    }
}

/// A visitor of blocks in order, their offsets absolute; it may end the reading.
pub type VisitInOrder<'v> = dyn FnMut(Block<'_>) -> Result<ControlFlow<()>> + 'v;

impl Archive {
    /// The blocks of the archive in the order of its text, read on the calling thread.
    pub fn blocks(self) -> Blocks {
        Blocks::new(self)
    }

    /// Visits all blocks in the order of the text until the visitor ends the reading. Damage that is skipped is not
    /// reported: see [`Archive::blocks`].
    ///
    /// # Errors
    /// What the system refuses, a damaged frame, or the error of `visit`.
    pub fn visit_in_order(self, visit: &mut VisitInOrder<'_>) -> Result<()> {
        for next in self.blocks() {
            if let InOrder::Block(block) = next?
                && visit(block.as_block())?.is_break()
            {
                break;
            }
        }
        Ok(())
    }
}
