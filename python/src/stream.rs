//! Streams: games and plies as record batches of Arrow, read once.

use pyo3::prelude::*;

#[expect(clippy::unnecessary_wraps, reason = "each file has a function of this type")]
pub(crate) fn register(_: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
