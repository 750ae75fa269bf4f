//! zstd headers: where frames and their blocks begin and end. Nothing is decoded here.
//!
//! In: stored bytes. Out: the length of a frame header, of a block, of a whole frame, and the offset of the next frame
//! after invalid bytes.
//!
//! Invariants: safe on any bytes; a size that is read is limited by what the format allows (a block has at most 128
//! KiB), and never decides how much memory is allocated. Cost: headers are read, their contents skipped.
//!
//! Format: RFC 8878, 3.1.1 (frames), 3.1.1.2 (blocks), 3.1.2 (skippable frames).

use super::peek_buffer::PeekBuffer;
use crate::error::Result;
use memchr::memchr2_iter;
use zstd::zstd_safe;

/// RFC 8878, 3.1.1.2.4: neither a block nor its text is longer.
pub(super) const BLOCK_BYTES_MAX: usize = 128 << 10;
/// RFC 8878, 3.1.1.1: magic, descriptor, window, dictionary, content size.
pub(super) const FRAME_HEADER_BYTES_MAX: usize = 18;
/// RFC 8878, 3.1.1.2: the header of a block.
pub(super) const BLOCK_HEADER_BYTES: usize = 3;
/// RFC 8878, 3.1.1: the checksum of a frame that has one.
pub(super) const CHECKSUM_BYTES: usize = 4;
/// RFC 8878, 3.1.2: magic and size of a skippable frame.
const SKIPPABLE_HEADER_BYTES: usize = 8;

/// The end of a frame is searched for up to this many bytes and blocks.
pub(super) const WALK_BYTES_MAX: usize = 16 << 20;
const WALK_BLOCKS_MAX: usize = 1 << 12;

/// How much is searched at once for the next frame.
const SEARCH_BYTES: usize = 256 << 10;

/// RFC 8878, 3.1.1: the magic number of a frame, little-endian.
const FRAME_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// Does `stored` begin with a zstd frame, skippable or not (RFC 8878, 3.1.1 and 3.1.2)?
pub(super) fn is_zstd(stored: &[u8]) -> bool {
    stored.starts_with(&FRAME_MAGIC) || is_skippable(stored)
}

