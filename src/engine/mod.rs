//! The wiring: archives in, jobs to the workers, reports drained in order.
//!
//! ```text
//! feeder thread            rayon workers                     calling thread
//! jobs ──bounded──► job ──► blocks ► games ► report ──one-shot──► ordered drain ► seams ► Drain
//!                                                      (threads + 2 in flight)
//! ```
//!
//! One worker takes a job from decoding to encoded bytes and counts. Each job has a channel of its own for its
//! result; the receivers wait in the order of the jobs, so that the drain sees the archive's order whatever the
//! workers do, no worker ever blocks, and memory is bounded by the number in flight. Seams between jobs (a game that
//! lies across two frames) are replayed by the drain. What is drained is the same for any number of threads.

mod block;
mod faults;
pub(crate) mod joint;
mod joints;
mod notes;
mod ordered;
pub(crate) mod packed;
mod queue;
mod report;
mod survey;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, bounded};
use rayon::{Scope, ThreadPool, ThreadPoolBuilder};

use crate::archive::{Archive, Block, Damage, Input, Job, JobOutcome, Options, Seams, Watch};
use crate::error::{Error, Result};
use crate::machine::Level;
use crate::notation::Notation;
use crate::pgn::deviation::Profile;
use crate::replay::{History, Replayer};
use crate::tasks::measure::Wanted;

pub(crate) use block::BlockVisitor;
use block::Scratch;
pub use faults::{FaultRow, FaultRows, Names};
pub use joint::{Joiner, TextSeams};
pub use notes::{NoteRow, NoteRows};
pub use ordered::Ordered;
use queue::{Event, failed, feed, wait};
pub use report::Report;
pub use survey::Survey;

/// More workers are refused: each costs memory, and no machine has so many processors.
pub const THREADS_MAX: usize = 1_024;

/// What is done with every game.
#[derive(Clone, Copy, Debug)]
pub enum Task {
    /// Prove it.
    Validate,
    /// Write its moves in another notation.
    Convert {
        /// The notation.
        to: &'static dyn Notation,
        /// Bring comments and tag values to UTF-8.
        to_utf8: bool,
    },
    /// Measure every notation.
    Measure(Wanted),
}

/// What becomes of the text of games that are rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rejects {
    /// It is not wanted.
    Dropped,
    /// It is gathered in [`Report::rejects`].
    Apart,
    /// It stays in its place in [`Report::out`].
    Kept,
}

/// How a run is done.
#[derive(Debug)]
pub struct Run {
    /// What is done with every game.
    pub task: Task,
    /// What becomes of rejected games.
    pub rejects: Rejects,
    /// Gather rejected games and damage in [`Report::faults`].
    pub faults: bool,
    /// Gather the notes and repairs of games that are not rejected in [`Report::notes`].
    pub notes: bool,
    /// What is a note, a repair, a fault.
    pub profile: Profile,
    /// The notation of games that do not say.
    pub from: Option<&'static dyn Notation>,
    /// How archives are cut.
    pub options: Options,
    /// How many workers; one at least, [`THREADS_MAX`] at most.
    pub threads: usize,
    /// What of the processor is used; it decides nothing but the time.
    pub level: Level,
}

/// Where a report's text lies in its archive.
#[derive(Clone, Copy, Debug, Default)]
pub struct Base {
    /// Bytes before it.
    pub offset: u64,
    /// Line ends before it.
    pub lines: u64,
    /// Games before it.
    pub games: u64,
}

/// Who takes the reports, in the order of the text.
pub trait Drain {
    /// An archive begins.
    ///
    /// # Errors
    /// An output that cannot be opened.
    fn begin(&mut self, archive: &Archive) -> Result<()>;

    /// The next report; its bytes may be taken out of it.
    ///
    /// # Errors
    /// An output that cannot be written.
    fn report(
        &mut self,
        archive: &str,
        base: Base,
        report: &mut Report,
        pool: &ThreadPool,
    ) -> Result<()>;

    /// So many stored bytes are done with.
    fn progress(&mut self, stored_bytes: u64);

    /// The archive is at its end.
    ///
    /// # Errors
    /// An output that cannot be written.
    fn end(&mut self, archive: &str, pool: &ThreadPool) -> Result<()>;

    /// All archives are at their end.
    ///
    /// # Errors
    /// An output that cannot be written.
    fn close(&mut self, pool: &ThreadPool) -> Result<()>;
}

/// What came of a job.
struct Parcel {
    outcome: Result<JobOutcome>,
    report: Report,
    stored_bytes: u64,
}

/// Everything that workers share.
struct Shop<'r> {
    run: &'r Run,
    stop: &'r AtomicBool,
    scratches: Mutex<Vec<Scratch>>,
    reports: Mutex<Vec<Report>>,
}

