//! Splits: parts of archives, as `pgnmill.Split`.
//!
//! In: a `pgnmill.Split`. Out: an [`ArchiveSplit`]. Both languages exchange a split as its JSON text, so that there is
//! one reader and one writer of it. Invariant: a split that was altered is refused. Cost: constant.

use pgnmill::ArchiveSplit;
use pgnmill_run::{parse_split, split_json};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::OrRaise;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(check_split, module)?)
}

/// Is it a `pgnmill.Split`?
pub(crate) fn is_split(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(value.hasattr("seal")? && value.hasattr("to_json")?)
}

/// The split of a `pgnmill.Split`.
///
/// # Errors
/// `TypeError` for another value; `UsageError` for a split that was altered.
pub(crate) fn archive_split(value: &Bound<'_, PyAny>) -> PyResult<ArchiveSplit> {
    if !is_split(value)? {
        return Err(PyTypeError::new_err("split takes a pgnmill.Split"));
    }
    let text: String = value.call_method0("to_json")?.extract()?;
    parse_split(&text).or_raise(value.py())
}

/// Checks that this is the JSON text of a split, and returns it as the program writes it.
#[pyfunction]
fn check_split(py: Python<'_>, text: &str) -> PyResult<String> {
    Ok(split_json(&parse_split(text).or_raise(py)?))
}
