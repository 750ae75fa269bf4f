//! Splits of zstd frames: where frames end, without decoding them.
//!
//! In: the stored bytes as [`RangedBytes`]. Out: the ranges of whole frames, each of `target_bytes` or more.
//!
//! | the archive stores | reads | source |
//! |---|---|---|
//! | a seek table at its end | two, of the table | zstd seekable format 0.1.0 |
//! | the size of each frame in a skippable frame before it | one per frame, of some bytes | pzstd |
//! | no sizes | one per block, of [`WINDOW_BYTES`] | RFC 8878, 3.1.1.2 |
//!
//! Invariant: a table is used if its sizes and its own length add up to the archive, a size of pzstd if a frame begins
//! where it leads, or the archive ends there. Both can be wrong all the same: what a split decodes is compared with its
//! range. Cost: constant memory, besides the ranges. Limit: a source with expensive reads is divided by stored sizes
//! alone.

use super::super::zstd_headers::{
    BLOCK_HEADER_BYTES, CHECKSUM_BYTES, FRAME_HEADER_BYTES_MAX, block_header, frame_header,
    is_skippable, is_zstd, skippable_len,
};
use super::ranged::{RangeReader, RangedBytes};
use std::io::{self, Read};

/// So much is read at once for the headers of blocks.
const WINDOW_BYTES: u64 = 1 << 10;
/// So much is read at once for a size of pzstd and the header of its frame.
const SIZE_WINDOW_BYTES: u64 = 64;
/// The end of the archive, in which most tables lie.
const TAIL_BYTES: u64 = 64 << 10;

/// Seekable format: the header of the skippable frame, and the footer of the table in it.
const TABLE_HEADER_BYTES: u64 = 8;
const TABLE_FOOTER_BYTES: u64 = 9;
const TABLE_MAGIC: [u8; 4] = 0x184D_2A5E_u32.to_le_bytes();
const FOOTER_MAGIC: [u8; 4] = 0x8F92_EAB1_u32.to_le_bytes();
/// pzstd: a skippable frame of four bytes, which are the stored size of the frame after it.
const SIZE_FRAME_BEGIN: [u8; 8] = [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0];
const SIZE_FRAME_BYTES: u64 = 12;

/// Frames are collected to ranges.
pub(super) struct Ranges {
    target_bytes: u64,
    begin: u64,
    frames: u64,
    /// The end of each range, and the number of its frames, skippable ones not counted.
    pub(super) found: Vec<(u64, u64)>,
}

impl Ranges {
    /// Ranges of `target_bytes` or more, but for the last.
    pub(super) fn new(target_bytes: u64) -> Ranges {
        Ranges { target_bytes, begin: 0, frames: 0, found: Vec::new() }
    }

    /// Adds the frame that ends at `end`.
    fn add(&mut self, end: u64, is_data: bool) {
        self.frames += u64::from(is_data);
        if end - self.begin >= self.target_bytes {
            self.close(end);
        }
    }

    fn close(&mut self, end: u64) {
        self.found.push((end, std::mem::take(&mut self.frames)));
        self.begin = end;
    }

    /// The archive ends at `end`.
    fn finish(mut self, end: u64) -> Ranges {
        if self.begin < end || self.found.is_empty() {
            self.close(end);
        }
        self
    }
}

/// The ranges by the seek table of the archive; `None` if it has none, or one that does not fit.
pub(super) fn by_table(source: &impl RangedBytes, target_bytes: u64) -> io::Result<Option<Ranges>> {
    let stored_bytes = source.len();
    let tail_begin = stored_bytes.saturating_sub(TAIL_BYTES);
    let mut tail = vec![0; (stored_bytes - tail_begin) as usize];
    source.read_at(tail_begin, &mut tail)?;
    let Some(&[a, b, c, d, descriptor, ref magic @ ..]) = tail.last_chunk::<9>() else {
        return Ok(None);
    };
    // Seekable format: bit 7 means checksums, bits 6 to 2 are reserved, bits 1 and 0 are unused.
    if *magic != FOOTER_MAGIC || descriptor & 0x7C != 0 {
        return Ok(None);
    }
    let frames = u64::from(u32::from_le_bytes([a, b, c, d]));
    let entry_bytes = if descriptor & 0x80 != 0 { 12 } else { 8 };
    let content_bytes = frames * entry_bytes + TABLE_FOOTER_BYTES;
    let table_bytes = TABLE_HEADER_BYTES + content_bytes;
    let Some(table) = stored_bytes.checked_sub(table_bytes) else { return Ok(None) };
    let tail_skip = table.checked_sub(tail_begin).map(|skip| skip as usize);
    let mut reader: Box<dyn Read + '_> = match tail_skip {
        Some(skip) => Box::new(&tail[skip..]),
        None => Box::new(RangeReader::new(source, table, stored_bytes)),
    };
    let mut header = [0; TABLE_HEADER_BYTES as usize];
    reader.read_exact(&mut header)?;
    let size = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    if header[..4] != TABLE_MAGIC || u64::from(size) != content_bytes {
        return Ok(None);
    }
    let (mut ranges, mut end) = (Ranges::new(target_bytes), 0);
    let mut entry = [0; 12];
    for _ in 0..frames {
        reader.read_exact(&mut entry[..entry_bytes as usize])?;
        let size = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
        end += u64::from(size);
        if size == 0 || end > table {
            return Ok(None);
        }
        ranges.add(end, true);
    }
    if end != table {
        return Ok(None);
    }
    ranges.add(stored_bytes, false);
    Ok(Some(ranges.finish(stored_bytes)))
}

