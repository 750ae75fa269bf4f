//! The memory map: a file's bytes as a slice.
//!
//! In: an open file. Out: its bytes, paged in by the system as they are read. The only `unsafe` of
//! the project lives here.
//!
//! A file that another program shortens while it is mapped ends this program with SIGBUS; one that
//! is rewritten gives a mixture of old and new bytes. Neither can corrupt memory here: bytes are
//! only read, and nothing is assumed of their values.

use std::fs::File;
use std::io;
use std::ops::Deref;

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
