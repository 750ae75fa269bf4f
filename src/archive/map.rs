//! The memory map: a file's bytes as a slice.
//!
//! In: an open file. Out: its bytes, paged in by the system as they are read. The `unsafe` of
//! mapping lives here; the only other is in `board::sweep`.
//!
//! A file that another program shortens while it is mapped ends this program with SIGBUS; one that
//! is rewritten gives a mixture of old and new bytes. Neither can corrupt memory here: bytes are
//! only read, and nothing is assumed of their values.

use std::fs::File;
use std::io;
use std::ops::{Deref, Range};

/// The bytes of a mapped file.
#[derive(Debug)]
pub(super) struct Map(memmap2::Mmap);

impl Map {
    /// Maps the whole of `file`; fails on pipes, devices and whatever else cannot be mapped.
    pub(super) fn new(file: &File) -> io::Result<Map> {
        // SAFETY: the map is private and read-only, and no reference into it outlives it. That
        // nobody truncates the file meanwhile cannot be enforced; the page above says what happens
        // then.
        #[allow(unsafe_code, reason = "mapping a file is unsafe; this is its one place")]
        let map = unsafe { memmap2::Mmap::map(file)? };
        Ok(Map(map))
    }

    /// Asks for the pages of a range at once: one call instead of a fault for every few pages, which workers would
    /// queue for. Where the system cannot, they come one by one as before.
    pub(super) fn populate(&self, range: Range<usize>) {
        #[cfg(target_os = "linux")]
        if let Err(error) =
            self.0.advise_range(memmap2::Advice::PopulateRead, range.start, range.len())
        {
            log::trace!("pages are not asked for at once: {error}");
        }
        #[cfg(not(target_os = "linux"))]
        let _ = range;
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
