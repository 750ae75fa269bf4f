//! Record batches: the rows of a table, read from a thread of their own.
//!
//! In: an [`Export`], the settings of a run, inputs. Out: [`RecordBatch`]es, in the order of the games, one per group
//! of rows, so that they equal the row groups of the file that `pgnmill export` writes. Invariants: the batches, and
//! the error that ends them, are the same for any number of threads; memory is bounded, since the run waits while no
//! batch is taken; when [`Batches`] are dropped, the run is stopped and its threads have ended, except one that waits
//! in the `read` of a reader. Cost: that of an export; batches are moved, never copied.
//!
//! ```
//! use pgnmill_columns::{Batches, Export, Table};
//! use pgnmill_core::engine::Settings;
//! use pgnmill_io::archive::Input;
//! use pgnmill_io::archive::NamedSource;
//! let columns = Table::Games.select(&["White".to_string(), "moves".to_string()], &[]).expect("known");
//! let (partition_by, plies) = (Vec::new(), Default::default());
//! let lines = Default::default();
//! let export = Export { table: Table::Games, columns, partition_by, plies, one_line: false, csv_safe: false, lines };
//! let games = b"[White \"Anderssen\"]\n\n1. e4 e5 2. f4 *\n";
//! let inputs = vec![Input::Named(NamedSource::bytes("memory", games))];
//! let mut batches = Batches::start(export, Settings::default(), inputs, false)?;
//! let rows: usize = batches.by_ref().map(|batch| batch.map(|batch| batch.num_rows())).sum::<Result<_, _>>()?;
//! assert_eq!((rows, batches.totals().counted.counts.accepted), (1, 1));
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use arrow_array::{Array, RecordBatch};
use arrow_schema::SchemaRef;
use crossbeam_channel::{Receiver, RecvTimeoutError, SendTimeoutError, Sender, bounded};
use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{self, Base, Consumer, Counted, JobResult, Ordered, Settings};
use pgnmill_core::tasks::export::{Column, Export};
use pgnmill_core::tasks::export::{Cutter, Group};
use pgnmill_core::tasks::export::{JobRows, PlacedRows};
use pgnmill_io::archive::{Archive, BLOCK_BYTES, Input, Options};
use pgnmill_io::error::{Error, Result};

use super::arrays::{record_batch, schema};
use super::file::EncodeError;

/// Longer frames are read in order, block by block: the rows of a job can be several times as long as its text.
pub const FRAME_STORED_BYTES_MAX: usize = 1 << 20;
/// Frames of more text, in bytes, are read in order too.
pub const FRAME_TEXT_BYTES_MAX: u64 = 16 << 20;

/// Batches that wait to be taken, besides those that are being made.
const WAITING_MAX: usize = 1;
/// How often a thread that waits checks whether the run was stopped.
const WAIT: Duration = Duration::from_millis(50);

/// What has been read so far; complete after the last batch.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct BatchTotals {
    /// What is counted; values that could not be read are null.
    pub counted: Counted,
    /// Rows of the batches that were taken or wait to be taken.
    pub rows: u64,
    /// For each column, how many of these rows are null.
    pub nulls: Vec<u64>,
    /// Inputs that could not be read to their end, with the reason, if the run goes on after them.
    pub failed: Vec<(String, String)>,
}

/// What [`Batches::next_within`] found.
#[derive(Debug)]
pub enum NextBatch {
    /// A batch, or the error that ends them.
    Batch(Result<RecordBatch>),
    /// None within the time.
    Waiting,
    /// There are no more.
    End,
}

/// The batches of a run.
#[derive(Debug)]
pub struct Batches {
    schema: SchemaRef,
    received: Option<Receiver<Result<RecordBatch>>>,
    /// Returns whether the run came to its end, with or without an error that was sent.
    thread: Option<JoinHandle<bool>>,
    stop: Arc<AtomicBool>,
    totals: Arc<Mutex<BatchTotals>>,
}

