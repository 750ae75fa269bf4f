//! The threads of a run.
//!
//! In: their number. Out: threads that wait for work, to which consumers may give some, too, through
//! [`Ordered`](super::Ordered). They end with the pool. Cost: to start and end them costs more than to read some
//! kilobytes of text.
//!
//! ```
//! # use pgnmill_core::engine::Pool;
//! let pool = Pool::new(2)?;
//! assert_eq!(pool.threads(), 2);
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

use pgnmill_io::error::{Error, Result};
use rayon::{Scope, ThreadPool, ThreadPoolBuilder};

use super::settings::THREADS_MAX;

/// Worker threads.
#[derive(Debug)]
pub struct Pool(ThreadPool);

impl Pool {
    /// Starts so many threads; one instead of none.
    ///
    /// # Errors
    /// More than [`THREADS_MAX`] threads; threads that the system does not start.
    pub fn new(threads: usize) -> Result<Pool> {
        if threads > THREADS_MAX {
            return Err(Error::usage(format!("{threads} threads are more than {THREADS_MAX}")));
        }
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads.max(1))
            .thread_name(|index| format!("worker {index}"))
            .build();
        let failed = |error| Error::usage(format!("cannot start {threads} threads: {error}"));
        pool.map(Pool).map_err(failed)
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Adds a piece of work, which is done at some time.
    pub(super) fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        self.0.spawn(work);
    }

    /// Calls `run` on this thread; returns when all work that it has added to the scope is done.
    pub(super) fn scope<'s, R>(&self, run: impl FnOnce(&Scope<'s>) -> R) -> R {
        self.0.in_place_scope(run)
    }
}
