//! The memory map: a file's bytes as a slice.
//!
//! In: an open file. Out: its bytes, paged in by the system as they are read. The `unsafe` of mapping lives here.
//!
//! A file that another program shortens while it is mapped reads as zeros from there on, and
//! [`Map::is_whole`] says so; one that is rewritten gives a mixture of old and new bytes. Neither can
//! corrupt memory here: bytes are only read, and nothing is assumed of their values.

use super::truncation_guard::GuardedRange;
use std::fs::File;
use std::io;
use std::ops::{Deref, Range};

/// The system brings in so much around a page that is missed.
const NEAR_BYTES: usize = 64 << 10;

/// The bytes of a mapped file.
#[derive(Debug)]
pub(super) struct Map {
    /// Before the map: it is dropped first.
    guard: GuardedRange,
    bytes: memmap2::Mmap,
    file: Option<File>,
}

impl Map {
    /// Maps the whole of `file`; fails on pipes, devices and whatever else cannot be mapped.
    pub(super) fn new(file: &File) -> io::Result<Map> {
        // SAFETY: the map is read-only, and no reference into it outlives it. That
        // nobody truncates the file meanwhile cannot be enforced; the page above says what happens
        // then.
        #[allow(unsafe_code, reason = "mapping a file is unsafe; this is its one place")]
        let bytes = unsafe { memmap2::Mmap::map(file)? };
        Ok(Map { guard: GuardedRange::new(&bytes), bytes, file: file.try_clone().ok() })
    }

    /// Is the file still as long as it was when it was mapped? Cost: a system call.
    pub(super) fn is_whole(&self) -> bool {
        let metadata = self.file.as_ref().and_then(|file| file.metadata().ok());
        let is_shorter = metadata.is_some_and(|now| now.len() < self.bytes.len() as u64);
        !is_shorter && !self.guard.is_broken()
    }

    /// Asks for the pages of a range at once: one call instead of a fault for every few pages, which workers would
    /// queue for. Where the system cannot, they come one by one as before.
    pub(super) fn populate(&self, range: Range<usize>) {
        #[cfg(target_os = "linux")]
        if let Err(error) =
            self.bytes.advise_range(memmap2::Advice::PopulateRead, range.start, range.len())
        {
            log::trace!("pages are not asked for at once: {error}");
        }
        #[cfg(not(target_os = "linux"))]
        let _ = range;
    }

    /// Gives the pages of a range back that nobody will ask for again, or hardly: each worker its own, where otherwise one
    /// thread would give back all of them at the end. They stay in the system's cache and can still be read. Pages beside the
    /// range go too: a look over its edge has brought them in, perhaps after their own worker had given them back.
    pub(super) fn release(&self, range: Range<usize>) {
        let range = range.start.saturating_sub(NEAR_BYTES)
            ..range.end.saturating_add(NEAR_BYTES).min(self.bytes.len());
        #[cfg(target_os = "linux")]
        {
            let advice = memmap2::UncheckedAdvice::DontNeed;
            // SAFETY: the map is of a file and nobody writes to it: a page that is touched again is the file's page, with the
            // bytes that it had, or, where the guard has put zeros, one of zeros.
            #[allow(unsafe_code, reason = "see above")]
            let released =
                unsafe { self.bytes.unchecked_advise_range(advice, range.start, range.len()) };
            if let Err(error) = released {
                log::trace!("pages are not given back before the end: {error}");
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = range;
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
