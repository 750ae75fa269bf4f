//! The end of the interpreter: it waits for the runs that use it.
//!
//! In: runs that may be alive when the interpreter ends. Out: a function that Python calls then (`atexit`), after the
//! end of all threads but daemons and before anything is taken down. It stops the runs and waits for them. Invariants:
//! when it returns, no thread of a run uses the interpreter, and none will, except one whose call did not return within
//! [`LIMIT`]: that one is never resumed (`guarded.rs`). Daemons that wait for a run rest: they raise no exception, as
//! those of Python do not. A fork copies no threads: what the parent's threads do is not awaited in the child. Cost:
//! two atomic operations per call.

use std::mem::take;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// How long the end of the interpreter waits for calls that do not return.
const LIMIT: Duration = Duration::from_secs(2);
/// How often it checks whether they have.
const STEP: Duration = Duration::from_millis(1);

/// Does the interpreter end? Then no use of it begins.
static IS_ENDING: AtomicBool = AtomicBool::new(false);
/// The thread that ends it, set before.
static ENDER: OnceLock<ThreadId> = OnceLock::new();
/// Uses of the interpreter by threads that are not its own, and runs that threads of Python wait for.
static USES: AtomicIsize = AtomicIsize::new(0);
/// Locked by threads that have the interpreter lock, so that it is never locked during a fork.
static RUNS: Mutex<Vec<Weak<dyn Run>>> = Mutex::new(Vec::new());

/// A run that ends before the interpreter.
pub(crate) trait Run: Send + Sync {
    /// Stops the run and waits for its threads, except for one whose call does not return. Called without the
    /// interpreter lock.
    fn end(&self);
}

/// Adds the function that Python calls at its end.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let end = wrap_pyfunction!(end_runs, module)?;
    PyModule::import(py, "atexit")?.call_method1("register", (end,))?;
    let os = PyModule::import(py, "os")?;
    // Where there are forks.
    if os.hasattr("register_at_fork")? {
        let forks = PyDict::new(py);
        forks.set_item("after_in_child", wrap_pyfunction!(forget_threads, module)?)?;
        os.call_method("register_at_fork", (), Some(&forks))?;
    }
    Ok(())
}

/// `run` is ended before the interpreter, if it is alive then.
pub(crate) fn watch<R: Run + 'static>(_: Python<'_>, run: &Arc<R>) {
    let run: Weak<R> = Arc::downgrade(run);
    let mut runs = RUNS.lock().unwrap_or_else(PoisonError::into_inner);
    runs.retain(|run| run.strong_count() > 0);
    runs.push(run);
}

/// A use of the interpreter, which does not end meanwhile.
pub(crate) struct Use;

impl Use {
    /// `None` if the interpreter ends.
    pub(crate) fn begin() -> Option<Use> {
        USES.fetch_add(1, Ordering::SeqCst);
        let begun = Use;
        // Counted before: one of both threads finds what the other has written.
        (!IS_ENDING.load(Ordering::SeqCst)).then_some(begun)
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        USES.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Calls `work` with the interpreter lock, on any thread; `None` if the interpreter ends.
pub(crate) fn attached<T>(work: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    let _use = Use::begin()?;
    Python::try_attach(work)
}

/// The end of a daemon, when the interpreter ends: it does not return then. Called by threads of Python that have
/// waited for a run, without the interpreter lock and without other locks. The thread that ends the interpreter goes
/// on, as it may call other functions at the end.
pub(crate) fn rest_at_end() {
    while IS_ENDING.load(Ordering::SeqCst) && ENDER.get() != Some(&thread::current().id()) {
        thread::sleep(Duration::from_secs(3_600));
    }
}

/// Ends all runs. Called once, by Python, on its main thread.
#[pyfunction]
fn end_runs(py: Python<'_>) {
    ENDER.get_or_init(|| thread::current().id());
    IS_ENDING.store(true, Ordering::SeqCst);
    let runs = take(&mut *RUNS.lock().unwrap_or_else(PoisonError::into_inner));
    py.detach(|| {
        let until = Instant::now() + LIMIT;
        let (sender, ended) = channel::<()>();
        // All at once; on threads, because a run may wait for a call that does not return.
        for run in runs.iter().filter_map(Weak::upgrade) {
            let sender = sender.clone();
            let end = move || {
                run.end();
                // Dropped now at the latest, also by a panic.
                drop((run, sender));
            };
            // Without a thread there is no end of this run.
            drop(thread::Builder::new().name("pgnmill end".into()).spawn(end));
        }
        drop(sender);
        // Nothing is sent: it ends when all senders are dropped.
        let _ = ended.recv_timeout(LIMIT);
        while USES.load(Ordering::SeqCst) > 0 && Instant::now() < until {
            thread::sleep(STEP);
        }
    });
}

/// In the child of a fork: the threads of the parent do not exist here.
#[pyfunction]
fn forget_threads() {
    USES.store(0, Ordering::SeqCst);
}
