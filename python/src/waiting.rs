//! The calling thread waits for a run; signals of Python are handled meanwhile.
//!
//! In: work for a thread of its own, and the flag that ends it. Out: what the work returns, or the exception of a signal
//! handler, `KeyboardInterrupt` in most cases. Invariants: the global interpreter lock is released while the thread
//! waits, so that the work may call Python; the work has ended when [`wait`] returns. Cost: one thread, and a check
//! every [`POLL`].

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// How often signals are handled. Python handles them on its main thread alone, between instructions of Python.
pub(crate) const POLL: Duration = Duration::from_millis(50);

/// Runs `work` on a thread of its own and returns its value. If a signal handler raises an exception, `stop` is set, the
/// end of the work is awaited, and the exception is returned; the value of the work is dropped.
///
/// # Errors
/// The exception of a signal handler.
///
/// # Panics
/// A panic of the work is raised again.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (sender, mut receiver) = channel::<()>();
        let worker =
            thread::Builder::new().name("pgnmill run".into()).spawn_scoped(scope, move || {
                // Dropped at the end of the work, also by a panic: the receiver is then disconnected.
                let _sender = sender;
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
                && let Err(raised) = py.check_signals()
            {
                stop.store(true, Ordering::Relaxed);
                signal = Some(raised);
            }
        }
        let ended = py.detach(|| worker.join());
        let value = ended.unwrap_or_else(|panic| resume_unwind(panic));
        match signal {
            Some(raised) => Err(raised),
            None => Ok(value),
        }
    })
}
