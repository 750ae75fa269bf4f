//! The reader of a stream: the batches of a run, for a consumer in C.
//!
//! In: what a run needs. Out: its batches, and where the stream is. Invariants: nothing is read, and no thread exists,
//! before the first batch is requested, so that a stream can be made before a fork; only one reader gets batches; the
//! threads have ended, and call Python no more, when the reader is released, when the stream is closed, at its end, and
//! before the interpreter ends. The global interpreter lock is never held while a batch is awaited: a file object may
//! be read for it, and the main thread handles signals meanwhile.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pgnmill::columns::{BatchTotals, Batches, Export, NextBatch, PositionBatches};
use pgnmill::task::Settings;
use pgnmill::{Error, Input};
use pyo3::prelude::*;

use crate::calls::Calls;
use crate::ending::{Run, attached, rest_at_end};
use crate::error;
use crate::known::is_known;
use crate::waiting::{POLL, released, signal};

/// What the rows of a stream are.
pub(crate) enum Rows {
    /// Games or plies.
    Export(Export),
    /// Counted positions.
    Positions(PositionBatches),
}

impl Rows {
    /// The name of the table.
    pub(crate) fn table(&self) -> &'static str {
        match self {
            Rows::Export(export) => export.table.name(),
            Rows::Positions(_) => "positions",
        }
    }

    fn schema(&self) -> SchemaRef {
        match self {
            Rows::Export(export) => Batches::schema_of(export),
            Rows::Positions(positions) => positions.schema(),
        }
    }
}

/// What a run needs.
pub(crate) struct Request {
    pub(crate) rows: Rows,
    pub(crate) settings: Settings,
    pub(crate) inputs: Vec<Input>,
    pub(crate) keeps_going: bool,
}

impl Request {
    fn start(self) -> Result<Batches, Error> {
        let Request { rows, settings, inputs, keeps_going } = self;
        match rows {
            Rows::Export(export) => Batches::start(export, settings, inputs, keeps_going),
            Rows::Positions(positions) => positions.start(settings, inputs, keeps_going),
        }
    }
}

/// Where a stream is.
pub(crate) enum Stage {
    /// Nothing was read.
    Unread(Box<Request>),
    /// A reader takes batches.
    Reading(Batches),
    /// All batches were taken.
    Ended,
    /// It was closed, or its reader released, before its end.
    Closed,
    /// The run ended with an error.
    Failed(PyErr),
}

/// What a stream and its readers share.
pub(crate) struct Shared {
    stage: Mutex<Stage>,
    /// Ends the run; set before `stage` is locked, which a reader does for [`POLL`] at a time.
    is_closed: AtomicBool,
    /// What its threads call.
    calls: Arc<Calls>,
    /// Of the last batches that were taken.
    totals: Mutex<BatchTotals>,
    schema: SchemaRef,
    /// The process that began to read; 0 before that. A fork copies no threads.
    process: AtomicU32,
}

impl Shared {
    /// A stream of which nothing was read.
    pub(crate) fn new(request: Request, calls: Arc<Calls>) -> Shared {
        Shared {
            schema: request.rows.schema(),
            stage: Mutex::new(Stage::Unread(Box::new(request))),
            is_closed: AtomicBool::new(false),
            calls,
            totals: Mutex::default(),
            process: AtomicU32::new(0),
        }
    }

    /// The schema of the batches.
    pub(crate) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Released from the interpreter lock, since a reader that holds this lock may need the other.
    pub(crate) fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn totals(&self) -> BatchTotals {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Was it begun by the process of which this one is a fork? Its threads, and who holds its locks, are not here.
    pub(crate) fn is_of_other_process(&self) -> bool {
        ![0, process::id()].contains(&self.process.load(Ordering::Relaxed))
    }

    pub(crate) fn close(&self) {
        if self.is_of_other_process() {
            return;
        }
        self.is_closed.store(true, Ordering::Relaxed);
        self.calls.end();
        released(|| {
            let mut stage = self.stage();
            if let Stage::Reading(batches) = &*stage {
                self.keep_totals(batches);
            }
            if matches!(*stage, Stage::Unread(_) | Stage::Reading(_)) {
                *stage = Stage::Closed;
            }
            drop(stage);
            self.calls.wait();
        });
    }

    fn keep_totals(&self, batches: &Batches) {
        *self.totals.lock().unwrap_or_else(PoisonError::into_inner) = batches.totals();
    }
}

impl Run for Shared {
    fn end(&self) {
        self.close();
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        if self.is_of_other_process() {
            let stage = self.stage.get_mut().unwrap_or_else(PoisonError::into_inner);
            std::mem::forget(std::mem::replace(stage, Stage::Closed));
        }
    }
}

/// Takes the batches of a stream for a consumer in C.
pub(crate) struct Reader {
    shared: Arc<Shared>,
    /// Is it the one that reads?
    has_begun: bool,
}

/// A step of a reader.
enum Step {
    Batch(RecordBatch),
    Wait,
    End,
    Fail(String),
}

impl Reader {
    /// A reader that has not begun.
    pub(crate) fn new(shared: &Arc<Shared>) -> Reader {
        Reader { shared: Arc::clone(shared), has_begun: false }
    }

