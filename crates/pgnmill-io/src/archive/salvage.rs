//! Salvage: the text of zstd frames of which some are damaged.
//!
//! In: a [`PeekBuffer`]. Out: the text of every frame that can be decoded, and the [`Damage`] between pieces of text
//! that are not adjacent.
//!
//! * A frame is decoded block by block. Where a block does not decode, or its header is invalid, or the bytes end, the
//!   text before it is returned and the damage begins there.
//! * A frame whose text is not as long as its header states is damaged in its last block.
//! * A frame with a wrong checksum gives no text: the position of the error is unknown. Its text is held until the
//!   checksum was read; of a frame with more than [`HELD_BYTES_MAX`] of text the rest is returned before that.
//! * Decoding continues at the end of the damaged frame, if its headers lead to an offset where a frame can end, else
//!   at the next offset where a frame begins. Both are searched for before the frame is decoded, so that no block of it
//!   reaches into the next frame.
//!
//! Invariants: the text does not depend on how much is requested at once, nor on whether the bytes come from a map or a
//! pipe, nor on which units of an archive are decoded together: the end of a frame is decided by the bytes of the
//! archive alone, as [`unit_len`](super::zstd_headers::unit_len) does; for that, bytes after the last unit are read.
//!
//! Cost: one more copy of the text than plain decoding, and a new decoder whenever the headers of frames differ; used
//! only where damage is skipped.

use super::Container;
use super::damage::Damage;
use super::inflate::{Source, decoder};
use super::peek_buffer::PeekBuffer;
use super::zstd_headers::{
    BLOCK_BYTES_MAX, BLOCK_HEADER_BYTES, CHECKSUM_BYTES, FRAME_HEADER_BYTES_MAX, FrameHeader,
    WALK_BYTES_MAX, block_header, find_frame, frame_end, frame_header, is_skippable, is_zstd,
    pass_to_frame, skippable_end, skippable_len,
};
use crate::error::{Error, Result};
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use zstd::stream::raw::{Decoder, Operation};

/// How much text is held until the checksum of its frame was read.
const HELD_BYTES_MAX: usize = 64 << 20;
/// How much of it a worker holds.
const WORKER_HELD_BYTES_MAX: usize = 16 << 20;
/// The text of a block and its end fit into this.
const OUT_BYTES: usize = BLOCK_BYTES_MAX + 1;

/// The frame that is decoded.
struct OpenFrame {
    header: FrameHeader,
    /// Where it begins in the archive.
    start: u64,
    /// Where it must end, counted from its beginning, if that can be found: where its headers lead, if another frame
    /// begins there; else where the next frame seems to begin.
    limit: Option<usize>,
    /// How much of its text is decoded.
    text_bytes: u64,
    /// Some of its text may have been returned, although its checksum was not read.
    released: bool,
}

/// A source of text that continues after damage.
pub(super) struct Salvage<S> {
    decoder: Decoder<'static>,
    /// The descriptors in the header that the decoder was made for.
    made_for: Option<Vec<u8>>,
    /// For messages.
    path: Arc<Path>,
    buffer: S,
    /// The offset of the buffer's front in the archive: where the current frame begins, if that is not too far back.
    /// And the offset of the first front.
    front: u64,
    begin: u64,
    /// No frame that begins here or later is decoded, although its bytes are read.
    end: u64,
    /// How much after the front is decoded; a block begins there.
    used: usize,
    frame: Option<OpenFrame>,
    /// Frames that have begun, damaged or not.
    frames: u64,
    /// The output of the decoder.
    out: Box<[u8]>,
    /// Decoded text; `given..sure` may be returned.
    text: Vec<u8>,
    given: usize,
    sure: usize,
    /// The damage after the text.
    damage: Option<Damage>,
    ended: bool,
    for_worker: bool,
    gave_up: bool,
}

impl<S: PeekBuffer> Salvage<S> {
    /// Decodes the bytes of `buffer`, which is at `offset` of its archive.
    ///
    /// # Errors
    /// What the decoder refuses when it is set up.
    pub(super) fn new(path: Arc<Path>, buffer: S, offset: u64) -> Result<Salvage<S>> {
        Salvage::of_units(path, buffer, offset..u64::MAX)
    }

    /// Decodes the units of a range of an archive: see [`unit_len`](super::zstd_headers::unit_len). The bytes of
    /// `buffer` begin there and continue to the end of the archive, because the end of a unit can depend on what
    /// follows.
    ///
    /// # Errors
    /// Those of [`new`](Salvage::new).
    pub(super) fn of_units(
        path: Arc<Path>,
        buffer: S,
        Range { start: offset, end }: Range<u64>,
    ) -> Result<Salvage<S>> {
        Ok(Salvage {
            decoder: decoder(&path)?,
            made_for: None,
            path,
            for_worker: false,
            gave_up: false,
            buffer,
            front: offset,
            begin: offset,
            end,
            used: 0,
            frame: None,
            frames: 0,
            out: vec![0; OUT_BYTES].into(),
            text: Vec::new(),
            given: 0,
            sure: 0,
            damage: None,
            ended: false,
        })
    }

