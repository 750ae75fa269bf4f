//! Sources: what Python names or contains, as inputs of the library.
//!
//! In: a path, bytes, a file object, a URL, a split, or a list of these. Out: [`Input`]s. Invariants: paths are checked
//! to exist, so that an error comes where the caller named them; a file object is read from where it is, on a thread of
//! the run, with the global interpreter lock taken for each call, until its [calls](Calls) are ended; what its `read`
//! raises becomes the cause of the error. Cost: bytes are not copied (`bytearray` and `memoryview` are: they could
//! change), and a file object is read [`READ_BYTES`] at a time.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill::{ArchiveSplit, Input, NamedSource};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PySet, PyString, PyTuple};

use crate::calls::{Calls, InProgress};
use crate::ending;
use crate::error::{self, OrRaise};
use crate::guarded;
use crate::remote::RemoteObject;
use crate::split::{archive_split, is_split};

/// How much is requested from a file object at once.
const READ_BYTES: usize = 1 << 20;

/// The inputs that `source` names; of the one archive that it names, the part `split`, if that is not `None`. What is
/// read by Python is read as `calls` of the run.
///
/// # Errors
/// `TypeError` for what is no source; `MissingError`, `UsageError`, `PackageError`.
pub(crate) fn inputs(
    source: &Bound<'_, PyAny>,
    split: Option<&Bound<'_, PyAny>>,
    calls: &Arc<Calls>,
) -> PyResult<Vec<Input>> {
    let py = source.py();
    if let Some(split) = split.filter(|split| !split.is_none()) {
        return Ok(vec![part_at(source, archive_split(split)?, calls)?]);
    }
    let mut found = Vec::new();
    if is_one(source)? {
        add(source, calls, &mut found)?;
    } else {
        let several = source.try_iter().ok().filter(|_| !is_unordered(source));
        for one in several.ok_or_else(|| no_source(source))? {
            let one = one?;
            if !is_one(&one)? {
                return Err(no_source(&one));
            }
            add(&one, calls, &mut found)?;
        }
    }
    match found.is_empty() {
        true => Err(error::usage(py, "no source is named")),
        false => Ok(found),
    }
}

/// A split of an archive that is named by the split.
fn part(py: Python<'_>, split: ArchiveSplit, calls: &Arc<Calls>) -> PyResult<Input> {
    let name = split.archive.clone();
    if name.contains("://") {
        return part_of_url(py, &name, split, calls);
    }
    let path = existing(py, name.into())?;
    Ok(Input::Named(NamedSource::archive_split_at(split, path)))
}

/// A split of an archive whose place here is `source`.
fn part_at(source: &Bound<'_, PyAny>, split: ArchiveSplit, calls: &Arc<Calls>) -> PyResult<Input> {
    let py = source.py();
    let refused =
        || error::usage(py, "a split is of one archive, of which the source is the path or URL");
    if is_split(source)? || source.is_instance_of::<PyBytes>() || source.hasattr("read")? {
        return Err(refused());
    }
    if let Some(url) = source.extract::<String>().ok().filter(|text| text.contains("://")) {
        return part_of_url(py, &url, split, calls);
    }
    let path = existing(py, source.extract().map_err(|_| refused())?)?;
    if path.is_dir() {
        return Err(refused());
    }
    Ok(Input::Named(NamedSource::archive_split_at(split, path)))
}

