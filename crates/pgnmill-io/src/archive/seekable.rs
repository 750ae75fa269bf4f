//! Writing archives as independent zstd frames of whole games, in the zstd seekable format.
//!
//! In: text in order, with the offsets where games end. Out: the text of each frame ([`Cutter`]), the frame
//! ([`FrameEncoder`]), and the table of all frames for the end of the file ([`SeekTable`]). Any zstd decoder reads the
//! result; one that supports the format finds any game without decoding the text before it.
//!
//! Invariants: frames depend on the text, its game ends and the level alone, not on the pieces in which the text
//! arrives: the file is the same for any number of threads.
//!
//! Cost: the cutter copies nothing; a frame is compressed in one call, or, at the levels that take long, in pieces
//! between which it can be given up.
//!
//! Format: "Zstandard Seekable Format", version 0.1.0, in the reference implementation's
//! `contrib/seekable_format`.
//!
//! ```
//! use pgnmill_io::archive::seekable::{Cutter, FrameEncoder, SeekTable};
//! let mut cutter = Cutter::new();
//! let mut cuts = Vec::new();
//! cutter.push(b"[Event \"a\"]\n\n*\n".to_vec(), &[15], &mut cuts);
//! cuts.extend(cutter.finish());
//!
//! let (mut encoder, mut table, mut file) = (FrameEncoder::new(3)?, SeekTable::new(), Vec::new());
//! for slices in cuts {
//!     let frame = encoder.encode(&slices)?;
//!     table.push(&frame);
//!     file.extend_from_slice(&frame.stored);
//! }
//! file.extend_from_slice(&table.to_bytes());
//! assert_eq!(zstd::decode_all(&file[..])?, b"[Event \"a\"]\n\n*\n");
//! # Ok::<(), std::io::Error>(())
//! ```

use pgnmill_state::{Loader, State, state};
use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use zstd::bulk::Compressor;
use zstd::zstd_safe::zstd_sys::ZSTD_EndDirective;
use zstd::zstd_safe::{
    CParameter, InBuffer, OutBuffer, ResetDirective, compress_bound, get_error_name,
};

/// A frame ends with the first game that makes its text this long, in bytes.
pub const FRAME_TEXT_BYTES: usize = 2 << 20;
/// A frame with a text of this length ends within the game.
pub const FRAME_TEXT_BYTES_LIMIT: usize = 32 << 20;

/// The lowest level whose frames take so long that the wish to stop does not wait for them: 16 MB/s and less.
const SLOW_LEVEL: i32 = 13;
/// The text after which a slow frame can be given up, in bytes: some 0.05 s at level 19.
const SLOW_PIECE_BYTES: usize = 128 << 10;

/// Skippable frame magic 0x184D2A5E and seek table footer magic 0x8F92EAB1, little-endian.
const SEEK_TABLE_MAGIC: [u8; 4] = 0x184D_2A5E_u32.to_le_bytes();
const FOOTER_MAGIC: [u8; 4] = 0x8F92_EAB1_u32.to_le_bytes();
/// The most frames that the format allows (`ZSTD_SEEKABLE_MAXFRAMES`).
const FRAMES_MAX: usize = 0x800_0000;

/// A part of a shared piece of text.
#[derive(Debug, Clone)]
pub struct Slice {
    text: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl AsRef<[u8]> for Slice {
    fn as_ref(&self) -> &[u8] {
        &self.text[self.range.clone()]
    }
}

impl From<Vec<u8>> for Slice {
    fn from(text: Vec<u8>) -> Slice {
        Slice { range: 0..text.len(), text: Arc::new(text) }
    }
}

/// Divides a text into frames.
#[derive(Debug)]
pub struct Cutter {
    slices: Vec<Slice>,
    /// The length of the text of `slices`.
    text_bytes: usize,
    frame_text_bytes: usize,
    limit: usize,
}

impl State for Cutter {
    fn save(&self, out: &mut Vec<u8>) {
        (self.frame_text_bytes, self.limit).save(out);
        self.text_bytes.save(out);
        self.slices.iter().for_each(|slice| out.extend_from_slice(slice.as_ref()));
    }

