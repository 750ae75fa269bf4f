//! Threads of Python, and others.
//!
//! In: the calling thread. Out: whether Python knows it. Cost: a look-up of the thread's own values.

/// Is this a thread of Python? No other can have the lock, and none waits for it in vain.
#[allow(unsafe_code, reason = "a function of C without a wrapper")]
pub(crate) fn is_known() -> bool {
    // SAFETY: it may be called on any thread, with or without the lock, while the interpreter exists; it does, since
    // this module is loaded.
    !unsafe { pyo3::ffi::PyGILState_GetThisThreadState() }.is_null()
}