/// Reads all inputs, in their order, and drains what becomes of them. `stop` ends the run at the next block.
///
/// # Errors
/// Whatever ends a run: see [`crate::error::ErrorKind`]. [`crate::error::ErrorKind::Interrupted`] if `stop` was set. More than
/// [`THREADS_MAX`] workers.
pub fn run(run: &Run, inputs: &[Input], drain: &mut dyn Drain, stop: &AtomicBool) -> Result<()> {
    if run.threads > THREADS_MAX {
        let threads = run.threads;
        return Err(Error::usage(format!("{threads} threads are more than {THREADS_MAX}")));
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(run.threads.max(1))
        .thread_name(|index| format!("worker {index}"))
        .build()
        .map_err(|error| Error::usage(format!("cannot start {} threads: {error}", run.threads)))?;
    run_on(&pool, run, inputs, drain, stop)
}

/// As [`run()`], with workers that are there already: their number is the pool's, whatever [`Run::threads`] says. Many
/// short runs are faster so: starting and ending threads costs more than an archive of some kilobytes.
///
/// # Errors
/// As [`run()`].
pub fn run_on(
    pool: &ThreadPool,
    run: &Run,
    inputs: &[Input],
    drain: &mut dyn Drain,
    stop: &AtomicBool,
) -> Result<()> {
    let shop =
        Shop { run, stop, scratches: Mutex::new(Vec::new()), reports: Mutex::new(Vec::new()) };
    for input in inputs {
        let archive = queue::open(input, &run.options, || shop.check())?;
        drain.begin(&archive)?;
        let name = archive.name().to_string();
        let ledger = Ledger {
            shop: &shop,
            name: &name,
            drain: &mut *drain,
            pool,
            base: Base::default(),
            survey: Survey::default(),
        };
        let (watch, stitcher) =
            (archive.watch(), Seams::new(&run.options, archive.text_begin().unwrap_or(0)));
        Line { ledger, stitcher, watch }.archive(archive)?;
        drain.end(&name, pool)?;
    }
    drain.close(pool)
}

impl<'r> Shop<'r> {
    fn check(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) { Err(Error::interrupted()) } else { Ok(()) }
    }

    fn scratch(&self) -> Scratch {
        let kept = self.scratches.lock().ok().and_then(|mut kept| kept.pop());
        kept.unwrap_or_default()
    }

    fn keep_scratch(&self, scratch: Scratch) {
        if let Ok(mut kept) = self.scratches.lock() {
            kept.push(scratch);
        }
    }

    fn new_report(&self) -> Report {
        let kept = self.reports.lock().ok().and_then(|mut kept| kept.pop());
        kept.unwrap_or_default()
    }

    fn keep_report(&self, mut report: Report) {
        report.clear();
        if let Ok(mut kept) = self.reports.lock() {
            kept.push(report);
        }
    }

    fn replayer(&self) -> Replayer<'r> {
        let history = match self.run.task {
            Task::Validate => History::Ignored,
            Task::Convert { to, .. } => History::of(to),
            Task::Measure(wanted) if wanted.selection.asks_for_history() => History::Told,
            Task::Measure(_) => History::Ignored,
        };
        let replayer = Replayer::new(&self.run.profile, self.run.from, history);
        let replayer = if self.run.notes { replayer.noting() } else { replayer };
        replayer.on(self.run.level)
    }

    /// Does with a block what the run asks for.
    fn work(
        &self,
        block: Block<'_>,
        replayer: &mut Replayer<'_>,
        scratch: &mut Scratch,
        report: &mut Report,
    ) -> Result<()> {
        self.check()?;
        block::work(block, self.run, replayer, scratch, report);
        Ok(())
    }

    /// One job, on a worker.
    fn job(&self, job: Job) -> Parcel {
        let stored_bytes = job.stored_bytes();
        let mut report = self.new_report();
        let mut scratch = self.scratch();
        let mut replayer = self.replayer();
        let mut buffers = std::mem::take(&mut scratch.buffers);
        let outcome = job.run(&mut buffers, &mut |block| {
            self.work(block, &mut replayer, &mut scratch, &mut report)
        });
        scratch.buffers = buffers;
        report.counts = replayer.counts;
        self.keep_scratch(scratch);
        Parcel { outcome, report, stored_bytes }
    }

    fn job_or_bug(&self, job: Job) -> Parcel {
        catch_unwind(AssertUnwindSafe(|| self.job(job))).unwrap_or_else(|panic| {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no words");
            let outcome = Err(Error::usage(format!("a bug in this program: {said}")));
            Parcel { outcome, report: Report::default(), stored_bytes: 0 }
        })
    }
}

/// Where reports are added up and handed to the drain.
struct Ledger<'l, 'r> {
    shop: &'l Shop<'r>,
    name: &'l str,
    drain: &'l mut dyn Drain,
    pool: &'l ThreadPool,
    base: Base,
    survey: Survey,
}