impl Batches {
    /// Starts the run. Of `export`, the columns that divide rows into files are not used; of `settings`, the sizes of
    /// jobs are bounded as for an export. If `keeps_going`, inputs that cannot be read to their end are added to
    /// [`BatchTotals::failed`] and the run goes on with the next one.
    ///
    /// # Errors
    /// Too many threads, or threads that the system does not start. Errors of the inputs come with the batches.
    pub fn start(
        export: Export,
        mut settings: Settings,
        inputs: Vec<Input>,
        keeps_going: bool,
    ) -> Result<Batches> {
        let options = &mut settings.options;
        *options = Options {
            range_bytes: options.range_bytes.min(BLOCK_BYTES),
            frame_stored_bytes_max: options.frame_stored_bytes_max.min(FRAME_STORED_BYTES_MAX),
            frame_text_bytes_max: options.frame_text_bytes_max.min(FRAME_TEXT_BYTES_MAX),
            ..options.clone()
        };
        let columns = Arc::new(export.columns.clone());
        Batches::begin(export.table.name(), columns, settings.threads, move |pool, maker| {
            let mut rows = ExportRows { maker, cutter: Cutter::default(), keeps_going };
            let stop = Arc::clone(&rows.maker.stop);
            engine::run_on(pool, &export, &settings, &inputs, &mut rows, &stop)
        })
    }

    /// Starts a thread that makes batches of the rows of a table with these columns.
    ///
    /// # Errors
    /// Too many threads, or threads that the system does not start.
    pub(super) fn begin(
        table: &'static str,
        columns: Arc<Vec<Column>>,
        threads: usize,
        work: impl FnOnce(&Pool, &mut Maker) -> Result<()> + Send + 'static,
    ) -> Result<Batches> {
        let schema = Batches::schema_with(&columns);
        let pool = Pool::new(threads)?;
        let (sender, received) = bounded(WAITING_MAX);
        let stop = Arc::new(AtomicBool::new(false));
        let nulls = vec![0; columns.len()];
        let totals = Arc::new(Mutex::new(BatchTotals { nulls, ..BatchTotals::default() }));
        let mut maker = Maker {
            table,
            columns,
            schema: Arc::clone(&schema),
            in_flight: Ordered::new(pool.threads() + 2),
            sender,
            stop: Arc::clone(&stop),
            totals: Arc::clone(&totals),
        };
        let run = move || {
            let ran = work(&pool, &mut maker);
            // The batches before an error are the same for any number of threads.
            let ended = ran.and_then(|()| maker.send_all());
            match ended {
                Ok(()) => true,
                Err(error) => maker.send_all().and_then(|()| maker.send(Err(error))).is_ok(),
            }
        };
        let thread = Builder::new().name("batches".to_string()).spawn(run);
        let thread =
            thread.map_err(|error| Error::usage(format!("cannot start a thread: {error}")))?;
        Ok(Batches { schema, received: Some(received), thread: Some(thread), stop, totals })
    }

    /// The schema of the batches of an export.
    pub fn schema_of(export: &Export) -> SchemaRef {
        Batches::schema_with(&export.columns)
    }

    /// The schema of batches with these columns.
    pub(super) fn schema_with(columns: &[Column]) -> SchemaRef {
        Arc::new(schema(columns, HashMap::new()))
    }

    /// The schema of all batches.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// What has been read so far.
    pub fn totals(&self) -> BatchTotals {
        self.totals.lock().map_or_else(|failed| failed.into_inner().clone(), |it| it.clone())
    }

    /// The flag that ends the run, from any thread: the next batch is then the error
    /// [`ErrorKind::Interrupted`](pgnmill_io::error::ErrorKind::Interrupted).
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// The next batch, if there is one within `time`. After an error there are no more.
    ///
    /// # Panics
    /// A panic of the run is raised again.
    pub fn next_within(&mut self, time: Duration) -> NextBatch {
        let Some(received) = &self.received else { return NextBatch::End };
        match received.recv_timeout(time) {
            Ok(Ok(batch)) => NextBatch::Batch(Ok(batch)),
            Ok(Err(error)) => {
                self.join();
                NextBatch::Batch(Err(error))
            }
            Err(RecvTimeoutError::Timeout) => NextBatch::Waiting,
            Err(RecvTimeoutError::Disconnected) => match self.join() {
                Some(false) => NextBatch::Batch(Err(Error::interrupted())),
                _ => NextBatch::End,
            },
        }
    }

    /// Waits for the end of the thread, with its panic.
    fn join(&mut self) -> Option<bool> {
        self.received = None;
        let joined = self.thread.take()?.join();
        Some(joined.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        loop {
            match self.next_within(Duration::from_secs(3_600)) {
                NextBatch::Batch(batch) => return Some(batch),
                NextBatch::Waiting => {}
                NextBatch::End => return None,
            }
        }
    }
}

impl Drop for Batches {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.received = None;
        // A panic of a run that nothing takes a batch of has no effect.
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// Makes batches of groups of rows.
#[derive(Debug)]
pub(super) struct Maker {
    /// The name of the table, for errors.
    table: &'static str,
    columns: Arc<Vec<Column>>,
    schema: SchemaRef,
    in_flight: Ordered<Result<RecordBatch, EncodeError>>,
    sender: Sender<Result<RecordBatch>>,
    stop: Arc<AtomicBool>,
    totals: Arc<Mutex<BatchTotals>>,
}

impl Maker {
    /// The flag that ends the run.
    pub(super) fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Changes what has been read so far.
    pub(super) fn update(&self, change: impl FnOnce(&mut BatchTotals)) {
        if let Ok(mut totals) = self.totals.lock() {
            change(&mut totals);
        }
    }

