//! Splits of zstd frames: the ranges of whole frames, and the text that a split owns.
//!
//! In: the stored bytes as [`RangedBytes`], a [`Split`]. Out: the ranges, found from the headers of frames and blocks
//! ([`FrameWalk`]); the text from the first game start that is certain in the text of the split's frames to the first
//! one in the text of later frames that another split owns ([`FrameSplit`]).
//!
//! Invariant: a start is searched for in the text of one range alone, never in that of two, so that every split finds
//! the same starts. Cost: frames are decoded in pieces of [`PIECE_BYTES`]; what is held is a piece and the head of a
//! line. Limit: sizes that pzstd and the seekable format store beside the frames are not used; with frames of many
//! small blocks on a remote source the search for frames takes many small reads.

use super::super::inflate::{Inflate, Source, decoder};
use super::super::scanner::Scanner;
use super::super::zstd_headers::{
    BLOCK_HEADER_BYTES, CHECKSUM_BYTES, FRAME_HEADER_BYTES_MAX, block_header, frame_header,
    is_skippable, skippable_len,
};
use super::Split;
use super::ranged::{RangeReader, RangedBytes};
use crate::error::{Error, Result};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Text is searched for starts in pieces of this length.
const PIECE_BYTES: usize = 64 << 10;
/// So much is read at once for headers.
const WINDOW_BYTES: u64 = 4 << 10;

/// The headers of frames and blocks, read in ascending order.
pub(super) struct FrameWalk<S> {
    source: S,
    stored_bytes: u64,
    window: Vec<u8>,
    /// The offset of the window.
    at: u64,
}

impl<S: RangedBytes> FrameWalk<S> {
    /// The frames of a source of so many bytes.
    pub(super) fn new(source: S, stored_bytes: u64) -> FrameWalk<S> {
        FrameWalk { source, stored_bytes, window: Vec::new(), at: 0 }
    }

    /// The end of the range that begins at `begin`, and the number of its frames, skippable ones not counted. The range
    /// has `target_bytes` or more, or is the last. What follows bytes that are no frame is not divided.
    pub(super) fn range(&mut self, begin: u64, target_bytes: u64) -> io::Result<(u64, u64)> {
        let (mut end, mut frames) = (begin, 0);
        while end < self.stored_bytes && end - begin < target_bytes {
            let is_data = !is_skippable(self.header(end, FRAME_HEADER_BYTES_MAX)?);
            let Some(next) = self.frame_end(end)? else {
                return Ok((self.stored_bytes, frames));
            };
            frames += u64::from(is_data);
            end = next;
        }
        Ok((end, frames))
    }

    /// The end of the frame that begins at `begin`; `None` if its headers do not lead to one.
    fn frame_end(&mut self, begin: u64) -> io::Result<Option<u64>> {
        let header = self.header(begin, FRAME_HEADER_BYTES_MAX)?;
        let mut at = match (skippable_len(header), frame_header(header)) {
            (Some(len), _) => return Ok(self.within(begin + len)),
            (None, None) => return Ok(None),
            (None, Some(frame)) => {
                let checksum = if frame.checksum { CHECKSUM_BYTES } else { 0 };
                (begin + frame.len as u64, checksum as u64)
            }
        };
        loop {
            let Some(block) = block_header(self.header(at.0, BLOCK_HEADER_BYTES)?) else {
                return Ok(None);
            };
            at.0 += block.len as u64;
            if block.last {
                return Ok(self.within(at.0 + at.1));
            }
        }
    }

    fn within(&self, end: u64) -> Option<u64> {
        (end <= self.stored_bytes).then_some(end)
    }

    /// The bytes from `at` on: `count` of them or more, fewer only at the end.
    fn header(&mut self, at: u64, count: usize) -> io::Result<&[u8]> {
        if at >= self.stored_bytes {
            return Ok(&[]);
        }
        let end = at.saturating_add(count as u64).min(self.stored_bytes);
        if at < self.at || end > self.at + self.window.len() as u64 {
            let len = (self.stored_bytes - at).min(WINDOW_BYTES);
            self.window.resize(len as usize, 0);
            self.at = at;
            if let Err(error) = self.source.read_at(at, &mut self.window) {
                self.window.clear();
                return Err(error);
            }
        }
        Ok(&self.window[(at - self.at) as usize..])
    }
}

type Reader = RangeReader<Arc<dyn RangedBytes>>;

/// What is done with the text that is decoded.
enum State {
    /// The split's own frames, before the first certain start: the text is dropped.
    Before(Scanner),
    /// The split's own frames: the text is given.
    Own,
    /// The frames of a later split, before its first certain start: the text is given.
    After(Scanner),
    /// There is no more text.
    Ended,
}

/// The text that a split owns.
pub(super) struct FrameSplit {
    source: Arc<dyn RangedBytes>,
    path: Arc<Path>,
    walk: FrameWalk<Arc<dyn RangedBytes>>,
    target_bytes: u64,
    stored_bytes: u64,
    /// The range that is decoded.
    inflate: Option<Inflate<Reader>>,
    /// Its end.
    end: u64,
    state: State,
    /// Decoded text; `given..ready` may be given.
    text: Vec<u8>,
    given: usize,
    ready: usize,
    /// Frames and stored bytes of the ranges before.
    frames: u64,
    stored: u64,
    /// The frames before the split.
    frames_before: u64,
    failure: Option<Error>,
}