    /// For one worker of several: stops where much text would have to be held.
    pub(super) fn for_worker(self) -> Salvage<S> {
        Salvage { for_worker: true, ..self }
    }

    /// Has it ended before the end of the text? That is damaged, or too long for a worker to hold.
    pub(super) fn gave_up(&self) -> bool {
        self.gave_up || self.damage.is_some()
    }

    /// Prepares the decoder for a frame of this header. How it decodes a frame with wrong sizes depends on its buffers,
    /// whose sizes depend on the frames before: on frames with the same descriptors only, so that damage does not
    /// depend on what was decoded before.
    fn ready_decoder(&mut self, header: &[u8]) -> Result<()> {
        if self.made_for.as_ref().is_some_and(|made_for| made_for == header) {
            let ready = self.decoder.reinit();
            return ready.map_err(|error| Error::io("set up a decoder for", &self.path, error));
        }
        if self.made_for.is_some() {
            self.decoder = decoder(&self.path)?;
        }
        self.made_for = Some(header.to_vec());
        Ok(())
    }

    /// Decodes a block, or reads a header.
    fn step(&mut self) -> Result<()> {
        match self.frame {
            None => self.begin_frame(),
            Some(OpenFrame { header, limit, .. }) => self.block(header, limit),
        }
    }

    fn begin_frame(&mut self) -> Result<()> {
        let ahead = self.buffer.peek(FRAME_HEADER_BYTES_MAX)?;
        if ahead.is_empty() || self.front >= self.end {
            self.ended = true;
            return Ok(());
        }
        if let Some(len) = skippable_len(ahead) {
            return self.skip(len);
        }
        if is_skippable(ahead) {
            return self.fail_skippable("it is cut short");
        }
        self.frames += 1;
        let Some(header) = frame_header(ahead) else {
            let why = if is_zstd(ahead) { "its header is none" } else { "no frame begins here" };
            return self.fail(why);
        };
        let mut stored = [0; FRAME_HEADER_BYTES_MAX];
        let stored = &mut stored[..header.len];
        stored.copy_from_slice(&ahead[..header.len]);
        let limit = match frame_end(&mut self.buffer, header.len, header.checksum)? {
            Some(end) => Some(end),
            None => find_frame(&mut self.buffer, 1)?,
        };
        // From here on damage ends there, also that of a header that the decoder rejects.
        self.frame =
            Some(OpenFrame { header, start: self.front, limit, text_bytes: 0, released: false });
        self.ready_decoder(stored)?;
        let begun = feed(&mut self.decoder, &mut self.out, &mut self.text, stored);
        if let Err(error) = begun {
            return self.fail(&error.to_string());
        }
        self.used = header.len;
        Ok(())
    }

    /// Skips a skippable frame.
    fn skip(&mut self, len: u64) -> Result<()> {
        if let Some(end) = skippable_end(&mut self.buffer, len)? {
            self.pass(end);
            return Ok(());
        }
        self.fail_skippable("a skippable frame lies about its size")
    }

    /// A skippable frame is not counted: its damage has the number of the frame that comes next.
    fn fail_skippable(&mut self, why: &str) -> Result<()> {
        self.frames += 1;
        let result = self.fail(why);
        self.frames -= 1;
        result
    }

