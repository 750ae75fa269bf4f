//! Calls of Python functions that survive the end of the interpreter.
//!
//! In: a function of Python, and its arguments. Out: what it returns, or the exception that it raises. Invariant: if
//! the interpreter ends while the function runs, the thread sleeps until the process has ended, and the process ends as
//! if the thread did not exist. Cost: that of the call.
//!
//! Before Python 3.14, a thread that requests the interpreter lock of an interpreter that ends is ended by
//! `pthread_exit`. That unwinds its stack, and the process is aborted at the first frame of Rust which may not unwind.
//! What pyo3 calls to take the lock is guarded by pyo3; the functions here guard what runs Python code, which releases
//! and takes the lock.
//!
//! This is the way of pyo3 (`PyGILState_Ensure` of pyo3-ffi), and not defined by Rust: a forced unwinding passes the
//! frames of the interpreter, which are C, and reaches a frame with a destructor, of which RFC 2945 leaves open whether
//! it runs. It runs with the unwinder of every platform for which wheels are built; that it never returns keeps all
//! frames above it, and with them what other threads may refer to. Without the guard the unwinding would reach other
//! destructors, and abort. Defined would be C code that catches the unwinding, for which each platform would need a
//! compiler of C++, or no call from a thread that the interpreter can end: that a host is called from threads of a run is
//! what it is for. Python 3.14 does the same itself: there the thread hangs, and nothing unwinds.

use std::mem::{forget, transmute};
use std::ptr::{null_mut, read_volatile};
use std::thread;
use std::time::Duration;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

type Object = *mut ffi::PyObject;

/// Ends an unwinding that has reached it: the thread does not go on.
struct Sleeps;

impl Drop for Sleeps {
    fn drop(&mut self) {
        loop {
            thread::sleep(Duration::from_secs(3_600));
        }
    }
}

/// The same value, of which the compiler does not know what it is. Otherwise it finds the declaration of the function,
/// which does not unwind, and omits the guard.
#[allow(unsafe_code, reason = "what is read so is not known to the compiler")]
fn unknown<T: Copy>(value: T) -> T {
    // SAFETY: a reference to a value that can be copied can be read.
    unsafe { read_volatile(&raw const value) }
}

/// Calls a function of Python.
///
/// # Errors
/// The exception that it raises.
#[allow(unsafe_code, reason = "pyo3 declares the function as one that does not unwind")]
pub(crate) fn call<'py>(
    function: &Bound<'py, PyAny>,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    type Declared = unsafe extern "C" fn(Object, Object, Object) -> Object;
    type Unwinding = unsafe extern "C-unwind" fn(Object, Object, Object) -> Object;
    let guard = Sleeps;
    // SAFETY: both types have the same parameters and the same convention; the latter may unwind in addition.
    let raw = unsafe { transmute::<Declared, Unwinding>(unknown(ffi::PyObject_Call)) };
    // SAFETY: this thread has the interpreter lock, since there are `Bound`s, which keep the objects alive; without
    // keywords the third argument is null. If the call unwinds, `guard` is dropped, which does not return.
    let returned = unsafe { raw(function.as_ptr(), arguments.as_ptr(), null_mut()) };
    forget(guard);
    // SAFETY: the function returns a new reference, or null with an exception.
    unsafe { Bound::from_owned_ptr_or_err(function.py(), returned) }
}

/// Calls a method of an object of Python.
///
/// # Errors
/// The exception that it raises.
#[allow(unsafe_code, reason = "pyo3 declares the function as one that does not unwind")]
pub(crate) fn call_method<'py>(
    object: &Bound<'py, PyAny>,
    name: &str,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    type Declared = unsafe extern "C" fn(Object, Object) -> Object;
    type Unwinding = unsafe extern "C-unwind" fn(Object, Object) -> Object;
    let name = PyString::new(object.py(), name);
    let guard = Sleeps;
    // SAFETY: as in `call`.
    let raw = unsafe { transmute::<Declared, Unwinding>(unknown(ffi::PyObject_GetAttr)) };
    // SAFETY: as in `call`. An object may find its attributes by a function of Python.
    let returned = unsafe { raw(object.as_ptr(), name.as_ptr()) };
    forget(guard);
    // SAFETY: as in `call`.
    let method = unsafe { Bound::from_owned_ptr_or_err(object.py(), returned) }?;
    call(&method, arguments)
}
