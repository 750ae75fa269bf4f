//! Ranged bytes: stored bytes that can be read at any offset, such as a file or an object of an object store.
//!
//! In: an offset and a length. Out: the bytes there. Cost: one call of the source for each read; [`RangeReader`] reads
//! and holds [`READ_BYTES`] at a time.
//!
//! ```
//! use pgnmill_io::archive::RangedBytes;
//! let stored = b"[Event \"a\"]".to_vec();
//! let mut name = [0; 5];
//! stored.read_at(1, &mut name)?;
//! assert_eq!((stored.len(), &name), (11, b"Event"));
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::sync::Arc;

/// Bytes that can be read at any offset, by several threads at once. Their length and contents do not change.
pub trait RangedBytes: Send + Sync {
    /// How many bytes there are.
    fn len(&self) -> u64;

    /// Fills `out` with the bytes from `offset` on; no read goes beyond [`len`](RangedBytes::len).
    ///
    /// # Errors
    /// What the system refuses; [`io::ErrorKind::UnexpectedEof`] where there are too few bytes.
    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()>;

    /// Are many small reads, of some hundred bytes, as cheap as a few large ones? Not those that go over a network.
    fn has_cheap_reads(&self) -> bool {
        true
    }

    /// Is there no byte?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl RangedBytes for [u8] {
    fn len(&self) -> u64 {
        <[u8]>::len(self) as u64
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let begin = usize::try_from(offset).ok();
        let end = begin.and_then(|begin| begin.checked_add(out.len()));
        let bytes = begin.zip(end).and_then(|(begin, end)| self.get(begin..end));
        out.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

impl RangedBytes for Vec<u8> {
    fn len(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.as_slice().read_at(offset, out)
    }
}

/// A file that becomes shorter while it is read gives an error.
impl RangedBytes for File {
    fn len(&self) -> u64 {
        self.metadata().map_or(0, |metadata| metadata.len())
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, out, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, mut offset: u64, mut out: &mut [u8]) -> io::Result<()> {
        while !out.is_empty() {
            let count = std::os::windows::fs::FileExt::seek_read(self, out, offset)?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            offset += count as u64;
            out = &mut out[count..];
        }
        Ok(())
    }
}

impl<T: RangedBytes + ?Sized> RangedBytes for &T {
    fn len(&self) -> u64 {
        (**self).len()
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        (**self).read_at(offset, out)
    }

    fn has_cheap_reads(&self) -> bool {
        (**self).has_cheap_reads()
    }
}

impl<T: RangedBytes + ?Sized> RangedBytes for Arc<T> {
    fn len(&self) -> u64 {
        (**self).len()
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        (**self).read_at(offset, out)
    }

    fn has_cheap_reads(&self) -> bool {
        (**self).has_cheap_reads()
    }
}

impl<T: RangedBytes + ?Sized> RangedBytes for Box<T> {
    fn len(&self) -> u64 {
        (**self).len()
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        (**self).read_at(offset, out)
    }

    fn has_cheap_reads(&self) -> bool {
        (**self).has_cheap_reads()
    }
}

/// A range is read in pieces of this length.
const READ_BYTES: usize = 4 << 20;
/// What follows a range begins with a piece of this length; each is twice as long as the one before.
const NEXT_READ_BYTES: u64 = 128 << 10;
/// Splits that are smaller begin with a piece of their size, or of this length.
const NEXT_READ_BYTES_MIN: u64 = 4 << 10;

/// A sequential reader of a range of bytes.
pub(super) struct RangeReader<S> {
    source: S,
    /// What was not yet requested.
    at: u64,
    end: u64,
    buffer: Vec<u8>,
    /// What of the buffer was consumed.
    used: usize,
    read_bytes: usize,
}

impl<S: RangedBytes> RangeReader<S> {
    /// Reads `begin..end`, which lies within the source.
    pub(super) fn new(source: S, begin: u64, end: u64) -> RangeReader<S> {
        let (at, read_bytes) = (begin, READ_BYTES);
        RangeReader { source, at, end, buffer: Vec::new(), used: 0, read_bytes }
    }

    /// Reads on to `end`, of which little is expected to be needed, after a range of splits of `target_bytes`. Without
    /// effect if that is the end already.
    pub(super) fn extend(&mut self, end: u64, target_bytes: u64) {
        if end > self.end {
            let most = target_bytes.clamp(NEXT_READ_BYTES_MIN, NEXT_READ_BYTES);
            (self.end, self.read_bytes) = (end, most as usize);
        }
    }

    /// Reads at most so many bytes at a time; at least one.
    #[cfg(test)]
    fn at_once(self, read_bytes: usize) -> RangeReader<S> {
        RangeReader { read_bytes, ..self }
    }
}

impl<S: RangedBytes> BufRead for RangeReader<S> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used == self.buffer.len() {
            let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
            self.used = 0;
            self.buffer.resize(left.min(self.read_bytes), 0);
            if let Err(error) = self.source.read_at(self.at, &mut self.buffer) {
                self.buffer.clear();
                return Err(error);
            }
            self.at += self.buffer.len() as u64;
            self.read_bytes = (2 * self.read_bytes).min(READ_BYTES);
        }
        Ok(&self.buffer[self.used..])
    }

    fn consume(&mut self, count: usize) {
        self.used = (self.used + count).min(self.buffer.len());
    }
}

impl<S: RangedBytes> Read for RangeReader<S> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let ready = self.fill_buf()?;
        let count = ready.len().min(out.len());
        out[..count].copy_from_slice(&ready[..count]);
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_gives_the_same_bytes() {
        let bytes: Vec<u8> = (0..=255).collect();
        let path = std::env::temp_dir().join(format!("pgnmill-ranged-{}", std::process::id()));
        std::fs::write(&path, &bytes).unwrap();
        let file = File::open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let shared: Arc<dyn RangedBytes> = Arc::new(bytes.clone());
        let sources: [&dyn RangedBytes; 3] = [&bytes, &file, &shared];
        for source in sources {
            assert_eq!((source.len(), source.is_empty()), (256, false));
            let mut out = [0; 7];
            source.read_at(249, &mut out).unwrap();
            assert_eq!(out, bytes[249..]);
            let error = source.read_at(250, &mut out).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
            assert!(source.read_at(u64::MAX, &mut out).is_err());
            let mut read = Vec::new();
            RangeReader::new(source, 3, 200).at_once(7).read_to_end(&mut read).unwrap();
            assert_eq!(read, bytes[3..200]);
        }
    }
}