impl FrameSplit {
    /// The text of a split; it fits the source.
    pub(super) fn new(
        source: Arc<dyn RangedBytes>,
        path: Arc<Path>,
        split: &Split,
    ) -> Result<FrameSplit> {
        let mut walk = FrameWalk::new(Arc::clone(&source), split.stored_bytes);
        let range = walk.range(split.begin, split.target_bytes);
        let (end, _) = range.map_err(|error| Error::io("read", &path, error))?;
        if end != split.end {
            return Err(Error::wrong_split(path));
        }
        let is_first = split.begin == 0;
        let state = if is_first { State::Own } else { State::Before(Scanner::unknown()) };
        let mut frames = FrameSplit {
            source,
            path,
            walk,
            target_bytes: split.target_bytes,
            stored_bytes: split.stored_bytes,
            inflate: None,
            end,
            state,
            text: Vec::new(),
            given: 0,
            ready: 0,
            frames: 0,
            stored: 0,
            frames_before: split.frames,
            failure: None,
        };
        frames.begin(split.begin)?;
        Ok(frames)
    }

    /// Begins to decode the range from `begin` to `end`.
    fn begin(&mut self, begin: u64) -> Result<()> {
        let ready = match self.inflate.take() {
            None => decoder(&self.path)?,
            Some(inflate) => {
                self.frames += inflate.frames();
                self.stored += inflate.stored();
                inflate.into_decoder()
            }
        };
        let reader = RangeReader::new(Arc::clone(&self.source), begin, self.end);
        self.inflate = Some(Inflate::new(ready, reader, Arc::clone(&self.path), begin)?);
        Ok(())
    }

    /// Begins the range of the next split.
    fn next_range(&mut self) -> Result<()> {
        let begin = self.end;
        if begin >= self.stored_bytes {
            self.state = State::Ended;
            return Ok(());
        }
        let range = self.walk.range(begin, self.target_bytes);
        (self.end, _) = range.map_err(|error| Error::io("read", &self.path, error))?;
        self.state = State::After(Scanner::unknown());
        self.begin(begin)
    }

    /// Decodes a piece and decides how much of the text held may be given.
    fn step(&mut self) -> Result<()> {
        let held = self.text.len();
        let Some(inflate) = &mut self.inflate else { return Ok(()) };
        self.text.resize(held + PIECE_BYTES, 0);
        let added = inflate.fill(&mut self.text[held..]);
        self.text.truncate(held + added.as_ref().map_or(0, |&added| added));
        let frames = self.frames_before + self.frames;
        let at_end = added.map_err(|error| error.after_frames(frames))? == 0;
        match &mut self.state {
            State::Before(_) if at_end => {
                // The split before reads through this one.
                self.text.clear();
                self.state = State::Ended;
            }
            State::Before(scanner) => match scanner.next(&self.text, true) {
                Some(start) => {
                    self.text.drain(..start);
                    self.ready = self.text.len();
                    self.state = State::Own;
                }
                None => {
                    let understood = scanner.understood(self.text.len());
                    scanner.forget(understood);
                    self.text.drain(..understood);
                }
            },
            State::Own | State::After(_) if at_end => {
                self.ready = self.text.len();
                self.next_range()?;
            }
            State::Own => self.ready = self.text.len(),
            State::After(scanner) => match scanner.next(&self.text, true) {
                Some(start) => {
                    self.text.truncate(start);
                    self.ready = start;
                    self.state = State::Ended;
                }
                None => self.ready = scanner.understood(self.text.len()),
            },
            State::Ended => {}
        }
        Ok(())
    }

    /// Removes the text that was given.
    fn forget_given(&mut self) {
        if let State::After(scanner) = &mut self.state {
            scanner.forget(self.given);
        }
        self.text.drain(..self.given);
        (self.ready, self.given) = (self.ready - self.given, 0);
    }
}

impl Source for FrameSplit {
    fn fill(&mut self, out: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        loop {
            let count = (self.ready - self.given).min(out.len() - filled);
            out[filled..filled + count].copy_from_slice(&self.text[self.given..][..count]);
            self.given += count;
            filled += count;
            if filled == out.len() || self.given < self.ready {
                return Ok(filled);
            }
            if let Some(failure) = self.failure.take() {
                if filled == 0 {
                    return Err(failure);
                }
                self.failure = Some(failure);
                return Ok(filled);
            }
            if matches!(self.state, State::Ended) {
                return Ok(filled);
            }
            self.forget_given();
            if let Err(failure) = self.step() {
                // The text held is that of the split's last game, cut by the damage.
                if !matches!(self.state, State::Before(_)) {
                    self.ready = self.text.len();
                }
                self.failure = Some(failure);
            }
        }
    }

    fn stored(&self) -> u64 {
        self.stored + self.inflate.as_ref().map_or(0, |inflate| inflate.stored())
    }

    fn frames(&self) -> u64 {
        self.frames + self.inflate.as_ref().map_or(0, |inflate| inflate.frames())
    }
}
