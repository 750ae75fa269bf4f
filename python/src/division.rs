//! Archives are divided: the splits of a path or of a URL.
//!
//! In: a path, of a directory too, or a URL. Out: the JSON text of each split. Cost: plain text is not read; of zstd
//! frames a seek table, sizes or headers are.

use std::fs::File;
use std::path::PathBuf;

use pgnmill::{ArchiveSplit, Division, Error, Input, OpenRanged, RangedBytes, Result, Version};
use pgnmill_run::split_json;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::calls::Calls;
use crate::error::{self, OrRaise};
use crate::remote::RemoteObject;
use crate::source::{existing, url_objects};

/// The default size of a split: 64 MiB of stored bytes.
const SPLIT_BYTES: u64 = 64 << 20;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(splits, module)?)
}

/// The splits of a source, as JSON texts: of a file, of the archives below a directory, of the objects of a URL. With
/// each the reason why it cannot be divided, if it cannot.
#[pyfunction]
#[pyo3(signature = (source, target_bytes=None))]
fn splits(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target_bytes: Option<u64>,
) -> PyResult<Vec<(String, Option<String>)>> {
    let target_bytes = target_bytes.unwrap_or(SPLIT_BYTES);
    if target_bytes == 0 {
        return Err(error::usage(py, "target_bytes is 1 or more"));
    }
    let url = source.extract::<String>().ok().filter(|text| text.contains("://"));
    let mut found = Vec::new();
    if let Some(url) = url {
        let calls = Calls::new();
        for (name, object) in url_objects(py, &url)? {
            let object = RemoteObject::new(name.clone(), object.unbind(), &calls);
            let divided = py.detach(|| {
                let (source, version) = object.open()?;
                divide(&name, source, version, target_bytes)
            });
            if let Some(raised) = calls.take_raised() {
                return Err(raised);
            }
            found.extend(divided.or_raise(py)?);
        }
        return Ok(found);
    }
    let path: PathBuf = source.extract().map_err(|_| {
        PyTypeError::new_err("an archive to divide is a path or a URL, or a list of these")
    })?;
    for input in Input::expand([existing(py, path)?]).or_raise(py)? {
        let Input::Path(path) = input else { continue };
        let divided = py.detach(|| {
            let file = File::open(&path).map_err(|error| Error::io("open", &path, error))?;
            let version = Version::of_file(&path, &file)?;
            divide(&path.display().to_string(), file, version, target_bytes)
        });
        found.extend(divided.or_raise(py)?);
    }
    Ok(found)
}

/// The splits of one archive; with the only one, why it cannot be divided.
fn divide(
    name: &str,
    source: impl RangedBytes,
    version: Version,
    target_bytes: u64,
) -> Result<Vec<(String, Option<String>)>> {
    let Division { splits, undivided, .. } = Division::new(name, source, target_bytes)?;
    let reason = undivided.map(|reason| {
        let remedy = "pgnmill.select(…, output=\"NEW.pgn.zst\") writes frames that can be divided";
        format!("{name} is one split: {reason}; {remedy}")
    });
    let json = |split| split_json(&ArchiveSplit::new(name, version.clone(), split));
    Ok(splits.into_iter().map(|split| (json(split), reason.clone())).collect())
}
