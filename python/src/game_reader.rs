//! A reader of games: `pgnmill.GameReader`.
//!
//! In: a source and options. Out: an iterator of [`Game`]s, read ahead on threads of their own. Invariants: the
//! interpreter lock is released while the reader waits; signals are handled meanwhile; the threads end, and call Python
//! no more, with the reader, also if it is closed in another thread, and before the interpreter ends; a forked process
//! never waits for threads that it does not have. Cost of a game that was read ahead: a lock and a move.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pgnmill::OwnedGames;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyTuple};

use crate::calls::Calls;
use crate::ending::{self, Run};
use crate::error::{self, OrRaise};
use crate::fault::to_python;
use crate::game::Game;
use crate::settings::ReadOptions;
use crate::source;
use crate::waiting::POLL;

/// Adds the class and the function that opens readers.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GameReader>()?;
    module.add_function(wrap_pyfunction!(open_games, module)?)
}

/// The games of a source, in order: what :func:`pgnmill.open` returns.
///
/// An iterator and a context manager. Games are read ahead on threads of their own, some megabytes of text; the threads
/// end at the end of the source, with :meth:`close`, or with the object. Several threads can share a reader: each game
/// goes to one of them. A reader cannot be pickled or used in a forked process: open the source there.
///
/// Attributes
/// ----------
/// closed : bool
///     Was it closed?
/// counts : dict of str to int
///     The games that were read so far, those that are read ahead included; after the last game, of the whole source:
///     ``read``, ``accepted``, ``repaired``, ``rejected``, ``not_selected``, ``plies`` of the main lines,
///     ``text_bytes`` and ``damaged_bytes``.
/// damage : list of pgnmill.Fault
///     Damaged frames that were skipped, with ``skip_damaged=True``.
///
/// Examples
/// --------
/// >>> import pgnmill
/// >>> with pgnmill.open(b'1. e4 *\n\n1. e5 *\n') as games:
/// ...     for game in games:
/// ...         print(game.number, game.verdict)
/// 1 accepted
/// 2 rejected
/// >>> games.counts["rejected"]
/// 1
#[pyclass(frozen, module = "pgnmill")]
#[derive(Debug)]
pub(crate) struct GameReader {
    reading: Arc<Reading>,
    /// How messages name the source.
    name: String,
}

/// The run of a reader.
#[derive(Debug)]
struct Reading {
    games: Mutex<Option<OwnedGames>>,
    /// What was known when the reader was closed.
    last: Mutex<Last>,
    /// What its threads call.
    calls: Arc<Calls>,
    /// The process that has the threads.
    process: u32,
}

impl Reading {
    fn is_of_other_process(&self) -> bool {
        self.process != std::process::id()
    }
}

impl Run for Reading {
    fn end(&self) {
        if self.is_of_other_process() {
            return;
        }
        self.calls.end();
        let taken = self.games.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut games) = taken else { return };
        games.close();
        let last = Last { totals: games.totals().clone(), damage: games.damage().to_vec() };
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = last;
        self.calls.wait();
    }
}

/// What remains of a closed reader.
#[derive(Debug, Default)]
struct Last {
    totals: pgnmill::Counted,
    damage: Vec<pgnmill::Fault>,
}

