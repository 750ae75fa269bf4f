//! A queue of work that the workers do in any order, and whose results are taken in the order of submission.
//!
//! In: closures. Out: their results, first in, first out. Each piece of work has a place for its result, and a channel
//! with a capacity of one, which announces the result; the queue contains both. So no worker ever blocks, and the
//! submitting thread bounds the memory: it takes the oldest result first if [`Ordered::is_full`]. The channel carries
//! no result, so that it is compiled once for results of all types.
//!
//! Invariants: each result is returned once, in order; a panic in the work is raised again on the thread that takes the
//! result; when the queue is dropped, work that has not begun is cancelled. Cost: one channel per piece of work.
//!
//! ```
//! use pgnmill_core::engine::{Ordered, Pool};
//! let pool = Pool::new(2).unwrap();
//! let (mut squares, mut found) = (Ordered::new(4), Vec::new());
//! for number in 0..100_u32 {
//!     if squares.is_full() {
//!         found.extend(squares.take());
//!     }
//!     squares.give(&pool, move || number * number);
//! }
//! found.extend(std::iter::from_fn(|| squares.take()));
//! assert!(found.into_iter().eq((0..100).map(|number| number * number)));
//! ```

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};
use rayon::Scope;

use super::pool::Pool;

/// The result of a piece of work, or its panic.
type Outcome<T> = thread::Result<T>;

/// The place of a result.
type Place<T> = Arc<Mutex<Option<Outcome<T>>>>;

/// Where the result of a piece of work will be.
#[derive(Debug)]
struct Awaited<T> {
    /// Receives when `outcome` is there.
    ready: Receiver<()>,
    outcome: Place<T>,
}

/// Pieces of work in flight, in the order in which their results are taken.
#[derive(Debug)]
pub struct Ordered<T> {
    in_flight: VecDeque<Awaited<T>>,
    in_flight_max: usize,
    is_cancelled: Arc<AtomicBool>,
}

impl<T: Send> Ordered<T> {
    /// A queue with at most `in_flight_max` pieces of work in flight; 0 means 1.
    pub fn new(in_flight_max: usize) -> Ordered<T> {
        Ordered {
            in_flight: VecDeque::new(),
            in_flight_max: in_flight_max.max(1),
            is_cancelled: Arc::default(),
        }
    }

    /// Is the maximum number of pieces in flight?
    pub fn is_full(&self) -> bool {
        self.in_flight.len() >= self.in_flight_max
    }

    /// Is nothing in flight?
    pub fn is_empty(&self) -> bool {
        self.in_flight.is_empty()
    }

    /// The number of pieces of work in flight.
    pub fn len(&self) -> usize {
        self.in_flight.len()
    }

    /// Adds a result that is awaited to the queue; returns how it is announced, and its place.
    fn awaited(&mut self) -> (Sender<()>, Place<T>) {
        let (send, ready) = bounded(1);
        let outcome = Arc::default();
        self.in_flight.push_back(Awaited { ready, outcome: Arc::clone(&outcome) });
        (send, outcome)
    }

    /// Adds a piece of work to the queue; returns the closure that computes the result on a worker.
    fn piece<W: FnOnce() -> T + Send>(&mut self, work: W) -> impl FnOnce() + Send + use<T, W> {
        let (send, place) = self.awaited();
        let is_cancelled = Arc::clone(&self.is_cancelled);
        move || {
            if !is_cancelled.load(Ordering::Relaxed) {
                announce(&send, &place, catch_unwind(AssertUnwindSafe(work)));
            }
        }
    }

