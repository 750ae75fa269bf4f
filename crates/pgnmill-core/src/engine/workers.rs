//! The shared state of the workers of a run, and one job on a worker.
//!
//! In: a job. Out: its [`Finished`] result. Invariant: contexts and results are used again, so the number of jobs in
//! flight bounds their number and the memory. Cost: two short locks per job.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use pgnmill_io::archive::{Block, Buffers, Job, JobOutcome, Place, RecordKind};
use pgnmill_io::error::{Error, Result};

use crate::replay::Replayer;

use super::block_games::BlockGames;
use super::facts::JobResult;
use super::filter::Filter;
use super::settings::Settings;
use super::task::{Part, Task};

/// The state that a worker keeps from job to job.
#[derive(Debug, Default)]
pub(super) struct Context<C> {
    buffers: Buffers,
    task: C,
}

/// A finished job.
#[derive(Debug)]
pub(super) struct Finished<P> {
    pub(super) outcome: Result<JobOutcome>,
    pub(super) result: JobResult<P>,
    pub(super) stored_bytes: u64,
    /// See [`Job::next`].
    pub(super) next: Option<Place>,
}

/// The shared state of all workers of a run.
pub(super) struct Workers<'r, T: Task> {
    pub(super) task: &'r T,
    pub(super) settings: &'r Settings,
    stop: &'r AtomicBool,
    /// The name of the current archive, for a selection.
    archive: Mutex<Arc<str>>,
    contexts: Mutex<Vec<Context<T::Context>>>,
    results: Mutex<Vec<JobResult<T::Part>>>,
}

impl<'r, T: Task> Workers<'r, T> {
    pub(super) fn new(task: &'r T, settings: &'r Settings, stop: &'r AtomicBool) -> Self {
        let (contexts, results) = (Mutex::default(), Mutex::default());
        let archive = Mutex::new(Arc::from(""));
        Workers { task, settings, stop, archive, contexts, results }
    }

    /// Returns an error if the run was interrupted.
    ///
    /// # Errors
    /// [`pgnmill_io::error::ErrorKind::Interrupted`].
    pub(super) fn check(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) { Err(Error::interrupted()) } else { Ok(()) }
    }

    /// Sets the name of the archive to which the next jobs belong.
    pub(super) fn set_archive(&self, name: &str) {
        if let Ok(mut archive) = self.archive.lock() {
            *archive = Arc::from(name);
        }
    }

    fn context(&self) -> Context<T::Context> {
        let kept = self.contexts.lock().ok().and_then(|mut kept| kept.pop());
        kept.unwrap_or_default()
    }

    fn keep_context(&self, context: Context<T::Context>) {
        if let Ok(mut kept) = self.contexts.lock() {
            kept.push(context);
        }
    }

    /// An empty result, with the memory of an earlier one.
    pub(super) fn new_result(&self) -> JobResult<T::Part> {
        let kept = self.results.lock().ok().and_then(|mut kept| kept.pop());
        kept.unwrap_or_default()
    }

    /// Empties a result and keeps its memory.
    pub(super) fn keep_result(&self, mut result: JobResult<T::Part>) {
        result.facts.clear();
        result.part.clear();
        if let Ok(mut kept) = self.results.lock() {
            kept.push(result);
        }
    }

    fn replayer(&self) -> Replayer<'r> {
        let settings = self.settings;
        let replayer = Replayer::new(&settings.profile, settings.from, self.task.history())
            .with_rules(settings.rules)
            .writing(self.task.target())
            .writing_moves_alone(self.task.writes_moves_alone())
            .of_lines(settings.options.records == RecordKind::GameLines);
        let replayer = if settings.notes { replayer.with_notes() } else { replayer };
        replayer.on(settings.level)
    }

    /// Visits a block.
    fn visit(
        &self,
        block: Block<'_>,
        replayer: &mut Replayer<'_>,
        context: &mut T::Context,
        result: &mut JobResult<T::Part>,
    ) -> Result<()> {
        self.check()?;
        let JobResult { facts, part } = result;
        let settings = self.settings;
        let archive: Arc<str>;
        let filter = match &settings.selection {
            None => None,
            Some(selection) => {
                archive = self.archive.lock().map_or_else(|_| Arc::from(""), |it| it.clone());
                Some(Filter { selection, archive: &archive, moves: self.task.moves() })
            }
        };
        self.task.visit(BlockGames { block, settings, filter, replayer, facts }, context, part);
        Ok(())
    }

    /// Runs a job, on a worker.
    pub(super) fn job(&self, job: Job) -> Finished<T::Part> {
        let (stored_bytes, next) = (job.stored_bytes(), job.next());
        let mut result = self.new_result();
        let Context { mut buffers, mut task } = self.context();
        let mut replayer = self.replayer();
        let outcome = job.run(&mut buffers, &mut |block| {
            self.visit(block, &mut replayer, &mut task, &mut result)
        });
        result.facts.counted.counts = replayer.counts;
        self.keep_context(Context { buffers, task });
        Finished { outcome, result, stored_bytes, next }
    }

    /// The result of a block that spans several jobs, on the calling thread.
    pub(super) fn seam(&self, block: Block<'_>) -> Result<JobResult<T::Part>> {
        let mut result = self.new_result();
        let mut context = self.context();
        let mut replayer = self.replayer();
        self.visit(block, &mut replayer, &mut context.task, &mut result)?;
        result.facts.counted.counts = replayer.counts;
        self.keep_context(context);
        Ok(result)
    }
}
