//! The channels between the feeder thread, the workers and the calling thread.
//!
//! In: the jobs of an archive, and their results from the workers. Out: the next [`Event`] for the calling thread.
//! Invariants: no thread waits for one that has ended; a panic on the feeder is raised again on the calling thread
//! and is never mistaken for the end of the archive. Cost: one channel operation per job.

use std::panic::resume_unwind;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded, never, select};
use pgnmill_io::archive::{Archive, Input, Job, Jobs, Options};
use pgnmill_io::error::{Error, Result};

/// The longest wait before the calling thread checks for an interruption.
const WAIT: Duration = Duration::from_millis(100);

/// Jobs that wait for a free worker, at most.
const JOBS_WAITING_MAX: usize = 2;

fn no_thread(error: std::io::Error) -> Error {
    Error::usage(format!("cannot start a thread: {error}"))
}

/// Opens an archive; what is no file, on a thread of its own: a pipe can block until its first bytes arrive. An error
/// of `check` ends the wait.
///
/// # Errors
/// As [`Archive::open`], and that of `check`.
pub(super) fn open(
    input: &Input,
    options: &Options,
    check: &dyn Fn() -> Result<()>,
) -> Result<Archive> {
    if matches!(input, Input::Path(path) if path.is_file()) {
        return Archive::open(input, options);
    }
    let (send, opened) = bounded(1);
    let (input, options) = (input.clone(), options.clone());
    let opener = Builder::new()
        .name("opener".to_string())
        // The receiver is dropped early only if the run has ended.
        .spawn(move || drop(send.send(Archive::open(&input, &options))))
        .map_err(no_thread)?;
    loop {
        match opened.recv_timeout(WAIT) {
            Ok(archive) => return archive,
            Err(RecvTimeoutError::Timeout) => check()?,
            Err(RecvTimeoutError::Disconnected) => return Err(raise(opener)),
        }
    }
}

/// Raises the panic of a thread again; an error if it ended without one.
fn raise(thread: JoinHandle<()>) -> Error {
    match thread.join() {
        Err(panic) => resume_unwind(panic),
        Ok(()) => Error::usage("a bug in this program: a thread has ended too early"),
    }
}

/// An event for the calling thread.
pub(super) enum Event {
    /// The next job of the archive.
    Job(Result<Job>),
    /// The oldest result is there: see [`Ordered::took`](super::Ordered::took).
    Finished,
    /// No event within the time limit.
    Nothing,
    /// All jobs are finished and all results are taken.
    End,
}

/// Jobs in their order; `None` is the end.
type JobReceiver = Receiver<Option<Result<Job>>>;

/// The thread that divides an archive into jobs. For a stream it also reads and decodes.
pub(super) struct Feeder {
    /// `None` after the last job.
    jobs: Option<(JobReceiver, JoinHandle<()>)>,
}

impl Feeder {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(super) fn start(jobs: Jobs) -> Result<Feeder> {
        let (send, received) = bounded(JOBS_WAITING_MAX);
        // Not a scoped thread: a thread that waits for a pipe must not block the end of an interrupted run.
        let thread = Builder::new().name("feeder".to_string());
        let thread = thread.spawn(move || {
            for job in jobs.map(Some).chain([None]) {
                if send.send(job).is_err() {
                    return;
                }
            }
        });
        Ok(Feeder { jobs: Some((received, thread.map_err(no_thread)?)) })
    }

    /// Waits at most [`WAIT`] for the oldest result in flight, if there is one, or for a job, unless the queue of
    /// results is full.
    pub(super) fn wait(&mut self, oldest: Option<&Receiver<()>>, is_full: bool) -> Event {
        let (no_jobs, no_result) = (never(), never());
        let jobs = self.jobs.as_ref().filter(|_| !is_full);
        let jobs = jobs.map_or(&no_jobs, |(jobs, _)| jobs);
        if self.jobs.is_none() && oldest.is_none() {
            return Event::End;
        }
        select! {
            recv(jobs) -> job => match job {
                Ok(Some(job)) => Event::Job(job),
                Ok(None) => {
                    self.jobs = None;
                    Event::Nothing
                }
                Err(_) => match self.jobs.take() {
                    Some((_, thread)) => Event::Job(Err(raise(thread))),
                    None => Event::Nothing,
                },
            },
            // A worker sends before it drops the sender, also after a panic.
            recv(oldest.unwrap_or(&no_result)) -> ready => {
                if ready.is_ok() { Event::Finished } else { Event::Nothing }
            }
            default(WAIT) => Event::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// Returns games without end, and panics at the hundredth read.
    struct Breaks(u32);

    impl Read for Breaks {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            assert!(self.0 < 100, "the reader's own message");
            let game = b"[Event \"a\"]\n\n*\n\n";
            bytes.iter_mut().zip(game.iter().cycle()).for_each(|(to, &from)| *to = from);
            Ok(bytes.len() / game.len() * game.len())
        }
    }

    /// The text read before the panic is not a complete archive.
    #[test]
    fn a_panic_on_the_feeder_is_raised_again() {
        let archive = Archive::from_reader("reader", Breaks(0), &Options::default());
        let mut feeder = Feeder::start(archive.expect("an archive").jobs()).expect("a thread");
        let mut jobs = 0;
        let mut all = || {
            loop {
                match feeder.wait(None, false) {
                    Event::Job(Ok(_)) => jobs += 1,
                    Event::End => return,
                    _ => {}
                }
            }
        };
        let panic = catch_unwind(AssertUnwindSafe(&mut all)).expect_err("a panic");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"the reader's own message"));
        assert!(jobs > 1);
    }
}
