//! The limit on the size of files (`ulimit -f`): what goes beyond it is an error of the write, not the end of the program.
//!
//! In: nothing. Out: whether the signal that comes with such a write (SIGXFSZ), which ends a program that does not ask
//! otherwise, is ignored from now on. The write then fails as on a full disk, and the run removes what it wrote. It is
//! the program that asks for this, never the library: what becomes of signals is the business of the whole process.

/// Ignores the signal; says whether the system agreed. Programs that this process would start inherit it.
#[cfg(all(unix, not(miri)))]
pub(crate) fn fail_writes() -> bool {
    #[allow(unsafe_code, reason = "the fate of a signal is unsafe to say; this is its one place")]
    // SAFETY: `signal` has no conditions; with SIG_IGN no code of ours is called.
    let before = unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    before != libc::SIG_ERR
}

/// Where there is no such signal.
#[cfg(not(all(unix, not(miri))))]
pub(crate) fn fail_writes() -> bool {
    true
}
