//! Peek buffers: stored bytes that can be read before they are consumed.
//!
//! In: a range of a map, or a reader. Out: the bytes from the front on, as many as are requested.
//!
//! Invariants: bytes are returned again until they are consumed; memory is what is requested, not what is stored, so
//! that the caller bounds it. Cost: the bytes of a map are never copied, those of a reader about once.

use super::map::Map;
use crate::error::{Error, Result};
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The least that is read from a reader at once.
const READ_BYTES: usize = 256 << 10;

/// Stored bytes with a front.
pub(super) trait PeekBuffer: Send {
    /// The bytes from the front on: `len` of them or more, fewer only at the end.
    ///
    /// # Errors
    /// What the system refuses.
    fn peek(&mut self, len: usize) -> Result<&[u8]>;

    /// Moves the front by `len` bytes, which were returned.
    fn consume(&mut self, len: usize);
}

/// The bytes of a mapped file.
pub(super) struct Mapped {
    map: Arc<Map>,
    left: Range<usize>,
}

impl Mapped {
    /// The bytes of a range.
    pub(super) fn new(map: Arc<Map>, range: Range<usize>) -> Mapped {
        Mapped { map, left: range }
    }
}

impl PeekBuffer for Mapped {
    fn peek(&mut self, _: usize) -> Result<&[u8]> {
        Ok(&self.map[self.left.clone()])
    }

    fn consume(&mut self, len: usize) {
        self.left.start = (self.left.start + len).min(self.left.end);
    }
}

/// The bytes of a reader.
pub(super) struct Piped<R> {
    reader: R,
    path: Arc<Path>,
    kept: Vec<u8>,
    /// The front, in `kept`.
    front: usize,
    ended: bool,
}

impl<R: Read + Send> Piped<R> {
    /// All bytes of `reader`; `path` is for messages.
    pub(super) fn new(reader: R, path: Arc<Path>) -> Piped<R> {
        Piped { reader, path, kept: Vec::new(), front: 0, ended: false }
    }

    fn read(&mut self, len: usize) -> Result<()> {
        self.kept.drain(..self.front);
        self.front = 0;
        let missing = len.saturating_sub(self.kept.len()).max(READ_BYTES);
        let read = self.reader.by_ref().take(missing as u64).read_to_end(&mut self.kept);
        let read = read.map_err(|error: io::Error| Error::io("read", &self.path, error))?;
        self.ended = read < missing;
        Ok(())
    }
}

impl<R: Read + Send> PeekBuffer for Piped<R> {
    fn peek(&mut self, len: usize) -> Result<&[u8]> {
        if self.kept.len() - self.front < len && !self.ended {
            self.read(len)?;
        }
        Ok(&self.kept[self.front..])
    }

    fn consume(&mut self, len: usize) {
        self.front = (self.front + len).min(self.kept.len());
    }
}

/// Returns the error of a reader again, once, after the bytes that were read before it.
pub(super) struct Failed(pub(super) Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_is_read_as_far_as_requested() {
        let text: Vec<u8> = (0..3 * READ_BYTES).map(|i| i as u8).collect();
        let mut buffer = Piped::new(io::Cursor::new(text.clone()), Path::new("x").into());
        let mut at = 0;
        for step in [1, 7, READ_BYTES, 2 * READ_BYTES, 5] {
            let seen = buffer.peek(step + 3).unwrap();
            let there = (text.len() - at).min(step + 3);
            assert!(seen.len() >= there && text[at..].starts_with(seen), "{at} {step}");
            let step = step.min(seen.len());
            buffer.consume(step);
            at += step;
        }
        assert_eq!(at, text.len());
        assert!(buffer.peek(1).unwrap().is_empty());
    }
}
