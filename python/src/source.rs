//! Sources: what Python names or contains, as inputs of the library.
//!
//! In: a path, bytes, a file object, a URL, a split, or a list of these. Out: [`Input`]s. Invariants: paths are checked
//! to exist, so that an error comes where the caller named them; a file object is read from where it is, on a thread of
//! the run, with the global interpreter lock taken for each call; what its `read` raises becomes the cause of the
//! error. Cost: bytes are not copied (`bytearray` and `memoryview` are: they could change), and a file object
//! is read [`READ_BYTES`] at a time.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pgnmill::{Input, NamedSource, Split};
use pyo3::exceptions::{PyImportError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PySet, PyString};

use crate::error::{self, OrRaise};

/// How much is requested from a file object at once.
const READ_BYTES: usize = 1 << 20;

/// The default size of a split: 64 MiB of stored bytes.
const SPLIT_BYTES: u64 = 64 << 20;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(splits, module)?)
}

/// The inputs that `source` names; of the one file that it names, the part `split`, if that is not `None`.
///
/// # Errors
/// `TypeError` for what is no source; `MissingError`, `UsageError`, `PackageError`.
pub(crate) fn inputs(
    source: &Bound<'_, PyAny>,
    split: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Input>> {
    let py = source.py();
    let mut found = Vec::new();
    if is_one(source)? {
        add(source, &mut found)?;
    } else {
        let several = source.try_iter().ok().filter(|_| !is_unordered(source));
        for one in several.ok_or_else(|| no_source(source))? {
            let one = one?;
            if !is_one(&one)? {
                return Err(no_source(&one));
            }
            add(&one, &mut found)?;
        }
    }
    let Some(split) = split.filter(|split| !split.is_none()) else {
        return if found.is_empty() {
            Err(error::usage(py, "no source is named"))
        } else {
            Ok(found)
        };
    };
    match &found[..] {
        [Input::Path(path)] => {
            Ok(vec![Input::Named(NamedSource::split(path.clone(), numbers(split)?))])
        }
        _ => Err(error::usage(py, "a split is of one file, which the source must name")),
    }
}

/// A short text that names a source, for messages.
pub(crate) fn describe(inputs: &[Input]) -> String {
    match inputs {
        [one] => one.name(),
        [first, rest @ ..] => format!("{} and {} more", first.name(), rest.len()),
        [] => String::new(),
    }
}

/// Is it one source, not several?
fn is_one(source: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(source.is_instance_of::<PyString>()
        || source.is_instance_of::<PyBytes>()
        || source.is_instance_of::<PyByteArray>()
        || source.is_instance_of::<PyMemoryView>()
        || source.hasattr("__fspath__")?
        || source.hasattr("read")?
        || is_split(source)?)
}

/// Has it parts in no order that the caller chose?
fn is_unordered(source: &Bound<'_, PyAny>) -> bool {
    source.is_instance_of::<PySet>() || source.is_instance_of::<PyDict>()
}

fn is_split(source: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(source.hasattr("_line")? && source.hasattr("path")?)
}

fn no_source(source: &Bound<'_, PyAny>) -> PyErr {
    let kind = source.get_type().name().map_or_else(|_| "this".into(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "a source is a path, bytes, a binary file object, a URL, a Split, or a list of these; not {kind}"
    ))
}

/// Adds the inputs of one source: several if it is a directory, or a URL with `*`.
fn add(source: &Bound<'_, PyAny>, found: &mut Vec<Input>) -> PyResult<()> {
    let py = source.py();
    if source.is_instance_of::<PyBytes>() || source.is_instance_of::<PyByteArray>() {
        let bytes: PyBackedBytes = source.extract()?;
        found.push(Input::Named(NamedSource::bytes("<bytes>", bytes)));
    } else if source.is_instance_of::<PyMemoryView>() {
        let bytes: PyBackedBytes = source.call_method0("tobytes")?.extract()?;
        found.push(Input::Named(NamedSource::bytes("<bytes>", bytes)));
    } else if is_split(source)? {
        let path: PathBuf = source.getattr("path")?.extract()?;
        let path = existing(py, path)?;
        found.push(Input::Named(NamedSource::split(path, numbers(source)?)));
    } else if source.hasattr("read")? {
        found.push(file_object(source)?);
    } else {
        let text = source.extract::<String>().ok();
        match text.filter(|text| text.contains("://")) {
            Some(url) => found.extend(urls(py, &url)?),
            None => {
                let path = existing(py, source.extract()?)?;
                found.extend(Input::expand([path]).or_raise(py)?);
            }
        }
    }
    Ok(())
}

/// The path, which must exist. `-` is a file of this name: standard input is `sys.stdin.buffer`.
fn existing(py: Python<'_>, path: PathBuf) -> PyResult<PathBuf> {
    let path = if path == Path::new("-") { PathBuf::from("./-") } else { path };
    match std::fs::metadata(&path) {
        Ok(_) => Ok(path),
        Err(error) => Err(pgnmill::Error::io("open", path, error)).or_raise(py),
    }
}

/// The numbers of a `pgnmill.Split`.
fn numbers(split: &Bound<'_, PyAny>) -> PyResult<Split> {
    let py = split.py();
    if !is_split(split)? {
        return Err(PyTypeError::new_err("split takes a pgnmill.Split"));
    }
    let line: String = split.getattr("_line")?.extract()?;
    line.parse().map_err(|error: pgnmill::ParseSplitError| error::usage(py, &error.to_string()))
}

/// An open file object, which is read once, from where it is.
fn file_object(source: &Bound<'_, PyAny>) -> PyResult<Input> {
    let py = source.py();
    let text_class = PyModule::import(py, "io")?.getattr("TextIOBase")?;
    if source.is_instance(&text_class)? {
        return Err(PyTypeError::new_err(
            "the file object is opened in text mode; open it in binary mode: open(path, \"rb\")",
        ));
    }
    if source.getattr("closed").is_ok_and(|closed| closed.is_truthy().unwrap_or(false)) {
        return Err(error::usage(py, "the file object is closed"));
    }
    let name = source.getattr("name").and_then(|name| name.extract::<String>());
    let name = name.unwrap_or_else(|_| "<file object>".to_string());
    let reader = FileObject::new(source.clone().unbind(), false);
    Ok(Input::Named(NamedSource::reader(&name, reader)))
}

/// The objects that a URL names; each is opened in its turn.
fn urls(py: Python<'_>, url: &str) -> PyResult<Vec<Input>> {
    let core = match PyModule::import(py, "fsspec.core") {
        Ok(core) => core,
        Err(missing) if missing.is_instance_of::<PyImportError>(py) => {
            let message = format!("{url} requires the package fsspec: pip install fsspec");
            let made = error::exception(py, "PackageError", &message, Some(url), None);
            made.set_cause(py, Some(missing));
            return Err(made);
        }
        Err(other) => return Err(other),
    };
    let failed = |raised: PyErr| {
        let message = format!("cannot open {url}: {raised}");
        let made = error::exception(py, "InputError", &message, Some(url), None);
        made.set_cause(py, Some(raised));
        made
    };
    let (system, path): (Bound<'_, PyAny>, String) =
        core.call_method1("url_to_fs", (url,)).map_err(failed)?.extract()?;
    let paths: Vec<String> = if path.contains('*') {
        let mut paths: Vec<String> =
            system.call_method1("glob", (&path,)).map_err(failed)?.extract()?;
        paths.sort();
        paths
    } else {
        vec![path.clone()]
    };
    if paths.is_empty() {
        return Err(error::exception(
            py,
            "MissingError",
            &format!("{url} names nothing"),
            Some(url),
            None,
        ));
    }
    let input = |one: String| {
        let name = if one == path { url.to_string() } else { one.clone() };
        let system = system.clone().unbind();
        let open = move || {
            let opened = Python::try_attach(|py| {
                let file = system.bind(py).call_method1("open", (&one, "rb"));
                file.map(Bound::unbind).map_err(io::Error::other)
            });
            Ok(FileObject::new(opened.unwrap_or_else(|| Err(ended()))?, true))
        };
        Input::Named(NamedSource::readers(&name, open))
    };
    Ok(paths.into_iter().map(input).collect())
}

/// The interpreter has ended, or is about to.
fn ended() -> io::Error {
    io::Error::other("the Python interpreter has ended")
}

/// A file object of Python as a reader.
struct FileObject {
    object: Py<PyAny>,
    /// Is it closed in the end?
    is_owned: bool,
    /// What was read last, and how much of it was returned.
    chunk: Option<PyBackedBytes>,
    used: usize,
}

impl FileObject {
    fn new(object: Py<PyAny>, is_owned: bool) -> FileObject {
        FileObject { object, is_owned, chunk: None, used: 0 }
    }

    fn read_chunk(&self, bytes: usize) -> io::Result<PyBackedBytes> {
        let read = Python::try_attach(|py| {
            let read = self.object.bind(py).call_method1("read", (bytes,))?;
            if read.is_none() {
                return Err(error::usage(py, "the file object does not block; it must"));
            }
            let kind = read.get_type().name()?.to_string();
            read.extract::<PyBackedBytes>().map_err(|_| {
                PyTypeError::new_err(format!(
                    "read() of the file object returned {kind}, not bytes"
                ))
            })
        });
        read.ok_or_else(ended)?.map_err(io::Error::other)
    }
}

impl Read for FileObject {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.chunk.as_ref().is_none_or(|chunk| self.used == chunk.len()) {
            (self.chunk, self.used) = (Some(self.read_chunk(out.len().max(READ_BYTES))?), 0);
        }
        let left = self.chunk.as_ref().map_or(&[][..], |chunk| &chunk[self.used..]);
        let count = left.len().min(out.len());
        out[..count].copy_from_slice(&left[..count]);
        self.used += count;
        Ok(count)
    }
}

impl Drop for FileObject {
    fn drop(&mut self) {
        if self.is_owned {
            // What cannot be closed was read all the same.
            Python::try_attach(|py| drop(self.object.bind(py).call_method0("close")));
        }
    }
}

/// The splits of a file, one line each.
#[pyfunction]
#[pyo3(signature = (path, target_bytes=None))]
fn splits(py: Python<'_>, path: PathBuf, target_bytes: Option<u64>) -> PyResult<Vec<String>> {
    let path = existing(py, path)?;
    let name = path.display().to_string();
    let found = py.detach(|| {
        let file = std::fs::File::open(&path);
        let file = file.map_err(|error| pgnmill::Error::io("open", &path, error))?;
        if path.is_dir() {
            return Err(pgnmill::Error::usage(format!(
                "{name} is a directory; a split is of one file"
            )));
        }
        Split::all(&name, file, target_bytes.unwrap_or(SPLIT_BYTES))
    });
    Ok(found.or_raise(py)?.iter().map(ToString::to_string).collect())
}