    /// Starts the run if this is the first reader.
    fn begin(&mut self, stage: &mut Stage) -> Result<(), String> {
        if self.has_begun {
            return Ok(());
        }
        match std::mem::replace(stage, Stage::Closed) {
            Stage::Unread(request) => {
                let started = request.start();
                *stage = Stage::Reading(started.map_err(|error| error.to_string())?);
                self.shared.process.store(process::id(), Ordering::Relaxed);
                self.has_begun = true;
                Ok(())
            }
            other => {
                *stage = other;
                Err(READ_TWICE.to_string())
            }
        }
    }

    fn step(&mut self) -> Step {
        let shared = Arc::clone(&self.shared);
        if shared.is_of_other_process() {
            return Step::Fail("the stream was begun by another process".to_string());
        }
        let mut stage = shared.stage();
        if let Err(message) = self.begin(&mut stage) {
            return Step::Fail(message);
        }
        let batches = match &mut *stage {
            Stage::Reading(batches) => batches,
            Stage::Ended => return Step::End,
            _ => return Step::Fail("the stream is closed".to_string()),
        };
        if shared.is_closed.load(Ordering::Relaxed) {
            return Step::Fail("the stream is closed".to_string());
        }
        let next = batches.next_within(POLL);
        shared.keep_totals(batches);
        if matches!(next, NextBatch::End | NextBatch::Batch(Err(_))) {
            shared.calls.end();
        }
        match next {
            NextBatch::Waiting => Step::Wait,
            NextBatch::Batch(Ok(batch)) => Step::Batch(batch),
            NextBatch::End => match shared.calls.take_raised() {
                // With `keep_going` a run goes on after an input that raises.
                Some(raised) => Step::Fail(fail(&mut stage, raised)),
                None => {
                    *stage = Stage::Ended;
                    Step::End
                }
            },
            NextBatch::Batch(Err(error)) => {
                if let Some(raised) = shared.calls.take_raised() {
                    return Step::Fail(fail(&mut stage, raised));
                }
                let message = error.to_string();
                let raised = attached(|py| error::to_python(py, &error));
                *stage = raised.map_or(Stage::Closed, Stage::Failed);
                Step::Fail(message)
            }
        }
    }

    /// An exception of a signal handler: the run ends, and so does the stream. The consumer raises an exception of its
    /// own with this message; an end without an error would be taken for that of the archive.
    fn interrupted(&self, raised: PyErr) -> String {
        let message = format!("interrupted: {raised}");
        self.shared.is_closed.store(true, Ordering::Relaxed);
        self.shared.calls.end();
        // The batches are dropped, and with them the threads end.
        released(|| {
            *self.shared.stage() = Stage::Failed(raised);
            self.shared.calls.wait();
        });
        message
    }
}

/// The stream ends with an exception that is no `Exception`; the message for the consumer.
fn fail(stage: &mut Stage, raised: PyErr) -> String {
    let message = attached(|_| format!("interrupted: {raised}"));
    *stage = Stage::Failed(raised);
    message.unwrap_or_else(|| "interrupted".to_string())
}

/// The message of a second reader.
pub(crate) const READ_TWICE: &str = "the stream was read before; it can be read once";

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let failed = |message: String| {
            let error = std::io::Error::other(message.clone());
            Some(Err(ArrowError::IoError(message, error)))
        };
        loop {
            // Also while there is always a batch: a library may hold them all.
            if let Some(raised) = signal() {
                return failed(self.interrupted(raised));
            }
            // A panic must not cross C code.
            let step = catch_unwind(AssertUnwindSafe(|| released(|| self.step())));
            match step {
                Ok(Step::Batch(batch)) => return Some(Ok(batch)),
                Ok(Step::Wait) => {}
                Ok(Step::End) => return None,
                Ok(Step::Fail(message)) => {
                    if is_known() {
                        released(rest_at_end);
                    }
                    return failed(message);
                }
                Err(_) => return failed("a bug of pgnmill: a run has panicked".to_string()),
            }
        }
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.shared.schema)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if self.has_begun {
            self.shared.close();
        }
    }
}