    fn load(from: &mut Loader<'_>) -> Option<Cutter> {
        let (frame_text_bytes, limit) = from.value()?;
        let text: Vec<u8> = from.value()?;
        let text_bytes = text.len();
        let slices = if text_bytes > 0 { vec![Slice::from(text)] } else { Vec::new() };
        Some(Cutter { slices, text_bytes, frame_text_bytes, limit })
    }
}

impl Default for Cutter {
    fn default() -> Cutter {
        Cutter::new()
    }
}

impl Cutter {
    /// A cutter at the beginning of a file.
    pub fn new() -> Cutter {
        Cutter::with_sizes(FRAME_TEXT_BYTES, FRAME_TEXT_BYTES_LIMIT)
    }

    /// A cutter for frames of other sizes. The bytes of the file depend on them.
    pub fn with_sizes(frame_text_bytes: usize, limit: usize) -> Cutter {
        let frame_text_bytes = frame_text_bytes.max(1);
        let limit = limit.clamp(frame_text_bytes, u32::MAX as usize);
        Cutter { slices: Vec::new(), text_bytes: 0, frame_text_bytes, limit }
    }

    /// Adds a piece of text and appends to `frames` those that are complete.
    ///
    /// `game_ends`: the offsets in `piece`, ascending, of the first byte after each game that ends
    /// in it.
    ///
    /// # Panics
    /// If a game ends outside the piece, or before another.
    pub fn push(&mut self, piece: Vec<u8>, game_ends: &[u64], frames: &mut Vec<Vec<Slice>>) {
        let text = Arc::new(piece);
        let mut at = 0;
        for end in game_ends.iter().map(|&end| end as usize) {
            assert!(at <= end && end <= text.len(), "game ends ascend within their piece");
            self.add(&text, &mut at, end, frames);
            if self.text_bytes >= self.frame_text_bytes {
                frames.extend(self.finish());
            }
        }
        self.add(&text, &mut at, text.len(), frames);
    }

    /// Adds `at..end` of `text`, in which no game ends before `end`.
    fn add(
        &mut self,
        text: &Arc<Vec<u8>>,
        at: &mut usize,
        end: usize,
        frames: &mut Vec<Vec<Slice>>,
    ) {
        while *at < end {
            if self.text_bytes == self.limit {
                frames.extend(self.finish());
            }
            let len = (end - *at).min(self.limit - self.text_bytes);
            let range = *at..*at + len;
            *at = range.end;
            self.text_bytes += len;
            match self.slices.last_mut() {
                Some(last) if Arc::ptr_eq(&last.text, text) => last.range.end = range.end,
                _ => self.slices.push(Slice { text: Arc::clone(text), range }),
            }
        }
    }

    /// The last frame, if text is left; the cutter can then begin another file.
    pub fn finish(&mut self) -> Option<Vec<Slice>> {
        self.text_bytes = 0;
        let slices = std::mem::take(&mut self.slices);
        (!slices.is_empty()).then_some(slices)
    }
}

/// A frame as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedFrame {
    /// The stored bytes.
    pub stored: Vec<u8>,
    /// The length of their text.
    pub text_bytes: usize,
}

/// Compresses frames, each with its content size and a checksum.
pub struct FrameEncoder {
    level: i32,
    compressor: Compressor<'static>,
    /// Slices joined.
    text: Vec<u8>,
}

impl fmt::Debug for FrameEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameEncoder").finish_non_exhaustive()
    }
}

impl FrameEncoder {
    /// An encoder with a zstd compression level.
    ///
    /// # Errors
    /// What the compressor refuses.
    pub fn new(level: i32) -> io::Result<FrameEncoder> {
        let mut compressor = Compressor::new(level)?;
        compressor.set_parameter(CParameter::ChecksumFlag(true))?;
        compressor.set_parameter(CParameter::ContentSizeFlag(true))?;
        Ok(FrameEncoder { level, compressor, text: Vec::new() })
    }

    /// Compresses the slices, joined, to one frame.
    ///
    /// # Errors
    /// What the compressor refuses, such as for lack of memory.
    pub fn encode<S: AsRef<[u8]>>(&mut self, slices: &[S]) -> io::Result<EncodedFrame> {
        let frame = self.encode_unless(|| false, slices)?;
        Ok(frame.expect("it is given up only if that is wished"))
    }

