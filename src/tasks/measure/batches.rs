//! Compression of batches of games, on the workers.
//!
//! In: the moves of games, in the order of the archive. Out: sums of sizes. Invariant: each archive begins a batch of
//! its own, so the sizes of several archives can be added. Cost: the compressors; threads + 2 batches are in flight.

use std::io;
use std::sync::Arc;

use rayon::ThreadPool;

use crate::engine::Ordered;

use super::study::{Batch, Compression, GameMoves, Sizes, Studied};

/// Compresses batches of games.
#[derive(Debug)]
pub struct BatchCompressor {
    compressions: Arc<[Compression]>,
    studied: Studied,
    batch: Batch,
    /// Created with the first batch, when the number of threads is known.
    in_flight: Option<Ordered<io::Result<Sizes>>>,
    sizes: Sizes,
}

impl BatchCompressor {
    /// Compresses with these compressors the games in these notations.
    pub fn new(compressions: &[Compression], studied: Studied) -> BatchCompressor {
        BatchCompressor {
            compressions: compressions.into(),
            studied,
            batch: Batch::default(),
            in_flight: None,
            sizes: Sizes::new(compressions, studied),
        }
    }

    /// Adds games of the current archive, in order.
    ///
    /// # Errors
    /// A compressor's own.
    pub fn add(
        &mut self,
        games: impl IntoIterator<Item = GameMoves>,
        pool: &ThreadPool,
    ) -> io::Result<()> {
        for game in games {
            if let Some(full) = self.batch.push(game) {
                self.start(full, pool)?;
            }
        }
        Ok(())
    }

    /// Ends the archive: its last batch is compressed.
    ///
    /// # Errors
    /// A compressor's own.
    pub fn end(&mut self, pool: &ThreadPool) -> io::Result<()> {
        self.batch.take().map_or(Ok(()), |rest| self.start(rest, pool))
    }

    /// Waits for all batches; to be called after the last archive.
    ///
    /// # Errors
    /// A compressor's own.
    pub fn finish(&mut self) -> io::Result<()> {
        let Some(mut in_flight) = self.in_flight.take() else { return Ok(()) };
        while let Some(sizes) = in_flight.take() {
            self.merge(sizes)?;
        }
        Ok(())
    }

    /// The sizes of all finished batches.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    fn start(&mut self, batch: Batch, pool: &ThreadPool) -> io::Result<()> {
        let mut in_flight =
            self.in_flight.take().unwrap_or_else(|| Ordered::new(pool.current_num_threads() + 2));
        if in_flight.is_full()
            && let Some(sizes) = in_flight.take()
        {
            self.merge(sizes)?;
        }
        let (compressions, studied) = (Arc::clone(&self.compressions), self.studied);
        in_flight.give(pool, move || batch.compress(&compressions, studied));
        self.in_flight = Some(in_flight);
        Ok(())
    }

    fn merge(&mut self, sizes: io::Result<Sizes>) -> io::Result<()> {
        if self.sizes.merge(&sizes?) { Ok(()) } else { Err(io::Error::other("too many bytes")) }
    }
}
