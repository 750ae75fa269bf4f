//! A run: all archives, one after the other, through the workers to the consumer.
//!
//! In: a task, settings, inputs. Out: results, in the order of the text, through a [`Consumer`]. Invariant: the
//! results, and the error that ends the run, are the same for any number of threads. Cost: threads + 2 jobs are in
//! flight.

use std::sync::atomic::AtomicBool;

use pgnmill_io::archive::{
    Archive, Block, Damage, Driver, Handler, Input, Job, Options, Place, Position, SplitBase,
};
use pgnmill_io::error::{Error, Result};
use rayon::Scope;

use super::pool::Pool;

use super::facts::JobResult;
use super::ordered::Ordered;
use super::queue::{self, Event, Feeder};
use super::settings::{Base, Settings};
use super::start::{ReaderState, Start};
use super::survey::Survey;
use super::task::{Consumer, Task};
use super::workers::{Finished, Workers};

/// Reads all inputs in order and passes the results of `task` to `consumer`. `stop` ends the run at the next block.
///
/// # Errors
/// All kinds of [`pgnmill_io::error::ErrorKind`]: [`pgnmill_io::error::ErrorKind::Interrupted`] if `stop` was set;
/// [`pgnmill_io::error::ErrorKind::Usage`] for more than [`THREADS_MAX`](super::THREADS_MAX)
/// threads.
///
/// # Panics
/// A panic of the task on a worker is raised again, with its own message.
pub fn run<T: Task>(
    task: &T,
    settings: &Settings,
    inputs: &[Input],
    consumer: &mut dyn Consumer<T::Part>,
    stop: &AtomicBool,
) -> Result<()> {
    run_on(&Pool::new(settings.threads)?, task, settings, inputs, consumer, stop)
}

/// As [`run()`], with the workers of `pool`; [`Settings::threads`] is not used. Many short runs are faster this way:
/// to start and end threads costs more than an archive of some kilobytes.
///
/// # Errors
/// As [`run()`].
///
/// # Panics
/// As [`run()`].
pub fn run_on<T: Task>(
    pool: &Pool,
    task: &T,
    settings: &Settings,
    inputs: &[Input],
    consumer: &mut dyn Consumer<T::Part>,
    stop: &AtomicBool,
) -> Result<()> {
    run_inputs(pool, task, settings, inputs, Start::default(), consumer, stop)
}

/// As [`run()`], from a checkpoint on; the consumer has the state that it had there.
///
/// # Errors
/// As [`run()`].
///
/// # Panics
/// As [`run()`].
pub fn run_from<T: Task>(
    task: &T,
    settings: &Settings,
    inputs: &[Input],
    start: Start,
    consumer: &mut dyn Consumer<T::Part>,
    stop: &AtomicBool,
) -> Result<()> {
    run_inputs(&Pool::new(settings.threads)?, task, settings, inputs, start, consumer, stop)
}

#[allow(clippy::too_many_arguments, reason = "the arguments of `run_on`, and where to begin")]
fn run_inputs<T: Task>(
    pool: &Pool,
    task: &T,
    settings: &Settings,
    inputs: &[Input],
    start: Start,
    consumer: &mut dyn Consumer<T::Part>,
    stop: &AtomicBool,
) -> Result<()> {
    let workers = Workers::new(task, settings, stop);
    let options = Options { level: settings.level, ..settings.options.clone() };
    let Start { input: first, mut reader } = start;
    for (index, input) in inputs.iter().enumerate().skip(first) {
        if consumer.is_done() {
            break;
        }
        consumer.input(index)?;
        let opened = queue::open(input, &options, &|| workers.check()).map_err(Failure::Reading);
        let read = opened.and_then(|archive| {
            archive_on(pool, &workers, (index, archive), reader.take(), &mut *consumer)
        });
        match read {
            Ok(()) => {}
            Err(Failure::Reading(error)) if error.is_of_input() => {
                consumer.failed(input, error, pool)?;
            }
            Err(failure) => return Err(failure.into()),
        }
    }
    consumer.close(pool)
}