    fn block(&mut self, frame: FrameHeader, limit: Option<usize>) -> Result<()> {
        let at = self.used;
        let limit_or_all = limit.unwrap_or(usize::MAX);
        let ahead = self.buffer.peek(at + BLOCK_HEADER_BYTES)?;
        let ahead = &ahead[..ahead.len().min(limit_or_all)];
        let Some(header) = ahead.get(at..).and_then(block_header) else {
            let cut = ahead.len() < at + BLOCK_HEADER_BYTES;
            return self.fail(if cut { "it is cut short" } else { "a block lies about its size" });
        };
        let checksum = if header.last && frame.checksum { CHECKSUM_BYTES } else { 0 };
        let end = at + header.len + checksum;
        let ahead = self.buffer.peek(end)?;
        let ahead = &ahead[..ahead.len().min(limit_or_all)];
        let Some(block) = ahead.get(at..at + header.len) else {
            return self.fail("it is cut short");
        };
        let before = self.text.len();
        let decoded = feed(&mut self.decoder, &mut self.out, &mut self.text, block);
        if let Err(error) = decoded {
            return self.fail(&error.to_string());
        }
        self.used += header.len;
        let decoded_bytes = (self.text.len() - before) as u64;
        self.frame.iter_mut().for_each(|frame| frame.text_bytes += decoded_bytes);
        if !header.last {
            let held_max = if self.for_worker { WORKER_HELD_BYTES_MAX } else { HELD_BYTES_MAX };
            let is_too_much = self.text.len() - self.given > held_max;
            if frame.checksum && is_too_much && self.for_worker {
                (self.gave_up, self.ended) = (true, true);
            } else if !frame.checksum || is_too_much {
                self.sure = self.text.len();
                self.frame.iter_mut().for_each(|frame| frame.released = true);
            }
            if self.used > WALK_BYTES_MAX && limit.is_none() {
                self.pass(self.used);
                self.used = 0;
            }
            return Ok(());
        }
        let Some(checksum) = ahead.get(at + header.len..end) else {
            return self.fail("it is cut short");
        };
        if !checksum.is_empty()
            && let Err(error) = feed(&mut self.decoder, &mut self.out, &mut self.text, checksum)
        {
            return self.distrust(&error.to_string());
        }
        self.sure = self.text.len();
        let text_bytes = self.frame.as_ref().map_or(0, |frame| frame.text_bytes);
        if let Some(why) = frame.size_fault(text_bytes) {
            return self.damaged(self.front + at as u64, why);
        }
        self.pass(end);
        self.used = 0;
        self.frame = None;
        Ok(())
    }

    fn pass(&mut self, len: usize) {
        self.buffer.consume(len);
        self.front += len as u64;
    }

    /// The checksum is wrong: the text of the frame differs somewhere from what was compressed.
    fn distrust(&mut self, why: &str) -> Result<()> {
        self.text.truncate(self.sure);
        let frame = self.frame.as_ref();
        let start = frame.map_or(self.front, |frame| frame.start);
        let why = if frame.is_some_and(|frame| frame.released) {
            format!("{why}; the text that was read before may be wrong")
        } else {
            format!("{why}; none of its text is read")
        };
        self.damaged(start, why)
    }

    /// The bytes from `used` on cannot be read.
    fn fail(&mut self, why: &str) -> Result<()> {
        self.sure = self.text.len();
        self.damaged(self.front + self.used as u64, why.to_string())
    }

    /// Continues where the next frame begins.
    fn damaged(&mut self, start: u64, why: String) -> Result<()> {
        match self.frame.take().and_then(|frame| frame.limit) {
            Some(end) => self.pass(end),
            None => {
                let from = self.used.max(1);
                self.front += pass_to_frame(&mut self.buffer, from)?;
            }
        }
        self.used = 0;
        // Another frame can seem to begin within the header of this one.
        let stored = start.min(self.front)..self.front;
        self.damage = Some(Damage { container: Container::Zstd, stored, frame: self.frames, why });
        Ok(())
    }
}

/// Decodes `stored`, a whole header or block, to the end of `text`.
fn feed(
    decoder: &mut Decoder<'static>,
    out: &mut [u8],
    text: &mut Vec<u8>,
    mut stored: &[u8],
) -> io::Result<()> {
    loop {
        let status = decoder.run_on_buffers(stored, out)?;
        text.extend_from_slice(&out[..status.bytes_written]);
        stored = &stored[status.bytes_read..];
        if stored.is_empty() && status.bytes_written < out.len() {
            return Ok(());
        }
        if status.bytes_read == 0 && status.bytes_written == 0 {
            return Err(io::Error::other("the decoder takes no more"));
        }
    }
}

impl<S: PeekBuffer> Source for Salvage<S> {
    fn fill(&mut self, out: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        loop {
            let count = (self.sure - self.given).min(out.len() - filled);
            out[filled..filled + count].copy_from_slice(&self.text[self.given..][..count]);
            self.given += count;
            filled += count;
            if self.given == self.text.len() {
                self.text.clear();
                (self.given, self.sure) = (0, 0);
            }
            if filled == out.len() || self.ended || self.damage.is_some() && self.sure == self.given
            {
                return Ok(filled);
            }
            if self.damage.is_none() {
                self.step()?;
            }
        }
    }

    fn stored(&self) -> u64 {
        self.front + self.used as u64 - self.begin
    }

    fn damage(&mut self) -> Option<Damage> {
        self.damage.take()
    }

    fn frames(&self) -> u64 {
        self.frames
    }
}

impl<S> fmt::Debug for Salvage<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Salvage").field("front", &self.front).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "salvage_tests.rs"]
mod tests;