    /// Encodes a frame, as [`Self::encode`]; `None` if it was given up, since `is_stopped`.
    ///
    /// # Errors
    /// What the compressor refuses, such as for lack of memory.
    pub fn encode_unless<S: AsRef<[u8]>>(
        &mut self,
        is_stopped: impl Fn() -> bool,
        slices: &[S],
    ) -> io::Result<Option<EncodedFrame>> {
        let FrameEncoder { level, compressor, text } = self;
        let text = if let [slice] = slices {
            slice.as_ref()
        } else {
            text.clear();
            slices.iter().for_each(|slice| text.extend_from_slice(slice.as_ref()));
            text
        };
        let mut stored = Vec::with_capacity(compress_bound(text.len()));
        if *level < SLOW_LEVEL {
            compressor.compress_to_buffer(text, &mut stored)?;
        } else if !compress_in_pieces(compressor, text, &mut stored, is_stopped)? {
            return Ok(None);
        }
        stored.shrink_to_fit();
        Ok(Some(EncodedFrame { stored, text_bytes: text.len() }))
    }
}

/// Compresses `text` to a frame, for which `stored` has the capacity; returns whether it was not given up.
fn compress_in_pieces(
    compressor: &mut Compressor<'_>,
    text: &[u8],
    stored: &mut Vec<u8>,
    is_stopped: impl Fn() -> bool,
) -> io::Result<bool> {
    let refused = |code| io::Error::other(get_error_name(code));
    let context = compressor.context_mut();
    context.reset(ResetDirective::SessionOnly).map_err(refused)?;
    context.set_pledged_src_size(Some(text.len() as u64)).map_err(refused)?;
    let mut out = OutBuffer::around(stored);
    for piece in text.chunks(SLOW_PIECE_BYTES) {
        if is_stopped() {
            return Ok(false);
        }
        let mut piece = InBuffer::around(piece);
        while piece.pos() < piece.src.len() {
            let more = ZSTD_EndDirective::ZSTD_e_continue;
            context.compress_stream2(&mut out, &mut piece, more).map_err(refused)?;
        }
    }
    let (mut nothing, end) = (InBuffer::around(&[]), ZSTD_EndDirective::ZSTD_e_end);
    while context.compress_stream2(&mut out, &mut nothing, end).map_err(refused)? > 0 {}
    Ok(true)
}

/// The table of a file's frames, to be written after the last one.
#[derive(Debug, Clone, Default)]
pub struct SeekTable {
    entries: Vec<u8>,
    frames: usize,
    overflow: bool,
}

state!(SeekTable { entries, frames, overflow });

impl SeekTable {
    /// A table of no frames.
    pub fn new() -> SeekTable {
        SeekTable::default()
    }

    /// Adds the frame that was written last.
    pub fn push(&mut self, frame: &EncodedFrame) {
        self.push_sizes(frame.stored.len(), frame.text_bytes);
    }

    /// Adds a frame by its stored and its decoded size.
    pub fn push_sizes(&mut self, stored_bytes: usize, text_bytes: usize) {
        match (u32::try_from(stored_bytes), u32::try_from(text_bytes)) {
            (Ok(stored), Ok(text)) if self.frames < FRAMES_MAX => {
                self.entries.extend_from_slice(&stored.to_le_bytes());
                self.entries.extend_from_slice(&text.to_le_bytes());
                self.frames += 1;
            }
            _ => self.overflow = true,
        }
    }