impl GameReader {
    /// The reader's games, when no other thread uses them.
    fn lock<'m>(&'m self, py: Python<'_>) -> MutexGuard<'m, Option<OwnedGames>> {
        self.reading.games.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn check_process(&self, py: Python<'_>) -> PyResult<()> {
        if !self.reading.is_of_other_process() {
            return Ok(());
        }
        let name = &self.name;
        let message =
            format!("{name}: the reader belongs to another process; open the source here");
        Err(error::usage(py, &message))
    }

    /// Calls `with` with the totals and the damage.
    fn with_last<T>(
        &self,
        py: Python<'_>,
        with: impl FnOnce(&pgnmill::Counted, &[pgnmill::Fault]) -> T,
    ) -> T {
        if let Some(games) = &*self.lock(py) {
            return with(games.totals(), games.damage());
        }
        let last = &self.reading.last;
        let last = last.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        with(&last.totals, &last.damage)
    }
}

#[pymethods]
impl GameReader {
    fn __iter__(this: Py<GameReader>) -> Py<GameReader> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        self.check_process(py)?;
        let found = loop {
            let mut games = self.lock(py);
            let Some(games) = &mut *games else {
                let message = format!("{}: the reader is closed", self.name);
                break Err(error::usage(py, &message));
            };
            if py.detach(|| games.wait(POLL)) {
                break games.next().transpose().or_raise(py);
            }
            py.check_signals()?;
        };
        if let Ok(Some(game)) = found {
            return Ok(Some(Game::new(game)));
        }
        self.reading.calls.end();
        py.detach(ending::rest_at_end);
        match self.reading.calls.take_raised() {
            Some(raised) => Err(raised),
            None => found.map(|_| None),
        }
    }

    fn __enter__(this: Py<GameReader>) -> Py<GameReader> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) {
        self.close(py);
    }

    /// Ends the reading and its threads. Games that were returned stay usable. A closed reader can be closed again. A
    /// file object is read no more; a ``read`` that is in progress is awaited for half a second.
    ///
    /// Examples
    /// --------
    /// >>> import pgnmill
    /// >>> games = pgnmill.open(b'1. e4 *')
    /// >>> games.close()
    /// >>> next(games)
    /// Traceback (most recent call last):
    /// ...
    /// pgnmill.UsageError: <bytes>: the reader is closed
    fn close(&self, py: Python<'_>) {
        if self.reading.is_of_other_process() {
            // The threads are those of the parent: they cannot be awaited here.
            std::mem::forget(self.lock(py).take());
            return;
        }
        py.detach(|| self.reading.end());
    }

    /// Was it closed?
    #[getter]
    fn closed(&self, py: Python<'_>) -> bool {
        self.lock(py).is_none()
    }

    /// The games that were read so far, by verdict, and their plies.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.with_last(py, |totals, _| {
            let counts = PyDict::new(py);
            let numbers = &totals.counts;
            counts.set_item("read", numbers.games())?;
            counts.set_item("accepted", numbers.accepted)?;
            counts.set_item("repaired", numbers.repaired)?;
            counts.set_item("rejected", numbers.rejected)?;
            counts.set_item("not_selected", numbers.not_selected)?;
            counts.set_item("plies", numbers.plies)?;
            counts.set_item("text_bytes", totals.text_bytes)?;
            counts.set_item("damaged_bytes", totals.damaged_bytes)?;
            Ok(counts)
        })
    }

    /// Damaged frames that were skipped.
    #[getter]
    fn damage<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let damage = self.with_last(py, |_, damage| damage.to_vec());
        damage.iter().map(|damage| to_python(py, damage)).collect()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let state = if self.closed(py) { "closed" } else { "open" };
        format!("<pgnmill.GameReader of {}, {state}>", self.name)
    }
}

impl Drop for GameReader {
    fn drop(&mut self) {
        if self.reading.is_of_other_process() {
            std::mem::forget(Arc::clone(&self.reading));
            return;
        }
        // The threads may need the interpreter to end: they read a file object. Where it has ended, so have they.
        Python::try_attach(|py| py.detach(|| self.reading.end()));
    }
}

/// See `pgnmill.open`.
#[pyfunction]
fn open_games(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    split: Option<&Bound<'_, PyAny>>,
    options: &Bound<'_, PyDict>,
) -> PyResult<GameReader> {
    let settings = ReadOptions(options).settings()?;
    let calls = Calls::new();
    let inputs = source::inputs(source, split, &calls)?;
    let name = source::describe(&inputs);
    let games = OwnedGames::open(inputs, settings).or_raise(py)?;
    let reading = Arc::new(Reading {
        games: Mutex::new(Some(games)),
        last: Mutex::default(),
        calls,
        process: std::process::id(),
    });
    ending::watch(py, &reading);
    Ok(GameReader { reading, name })
}
