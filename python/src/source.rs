//! Sources: what Python names or contains, as inputs of the library.
//!
//! In: paths, lists, bytes, file objects, URLs. Out: a list of [`Input`](pgnmill::Input)s.

use pyo3::prelude::*;

#[expect(clippy::unnecessary_wraps, reason = "each file has a function of this type")]
pub(crate) fn register(_: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