/// The headers of frames and blocks, read in ascending order.
pub(super) struct FrameWalk<S> {
    source: S,
    stored_bytes: u64,
    window: Vec<u8>,
    /// The offset of the window.
    at: u64,
}

impl<S: RangedBytes> FrameWalk<S> {
    /// The frames of a source.
    pub(super) fn new(source: S) -> FrameWalk<S> {
        let stored_bytes = source.len();
        FrameWalk { source, stored_bytes, window: Vec::new(), at: 0 }
    }

    /// The ranges; `None` if there is a frame without a stored size and reads are expensive. What follows bytes that
    /// are no frame is not divided.
    pub(super) fn ranges(mut self, target_bytes: u64) -> io::Result<Option<Ranges>> {
        let (mut ranges, mut at) = (Ranges::new(target_bytes), 0);
        // Where the frame whose size was stored begins and ends.
        let mut sized = (0, 0);
        while at < self.stored_bytes {
            let header = self.header(at, FRAME_HEADER_BYTES_MAX, SIZE_WINDOW_BYTES)?;
            let is_data = !is_skippable(header);
            let (size, skippable_len) = (size_of_next(header), skippable_len(header));
            let end = if let Some(size) = size {
                let begin = at + SIZE_FRAME_BYTES;
                sized = (begin, begin + size);
                self.within(begin)
            } else if is_data && sized.0 == at && at > 0 && self.is_boundary(sized.1)? {
                Some(sized.1)
            } else if let Some(len) = skippable_len {
                self.within(at + len)
            } else if self.source.has_cheap_reads() {
                self.frame_end(at)?
            } else {
                return Ok(None);
            };
            let Some(end) = end else { break };
            ranges.add(end, is_data);
            at = end;
        }
        Ok(Some(ranges.finish(self.stored_bytes)))
    }

    /// Does the archive end at `end`, or a frame begin there?
    fn is_boundary(&mut self, end: u64) -> io::Result<bool> {
        let window = SIZE_WINDOW_BYTES;
        Ok(end == self.stored_bytes || is_zstd(self.header(end, FRAME_HEADER_BYTES_MAX, window)?))
    }

    /// The end of the data frame that begins at `begin`; `None` if its headers do not lead to one.
    fn frame_end(&mut self, begin: u64) -> io::Result<Option<u64>> {
        let header = self.header(begin, FRAME_HEADER_BYTES_MAX, WINDOW_BYTES)?;
        let Some(frame) = frame_header(header) else { return Ok(None) };
        let checksum_bytes = if frame.checksum { CHECKSUM_BYTES } else { 0 };
        let mut at = begin + frame.len as u64;
        loop {
            let header = self.header(at, BLOCK_HEADER_BYTES, WINDOW_BYTES)?;
            let Some(block) = block_header(header) else { return Ok(None) };
            at += block.len as u64;
            if block.last {
                return Ok(self.within(at + checksum_bytes as u64));
            }
        }
    }

    fn within(&self, end: u64) -> Option<u64> {
        (end <= self.stored_bytes).then_some(end)
    }

    /// The bytes from `at` on: `count` of them or more, fewer only at the end. `window_bytes` are read if they are not
    /// in the window.
    fn header(&mut self, at: u64, count: usize, window_bytes: u64) -> io::Result<&[u8]> {
        if at >= self.stored_bytes {
            return Ok(&[]);
        }
        let end = at.saturating_add(count as u64).min(self.stored_bytes);
        if at < self.at || end > self.at + self.window.len() as u64 {
            self.window.resize((self.stored_bytes - at).min(window_bytes) as usize, 0);
            self.at = at;
            if let Err(error) = self.source.read_at(at, &mut self.window) {
                self.window.clear();
                return Err(error);
            }
        }
        Ok(&self.window[(at - self.at) as usize..])
    }
}

/// The size of the next frame, if a frame begins here that stores it.
fn size_of_next(header: &[u8]) -> Option<u64> {
    let size = header.strip_prefix(&SIZE_FRAME_BEGIN)?.first_chunk()?;
    Some(u64::from(u32::from_le_bytes(*size)))
}
