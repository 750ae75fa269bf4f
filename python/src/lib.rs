//! The extension module `pgnmill._native`: the library of pgnmill for Python.
//!
//! In: Python objects that name or contain archives. Out: Arrow streams, games, tables, summaries, and what was played
//! in positions. One file per noun, each with a function `register` that adds its classes and functions to the module.
//! The names that users read are those of the package `pgnmill`, which imports from here.
//!
//! Invariants: the global interpreter lock is released while archives are read; threads are created per run and end
//! with it, and before the interpreter, so that a process can be forked between runs; no signal handler is installed;
//! nothing is printed.

mod batches;
mod calls;
mod division;
mod ending;
mod error;
mod fault;
mod game;
mod game_reader;
mod guarded;
mod known;
mod notation;
mod played_move;
mod positions;
mod reader;
mod remote;
mod run;
mod run_host;
mod run_table;
mod settings;
mod source;
mod split;
mod stream;
mod value;
mod waiting;

use pyo3::prelude::*;

/// The module.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    // One line per file.
    error::register(module)?;
    ending::register(module)?;
    run::register(module)?;
    run_table::register(module)?;
    game::register(module)?;
    game_reader::register(module)?;
    notation::register(module)?;
    played_move::register(module)?;
    positions::register(module)?;
    division::register(module)?;
    split::register(module)?;
    stream::register(module)?;
    batches::register(module)?;
    Ok(())
}