/// As [`run_on`], with one open archive.
///
/// # Errors
/// As [`run()`].
///
/// # Panics
/// As [`run()`].
pub fn run_archive<T: Task>(
    pool: &Pool,
    task: &T,
    settings: &Settings,
    archive: Archive,
    consumer: &mut dyn Consumer<T::Part>,
    stop: &AtomicBool,
) -> Result<()> {
    archive_on(pool, &Workers::new(task, settings, stop), (0, archive), None, consumer)?;
    consumer.close(pool)
}

/// What ends the reading of an archive: an error of the consumer is none of the input, whatever its kind is.
enum Failure {
    /// In reading it.
    Reading(Error),
    /// In consuming its results.
    Consuming(Error),
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        let (Failure::Reading(error) | Failure::Consuming(error)) = failure;
        error
    }
}

/// Runs over an archive and its index among the inputs, from its beginning or from `reader` on.
fn archive_on<T: Task>(
    pool: &Pool,
    workers: &Workers<'_, T>,
    (input, mut archive): (usize, Archive),
    reader: Option<ReaderState>,
    consumer: &mut dyn Consumer<T::Part>,
) -> Result<(), Failure> {
    let (driver, base, survey) = match reader {
        None => {
            consumer.begin(&archive).map_err(Failure::Consuming)?;
            let SplitBase { text_bytes, lines, games } = archive.base();
            let base = Base { offset: text_bytes, lines, games };
            (Driver::new(&archive), base, Survey::default())
        }
        Some(ReaderState { position, base, survey }) => {
            archive.go_to(&position).map_err(Failure::Reading)?;
            (Driver::at(&archive, position), base, survey)
        }
    };
    let name = archive.name().to_string();
    workers.set_archive(&name);
    let (name, is_failed) = (name.as_str(), false);
    let results =
        Results { workers, input, name, consumer: &mut *consumer, is_failed, pool, base, survey };
    ArchiveRun { driver, results, next: None }.run(archive)?;
    consumer.end(name, pool).map_err(Failure::Consuming)?;
    let is_stopped = workers.check().is_err() && consumer.saves_when_stopped();
    if is_stopped || consumer.is_checkpoint_due() {
        let next = Start { input: input + 1, reader: None };
        consumer.checkpoint(next, pool).map_err(Failure::Consuming)?;
    }
    Ok(())
}

/// Passes the results of an archive to the consumer, in the order of the text.
struct Results<'l, 'r, T: Task> {
    workers: &'l Workers<'r, T>,
    /// The index of the archive among the inputs.
    input: usize,
    name: &'l str,
    consumer: &'l mut dyn Consumer<T::Part>,
    /// Has a method of the consumer returned an error?
    is_failed: bool,
    pool: &'l Pool,
    base: Base,
    survey: Survey,
}

impl<T: Task> Results<'_, '_, T> {
    /// Adds the notes that are known only at the end of the archive, each counted once.
    fn end(&mut self) -> Result<()> {
        let mut result = self.workers.new_result();
        for note in self.survey.notes() {
            result.facts.counted.counts.deviations[note as usize] += 1;
        }
        self.interior(0, result)
    }

    /// Passes the state of the run to the consumer, which can go on from `position`.
    fn checkpoint(&mut self, position: Position) -> Result<()> {
        let reader = Some(ReaderState { position, base: self.base, survey: self.survey });
        let saved = self.consumer.checkpoint(Start { input: self.input, reader }, self.pool);
        self.is_failed |= saved.is_err();
        saved
    }
}

impl<T: Task> Handler<JobResult<T::Part>> for Results<'_, '_, T> {
    /// Passes a result whose text begins at `offset` to the consumer, and keeps its memory.
    fn interior(&mut self, offset: u64, mut interior: JobResult<T::Part>) -> Result<()> {
        self.base.offset = offset;
        let counted = &interior.facts.counted;
        let (lines, games) = (counted.lines, counted.counts.games());
        self.survey.merge(counted.survey);
        let consumed = self.consumer.result(self.name, self.base, &mut interior, self.pool);
        self.is_failed |= consumed.is_err();
        consumed?;
        self.base.lines += lines;
        self.base.games += games;
        self.workers.keep_result(interior);
        Ok(())
    }

    fn seam(&mut self, block: Block<'_>) -> Result<()> {
        let result = self.workers.seam(block)?;
        // The offset of the block itself is absolute.
        self.interior(0, result)
    }

    fn damage(&mut self, offset: u64, damage: &Damage) -> Result<()> {
        let mut result = self.workers.new_result();
        result.facts.add_damage(damage, self.workers.settings.faults);
        self.interior(offset, result)
    }

