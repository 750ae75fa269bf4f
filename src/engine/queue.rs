//! What goes between the feeder, the workers and the drain.
//!
//! In: an archive's jobs, and the parcels that workers make of them. Out: the next [`Event`] for whoever drains. Invariant:
//! nobody waits for ever on one who is gone.

use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, never, select};

use super::{Parcel, Report};
use crate::archive::{Archive, Input, Job, Jobs, Options};
use crate::error::{Error, Result};

/// How long the drain waits before it looks whether the run was interrupted.
const WAIT: Duration = Duration::from_millis(100);

/// Opens an archive on a thread of its own, since a pipe may keep whoever opens it waiting for its first bytes; `check` ends the
/// wait.
///
/// # Errors
/// As [`Archive::open`], and that of `check`.
pub(super) fn open(
    input: &Input,
    options: &Options,
    check: impl Fn() -> Result<()>,
) -> Result<Archive> {
    let (send, opened) = bounded(1);
    let (input, options) = (input.clone(), options.clone());
    std::thread::Builder::new()
        .name("opener".to_string())
        // The receiver is gone only when the run has ended already.
        .spawn(move || drop(send.send(Archive::open(&input, &options))))
        .map_err(|error| Error::usage(format!("cannot start a thread: {error}")))?;
    loop {
        match opened.recv_timeout(WAIT) {
            Ok(archive) => return archive,
            Err(RecvTimeoutError::Timeout) => check()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::usage("a bug in this program: an archive was not opened"));
            }
        }
    }
}

/// The parcel of a job that could not even be begun, to be taken in its turn: what ends a run must not depend on who
/// was faster.
pub(super) fn failed(error: Error) -> Receiver<Box<Parcel>> {
    let (send, receive) = bounded(1);
    let parcel = Parcel { outcome: Err(error), report: Report::default(), stored_bytes: 0 };
    // There is room for one.
    drop(send.send(Box::new(parcel)));
    receive
}

/// What the drain waits for.
pub(super) enum Event {
    Job(Result<Job>),
    NoMoreJobs,
    Parcel(Box<Parcel>),
    Nothing,
}

/// Waits for a job, for the oldest parcel, or a moment, so that an interrupt is seen.
pub(super) fn wait(
    jobs: Option<&Receiver<Result<Job>>>,
    parcel: Option<&Receiver<Box<Parcel>>>,
) -> Event {
    let (no_jobs, no_parcel) = (never(), never());
    select! {
        recv(jobs.unwrap_or(&no_jobs)) -> job => job.map_or(Event::NoMoreJobs, Event::Job),
        // A worker sends before it drops its end, whatever happens to it.
        recv(parcel.unwrap_or(&no_parcel)) -> parcel => {
            parcel.map_or(Event::Nothing, Event::Parcel)
        }
        default(WAIT) => Event::Nothing,
    }
}

/// Sends the jobs of an archive until it ends or nobody wants more.
pub(super) fn feed(jobs: Jobs, send: &Sender<Result<Job>>) {
    for job in jobs {
        if send.send(job).is_err() {
            return;
        }
    }
}
