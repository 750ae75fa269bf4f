//! The threads of a run.
//!
//! In: their number. Out: threads that wait for work, to which consumers may give some, too, through
//! [`Ordered`](super::Ordered). They start with the first work and end with the pool. Cost: to start and end them costs
//! more than to read some kilobytes of text, so that an archive of one job starts none.
//!
//! ```
//! # use pgnmill_core::engine::Pool;
//! let pool = Pool::new(2)?;
//! assert_eq!(pool.threads(), 2);
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

use std::sync::OnceLock;

use pgnmill_io::error::{Error, Result};
use rayon::{Scope, ThreadPool, ThreadPoolBuilder};

use super::settings::THREADS_MAX;

/// Worker threads.
#[derive(Debug)]
pub struct Pool {
    threads: usize,
    /// Once they are started; or why they cannot be.
    started: OnceLock<std::result::Result<ThreadPool, String>>,
}

impl Pool {
    /// So many threads, which the first work starts; one instead of none.
    ///
    /// # Errors
    /// More than [`THREADS_MAX`] threads.
    pub fn new(threads: usize) -> Result<Pool> {
        if threads > THREADS_MAX {
            return Err(Error::usage(format!("{threads} threads are more than {THREADS_MAX}")));
        }
        Ok(Pool { threads: threads.max(1), started: OnceLock::new() })
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    fn started(&self) -> std::result::Result<&ThreadPool, &String> {
        let start = || {
            let pool = ThreadPoolBuilder::new()
                .num_threads(self.threads)
                .thread_name(|index| format!("worker {index}"))
                .build();
            pool.map_err(|error| format!("cannot start {} threads: {error}", self.threads))
        };
        self.started.get_or_init(start).as_ref()
    }

    /// Adds a piece of work, which is done at some time: at once, if the system starts no threads.
    pub(super) fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        match self.started() {
            Ok(pool) => pool.spawn(work),
            Err(_) => work(),
        }
    }

    /// Calls `run` on this thread; returns when all work that it has added to the scope is done.
    ///
    /// # Errors
    /// Threads that the system does not start.
    pub(super) fn scope<'s, R>(&self, run: impl FnOnce(&Scope<'s>) -> R) -> Result<R> {
        let pool = self.started().map_err(|error| Error::usage(error.clone()))?;
        Ok(pool.in_place_scope(run))
    }
}