fn part_of_url(
    py: Python<'_>,
    url: &str,
    split: ArchiveSplit,
    calls: &Arc<Calls>,
) -> PyResult<Input> {
    let mut objects = url_objects(py, url)?;
    match objects.pop() {
        Some((name, object)) if objects.is_empty() => {
            let object = RemoteObject::new(name, object.unbind(), calls);
            Ok(Input::Named(NamedSource::ranged_split(split, object)))
        }
        _ => Err(error::usage(py, &format!("{url} names several archives; a split is of one"))),
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

fn no_source(source: &Bound<'_, PyAny>) -> PyErr {
    let kind = source.get_type().name().map_or_else(|_| "this".into(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "a source is a path, bytes, a binary file object, a URL, a Split, or a list of these; not {kind}"
    ))
}

/// Adds the inputs of one source: several if it is a directory, or a URL with `*`.
fn add(source: &Bound<'_, PyAny>, calls: &Arc<Calls>, found: &mut Vec<Input>) -> PyResult<()> {
    let py = source.py();
    if source.is_instance_of::<PyBytes>() || source.is_instance_of::<PyByteArray>() {
        let bytes: PyBackedBytes = source.extract()?;
        found.push(Input::Named(NamedSource::bytes("<bytes>", bytes)));
    } else if source.is_instance_of::<PyMemoryView>() {
        let bytes: PyBackedBytes = source.call_method0("tobytes")?.extract()?;
        found.push(Input::Named(NamedSource::bytes("<bytes>", bytes)));
    } else if is_split(source)? {
        found.push(part(py, archive_split(source)?, calls)?);
    } else if source.hasattr("read")? {
        found.push(file_object(source, calls)?);
    } else {
        let text = source.extract::<String>().ok();
        match text.filter(|text| text.contains("://")) {
            Some(url) => found.extend(of_url(py, &url, calls)?),
            None => {
                let path: PathBuf = source.extract()?;
                let paths = match globbed(py, &path)? {
                    paths if paths.is_empty() => vec![existing(py, path)?],
                    paths => paths,
                };
                found.extend(Input::expand(paths).or_raise(py)?);
            }
        }
    }
    Ok(())
}

/// The files that a path with `*`, `?` or `[` names, in the order of their names; none if a file has the path itself as
/// its name. `**` is any number of folders.
///
/// # Errors
/// Those of Python's `glob`.
pub(crate) fn globbed(py: Python<'_>, path: &Path) -> PyResult<Vec<PathBuf>> {
    let pattern = path.to_str().filter(|text| text.contains(['*', '?', '[']));
    let Some(pattern) = pattern.filter(|_| !path.exists()) else { return Ok(Vec::new()) };
    let options = PyDict::new(py);
    options.set_item("recursive", true)?;
    let found = PyModule::import(py, "glob")?.call_method("glob", (pattern,), Some(&options))?;
    let mut paths: Vec<PathBuf> = found.extract()?;
    paths.sort();
    Ok(paths)
}

/// The path, which must exist. `-` is a file of this name: standard input is `sys.stdin.buffer`.
pub(crate) fn existing(py: Python<'_>, path: PathBuf) -> PyResult<PathBuf> {
    let path = if path == Path::new("-") { PathBuf::from("./-") } else { path };
    match std::fs::metadata(&path) {
        Ok(_) => Ok(path),
        // Perhaps a member of a zip file.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(path),
        Err(error) => Err(pgnmill::Error::io("open", path, error)).or_raise(py),
    }
}

/// An open file object, which is read once, from where it is.
fn file_object(source: &Bound<'_, PyAny>, calls: &Arc<Calls>) -> PyResult<Input> {
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
    let reader = FileObject::new(source.clone().unbind(), false, calls);
    Ok(Input::Named(NamedSource::reader(&name, reader)))
}

/// The archives that a URL names; each is opened in its turn.
fn of_url(py: Python<'_>, url: &str, calls: &Arc<Calls>) -> PyResult<Vec<Input>> {
    let input = |(name, object): (String, Bound<'_, PyAny>)| {
        if object.getattr("is_ranged")?.is_truthy()? {
            let opener = RemoteObject::new(name.clone(), object.unbind(), calls);
            return Ok(Input::Named(NamedSource::ranged(&name, opener)));
        }
        let object = object.unbind();
        let calls = Arc::clone(calls);
        let open = move || {
            let opened = calls.call(|py| {
                let file = guarded::call_method(object.bind(py), "open", &PyTuple::empty(py));
                file.map(Bound::unbind)
            });
            Ok(FileObject::new(opened?, true, &calls))
        };
        Ok(Input::Named(NamedSource::readers(&name, open)))
    };
    url_objects(py, url)?.into_iter().map(input).collect()
}

/// The objects that a URL names: the URL of each, and a `pgnmill._remote.RemoteObject`.
///
/// # Errors
/// `PackageError`, `InputError`, `MissingError`.
pub(crate) fn url_objects<'py>(
    py: Python<'py>,
    url: &str,
) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let module = PyModule::import(py, "pgnmill._remote")?;
    let arguments = PyTuple::new(py, [url])?;
    let objects = guarded::call_method(&module, "objects", &arguments)?;
    let objects: Vec<Bound<'py, PyAny>> = objects.extract()?;
    objects.into_iter().map(|object| Ok((object.getattr("url")?.extract()?, object))).collect()
}

/// A file object of Python as a reader.
struct FileObject {
    object: Py<PyAny>,
    /// Is it closed in the end?
    is_owned: bool,
    /// What was read last, and how much of it was returned.
    chunk: Option<PyBackedBytes>,
    used: usize,
    calls: Arc<Calls>,
    /// The end of a run waits until this is dropped, after `object`.
    _in_progress: InProgress,
}

impl FileObject {
    fn new(object: Py<PyAny>, is_owned: bool, calls: &Arc<Calls>) -> FileObject {
        let (calls, in_progress) = (Arc::clone(calls), calls.begin());
        FileObject { object, is_owned, chunk: None, used: 0, calls, _in_progress: in_progress }
    }

    fn read_chunk(&self, bytes: usize) -> io::Result<PyBackedBytes> {
        self.calls.call(|py| {
            let arguments = PyTuple::new(py, [bytes])?;
            let read = guarded::call_method(self.object.bind(py), "read", &arguments)?;
            if read.is_none() {
                return Err(error::usage(py, "the file object does not block; it must"));
            }
            let kind = read.get_type().name()?.to_string();
            read.extract::<PyBackedBytes>().map_err(|_| {
                PyTypeError::new_err(format!(
                    "read() of the file object returned {kind}, not bytes"
                ))
            })
        })
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
            // Also after the end of the run. What cannot be closed was read all the same.
            ending::attached(|py| {
                let object = self.object.bind(py);
                drop(guarded::call_method(object, "close", &PyTuple::empty(py)));
            });
        }
    }
}
