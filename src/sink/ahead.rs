//! The disk at work before the end: a part of a file that is written is brought to the disk while the rest is made.
//!
//! In: a file and a part of it. Out: nothing; it is a wish, and what comes of it is known when the whole file is brought to the
//! disk at the end of the run, which is then nearly there. Without it a run waited at its end as long as the disk takes for
//! everything (a fifth of the time of converting long comments).

use std::fs::File;

/// Begins to bring the bytes from `start` to `end` to the disk, and does not wait.
#[cfg(all(target_os = "linux", not(miri)))]
pub(super) fn begin(file: &File, start: u64, end: u64) {
    use std::os::fd::AsRawFd;

    let (Ok(offset), Ok(bytes)) = (i64::try_from(start), i64::try_from(end - start)) else {
        return;
    };
    #[allow(unsafe_code, reason = "a call of the system that the standard library does not have")]
    // SAFETY: the descriptor is open as long as `file` is borrowed; the call touches no memory of ours.
    let _ = unsafe {
        libc::sync_file_range(file.as_raw_fd(), offset, bytes, libc::SYNC_FILE_RANGE_WRITE)
    };
}

/// Where the system has no such call.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(super) fn begin(_: &File, _: u64, _: u64) {}
