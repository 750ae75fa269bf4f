//! Errors of the library as exceptions of Python.
//!
//! In: an [`Error`] of pgnmill. Out: an instance of a class of `pgnmill._errors`, with the attributes `path` and
//! `offset` where they are known. An exception that a file object of the caller raised is the `__cause__`, unless it is
//! no `Exception`: that one is raised as it is (`calls.rs`). The classes are written in Python, so that they have
//! documentation, types and several bases.
//!
//! | error | exception |
//! |---|---|
//! | a wrong request, a split of another archive | `UsageError` |
//! | a frame that cannot be decoded, a file that became shorter | `DamagedError` |
//! | a file that does not exist | `MissingError` |
//! | a file that cannot be read | `InputError` |
//! | an output that cannot be written | `OutputError` |
//! | an output that exists | `ExistsError` |
//! | the run was ended from outside | `InterruptedRunError` |

use std::io;

use pgnmill::{Error, ErrorKind};
use pyo3::exceptions::{PyFileNotFoundError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

/// Adds nothing: the classes are those of `pgnmill._errors`.
#[expect(clippy::unnecessary_wraps, reason = "each file has a function of this type")]
pub(crate) fn register(_: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}

/// The class `name` of `pgnmill._errors`.
fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE
        .get_or_try_init(py, || PyResult::Ok(PyModule::import(py, "pgnmill._errors")?.unbind()))?;
    module.bind(py).getattr(name)
}

/// The exception `name(message, path=…, offset=…)`.
pub(crate) fn exception(
    py: Python<'_>,
    name: &str,
    message: &str,
    path: Option<&str>,
    offset: Option<u64>,
) -> PyErr {
    let made = class(py, name).and_then(|class| {
        let keywords = PyDict::new(py);
        keywords.set_item("path", path)?;
        keywords.set_item("offset", offset)?;
        class.call((message,), Some(&keywords))
    });
    made.map_or_else(|failed| failed, PyErr::from_value)
}

/// A `UsageError`: a wrong or impossible request.
pub(crate) fn usage(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "UsageError", message, None, None)
}

/// The exception of a call into an interpreter that has ended, or is about to.
pub(crate) fn ended() -> PyErr {
    PyRuntimeError::new_err("the Python interpreter has ended")
}

/// The exception of an error of the library.
pub(crate) fn to_python(py: Python<'_>, error: &Error) -> PyErr {
    let message = error.to_string();
    let path = match error.kind() {
        ErrorKind::Io { path, .. }
        | ErrorKind::Damaged { path, .. }
        | ErrorKind::Shrunk(path)
        | ErrorKind::DiskFull { directory: path, .. }
        | ErrorKind::Exists(path)
        | ErrorKind::Appeared(path)
        | ErrorKind::Busy(path, _)
        | ErrorKind::WrongSplit { path, .. } => Some(path.display().to_string()),
        _ => None,
    };
    let offset = match error.kind() {
        ErrorKind::Damaged { stored_offset, .. } => Some(*stored_offset),
        _ => None,
    };
    let made = exception(py, class_name(py, error), &message, path.as_deref(), offset);
    if let ErrorKind::Io { source, .. } = error.kind() {
        if let Some(raised) = raised(source) {
            made.set_cause(py, Some(raised.clone_ref(py)));
        } else if let Some(number) = source.raw_os_error() {
            // Only a hint: the exception is complete without it.
            let _ = made.value(py).setattr("errno", number);
        }
    }
    made
}

/// The exception of Python that made a read of a file object fail.
pub(crate) fn raised(error: &io::Error) -> Option<&PyErr> {
    error.get_ref()?.downcast_ref::<PyErr>()
}

/// The class of an error. The verbs are those of `Error::io`.
fn class_name(py: Python<'_>, error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::Io { action, source, .. } => {
            let reads =
                ["open", "read", "map", "decode"].iter().any(|verb| action.starts_with(verb));
            let is_missing = |cause: &PyErr| cause.is_instance_of::<PyFileNotFoundError>(py);
            match source.kind() {
                _ if raised(source).is_some_and(is_missing) => "MissingError",
                _ if raised(source).is_some() => "InputError",
                io::ErrorKind::NotFound if reads => "MissingError",
                _ if reads => "InputError",
                _ => "OutputError",
            }
        }
        ErrorKind::Damaged { .. } | ErrorKind::Shrunk(_) => "DamagedError",
        ErrorKind::DiskFull { .. } | ErrorKind::Busy(..) | ErrorKind::PipeClosed => "OutputError",
        ErrorKind::Exists(_) | ErrorKind::Appeared(_) => "ExistsError",
        ErrorKind::Usage(_) | ErrorKind::WrongSplit { .. } => "UsageError",
        ErrorKind::Interrupted => "InterruptedRunError",
        _ => "Error",
    }
}

/// `?` on results of the library in functions that return `PyResult`.
pub(crate) trait OrRaise<T> {
    /// The value, or the exception.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, Error> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| to_python(py, &error))
    }
}
