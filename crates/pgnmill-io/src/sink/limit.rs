//! The limit on the size of files (`ulimit -f`): a write beyond it is an error, not the end of the process.
//!
//! In: nothing. Out: whether the signal of such a write (SIGXFSZ), which by default ends the process, is ignored from
//! now on. The write then fails as on a full disk, and the run removes its outputs. Called by the program, never by the
//! library: the handling of signals is a matter of the whole process.

/// Ignores the signal; returns whether the system accepted that. Child processes inherit it.
#[cfg(all(unix, not(miri)))]
pub fn fail_writes() -> bool {
    #[allow(
        unsafe_code,
        reason = "the handling of a signal is unsafe to set; this is the only file that does"
    )]
    // SAFETY: `signal` has no conditions; with SIG_IGN no code is called.
    let before = unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    before != libc::SIG_ERR
}

/// Systems without this signal.
#[cfg(not(all(unix, not(miri))))]
pub fn fail_writes() -> bool {
    true
}