impl Ledger<'_, '_> {
    /// Drains a report whose text begins at `offset`.
    fn deliver(&mut self, offset: u64, mut report: Report) -> Result<()> {
        self.base.offset = offset;
        let (lines, games) = (report.lines, report.counts.games());
        self.survey.merge(report.survey);
        self.drain.report(self.name, self.base, &mut report, self.pool)?;
        self.base.lines += lines;
        self.base.games += games;
        self.shop.keep_report(report);
        Ok(())
    }

    /// Drains what can be said of the archive only at its end, each thing counted once.
    fn notes(&mut self) -> Result<()> {
        let mut report = self.shop.new_report();
        for note in self.survey.notes() {
            report.counts.deviations[note as usize] += 1;
        }
        self.deliver(0, report)
    }

    /// Drains damage that lies where the text before it ends.
    fn damage(&mut self, offset: u64, damage: &Damage) -> Result<()> {
        let mut report = self.shop.new_report();
        report.add_damage(damage, self.shop.run.faults);
        self.deliver(offset, report)
    }

    /// Works on a block of a seam, whose offset is absolute, and drains it at once.
    fn seam(&mut self, block: Block<'_>) -> Result<()> {
        let mut report = self.shop.new_report();
        let mut scratch = self.shop.scratch();
        let mut replayer = self.shop.replayer();
        self.shop.work(block, &mut replayer, &mut scratch, &mut report)?;
        report.counts = replayer.counts;
        self.shop.keep_scratch(scratch);
        self.deliver(0, report)
    }
}

/// One archive on its way through.
struct Line<'l, 'r> {
    ledger: Ledger<'l, 'r>,
    stitcher: Seams,
    watch: Watch,
}

impl<'l> Line<'l, '_> {
    fn archive(mut self, archive: Archive) -> Result<()> {
        let (send, jobs) = bounded(2);
        // Not a scoped thread: one that waits for a pipe must not keep a run that was stopped from ending.
        std::thread::Builder::new()
            .name("feeder".to_string())
            .spawn(move || feed(archive.jobs(), &send))
            .map_err(|error| Error::usage(format!("cannot start a thread: {error}")))?;
        self.ledger.pool.in_place_scope(|workers| self.in_order(workers, jobs))?;
        let Line { mut ledger, mut stitcher, watch } = self;
        stitcher.finish(&mut |block| ledger.seam(block))?;
        watch.check()?;
        ledger.notes()
    }

    /// Gives jobs to the workers and takes their parcels in the order of the jobs.
    fn in_order<'s>(&mut self, workers: &Scope<'s>, jobs: Receiver<Result<Job>>) -> Result<()>
    where
        'l: 's,
    {
        let in_flight_max = self.ledger.pool.current_num_threads() + 2;
        let mut in_flight: VecDeque<Receiver<Box<Parcel>>> = VecDeque::new();
        let mut more = true;
        loop {
            self.ledger.shop.check()?;
            let event = match in_flight.front() {
                None if !more => return Ok(()),
                None => wait(Some(&jobs), None),
                Some(front) => {
                    let room = more && in_flight.len() < in_flight_max;
                    wait(room.then_some(&jobs), Some(front))
                }
            };
            match event {
                Event::Job(Ok(job)) => in_flight.push_back(self.start(workers, job)),
                Event::Job(Err(error)) => in_flight.push_back(failed(error)),
                Event::NoMoreJobs => more = false,
                Event::Parcel(parcel) => {
                    in_flight.pop_front();
                    self.parcel(parcel)?;
                }
                Event::Nothing => {}
            }
        }
    }

    fn start<'s>(&self, workers: &Scope<'s>, job: Job) -> Receiver<Box<Parcel>>
    where
        'l: 's,
    {
        let (send, receive) = bounded(1);
        let shop = self.ledger.shop;
        // The receiver is gone only when the run has failed already.
        workers.spawn(move |_| drop(send.send(Box::new(shop.job_or_bug(job)))));
        receive
    }

    fn parcel(&mut self, parcel: Box<Parcel>) -> Result<()> {
        self.watch.check()?;
        let Line { ledger, stitcher, .. } = self;
        let outcome = parcel.outcome.map_err(|error| error.after_frames(stitcher.frames()));
        match outcome? {
            JobOutcome::Done(edges) => {
                let offset = stitcher.before(&edges, &mut |block| ledger.seam(block))?;
                ledger.deliver(offset, parcel.report)?;
                stitcher.after(&edges);
            }
            JobOutcome::InOrder(mut rerun) => {
                ledger.shop.keep_report(parcel.report);
                while let Some(damage) = rerun.run(stitcher, &mut |block| ledger.seam(block))? {
                    ledger.damage(stitcher.text_bytes(), &damage)?;
                }
            }
            JobOutcome::Damaged(mut damage) => {
                stitcher.cut(&mut |block| ledger.seam(block))?;
                damage.frame += stitcher.frames();
                ledger.damage(stitcher.text_bytes(), &damage)?;
            }
        }
        ledger.drain.progress(parcel.stored_bytes);
        Ok(())
    }
}