    /// An input could not be read to its end: the run goes on if it `keeps_going`.
    ///
    /// # Errors
    /// That of the input, if it does not.
    pub(super) fn failed(&self, input: &Input, error: Error, keeps_going: bool) -> Result<()> {
        if !keeps_going {
            return Err(error);
        }
        self.update(|totals| totals.failed.push((input.name(), error.to_string())));
        Ok(())
    }

    /// Makes a batch on the workers; sends the oldest first if too many are in flight.
    ///
    /// # Errors
    /// Rows that cannot be encoded; [`pgnmill_io::error::ErrorKind::Interrupted`].
    pub(super) fn make(&mut self, group: Group, pool: &Pool) -> Result<()> {
        if self.in_flight.is_full()
            && let Some(oldest) = self.in_flight.take()
        {
            self.send_made(oldest)?;
        }
        let (columns, schema) = (Arc::clone(&self.columns), Arc::clone(&self.schema));
        self.in_flight
            .give(pool, move || record_batch(&columns, schema, &group).map_err(EncodeError::new));
        Ok(())
    }

    /// Sends all that are being made.
    fn send_all(&mut self) -> Result<()> {
        while let Some(oldest) = self.in_flight.take() {
            self.send_made(oldest)?;
        }
        Ok(())
    }

    fn send_made(&mut self, made: Result<RecordBatch, EncodeError>) -> Result<()> {
        let batch = made.map_err(|error| error.of(Path::new(self.table)))?;
        self.update(|totals| {
            totals.rows += batch.num_rows() as u64;
            let columns = batch.columns().iter().map(|column| column.null_count() as u64);
            totals.nulls.iter_mut().zip(columns).for_each(|(all, nulls)| *all += nulls);
        });
        self.send(Ok(batch))
    }

    /// Waits until there is room for the batch, or the run is stopped.
    fn send(&self, mut batch: Result<RecordBatch>) -> Result<()> {
        loop {
            batch = match self.sender.send_timeout(batch, WAIT) {
                Ok(()) => return Ok(()),
                Err(SendTimeoutError::Timeout(batch)) => batch,
                Err(SendTimeoutError::Disconnected(_)) => return Err(Error::interrupted()),
            };
            if self.stop.load(Ordering::Relaxed) {
                return Err(Error::interrupted());
            }
        }
    }
}

/// Makes batches of the rows of jobs.
#[derive(Debug)]
struct ExportRows<'m> {
    maker: &'m mut Maker,
    cutter: Cutter,
    keeps_going: bool,
}

impl Consumer<JobRows> for ExportRows<'_> {
    fn begin(&mut self, _: &Archive) -> Result<()> {
        Ok(())
    }

    fn result(
        &mut self,
        archive: &str,
        base: Base,
        result: &mut JobResult<JobRows>,
        pool: &Pool,
    ) -> Result<()> {
        let ExportRows { maker, cutter, .. } = self;
        maker.update(|totals| totals.counted.merge(&result.facts.counted));
        std::mem::take(&mut result.part).pieces(|rows| {
            if maker.stop.load(Ordering::Relaxed) {
                return Err(Error::interrupted());
            }
            let mut ready = Vec::new();
            cutter.push(PlacedRows::new(archive.to_string(), base, rows), &mut ready);
            ready.into_iter().try_for_each(|group| maker.make(group, pool))
        })?;
        // Not kept until the queue is full: the input may be slow.
        while let Some(made) = maker.in_flight.take_made() {
            maker.send_made(made)?;
        }
        Ok(())
    }

    fn failed(&mut self, input: &Input, error: Error, _: &Pool) -> Result<()> {
        self.maker.failed(input, error, self.keeps_going)
    }

