//! Sources: stored bytes become text, a piece at a time.
//!
//! In: a reader, or a slice of a map. Out: decoded text, as much as was requested, and errors that name the frame.
//! Frames follow each other, skippable ones are skipped, and a source that ends within a frame is an error.
//!
//! Invariants: text that was decoded before an error is returned before the error, except for what the call with the
//! error had decoded itself (salvage returns that too); a window of up to 2 GiB (`zstd --long=31`) is accepted; memory
//! is the window, not the frame.
//!
//! Cost: one pass; a mapped source is decoded without copying its stored bytes.

use super::damage::Damage;
use super::zstd_headers::{FRAME_HEADER_BYTES_MAX, frame_header};
use crate::error::{Error, Result};
use arrayvec::ArrayVec;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use zstd::stream::raw::{Decoder, Operation};
use zstd::zstd_safe;

/// The largest window accepted, as a power of two: the format's reference decoder goes no further.
const WINDOW_LOG_MAX: u32 = 31;

/// A source of text.
pub(super) trait Source: Send {
    /// Fills `out` from the front and returns how many bytes were filled: 0 at the end of the text.
    ///
    /// # Errors
    /// What the system or the decoder refuses, after the text before it was returned.
    fn fill(&mut self, out: &mut [u8]) -> Result<usize>;

    /// How many stored bytes have been consumed.
    fn stored(&self) -> u64;

    /// After `fill` has returned 0: the damage there, after which text may follow; `None` at the end of the text.
    fn damage(&mut self) -> Option<Damage> {
        None
    }

    /// How many frames have begun, skippable ones not counted.
    fn frames(&self) -> u64 {
        0
    }
}

/// A source of text that is stored as it is.
pub(super) struct Plain<R> {
    reader: R,
    path: Arc<Path>,
    stored: u64,
    failure: Option<Error>,
}

impl<R: Read + Send> Plain<R> {
    /// Reads from `reader`; `path` is for messages.
    pub(super) fn new(reader: R, path: Arc<Path>) -> Plain<R> {
        Plain { reader, path, stored: 0, failure: None }
    }
}

impl<R: Read + Send> Source for Plain<R> {
    fn fill(&mut self, out: &mut [u8]) -> Result<usize> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let mut filled = 0;
        while filled < out.len() {
            match self.reader.read(&mut out[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(Error::io("read", &self.path, error));
                    break;
                }
            }
        }
        self.stored += filled as u64;
        if filled == 0
            && let Some(failure) = self.failure.take()
        {
            return Err(failure);
        }
        Ok(filled)
    }

    fn stored(&self) -> u64 {
        self.stored
    }
}

/// A source of text that is stored in zstd frames.
pub(super) struct Inflate<R> {
    decoder: Decoder<'static>,
    reader: R,
    path: Arc<Path>,
    /// The range of the stored bytes that were consumed.
    stored: Range<u64>,
    /// Where the current frame begins.
    frame: u64,
    within_frame: bool,
    /// Frames that have begun, skippable ones not counted.
    frames: u64,
    /// The frame that is decoded was counted; one that may be skippable is not.
    counted: bool,
    /// The first bytes of the frame that is decoded, and how much of its text is.
    head: ArrayVec<u8, FRAME_HEADER_BYTES_MAX>,
    text_bytes: u64,
    /// The first end of a frame at this stored byte or after it ends the text, until another is set.
    pause_from: u64,
    /// The reader has ended within a frame.
    is_cut: bool,
    failure: Option<Error>,
}

impl<R: BufRead + Send> Inflate<R> {
    /// Decodes the bytes of `reader`, which is at `offset` of the file `path`, with a decoder of [`decoder`].
    pub(super) fn new(
        mut decoder: Decoder<'static>,
        reader: R,
        path: Arc<Path>,
        offset: u64,
    ) -> Result<Inflate<R>> {
        decoder.reinit().map_err(|error| Error::io("set up a decoder for", &path, error))?;
        let stored = offset..offset;
        Ok(Inflate {
            decoder,
            reader,
            path,
            stored,
            frame: offset,
            within_frame: false,
            frames: 0,
            counted: false,
            head: ArrayVec::new(),
            text_bytes: 0,
            pause_from: u64::MAX,
            is_cut: false,
            failure: None,
        })
    }

    /// The error of a damaged frame. One that was not counted, skippable or only similar to that, has the number that
    /// the next frame would have, as in salvage.
    fn damaged(&self, detail: impl fmt::Display) -> Error {
        let number = self.frames + u64::from(!self.counted);
        Error::damaged(&self.path, self.frame, number, detail)
    }

    /// The text ends with the first frame that ends at stored byte `offset` or after it; more follows when a later
    /// offset is set.
    pub(super) fn pause_from(&mut self, offset: u64) {
        self.pause_from = offset;
    }

    /// The stored byte after those that were decoded.
    pub(super) fn offset(&self) -> u64 {
        self.stored.end
    }

    /// Has the reader ended within a frame?
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The reader, which may be changed after what was read from it.
    pub(super) fn reader(&mut self) -> &mut R {
        &mut self.reader
    }

