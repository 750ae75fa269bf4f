//! The calls of Python that the threads of a run make: `read` of a file object, and what reads an object of a store.
//!
//! In: work that requires the interpreter. Out: its value, or an error if the run or the interpreter ends. Invariants:
//! after [`Calls::end`] no call begins, and [`Calls::wait`] waits for those in progress; an exception that is no
//! `Exception`, such as `KeyboardInterrupt` and `SystemExit`, ends the run and is kept for the caller of the run, who
//! raises it as it is. Cost: some atomic operations per call.
//!
//! A run does not wait for the thread that reads its input, because that may wait for a pipe without end. Without these
//! calls that thread would read on, to the end of the block that it makes, while the caller closes the file, or the
//! interpreter ends.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

use crate::ending::{self, Run};
use crate::error;
use crate::known::is_known;

/// How long the end of a run waits for calls in progress.
const LIMIT: Duration = Duration::from_millis(500);
/// How often it checks whether they have returned.
const STEP: Duration = Duration::from_micros(200);

/// The calls of a run.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// Does no call begin any more? The run may end by the same flag.
    has_ended: AtomicBool,
    /// Calls in progress, and file objects that threads may read.
    in_progress: AtomicIsize,
    /// What a call raised that is no `Exception`.
    raised: Mutex<Option<PyErr>>,
}

/// A call in progress, or a file object that a thread may read.
#[derive(Debug)]
pub(crate) struct InProgress(Arc<Calls>);

impl Drop for InProgress {
    fn drop(&mut self) {
        self.0.in_progress.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Run for Calls {
    fn end(&self) {
        // The thread that waits for the run is a use of the interpreter.
        Calls::end(self);
    }
}

impl Calls {
    /// Those of a run that has not begun.
    pub(crate) fn new() -> Arc<Calls> {
        Arc::default()
    }

    /// The flag that ends the run.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.has_ended
    }

    /// From now on no call begins.
    pub(crate) fn end(&self) {
        self.has_ended.store(true, Ordering::SeqCst);
    }

    /// What [`Calls::wait`] waits for, until it is dropped.
    pub(crate) fn begin(self: &Arc<Calls>) -> InProgress {
        self.in_progress.fetch_add(1, Ordering::SeqCst);
        InProgress(Arc::clone(self))
    }

    /// Waits until what is in progress has ended, for [`LIMIT`] at most: a `read` may wait without end. Called without
    /// the interpreter lock, after [`Calls::end`].
    pub(crate) fn wait(&self) {
        let until = Instant::now() + LIMIT;
        while self.in_progress.load(Ordering::SeqCst) > 0 && Instant::now() < until {
            thread::sleep(STEP);
        }
    }

    /// Calls `work` with the interpreter lock.
    ///
    /// # Errors
    /// What `work` raises; that the run or the interpreter has ended.
    pub(crate) fn call<T>(
        self: &Arc<Calls>,
        work: impl FnOnce(Python<'_>) -> PyResult<T>,
    ) -> io::Result<T> {
        let call = self.begin();
        if self.has_ended.load(Ordering::SeqCst) {
            return Err(io::Error::other(PyValueError::new_err("the reading was ended")));
        }
        let called = ending::attached(|py| {
            work(py).inspect_err(|raised| {
                if !raised.is_instance_of::<PyException>(py) {
                    self.raised().get_or_insert_with(|| raised.clone_ref(py));
                    self.end();
                }
            })
        });
        drop(call);
        if called.is_none() && is_known() {
            ending::rest_at_end();
        }
        called.unwrap_or_else(|| Err(error::ended())).map_err(io::Error::other)
    }

    /// What a call raised that is no `Exception`; the first of several. It is returned once.
    pub(crate) fn take_raised(&self) -> Option<PyErr> {
        self.raised().take()
    }

    fn raised(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