    /// Submits a piece of work to the pool.
    pub fn give(&mut self, pool: &Pool, work: impl FnOnce() -> T + Send + 'static)
    where
        T: 'static,
    {
        pool.spawn(self.piece(work));
    }

    /// Submits a piece of work, which may borrow, to the workers of a scope.
    pub fn give_in<'s>(&mut self, scope: &Scope<'s>, work: impl FnOnce() -> T + Send + 's)
    where
        T: 's,
    {
        let piece = self.piece(work);
        scope.spawn(move |_| piece());
    }

    /// Adds a result that requires no work; it is taken in its turn.
    pub fn put(&mut self, result: T) {
        let (send, place) = self.awaited();
        announce(&send, &place, Ok(result));
    }

    /// Takes the oldest result if it is ready.
    ///
    /// # Panics
    /// With the panic of the work.
    pub fn take_made(&mut self) -> Option<T> {
        self.in_flight.front()?.ready.try_recv().ok()?;
        Some(self.took())
    }

    /// Receives when the oldest result is there, for a `select!`; then call [`Ordered::took`].
    pub(super) fn oldest(&self) -> Option<&Receiver<()>> {
        Some(&self.in_flight.front()?.ready)
    }

    /// Takes the oldest result, which was announced.
    ///
    /// # Panics
    /// With the panic of the work.
    pub(super) fn took(&mut self) -> T {
        let oldest = self.in_flight.pop_front().expect("a result was announced");
        let outcome = oldest.outcome.lock().ok().and_then(|mut place| place.take());
        outcome.expect("it is there").unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Waits for the oldest result; `None` if nothing is in flight.
    ///
    /// # Panics
    /// With the panic of the work.
    pub fn take(&mut self) -> Option<T> {
        let oldest = self.in_flight.front()?;
        // A worker sends before it drops the sender, unless the queue was dropped.
        oldest.ready.recv().expect("a worker announces its result");
        Some(self.took())
    }
}

/// Puts a result into its place and announces it.
fn announce<T>(send: &Sender<()>, place: &Mutex<Option<Outcome<T>>>, outcome: Outcome<T>) {
    // Nothing panics while the place is locked.
    if let Ok(mut place) = place.lock() {
        *place = Some(outcome);
    }
    // The capacity is one, and the receiver is dropped only with the queue.
    let _ = send.send(());
}

impl<T> Drop for Ordered<T> {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;
    use std::time::Duration;

    use super::*;

    fn pool(threads: usize) -> Pool {
        Pool::new(threads).expect("threads")
    }

    /// The earlier the work is submitted, the longer it takes; its results are still in order.
    #[test]
    fn results_are_in_order_whatever_the_workers_do() {
        for threads in [1, 2, 7] {
            let (pool, mut queue, mut found) = (pool(threads), Ordered::new(8), Vec::new());
            for number in 0..40_u64 {
                if queue.is_full() {
                    found.extend(queue.take());
                }
                assert!(queue.len() < 8);
                let delay = Duration::from_micros((40 - number) * 50);
                queue.give(&pool, move || {
                    thread::sleep(delay);
                    number
                });
            }
            queue.put(40);
            found.extend(std::iter::from_fn(|| queue.take()));
            assert!(found.into_iter().eq(0..41));
            assert!(queue.is_empty());
        }
    }

    #[test]
    fn a_panic_is_raised_again_where_the_result_is_taken() {
        let (pool, mut queue) = (pool(2), Ordered::new(3));
        queue.give(&pool, || 1);
        queue.give(&pool, || panic!("the work's own message"));
        queue.give(&pool, || 3);
        assert_eq!(queue.take(), Some(1));
        let raised = catch_unwind(AssertUnwindSafe(|| queue.take())).unwrap_err();
        assert_eq!(raised.downcast_ref::<&str>(), Some(&"the work's own message"));
        assert_eq!(queue.take(), Some(3));
    }

    #[test]
    fn work_that_has_not_begun_when_the_queue_is_dropped_is_cancelled() {
        let (pool, count) = (pool(1), Arc::new(AtomicU32::new(0)));
        let (hold, held) = bounded::<()>(0);
        let mut queue = Ordered::new(100);
        queue.give(&pool, move || held.recv().is_ok());
        for _ in 0..50 {
            let count = Arc::clone(&count);
            queue.give(&pool, move || count.fetch_add(1, Ordering::Relaxed) > 0);
        }
        drop(queue);
        drop(hold);
        // There is one worker: this runs after all others.
        let mut last = Ordered::new(1);
        last.give(&pool, || ());
        assert_eq!(last.take(), Some(()));
        assert_eq!(count.load(Ordering::Relaxed), 0);
    }
}
