//! The driver of an archive: what jobs came to, in their order, becomes the text of the archive from first to last byte.
//!
//! In: for each job, in order, its [`JobOutcome`] and what was made of its interior on a worker. Out, through a [`Handler`]: the
//! interiors with their absolute offsets, the blocks of the seams between them, and damage. Everything that reads an archive
//! uses this driver: the engine with interiors from workers, [`Archive::visit_in_order`] and [`Blocks`] with jobs that are run
//! one after the other on the calling thread.
//!
//! Invariant: interiors, seam blocks and damage come in the order of the text, and each byte of the text comes once. What was
//! made of the interior of a job that must be read again in order is given to [`Handler::discard`]. Cost: that of [`Seams`].

use super::{Archive, Block, Buffers, Damage, JobOutcome, Jobs, Part, Seams, Watch};
use crate::error::Result;
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// What is done with the parts of an archive, which come in the order of the text. `T` is what was made of a job's interior.
pub trait Handler<T> {
    /// The interior of a job, whose text begins at `offset`.
    ///
    /// # Errors
    /// Whatever ends the reading.
    fn interior(&mut self, offset: u64, interior: T) -> Result<()>;

    /// A block that lies across jobs; its offset is absolute.
    ///
    /// # Errors
    /// Whatever ends the reading.
    fn seam(&mut self, block: Block<'_>) -> Result<()>;

    /// Damage that was skipped; the text before it ends at `offset`.
    ///
    /// # Errors
    /// Whatever ends the reading.
    fn damage(&mut self, offset: u64, damage: &Damage) -> Result<()>;

    /// The interior of a job that is read again, in order.
    fn discard(&mut self, interior: T) {
        drop(interior);
    }
}

/// Reads an archive in order, one job after the other.
#[derive(Debug)]
pub struct Driver {
    seams: Seams,
    watch: Watch,
}

impl Driver {
    /// The driver of an archive, before its first job.
    pub fn new(archive: &Archive) -> Driver {
        Driver { seams: Seams::new(&archive.options), watch: archive.watch() }
    }

    /// Takes the outcome of the next job, and what was made of its interior.
    ///
    /// # Errors
    /// That of the job, or of the handler; a mapped file that has become shorter.
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

    /// Takes the end of the archive: the last seam.
    ///
    /// # Errors
    /// That of the handler; a mapped file that has become shorter.
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
    /// What it is.
    pub part: Part,
}

/// What comes next in an archive that is read in order.
#[derive(Debug)]
pub enum InOrder {
    /// Text.
    Block(OwnedBlock),
    /// Damage that was skipped; the text before it ends at the offset.
    Damage(u64, Damage),
}

/// Blocks and damage that wait to be taken.
#[derive(Debug, Default)]
struct Pending(VecDeque<InOrder>);

impl Pending {
    fn block(&mut self, offset: u64, block: Block<'_>) {
        let Block { text, part, .. } = block;
        self.0.push_back(InOrder::Block(OwnedBlock { text: text.to_vec(), offset, part }));
    }
}

impl Handler<Vec<OwnedBlock>> for Pending {
    fn interior(&mut self, offset: u64, interior: Vec<OwnedBlock>) -> Result<()> {
        self.0.extend(
            interior
                .into_iter()
                .map(|block| InOrder::Block(OwnedBlock { offset: offset + block.offset, ..block })),
        );
        Ok(())
    }

    fn seam(&mut self, block: Block<'_>) -> Result<()> {
        self.block(block.offset, block);
        Ok(())
    }

    fn damage(&mut self, offset: u64, damage: &Damage) -> Result<()> {
        self.0.push_back(InOrder::Damage(offset, damage.clone()));
        Ok(())
    }
}

/// The blocks of an archive in the order of its text, read on the calling thread.
///
/// Memory: the text of one job, twice at most.
#[derive(Debug)]
pub struct Blocks {
    jobs: Option<Jobs>,
    buffers: Buffers,
    driver: Driver,
    pending: Pending,
}

impl Blocks {
    /// All blocks of an archive.
    pub fn new(archive: Archive) -> Blocks {
        let driver = Driver::new(&archive);
        let jobs = Some(archive.jobs());
        Blocks { jobs, buffers: Buffers::default(), driver, pending: Pending::default() }
    }

    fn run_job(&mut self) -> Result<()> {
        let Some(jobs) = &mut self.jobs else { return Ok(()) };
        let Some(job) = jobs.next() else {
            self.jobs = None;
            return self.driver.finish(&mut self.pending);
        };
        // Where a job's text lies is known only when its head is.
        let mut interior = Vec::new();
        let outcome = job?.run(&mut self.buffers, &mut |block| {
            let Block { text, offset, part } = block;
            interior.push(OwnedBlock { text: text.to_vec(), offset, part });
            Ok(())
        });
        self.driver.job(outcome, interior, &mut self.pending)
    }
}

impl Iterator for Blocks {
    type Item = Result<InOrder>;

    /// After an error nothing more comes, but for the blocks that were read before it.
    fn next(&mut self) -> Option<Result<InOrder>> {
        loop {
            if let Some(next) = self.pending.0.pop_front() {
                return Some(Ok(next));
            }
            self.jobs.as_ref()?;
            if let Err(error) = self.run_job() {
                self.jobs = None;
                // What came before the error comes before it here too.
                return Some(Err(error));
            }
        }
    }
}

/// What is done with each block in its turn; it may end the reading.
pub type VisitInOrder<'v> = dyn FnMut(Block<'_>) -> Result<ControlFlow<()>> + 'v;

impl Archive {
    /// The blocks of the archive in the order of its text, read on the calling thread.
    pub fn blocks(self) -> Blocks {
        Blocks::new(self)
    }

    /// Visits all blocks in the order of the text, their offsets absolute, until the visitor ends the reading.
    ///
    /// # Errors
    /// What the system refuses, a damaged frame, or that of `visit`.
    pub fn visit_in_order(self, visit: &mut VisitInOrder<'_>) -> Result<()> {
        for next in self.blocks() {
            if let InOrder::Block(OwnedBlock { text, offset, part }) = next? {
                if visit(Block { text: &text, offset, part })?.is_break() {
                    break;
                }
            }
        }
        Ok(())
    }
}