    fn close(&mut self, pool: &Pool) -> Result<()> {
        match self.cutter.finish() {
            Some(group) => self.maker.make(group, pool),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::*;
    use crate::Table;
    use pgnmill_io::archive::NamedSource;
    use pgnmill_io::error::ErrorKind;

    const GAME: &str = "[White \"a\"]\n[WhiteElo \"x\"]\n\n1. e4 e5 2. Nf3 *\n\n";

    fn export(table: Table, columns: &[&str]) -> Export {
        let words: Vec<String> = columns.iter().map(ToString::to_string).collect();
        let columns = table.select(&words, &[]).expect("columns");
        Export {
            table,
            columns,
            partition_by: Vec::new(),
            plies: Default::default(),
            one_line: false,
            csv_safe: false,
            lines: Default::default(),
        }
    }

    fn start(source: NamedSource, threads: usize) -> Batches {
        let settings = Settings { threads, ..Settings::default() };
        let columns = ["White", "WhiteElo", "moves", "game", "byte_offset"];
        let inputs = vec![Input::Named(source)];
        Batches::start(export(Table::Games, &columns), settings, inputs, false).expect("a run")
    }

    /// The bytes of so many games, and then an error.
    struct Games {
        at: usize,
        end: usize,
    }

    impl Games {
        fn of(games: usize) -> Games {
            Games { at: 0, end: games.saturating_mul(GAME.len()) }
        }
    }

    impl Read for Games {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = out.len().min(self.end - self.at);
            if count == 0 {
                return Err(io::Error::other("the source's own error"));
            }
            for byte in &mut out[..count] {
                *byte = GAME.as_bytes()[self.at % GAME.len()];
                self.at += 1;
            }
            Ok(count)
        }
    }

    #[test]
    fn batches_and_totals_are_the_same_for_any_number_of_threads() {
        let text = GAME.repeat(40_000).into_bytes();
        let read = |threads| {
            let mut batches = start(NamedSource::bytes("a", text.clone()), threads);
            let all: Vec<_> = batches.by_ref().map(|batch| batch.expect("a batch")).collect();
            (all, batches.totals())
        };
        let (one, totals) = read(1);
        let rows: Vec<usize> = one.iter().map(RecordBatch::num_rows).collect();
        assert_eq!(rows, [16_384, 16_384, 7_232]);
        assert_eq!((totals.rows, totals.counted.counts.accepted), (40_000, 40_000));
        assert_eq!(totals.nulls, [0, 40_000, 0, 0, 0]);
        assert_eq!(totals.counted.unreadable.iter().map(|(_, count)| count).sum::<u64>(), 40_000);
        assert_eq!(read(3).0, one);
    }

    #[test]
    fn an_error_comes_after_the_batches_before_it_and_ends_them() {
        for threads in [1, 3] {
            let source = NamedSource::reader("a", Games::of(40_000));
            let mut batches = start(source, threads);
            let found: Vec<_> = batches.by_ref().collect();
            assert_eq!(found.len(), 3);
            assert!(found[..2].iter().all(Result::is_ok));
            let error = found[2].as_ref().expect_err("an error").to_string();
            assert_eq!(error, "cannot read a: the source's own error");
            assert!(batches.next().is_none());
        }
    }

    #[test]
    fn a_run_goes_on_after_an_input_that_fails() {
        let inputs = [NamedSource::reader("bad", Games::of(0)), NamedSource::bytes("b", GAME)];
        let inputs = inputs.map(Input::Named).into();
        let export = export(Table::Plies, &["ply"]);
        let mut batches = Batches::start(export, Settings::default(), inputs, true).expect("a run");
        let rows: usize = batches.by_ref().map(|batch| batch.expect("one").num_rows()).sum();
        assert_eq!(rows, 3);
        let failed = batches.totals().failed;
        assert_eq!(failed, [("bad".into(), "cannot read bad: the source's own error".into())]);
    }

    /// The run waits while no batch is taken, and ends when the batches are dropped.
    #[test]
    fn batches_that_are_dropped_stop_the_run() {
        for taken in 0..3 {
            let source = NamedSource::reader("a", Games::of(usize::MAX));
            let mut batches = start(source, 2);
            assert!(batches.by_ref().take(taken).all(|batch| batch.is_ok()));
            drop(batches);
        }
    }

    #[test]
    fn a_run_that_is_stopped_ends_with_an_error() {
        let source = NamedSource::reader("a", Games::of(usize::MAX));
        let mut batches = start(source, 2);
        batches.next().expect("a batch").expect("no error");
        batches.stop_flag().store(true, Ordering::Relaxed);
        let error = batches.by_ref().find_map(Result::err).expect("an error");
        assert!(matches!(error.kind(), ErrorKind::Interrupted), "{error}");
        assert!(batches.next().is_none());
    }
}
