//! The memory map: a file's bytes as a slice, or bytes that are in memory already.
//!
//! In: an open file. Out: its bytes, paged in by the system as they are read. The `unsafe` code of mapping is here.
//! Bytes in memory take the same way, so that they are read by all workers too; they do not change.
//!
//! If another program shortens the file while it is mapped, the missing bytes are zeros if the truncation guard is
//! installed, and [`Map::is_whole`] returns false; a file that is rewritten in place (`rsync --inplace`, an editor)
//! gives a mixture of old and new bytes, and a byte that is read twice can have two values. Rust calls that undefined
//! for any `&[u8]`, and no program that maps files can exclude it. What is done about it: nothing relies on a value of
//! a byte that was read before, except within what was copied. So
//!
//! * there is no `str` of mapped bytes: text is bytes, or was checked in its copy (pgnmill-core, `pgn/encoding.rs`);
//! * indexes that were computed from bytes are bounds-checked where they are used;
//! * the vectors of pgnmill-simd load the bytes of a slice whose bounds were checked, and accept any bytes.
//!
//! `tests/program/rewritten.rs` toggles bytes of a text while all commands read it. libzstd reads what it decodes from
//! the map, too; of a compressed file that is rewritten nothing is claimed but what libzstd does with any input.

use super::truncation_guard::GuardedRange;
use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// The system reads so much around a page that is missing.
const NEAR_BYTES: usize = 64 << 10;

/// The bytes of a mapped file, or others.
#[derive(Debug)]
pub(super) struct Map(Stored);

#[derive(Debug)]
enum Stored {
    File(MappedFile),
    Memory(Memory),
}

#[derive(Debug)]
struct MappedFile {
    /// Declared before the map, as it must be dropped first.
    guard: GuardedRange,
    bytes: memmap2::Mmap,
    file: Option<File>,
}

/// Bytes in memory.
struct Memory(Arc<dyn AsRef<[u8]> + Send + Sync>);

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Memory").field(&(*self.0).as_ref().len()).finish()
    }
}

impl Map {
    /// Bytes that are in memory.
    pub(super) fn of_memory(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Map {
        Map(Stored::Memory(Memory(bytes)))
    }

    /// The map, if it is of a file.
    fn mapped(&self) -> Option<&MappedFile> {
        match &self.0 {
            Stored::File(file) => Some(file),
            Stored::Memory(_) => None,
        }
    }

    /// Maps all of `file`; fails for pipes, devices and other files that cannot be mapped.
    pub(super) fn new(file: &File) -> io::Result<Map> {
        // SAFETY: the map is read-only, and no reference into it outlives it. That no program
        // truncates the file meanwhile cannot be enforced; the comment of the file states the
        // effects.
        #[allow(unsafe_code, reason = "mapping a file is unsafe; this is the only file that does")]
        let bytes = unsafe { memmap2::Mmap::map(file)? };
        let guard = GuardedRange::new(&bytes);
        Ok(Map(Stored::File(MappedFile { guard, bytes, file: file.try_clone().ok() })))
    }

    /// Is the file still as long as it was when it was mapped? Cost: a system call.
    pub(super) fn is_whole(&self) -> bool {
        let Some(map) = self.mapped() else { return true };
        let metadata = map.file.as_ref().and_then(|file| file.metadata().ok());
        let is_shorter = metadata.is_some_and(|now| now.len() < map.bytes.len() as u64);
        !is_shorter && !map.guard.is_broken()
    }

    /// Reads the pages of a range in one call, instead of a fault for every few pages, for which workers would queue.
    /// Where the system cannot, pages are read one by one, as those of a short range are.
    pub(super) fn populate(&self, range: Range<usize>) {
        #[cfg(target_os = "linux")]
        if let Some(map) = self.mapped()
            && range.len() >= NEAR_BYTES
            && let Err(error) =
                map.bytes.advise_range(memmap2::Advice::PopulateRead, range.start, range.len())
        {
            log::trace!("pages are not read in one call: {error}");
        }
        #[cfg(not(target_os = "linux"))]
        let _ = range;
    }

    /// Releases the pages of a range that will hardly be read again: each worker its own, where otherwise one thread
    /// would release all of them at the end. They stay in the system's cache and can still be read. Adjacent pages are
    /// released too: a read beyond the edge of the range has mapped them, perhaps after their own worker released them.
    /// A range that is shorter than these is not worth a call, with which all processors update their tables.
    pub(super) fn release(&self, range: Range<usize>) {
        let Some(map) = self.mapped().filter(|_| range.len() >= NEAR_BYTES) else { return };
        let range = range.start.saturating_sub(NEAR_BYTES)
            ..range.end.saturating_add(NEAR_BYTES).min(map.bytes.len());
        #[cfg(target_os = "linux")]
        {
            let advice = memmap2::UncheckedAdvice::DontNeed;
            // SAFETY: the map is of a file and never written: a page that is read again is the page of the file, with
            // the same bytes, or, where the truncation guard has mapped zeros, one of zeros.
            #[allow(unsafe_code, reason = "see above")]
            let released =
                unsafe { map.bytes.unchecked_advise_range(advice, range.start, range.len()) };
            if let Err(error) = released {
                log::trace!("pages are not released before the end: {error}");
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = range;
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Stored::File(map) => &map.bytes,
            Stored::Memory(memory) => (*memory.0).as_ref(),
        }
    }
}

impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        self
    }
}
