//! Faults: why and where games were rejected, as `pgnmill.Fault`.
//!
//! In: a fault of the library. Out: an instance of the class, which is written in Python, so that it is a dataclass.

use pgnmill::Fault;
use pyo3::prelude::*;

/// A fault as `pgnmill.Fault`.
pub(crate) fn to_python<'py>(py: Python<'py>, fault: &Fault) -> PyResult<Bound<'py, PyAny>> {
    let class = PyModule::import(py, "pgnmill._game")?.getattr("Fault")?;
    let fen = (!fault.fen.is_empty()).then_some(&fault.fen);
    class.call1((
        fault.kind,
        &fault.detail,
        &fault.text,
        fault.offset,
        fault.line,
        fault.column,
        fault.ply,
        fen,
    ))
}