    /// Returns the decoder, to be reused.
    pub(super) fn into_decoder(self) -> Decoder<'static> {
        self.decoder
    }

    /// Decodes some more; `None` at the end.
    fn step(&mut self, out: &mut [u8]) -> Result<Option<usize>> {
        if !self.within_frame && self.stored.end >= self.pause_from {
            return Ok(None);
        }
        let input = loop {
            match self.reader.fill_buf() {
                Ok(_) => break self.reader.fill_buf(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        let input = input.map_err(|error| Error::io("read", &self.path, error))?;
        let at_end = input.is_empty();
        if at_end && !self.within_frame {
            return Ok(None);
        }
        if !self.within_frame {
            // The first byte differs between data and skippable frames.
            self.counted = !matches!(input, [0x50..=0x5F, ..]);
            self.frames += u64::from(self.counted);
            self.within_frame = true;
            self.head.clear();
            self.text_bytes = 0;
        }
        let status = match self.decoder.run_on_buffers(input, out) {
            Ok(status) => status,
            Err(error) => return Err(self.damaged(error)),
        };
        let head = input[..status.bytes_read].iter().take(self.head.remaining_capacity());
        self.head.extend(head.copied());
        self.text_bytes += status.bytes_written as u64;
        self.reader.consume(status.bytes_read);
        self.stored.end += status.bytes_read as u64;
        self.within_frame = status.remaining != 0;
        if !self.within_frame {
            let header = frame_header(&self.head);
            if let Some(why) = header.and_then(|header| header.size_fault(self.text_bytes)) {
                return Err(self.damaged(why));
            }
            self.frame = self.stored.end;
        } else if at_end && status.bytes_written == 0 {
            self.is_cut = true;
            return Err(self.damaged("it is cut short"));
        }
        Ok(Some(status.bytes_written))
    }
}

impl<R: BufRead + Send> Source for Inflate<R> {
    fn fill(&mut self, out: &mut [u8]) -> Result<usize> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let mut filled = 0;
        while filled < out.len() {
            match self.step(&mut out[filled..]) {
                Ok(Some(count)) => filled += count,
                Ok(None) => break,
                Err(failure) if filled == 0 => return Err(failure),
                Err(failure) => {
                    self.failure = Some(failure);
                    break;
                }
            }
        }
        Ok(filled)
    }

    fn stored(&self) -> u64 {
        self.stored.end - self.stored.start
    }

    fn frames(&self) -> u64 {
        self.frames
    }
}

/// A decoder that accepts every window the format's reference decoder does.
pub(super) fn decoder(path: &Path) -> Result<Decoder<'static>> {
    let make = || {
        let mut decoder = Decoder::new()?;
        decoder.set_parameter(zstd_safe::DParameter::WindowLogMax(WINDOW_LOG_MAX))?;
        Ok(decoder)
    };
    make().map_err(|error| Error::io("set up a decoder for", path, error))
}

impl<R> fmt::Debug for Plain<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plain").field("stored", &self.stored).finish_non_exhaustive()
    }
}

impl<R> fmt::Debug for Inflate<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inflate").field("stored", &self.stored).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::zstd_headers::frame_len;
    use crate::error::ErrorKind;

    fn frames() -> Vec<u8> {
        let mut stored = Vec::new();
        for text in ["one ", "", "two "] {
            stored.extend([0x5A, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 9, 9]);
            stored.extend(zstd::bulk::compress(text.as_bytes(), 3).unwrap());
        }
        stored.extend([0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0]);
        stored
    }

    fn inflate(stored: &[u8], piece: usize) -> (Vec<u8>, Option<Error>) {
        let path: Arc<Path> = Path::new("test").into();
        let reader = io::BufReader::with_capacity(piece, stored);
        let mut source = Inflate::new(decoder(&path).unwrap(), reader, path, 100).unwrap();
        let mut text = Vec::new();
        let mut out = vec![0; piece];
        loop {
            match source.fill(&mut out) {
                Ok(0) => {
                    assert_eq!(source.stored(), stored.len() as u64);
                    return (text, None);
                }
                Ok(count) => text.extend_from_slice(&out[..count]),
                Err(error) => return (text, Some(error)),
            }
        }
    }

    #[test]
    fn frames_follow_each_other_and_skippable_ones_are_skipped() {
        for piece in [1, 2, 3, 7, 4096] {
            let (text, error) = inflate(&frames(), piece);
            assert_eq!(text, b"one two ");
            assert!(error.is_none(), "{error:?}");
        }
    }

    #[test]
    fn a_source_that_stops_within_a_frame_is_an_error() {
        let stored = frames();
        let boundaries: Vec<usize> =
            std::iter::successors(Some(0), |&at| frame_len(&stored[at..]).map(|len| at + len))
                .collect();
        assert_eq!(boundaries.len(), 8);
        for len in 0..stored.len() {
            for piece in [1, 4096] {
                let (_, error) = inflate(&stored[..len], piece);
                if boundaries.contains(&len) {
                    assert!(error.is_none(), "{len}: {error:?}");
                    continue;
                }
                let frame = boundaries.iter().filter(|&&at| at < len).max().unwrap();
                let error = error.expect("cut short");
                let ErrorKind::Damaged { stored_offset, .. } = error.kind() else {
                    panic!("{error}")
                };
                assert_eq!(*stored_offset, 100 + *frame as u64, "{len} {error}");
            }
        }
    }

    #[test]
    fn text_before_the_damage_is_returned() {
        let mut stored = frames();
        stored.extend_from_slice(b"this is no frame");
        let (text, error) = inflate(&stored, 4096);
        assert_eq!(text, b"one two ");
        assert!(error.is_some());
    }

    #[test]
    fn a_window_of_two_gibibytes_is_accepted() {
        // RFC 8878, 3.1.1.1.2: exponent 21, no mantissa; then one raw block, the last, of 5 bytes.
        let stored = b"\x28\xB5\x2F\xFD\x00\xA8\x29\0\0hello";
        let (text, error) = inflate(stored, 4096);
        assert_eq!((text.as_slice(), error.is_none()), (&b"hello"[..], true));
    }
}
