//! The calling thread waits for a run; signals of Python are handled meanwhile.
//!
//! In: work for a thread of its own, and the calls that it makes, whose flag ends it. Out: what the work returns, or
//! the exception of a signal handler, `KeyboardInterrupt` in most cases. Invariants: the global interpreter lock is
//! released while the thread waits, so that the work may call Python; the work and its calls have ended when [`wait`]
//! returns. Cost: one thread, and a check every [`POLL`].

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::calls::Calls;
use crate::ending::{Use, rest_at_end};
use crate::known::is_known;

/// How often signals are handled. Python handles them on its main thread alone, between instructions of Python.
pub(crate) const POLL: Duration = Duration::from_millis(50);

/// Runs `work` on a thread of its own and returns its value. If a signal handler raises an exception, the `calls` and
/// with them the work are ended, their end is awaited, and the exception is returned; the value of the work is dropped.
/// `meanwhile` is called every [`POLL`], on the calling thread, and its exception ends the work too.
///
/// # Errors
/// The exception of a signal handler or of `meanwhile`; what a call raised that is no `Exception`.
///
/// # Panics
/// A panic of the work is raised again.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    calls: &Calls,
    work: impl FnOnce() -> T + Send,
    mut meanwhile: impl FnMut(Python<'_>) -> PyResult<()>,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (sender, mut receiver) = channel::<()>();
        let worker =
            thread::Builder::new().name("pgnmill run".into()).spawn_scoped(scope, move || {
                // Dropped at the end of the work, also by a panic: the receiver is then disconnected.
                let _sender = sender;
                // The interpreter does not end before the work.
                let _use = Use::begin();
                work()
            })?;
        let mut signal = None;
        loop {
            // Moved, because a receiver cannot be shared.
            let receiver = &mut receiver;
            let waited = py.detach(move || receiver.recv_timeout(POLL));
            if waited != Err(RecvTimeoutError::Timeout) {
                break;
            }
            if signal.is_none()
                && let Err(raised) = py.check_signals().and_then(|()| meanwhile(py))
            {
                calls.end();
                signal = Some(raised);
            }
        }
        let ended = py.detach(|| {
            let ended = worker.join();
            calls.end();
            calls.wait();
            rest_at_end();
            ended
        });
        let value = ended.unwrap_or_else(|panic| resume_unwind(panic));
        match signal.or_else(|| calls.take_raised()) {
            Some(raised) => Err(raised),
            None => Ok(value),
        }
    })
}

/// Runs `work` without the global interpreter lock, whether this thread has it or not: C code calls us with or without.
pub(crate) fn released<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if !is_known() {
        return work();
    }
    let mut work = Some(work);
    let done = Python::try_attach(|py| work.take().map(|work| py.detach(work)));
    match done.flatten() {
        Some(value) => value,
        // The interpreter is about to end: there is no lock.
        None => match work {
            Some(work) => work(),
            None => unreachable!("work that was taken has returned"),
        },
    }
}

/// Handles signals, if this is the main thread: the exception of a signal handler.
pub(crate) fn signal() -> Option<PyErr> {
    if !is_known() {
        return None;
    }
    Python::try_attach(|py| py.check_signals().err()).flatten()
}