    fn discard(&mut self, interior: JobResult<T::Part>) {
        self.workers.keep_result(interior);
    }
}

/// One archive: its jobs on the workers, their results in order.
struct ArchiveRun<'l, 'r, T: Task> {
    driver: Driver,
    results: Results<'l, 'r, T>,
    /// Where the text after the last result begins, after the first one.
    next: Option<Option<Place>>,
}

/// Jobs in flight.
type InFlight<P> = Ordered<Box<Finished<P>>>;

impl<'l, T: Task> ArchiveRun<'l, '_, T> {
    /// Reads the archive to its end.
    fn run(mut self, archive: Archive) -> Result<(), Failure> {
        self.whole(archive).map_err(|error| match self.results.is_failed {
            true => Failure::Consuming(error),
            false => Failure::Reading(error),
        })
    }

    fn whole(&mut self, archive: Archive) -> Result<()> {
        let mut jobs = archive.jobs();
        match jobs.is_one_job() {
            true => jobs.try_for_each(|job| self.only(job?))?,
            false => {
                let feeder = Feeder::start(jobs)?;
                self.results.pool.scope(|scope| self.jobs(scope, feeder))??;
            }
        }
        if self.results.consumer.is_done() {
            return Ok(());
        }
        self.driver.finish(&mut self.results)?;
        self.results.end()
    }

    /// Does the only job of the archive on this thread.
    fn only(&mut self, job: Job) -> Result<()> {
        self.check()?;
        let finished = self.results.workers.job(job);
        self.finished(finished)
    }

    /// Takes the result of a job in its turn.
    fn finished(&mut self, finished: Finished<T::Part>) -> Result<()> {
        let Finished { outcome, result, stored_bytes, next } = finished;
        self.check()?;
        self.driver.job(outcome, result, &mut self.results)?;
        self.goes_on(stored_bytes, next)
    }

    /// Submits jobs to the workers and takes their results in the order of the jobs.
    fn jobs<'s>(&mut self, scope: &Scope<'s>, mut feeder: Feeder) -> Result<()>
    where
        'l: 's,
    {
        let mut in_flight = InFlight::new(self.results.pool.threads() + 2);
        loop {
            self.check()?;
            if self.results.consumer.is_done() {
                return Ok(());
            }
            match feeder.wait(in_flight.oldest(), in_flight.is_full()) {
                Event::Job(Ok(job)) => self.start(scope, job, &mut in_flight),
                // Taken in its turn: the error that ends a run must not depend on the speed of threads.
                Event::Job(Err(error)) => in_flight.put(Box::new(Finished {
                    outcome: Err(error),
                    result: self.results.workers.new_result(),
                    stored_bytes: 0,
                    next: None,
                })),
                Event::Finished => self.finished(*in_flight.took())?,
                Event::Nothing => {}
                Event::End => return Ok(()),
            }
        }
    }

    fn start<'s>(&self, scope: &Scope<'s>, job: Job, in_flight: &mut InFlight<T::Part>)
    where
        'l: 's,
    {
        let workers = self.results.workers;
        in_flight.give_in(scope, move || Box::new(workers.job(job)));
    }

    /// Ends a run that is stopped: the state after what was consumed so far is saved, the jobs in hand are dropped.
    fn check(&mut self) -> Result<()> {
        let Err(stopped) = self.results.workers.check() else { return Ok(()) };
        if let Some(next) = self.next.take()
            && self.results.consumer.saves_when_stopped()
        {
            self.checkpoint(next)?;
        }
        Err(stopped)
    }

    /// After a job that read so many stored bytes, and before the one that begins at `next`.
    fn goes_on(&mut self, stored_bytes: u64, next: Option<Place>) -> Result<()> {
        self.results.consumer.progress(stored_bytes);
        if self.results.consumer.is_checkpoint_due() {
            self.checkpoint(next)?;
        }
        self.next = Some(next);
        Ok(())
    }

    /// Passes the state after a job to the consumer, if the reading can go on there.
    #[cold]
    fn checkpoint(&mut self, next: Option<Place>) -> Result<()> {
        let position = self.driver.position(next);
        position.map_or(Ok(()), |position| self.results.checkpoint(position))
    }
}