    /// The table as it is stored: a skippable frame with two sizes per frame and a footer.
    ///
    /// Empty if the file is too long for the format (hundreds of terabytes): it is then a plain sequence of frames,
    /// which any decoder reads as well.
    pub fn to_bytes(&self) -> Vec<u8> {
        if self.overflow {
            return Vec::new();
        }
        let footer_bytes = 9;
        let mut bytes = Vec::with_capacity(8 + self.entries.len() + footer_bytes);
        bytes.extend_from_slice(&SEEK_TABLE_MAGIC);
        bytes.extend_from_slice(&((self.entries.len() + footer_bytes) as u32).to_le_bytes());
        bytes.extend_from_slice(&self.entries);
        bytes.extend_from_slice(&(self.frames as u32).to_le_bytes());
        bytes.push(0); // descriptor: no checksums in the table, each frame has its own
        bytes.extend_from_slice(&FOOTER_MAGIC);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(frames: &[Vec<Slice>]) -> Vec<Vec<u8>> {
        frames
            .iter()
            .map(|slices| slices.iter().flat_map(|slice| slice.as_ref().to_vec()).collect())
            .collect()
    }

    #[test]
    fn cuts_do_not_depend_on_the_pieces() {
        let text: Vec<u8> = (0..200).collect();
        let ends = [3, 10, 11, 25, 60, 61, 62, 150, 163, 200];
        let mut expected = None;
        for piece in [1, 2, 3, 7, 50, 200] {
            let mut cutter = Cutter::with_sizes(10, 40);
            let mut frames = Vec::new();
            for (i, bytes) in text.chunks(piece).enumerate() {
                let from = i * piece;
                let inside = |end: &&usize| from < **end && **end <= from + piece;
                let ends: Vec<u64> =
                    ends.iter().filter(inside).map(|end| (end - from) as u64).collect();
                cutter.push(bytes.to_vec(), &ends, &mut frames);
            }
            frames.extend(cutter.finish());
            let frames = joined(&frames);
            assert_eq!(frames.concat(), text);
            assert_eq!(&frames, expected.get_or_insert(frames.clone()), "{piece}");
        }
        let lengths: Vec<usize> = expected.unwrap().iter().map(Vec::len).collect();
        assert_eq!(lengths, [10, 15, 35, 40, 40, 10, 13, 37]);
    }

    #[test]
    fn the_table_is_laid_out_as_the_format_says() {
        let mut table = SeekTable::new();
        table.push_sizes(5, 258);
        let bytes = table.to_bytes();
        let expected =
            b"\x5E\x2A\x4D\x18\x11\0\0\0\x05\0\0\0\x02\x01\0\0\x01\0\0\0\0\xB1\xEA\x92\x8F";
        assert_eq!(bytes, expected);
    }

    #[test]
    fn frames_carry_their_size_and_a_checksum_and_do_not_depend_on_slicing() {
        let mut encoder = FrameEncoder::new(3).unwrap();
        let frame = encoder.encode(&[b"1. e4 " as &[u8], b"e5"]).unwrap();
        assert_eq!(frame, encoder.encode(&[b"1. e4 e5"]).unwrap());
        let content_bytes = zstd::zstd_safe::get_frame_content_size(&frame.stored).unwrap();
        assert_eq!(content_bytes, Some(8));
        assert_ne!(frame.stored[4] & 4, 0, "RFC 8878, 3.1.1.1.1: the content checksum flag");
        assert_eq!(zstd::decode_all(&frame.stored[..]).unwrap(), b"1. e4 e5");
    }

    /// A frame of a level that takes long has the same form; it is given up at any piece, and the encoder goes on.
    #[test]
    fn slow_frames_can_be_given_up() {
        let text: Vec<u8> =
            (0..500_000_u32).flat_map(|number| (number / 3).to_le_bytes()).collect();
        for level in [SLOW_LEVEL - 1, SLOW_LEVEL, 16] {
            let mut encoder = FrameEncoder::new(level).unwrap();
            let whole = encoder.encode(&[&text]).unwrap();
            assert_ne!(whole.stored[4] & 4, 0, "the content checksum flag");
            let content_bytes = zstd::zstd_safe::get_frame_content_size(&whole.stored).unwrap();
            assert_eq!(content_bytes, Some(text.len() as u64));
            assert!(zstd::decode_all(&whole.stored[..]).unwrap() == text);
            let pieces = text.len().div_ceil(SLOW_PIECE_BYTES);
            for piece in [1, 2, pieces, pieces + 1] {
                let calls = std::cell::Cell::new(0);
                let is_stopped = || {
                    calls.set(calls.get() + 1);
                    calls.get() == piece
                };
                let found = encoder.encode_unless(is_stopped, &[&text]).unwrap();
                let is_given_up = level >= SLOW_LEVEL && piece <= pieces;
                assert_eq!(found.is_none(), is_given_up, "level {level}, piece {piece}");
                assert!(found.is_none_or(|found| found == whole));
            }
            let empty = encoder.encode(&[b""]).unwrap();
            assert!(zstd::decode_all(&empty.stored[..]).unwrap().is_empty());
        }
    }
}
