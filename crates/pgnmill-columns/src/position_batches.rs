//! Record batches of counted positions: the table that `pgnmill positions` writes, without a file.
//!
//! In: what is counted, the settings of a run, inputs. Out: [`Batches`], which are the row groups of that table, with
//! the column `rules` always: the schema is known before anything is read. Invariants: those of [`Batches`]; what
//! exceeds the memory is in temporary files, which are removed at any end. Cost: that of the counts; the first batch
//! comes when all inputs are read.
//!
//! ```
//! use pgnmill_columns::PositionBatches;
//! use pgnmill_core::engine::Settings;
//! use pgnmill_io::archive::{Input, NamedSource};
//! let games = b"1. e4 e5 2. Nf3 *\n\n1. e4 c5 1-0\n";
//! let inputs = vec![Input::Named(NamedSource::bytes("memory", games))];
//! let positions = PositionBatches { games_min: 2, ..PositionBatches::default() };
//! let mut batches = positions.start(Settings::default(), inputs, false)?;
//! let rows: usize = batches.by_ref().map(|batch| batch.map(|batch| batch.num_rows())).sum::<Result<_, _>>()?;
//! assert_eq!((rows, batches.totals().counted.counts.accepted), (1, 2));
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

use std::sync::Arc;
use std::sync::atomic::Ordering;

use arrow_schema::SchemaRef;
use pgnmill_core::engine::{self, Base, Consumer, JobResult, Pool, Settings};
use pgnmill_core::tasks::export::Column;
use pgnmill_core::tasks::positions::{
    CountPositions, Counted, Limits, Pairs, Shape, Stop,
};
use pgnmill_core::tasks::sorter::Spill;
use pgnmill_io::archive::{Archive, Input};
use pgnmill_io::error::{Error, Result};

use super::batches::{Batches, Maker};
use super::positions::PairsInOrder;

/// The last ply that is counted, where none is given.
const PLIES_MAX: u32 = 60;
/// The memory of the counts, where none is given, in bytes.
const MEMORY_BYTES: usize = 1 << 30;

/// Which positions are counted, and what there is of them.
#[derive(Clone, Debug)]
pub struct PositionBatches {
    /// What is counted: by default the main lines, up to ply 60.
    pub count: CountPositions,
    /// Moves of fewer games are left out.
    pub games_min: u64,
    /// Sums in place of means, so that tables can be added.
    pub sums: bool,
    /// The memory of the counts (1 GiB), and where what exceeds it is written: by default to the temporary files of the
    /// system.
    pub spill: Spill,
}

impl Default for PositionBatches {
    fn default() -> PositionBatches {
        let directory = std::env::temp_dir();
        let spill = Spill { directory, name: "positions".to_string(), bytes_max: MEMORY_BYTES };
        let count = CountPositions { plies_max: PLIES_MAX, variations: false };
        PositionBatches { count, games_min: 1, sums: false, spill }
    }
}

impl PositionBatches {
    fn shape(&self) -> Shape {
        Shape { rules: true, sums: self.sums }
    }

    /// The columns of the batches.
    pub fn columns(&self) -> Vec<Column> {
        self.shape().columns()
    }

    /// The schema of the batches.
    pub fn schema(&self) -> SchemaRef {
        Batches::schema_with(&self.columns())
    }

    /// Starts the run. If `keeps_going`, inputs that cannot be read to their end are added to
    /// [`BatchTotals::failed`](super::BatchTotals::failed), what was read of them is counted, and the run goes on with
    /// the next one.
    ///
    /// # Errors
    /// Too many threads, or threads that the system does not start. Errors of the inputs come with the batches.
    pub fn start(
        self,
        settings: Settings,
        inputs: Vec<Input>,
        keeps_going: bool,
    ) -> Result<Batches> {
        let columns = Arc::new(self.columns());
        Batches::begin("positions", columns, settings.threads, move |pool, maker| {
            let stop = maker.stop();
            let of_pairs = Arc::clone(&stop);
            let limits = Limits {
                spill: self.spill.clone(),
                games_min: self.games_min,
                stop: Stop::when(move || of_pairs.load(Ordering::Relaxed)),
            };
            let pairs = Some(Box::new(Pairs::new(limits)));
            let (shape, archives) = (self.shape(), Vec::new());
            let mut counting = Counting { maker, shape, pairs, archives, keeps_going };
            engine::run_on(pool, &self.count, &settings, &inputs, &mut counting, &stop)
        })
    }
}

/// What was counted so far.
#[derive(Debug)]
struct Counting<'m> {
    maker: &'m mut Maker,
    shape: Shape,
    /// `None` when they are batches.
    pairs: Option<Box<Pairs>>,
    archives: Vec<String>,
    keeps_going: bool,
}

impl Consumer<Counted> for Counting<'_> {
    fn begin(&mut self, archive: &Archive) -> Result<()> {
        self.archives.push(archive.name().to_string());
        Ok(())
    }

    fn result(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Counted>,
        pool: &Pool,
    ) -> Result<()> {
        self.maker.update(|totals| totals.counted.merge(&result.facts.counted));
        let archive = self.archives.len().saturating_sub(1) as u32;
        match &mut self.pairs {
            Some(pairs) => pairs.add(&mut result.part, archive, base, pool),
            None => Ok(()),
        }
    }

    fn failed(&mut self, input: &Input, error: Error, _: &Pool) -> Result<()> {
        self.maker.failed(input, error, self.keeps_going)
    }

    fn close(&mut self, pool: &Pool) -> Result<()> {
        let Some(pairs) = self.pairs.take() else { return Ok(()) };
        let archives = std::mem::take(&mut self.archives);
        let pairs = PairsInOrder::Games(pairs);
        pairs.groups(self.shape, archives, pool, |group| self.maker.make(group, pool))?;
        Ok(())
    }
}
