//! Compression of batches of games, and codes for their moves, on the workers.
//!
//! In: the moves of games, in the order of the archive. Out: sums of sizes. Invariant: each archive begins a batch of
//! its own, so the sizes of several archives can be added. Cost: the compressors and codes; threads + 2 batches are in
//! flight.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use crate::engine::Pool;
use pgnmill_state::{Loader, State, state};

use crate::engine::Ordered;

use super::study::{Batch, Coded, Compression, GameMoves, Orders, Sizes, Studied};

/// What is done with each batch.
#[derive(Clone, Debug)]
pub struct BatchWork {
    /// The compressors.
    pub compressions: Vec<Compression>,
    /// The notations whose texts are compressed.
    pub studied: Studied,
    /// Are the moves coded?
    pub codes: bool,
    /// Up to which order are the texts coded?
    pub order: Option<usize>,
}

impl BatchWork {
    /// Is there nothing to do?
    pub fn is_empty(&self) -> bool {
        self.compressions.is_empty() && !self.codes && self.order.is_none()
    }

    fn run(&self, batch: &Batch) -> io::Result<BatchSizes> {
        let sizes = batch.compress(&self.compressions, self.studied)?;
        let coded = self.codes.then(|| Coded::of(batch.games()));
        let orders = self.order.map(|order| Orders::of(batch, order, self.studied));
        Ok(BatchSizes { sizes, coded, orders })
    }
}

/// The sizes of batches.
#[derive(Clone, Debug)]
struct BatchSizes {
    sizes: Sizes,
    /// If the moves are coded.
    coded: Option<Coded>,
    /// If the texts are.
    orders: Option<Orders>,
}

impl BatchSizes {
    fn merge(&mut self, other: &BatchSizes) -> bool {
        let coded = match (&mut self.coded, &other.coded) {
            (Some(coded), Some(other)) => coded.merge(other),
            (_, None) => true,
            (None, Some(_)) => false,
        };
        if let (Some(orders), Some(other)) = (&mut self.orders, &other.orders) {
            orders.merge(other);
        }
        coded && self.sizes.merge(&other.sizes)
    }

    fn is_like(&self, other: &BatchSizes) -> bool {
        let orders = match (&self.orders, &other.orders) {
            (Some(orders), Some(other)) => orders.is_like(other),
            (orders, other) => orders.is_none() && other.is_none(),
        };
        orders && self.sizes.is_like(&other.sizes) && self.coded.is_some() == other.coded.is_some()
    }
}

state!(BatchSizes { sizes, coded, orders });

/// Compresses and codes batches of games.
#[derive(Debug)]
pub struct BatchCompressor {
    work: Arc<BatchWork>,
    batch: Batch,
    /// Created with the first batch, when the number of threads is known.
    in_flight: Option<Ordered<io::Result<BatchSizes>>>,
    /// The batches in flight, oldest first.
    compressed: VecDeque<Arc<Batch>>,
    /// Batches of an earlier run, which are compressed first.
    again: Vec<Batch>,
    sizes: BatchSizes,
}

impl BatchCompressor {
    /// Does this work for each batch.
    pub fn new(work: BatchWork) -> BatchCompressor {
        let sizes = Sizes::new(&work.compressions, work.studied);
        let coded = work.codes.then(Coded::default);
        let orders = work.order.map(|order| Orders::new(order, work.studied));
        BatchCompressor {
            work: Arc::new(work),
            batch: Batch::default(),
            in_flight: None,
            compressed: VecDeque::new(),
            again: Vec::new(),
            sizes: BatchSizes { sizes, coded, orders },
        }
    }

    /// Adds games of the current archive, in order.
    ///
    /// # Errors
    /// A compressor's own.
    pub fn add(
        &mut self,
        games: impl IntoIterator<Item = GameMoves>,
        pool: &Pool,
    ) -> io::Result<()> {
        self.start_again(pool)?;
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
    pub fn end(&mut self, pool: &Pool) -> io::Result<()> {
        self.start_again(pool)?;
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

    /// Saves the state; the batches that are being compressed are not waited for.
    pub fn save(&self, out: &mut Vec<u8>) {
        self.sizes.save(out);
        (self.compressed.len() + self.again.len()).save(out);
        self.compressed.iter().for_each(|batch| batch.save(out));
        self.again.iter().for_each(|batch| batch.save(out));
        self.batch.save(out);
    }

    /// Continues from a state that was saved, with the same work.
    pub fn load(&mut self, from: &mut Loader<'_>) -> Option<()> {
        let sizes: BatchSizes = from.value()?;
        let is_like = sizes.is_like(&self.sizes);
        self.sizes = sizes;
        self.again = from.value()?;
        self.batch = from.value()?;
        is_like.then_some(())
    }

    /// Compresses the batches that an earlier run did not complete.
    ///
    /// # Errors
    /// A compressor's own.
    pub fn start_again(&mut self, pool: &Pool) -> io::Result<()> {
        std::mem::take(&mut self.again).into_iter().try_for_each(|batch| self.start(batch, pool))
    }

    /// The sizes of all finished batches after compression, if there are compressors.
    pub fn sizes(&self) -> Option<&Sizes> {
        (!self.work.compressions.is_empty()).then_some(&self.sizes.sizes)
    }

    /// What the codes wrote of all finished batches, if the moves are coded.
    pub fn coded(&self) -> Option<&Coded> {
        self.sizes.coded.as_ref()
    }

    /// The bits of all finished batches in models of order k, if the texts are coded.
    pub fn orders(&self) -> Option<&Orders> {
        self.sizes.orders.as_ref()
    }

    fn start(&mut self, batch: Batch, pool: &Pool) -> io::Result<()> {
        let mut in_flight =
            self.in_flight.take().unwrap_or_else(|| Ordered::new(pool.threads() + 2));
        if in_flight.is_full()
            && let Some(sizes) = in_flight.take()
        {
            self.merge(sizes)?;
        }
        let work = Arc::clone(&self.work);
        let batch = Arc::new(batch);
        self.compressed.push_back(Arc::clone(&batch));
        in_flight.give(pool, move || work.run(&batch));
        self.in_flight = Some(in_flight);
        Ok(())
    }

    fn merge(&mut self, sizes: io::Result<BatchSizes>) -> io::Result<()> {
        self.compressed.pop_front();
        if self.sizes.merge(&sizes?) { Ok(()) } else { Err(io::Error::other("too many bytes")) }
    }
}
