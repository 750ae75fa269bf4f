//! Early writes to disk: a part of a file is written to disk while the rest is computed.
//!
//! In: a file and a part of it. Out: nothing; errors are reported when the whole file is synced at the end of the run,
//! which is then fast. Without this a run waits at its end until the disk has written everything (a fifth of the time
//! of converting long comments).

use std::fs::File;

/// Begins to write the bytes from `start` to `end` to disk, and does not wait.
#[cfg(all(target_os = "linux", not(miri)))]
pub(super) fn begin(file: &File, start: u64, end: u64) {
    use std::os::fd::AsRawFd;

    let (Ok(offset), Ok(bytes)) = (i64::try_from(start), i64::try_from(end - start)) else {
        return;
    };
    #[allow(unsafe_code, reason = "a call of the system that the standard library does not have")]
    // SAFETY: the descriptor is open as long as `file` is borrowed; the call accesses no memory of this process.
    let _ = unsafe {
        libc::sync_file_range(file.as_raw_fd(), offset, bytes, libc::SYNC_FILE_RANGE_WRITE)
    };
}

/// Systems without such a call.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(super) fn begin(_: &File, _: u64, _: u64) {}
