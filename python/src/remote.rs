//! Objects of stores, such as `s3://…`, as ranged bytes.
//!
//! In: a `pgnmill._remote.RemoteObject`, which has a method for its size and version and one for a range of its bytes.
//! Out: an [`OpenRanged`]. Invariants: each read is one request of exactly the bytes that are required, with no cache
//! in between; the version is requested again each time the object is opened; requests end with the [calls](Calls) of
//! the run. The interpreter lock is held while Python runs, not while pgnmill reads. Cost: a copy of the bytes.

use std::io;
use std::sync::Arc;

use pgnmill::{Error, OpenRanged, RangedBytes, Result, Version};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyTuple;

use crate::calls::Calls;
use crate::guarded;

/// An object of a store.
#[derive(Clone)]
pub(crate) struct RemoteObject {
    url: String,
    object: Arc<Py<PyAny>>,
    calls: Arc<Calls>,
}

impl RemoteObject {
    /// The object that Python has opened; `url` is for messages.
    pub(crate) fn new(url: String, object: Py<PyAny>, calls: &Arc<Calls>) -> RemoteObject {
        RemoteObject { url, object: Arc::new(object), calls: Arc::clone(calls) }
    }

    /// Calls a method of the object.
    fn call<T: for<'a, 'py> FromPyObject<'a, 'py, Error: Into<PyErr>>>(
        &self,
        method: &str,
        arguments: &[u64],
    ) -> io::Result<T> {
        self.calls.call(|py| {
            let arguments = PyTuple::new(py, arguments)?;
            let value = guarded::call_method(self.object.bind(py), method, &arguments)?;
            value.extract::<T>().map_err(Into::into)
        })
    }
}

impl OpenRanged for RemoteObject {
    fn open(&self) -> Result<(Box<dyn RangedBytes>, Version)> {
        let facts: io::Result<(u64, Option<u64>, Option<String>)> = self.call("facts", &[]);
        let facts = facts.map_err(|error| Error::io("open", &self.url, error));
        let (len, modified_ns, etag) = facts?;
        let mut version = Version::default();
        version.modified_ns = modified_ns;
        version.etag = etag;
        Ok((Box::new(RemoteBytes { object: self.clone(), len }), version))
    }
}

/// The bytes of an object.
struct RemoteBytes {
    object: RemoteObject,
    len: u64,
}

impl RangedBytes for RemoteBytes {
    fn len(&self) -> u64 {
        self.len
    }

    fn has_cheap_reads(&self) -> bool {
        false
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        if out.is_empty() {
            return Ok(());
        }
        let end = offset.checked_add(out.len() as u64).filter(|end| *end <= self.len);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        let read: PyBackedBytes = self.object.call("read", &[offset, end])?;
        if read.len() != out.len() {
            let (found, expected) = (read.len(), out.len());
            return Err(io::Error::other(format!(
                "bytes {offset} to {end} were requested: {found} bytes were returned, not {expected}"
            )));
        }
        out.copy_from_slice(&read);
        Ok(())
    }
}