/// Does `stored` begin with a skippable frame: 0x184D2A50 to 0x184D2A5F?
pub(super) fn is_skippable(stored: &[u8]) -> bool {
    matches!(stored, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

/// The stored size of the frame that `stored` begins with.
///
/// `None`: it is damaged, or longer than `stored`. Reads frame and block headers only.
pub(super) fn frame_len(stored: &[u8]) -> Option<usize> {
    zstd_safe::find_frame_compressed_size(stored).ok().filter(|&len| 0 < len && len <= stored.len())
}

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameHeader {
    /// Its length, with the magic number.
    pub(super) len: usize,
    /// A checksum of the text follows the last block.
    pub(super) checksum: bool,
    /// The size of the text, if it is stated.
    pub(super) text_bytes: Option<u64>,
}

impl FrameHeader {
    /// Why a frame with `text_bytes` of text is damaged, if its header states another size. The decoder itself does
    /// not compare them where the last block is empty and the frame was not decoded by one call.
    pub(super) fn size_fault(self, text_bytes: u64) -> Option<String> {
        let stated = self.text_bytes.filter(|&stated| stated != text_bytes)?;
        Some(format!("it has {text_bytes} bytes of text, and its header states {stated}"))
    }
}

/// Reads the header of the frame that `stored` begins with; `None` if it cannot be one.
pub(super) fn frame_header(stored: &[u8]) -> Option<FrameHeader> {
    if !is_zstd(stored) || is_skippable(stored) {
        return None;
    }
    let descriptor = *stored.get(4)?;
    let single_segment = descriptor & 0x20 != 0;
    let reserved = descriptor & 0x08 != 0;
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content = match descriptor >> 6 {
        0 => usize::from(single_segment),
        1 => 2,
        2 => 4,
        _ => 8,
    };
    let len = 5 + usize::from(!single_segment) + dictionary + content;
    let mut size = [0; 8];
    size[..content].copy_from_slice(stored.get(len - content..len)?);
    let size = u64::from_le_bytes(size) + if content == 2 { 256 } else { 0 };
    let text_bytes = (content > 0).then_some(size);
    (!reserved).then_some(FrameHeader { len, checksum: descriptor & 4 != 0, text_bytes })
}

/// The header of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockHeader {
    /// The length of the block, with its header.
    pub(super) len: usize,
    /// It is the last of its frame.
    pub(super) last: bool,
}

/// Reads the header of the block that `stored` begins with; `None` if it cannot be one.
pub(super) fn block_header(stored: &[u8]) -> Option<BlockHeader> {
    let &[a, b, c] = stored.first_chunk()?;
    let bits = u32::from_le_bytes([a, b, c, 0]);
    let (last, kind, size) = (bits & 1 != 0, bits >> 1 & 3, (bits >> 3) as usize);
    let content = if kind == 1 { 1 } else { size };
    (kind != 3 && size <= BLOCK_BYTES_MAX)
        .then_some(BlockHeader { len: BLOCK_HEADER_BYTES + content, last })
}

/// The length of the skippable frame that `stored` begins with.
pub(super) fn skippable_len(stored: &[u8]) -> Option<u64> {
    let size = stored.get(4..)?.first_chunk()?;
    is_skippable(stored)
        .then(|| SKIPPABLE_HEADER_BYTES as u64 + u64::from(u32::from_le_bytes(*size)))
}

/// Can a frame end `at` bytes after the front? The buffer ends there, or a frame begins.
fn is_boundary(buffer: &mut impl PeekBuffer, at: usize) -> Result<bool> {
    let ahead = buffer.peek(at + 4)?;
    Ok(ahead.len() == at || ahead.get(at..).is_some_and(is_zstd))
}

/// The end of the frame whose block begins `at` bytes after the front, if its headers lead to an offset where a frame
/// can end.
pub(super) fn frame_end(
    buffer: &mut impl PeekBuffer,
    mut at: usize,
    checksum: bool,
) -> Result<Option<usize>> {
    let limit = at + WALK_BYTES_MAX;
    for _ in 0..WALK_BLOCKS_MAX {
        let ahead = buffer.peek(at + BLOCK_HEADER_BYTES)?;
        let Some(block) = ahead.get(at..).and_then(block_header) else { return Ok(None) };
        at += block.len;
        if block.last {
            at += if checksum { CHECKSUM_BYTES } else { 0 };
            return Ok(is_boundary(buffer, at)?.then_some(at));
        }
        if at > limit {
            return Ok(None);
        }
    }
    Ok(None)
}

/// The first offset from `from` to [`WALK_BYTES_MAX`] where a frame seems to begin.
pub(super) fn find_frame(buffer: &mut impl PeekBuffer, mut from: usize) -> Result<Option<usize>> {
    loop {
        let ahead = buffer.peek(WALK_BYTES_MAX)?;
        let near = &ahead[..ahead.len().min(WALK_BYTES_MAX)];
        let Some(at) = magic(near, from) else { return Ok(None) };
        if can_be_frame(buffer, at)? {
            return Ok(Some(at));
        }
        from = at + 1;
    }
}

/// The end of the unit that begins at the front: a frame, with the invalid bytes after it; `None` if it is too far
/// away.
pub(super) fn unit_len(buffer: &mut impl PeekBuffer) -> Result<Option<usize>> {
    let ahead = buffer.peek(FRAME_HEADER_BYTES_MAX)?;
    let end = match (skippable_len(ahead), frame_header(ahead)) {
        (Some(len), _) => skippable_end(buffer, len)?,
        (None, Some(header)) => frame_end(buffer, header.len, header.checksum)?,
        (None, None) => None,
    };
    if end.is_some() {
        return Ok(end);
    }
    if let Some(end) = find_frame(buffer, 1)? {
        return Ok(Some(end));
    }
    let rest = buffer.peek(WALK_BYTES_MAX + 1)?.len();
    Ok((rest <= WALK_BYTES_MAX).then_some(rest))
}

/// The end of a skippable frame of this length, if a frame can end there. One that is too long for a check is invalid.
pub(super) fn skippable_end(buffer: &mut impl PeekBuffer, len: u64) -> Result<Option<usize>> {
    match usize::try_from(len).ok().filter(|&len| len <= WALK_BYTES_MAX) {
        Some(len) => Ok(is_boundary(buffer, len)?.then_some(len)),
        None => Ok(None),
    }
}

/// Moves the front of the buffer to the first offset at `from` or after it where a frame seems to begin, or to its end.
/// Returns the distance.
pub(super) fn pass_to_frame(buffer: &mut impl PeekBuffer, mut from: usize) -> Result<u64> {
    let mut passed = 0;
    loop {
        let ahead = buffer.peek(from + SEARCH_BYTES)?;
        let len = ahead.len();
        let at_end = len < from + SEARCH_BYTES;
        if let Some(at) = magic(ahead, from) {
            if can_be_frame(buffer, at)? {
                buffer.consume(at);
                return Ok(passed + at as u64);
            }
            from = at + 1;
            continue;
        }
        // A magic number may begin in the last bytes.
        let seen = if at_end { len } else { len - 3 };
        buffer.consume(seen);
        passed += seen as u64;
        from = 0;
        if at_end {
            return Ok(passed);
        }
    }
}

/// The first magic number at `from` or after it.
fn magic(stored: &[u8], from: usize) -> Option<usize> {
    let after = stored.get(from + 1..)?;
    memchr2_iter(0xB5, 0x2A, after).map(|second| from + second).find(|&at| is_zstd(&stored[at..]))
}

/// Can there be a frame at `at`? Its first headers are valid, and its first block is in the buffer.
fn can_be_frame(buffer: &mut impl PeekBuffer, at: usize) -> Result<bool> {
    let ahead = &buffer.peek(at + FRAME_HEADER_BYTES_MAX + BLOCK_HEADER_BYTES)?;
    let Some(stored) = ahead.get(at..) else { return Ok(false) };
    if let Some(len) = skippable_len(stored) {
        return match usize::try_from(len).ok().filter(|&len| len <= WALK_BYTES_MAX) {
            Some(len) => is_boundary(buffer, at + len),
            None => Ok(false),
        };
    }
    let Some(header) = frame_header(stored) else { return Ok(false) };
    let Some(block) = stored.get(header.len..).and_then(block_header) else { return Ok(false) };
    let end = at + header.len + block.len;
    Ok(buffer.peek(end)?.len() >= end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::peek_buffer::Piped;
    use std::io::{Cursor, Write};
    use std::path::Path;
    use zstd::stream::Encoder;

    fn frame(text: &[u8], checksum: bool, size: bool) -> Vec<u8> {
        let mut encoder = Encoder::new(Vec::new(), 3).unwrap();
        encoder.include_checksum(checksum).unwrap();
        encoder.include_contentsize(size).unwrap();
        encoder.set_pledged_src_size(size.then_some(text.len() as u64)).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn buffer(stored: &[u8]) -> Piped<Cursor<Vec<u8>>> {
        Piped::new(Cursor::new(stored.to_vec()), Path::new("test").into())
    }

    #[test]
    fn headers_lead_to_the_end_of_the_frame() {
        let text: Vec<u8> = (0..400_000u32).flat_map(|i| i.wrapping_mul(i).to_le_bytes()).collect();
        for len in [0, 1, 255, 256, 70_000, 131_072, 131_073, text.len()] {
            for (checksum, size) in [(false, false), (true, false), (false, true), (true, true)] {
                let stored = frame(&text[..len], checksum, size);
                let header = frame_header(&stored).unwrap();
                assert_eq!(header.checksum, checksum);
                let next = [stored.as_slice(), &frame(b"next", false, false)].concat();
                for stored_bytes in [&stored, &next] {
                    let end = frame_end(&mut buffer(stored_bytes), header.len, checksum).unwrap();
                    assert_eq!(end, Some(stored.len()), "{len} {checksum} {size}");
                }
                let end = frame_end(&mut buffer(&stored[..stored.len() - 1]), header.len, checksum);
                assert_eq!(end.unwrap(), None, "cut short");
            }
        }
    }

    #[test]
    fn the_next_frame_is_found_after_any_bytes() {
        let next = frame(b"[Event \"x\"]\n", true, true);
        let skippable = [b"\x50\x2A\x4D\x18\x04\0\0\0abcd".as_slice(), &next].concat();
        // A magic number that begins no frame, and a truncated one.
        let noise = b"\x28\xB5\x2F\xFD\xFF\xFF\xFF\xFF ... \x28\xB5\x2F".as_slice();
        for junk in [0, 1, 100, SEARCH_BYTES - 2, SEARCH_BYTES, 3 * SEARCH_BYTES + 1] {
            for frame in [&next, &skippable] {
                let before = [noise, &vec![7; junk]].concat();
                let stored = [before.as_slice(), frame].concat();
                let passed = pass_to_frame(&mut buffer(&stored), 1).unwrap();
                assert_eq!(passed, before.len() as u64);
            }
        }
        assert_eq!(pass_to_frame(&mut buffer(noise), 0).unwrap(), noise.len() as u64);
    }

    #[test]
    fn magic_numbers() {
        let skippable = [0x5A, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 9, 9];
        assert!(is_zstd(&skippable) && is_skippable(&skippable));
        assert!(is_zstd(b"\x28\xB5\x2F\xFD") && !is_skippable(b"\x28\xB5\x2F\xFD"));
        assert!(!is_zstd(b"[Event") && !is_zstd(b"") && !is_zstd(b"\x28\xB5\x2F"));
    }
}
