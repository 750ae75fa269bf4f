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
use pgnmill_core::tasks::positions::{CountPositions, Counted, Limits, Pairs, Shape, Stop};
use pgnmill_core::tasks::sorter::Spill;
use pgnmill_io::archive::{Archive, Input};
use pgnmill_io::error::{Error, Result};

use super::batches::{Batches, Maker};
use super::positions::PairsInOrder;

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
        PositionBatches { count: CountPositions::default(), games_min: 1, sums: false, spill }
    }
}

impl PositionBatches {
    /// The least memory of the counts, in bytes.
    pub const MEMORY_BYTES_MIN: usize = 1 << 20;

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

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use arrow_array::RecordBatch;
    use arrow_array::cast::AsArray as _;
    use arrow_array::types::UInt64Type;
    use pgnmill_io::archive::NamedSource;
    use pgnmill_io::error::ErrorKind;

    use super::*;

    /// Games, each with a first move of its own number, of which some have more plies.
    fn games(count: usize) -> String {
        const MOVES: [&str; 6] =
            ["e4 e5", "d4", "c4 c5 2. Nf3", "Nf3 Nf6 2. Ng1 Ng8 3. Nf3", "e4", "a3"];
        let game = |number: usize| {
            format!("[WhiteElo \"{}\"]\n\n1. {} 1-0\n\n", 1000 + number % 900, MOVES[number % 6])
        };
        (0..count).map(game).collect()
    }

    fn start(positions: PositionBatches, source: NamedSource, threads: usize) -> Batches {
        let settings = Settings { threads, ..Settings::default() };
        positions.start(settings, vec![Input::Named(source)], false).expect("a run")
    }

    fn rows(batches: &mut Batches) -> Vec<RecordBatch> {
        batches.map(|batch| batch.expect("a batch")).collect()
    }

    /// The games of all rows with this column.
    fn sum(batches: &[RecordBatch], name: &str) -> u64 {
        let column = |batch: &RecordBatch| {
            let values = batch.column_by_name(name).expect(name).as_primitive::<UInt64Type>();
            values.values().iter().sum::<u64>()
        };
        batches.iter().map(column).sum()
    }

    #[test]
    fn batches_do_not_depend_on_threads_and_memory() {
        let text = games(30_000).into_bytes();
        let mut expected = None;
        for (threads, bytes_max) in [(1, 1 << 30), (3, 1 << 30), (2, 1 << 20), (7, 100_000)] {
            let mut positions = PositionBatches::default();
            positions.spill.bytes_max = bytes_max;
            let schema = positions.schema();
            let source = NamedSource::bytes("a", text.clone());
            let mut batches = start(positions, source, threads);
            let found = rows(&mut batches);
            assert!(found.iter().all(|batch| batch.schema() == schema));
            let totals = batches.totals();
            assert_eq!(totals.counted.counts.accepted, 30_000);
            assert_eq!(totals.rows, found.iter().map(|batch| batch.num_rows() as u64).sum::<u64>());
            // A repeated move counts once.
            assert_eq!(sum(&found, "games"), 5_000 * (2 + 1 + 3 + 4 + 1 + 1));
            assert_eq!(sum(&found, "white"), sum(&found, "games"));
            assert_eq!(*expected.get_or_insert_with(|| found.clone()), found);
        }
    }

    /// A source that ends with an error.
    struct Failing(io::Cursor<Vec<u8>>);

    impl Read for Failing {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            match self.0.read(out)? {
                0 => Err(io::Error::other("the source's own error")),
                count => Ok(count),
            }
        }
    }

    #[test]
    fn an_input_that_fails_ends_the_run_or_is_counted_as_far_as_it_was_read() {
        let failing = || {
            let source = Failing(io::Cursor::new(games(60_000).into_bytes()));
            Input::Named(NamedSource::reader("bad", source))
        };
        let inputs = vec![failing(), Input::Named(NamedSource::bytes("b", games(6).into_bytes()))];
        let started = PositionBatches::default().start(Settings::default(), inputs, true);
        let mut batches = started.expect("a run");
        let found = rows(&mut batches);
        let read = batches.totals().counted.counts.accepted;
        assert!((30_000..60_006).contains(&read), "{read}");
        let counted = sum(&found, "games");
        assert!((2 * read - 12..=2 * read + 12).contains(&counted), "{counted} of {read}");
        let failed = batches.totals().failed;
        assert_eq!(failed, [("bad".into(), "cannot read bad: the source's own error".into())]);
        let mut batches = PositionBatches::default()
            .start(Settings::default(), vec![failing()], false)
            .expect("a run");
        let error = batches.next().expect("an end").expect_err("an error");
        assert_eq!(error.to_string(), "cannot read bad: the source's own error");
        assert!(batches.next().is_none());
    }

    /// Without end.
    struct Endless(Vec<u8>);

    impl Read for Endless {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = out.len().min(self.0.len());
            out[..count].copy_from_slice(&self.0[..count]);
            self.0.rotate_left(count);
            Ok(count)
        }
    }

    #[test]
    fn a_run_that_is_dropped_or_stopped_ends() {
        let endless = || NamedSource::reader("a", Endless(games(600).into_bytes()));
        drop(start(PositionBatches::default(), endless(), 2));
        let mut batches = start(PositionBatches::default(), endless(), 2);
        batches.stop_flag().store(true, Ordering::Relaxed);
        let error = batches.next().expect("an end").expect_err("an error");
        assert!(matches!(error.kind(), ErrorKind::Interrupted), "{error}");
        assert!(batches.next().is_none());
    }
}
