//! What objects that are values have in common: a hash, and a function that loads what was pickled.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;

/// The hash of an object.
pub(crate) fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The function of this module that loads a pickled object.
pub(crate) fn loader(py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
    Ok(PyModule::import(py, "pgnmill._native")?.getattr(name)?.unbind())
}
