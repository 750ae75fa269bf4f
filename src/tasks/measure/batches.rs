//! Batches of games on their way through the compressors, on the workers, so many at a time.
//!
//! What enters are the moves of games in the archive's order; what leaves are sums, which do not ask in which order they are
//! added. Every archive begins a batch of its own, so that sizes of archives add up. In flight: two batches more than there
//! are workers.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use crossbeam_channel::{Receiver, bounded};
use rayon::ThreadPool;

use crate::tasks::measure::study::{Batch, Compression, GameMoves, Sizes, Studied};

/// Batches on their way through the compressors.
#[derive(Debug)]
pub struct BatchCompressor {
    compressions: Arc<[Compression]>,
    studied: Studied,
    batch: Batch,
    in_flight: VecDeque<Receiver<io::Result<Sizes>>>,
    sizes: Sizes,
}

impl BatchCompressor {
    /// A press with these compressors for these notations.
    pub fn new(compressions: &[Compression], studied: Studied) -> BatchCompressor {
        BatchCompressor {
            compressions: compressions.into(),
            studied,
            batch: Batch::default(),
            in_flight: VecDeque::new(),
            sizes: Sizes::new(compressions, studied),
        }
    }

    /// Adds games of the archive at hand, in their order.
    ///
    /// # Errors
    /// A compressor's own.
    pub fn add(
        &mut self,
        scores: impl IntoIterator<Item = GameMoves>,
        pool: &ThreadPool,
    ) -> io::Result<()> {
        for score in scores {
            if let Some(full) = self.batch.push(score) {
                self.start(full, pool)?;
            }
        }
        Ok(())
    }

    /// The archive is at its end.
    ///
    /// # Errors
    /// A compressor's own.
    pub fn end(&mut self, pool: &ThreadPool) -> io::Result<()> {
        self.batch.take().map_or(Ok(()), |rest| self.start(rest, pool))
    }

    /// Waits for what is under way; to be called when all archives are at their end.
    ///
    /// # Errors
    /// A compressor's own.
    pub fn finish(&mut self) -> io::Result<()> {
        while !self.in_flight.is_empty() {
            self.take_oldest()?;
        }
        Ok(())
    }

    /// What all batches came to that are through.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    fn start(&mut self, batch: Batch, pool: &ThreadPool) -> io::Result<()> {
        while self.in_flight.len() >= pool.current_num_threads() + 2 {
            self.take_oldest()?;
        }
        let (send, receive) = bounded(1);
        let (compressions, studied) = (Arc::clone(&self.compressions), self.studied);
        // The receiver is gone only when the run has failed already.
        pool.spawn(move || drop(send.send(batch.compress(&compressions, studied))));
        self.in_flight.push_back(receive);
        Ok(())
    }

    fn take_oldest(&mut self) -> io::Result<()> {
        let Some(oldest) = self.in_flight.pop_front() else { return Ok(()) };
        let gone = || io::Error::other("a worker gave no sizes");
        let sizes = oldest.recv().unwrap_or_else(|_| Err(gone()))?;
        if self.sizes.merge(&sizes) { Ok(()) } else { Err(io::Error::other("too many bytes")) }
    }
}
