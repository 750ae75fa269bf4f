//! The text of one move, on the stack.

use std::fmt;

use crate::chess::Square;

/// The longest text of any notation, in bytes; a test holds each notation to its own, smaller limit.
pub const MOVE_TEXT_BYTES_MAX: usize = 40;

/// The text of one move, built byte by byte without allocation.
///
/// ```
/// use pgnmill_core::chess::Square;
/// use pgnmill_core::notation::MoveText;
/// let mut text = MoveText::default();
/// text.push(b'N');
/// text.push_square(Square::at(5, 2));
/// assert_eq!(text.as_bytes(), b"Nf3");
/// ```
#[derive(Clone, Copy)]
pub struct MoveText {
    bytes: [u8; MOVE_TEXT_BYTES_MAX],
    len: u8,
}

impl Default for MoveText {
    fn default() -> MoveText {
        MoveText { bytes: [0; MOVE_TEXT_BYTES_MAX], len: 0 }
    }
}

impl MoveText {
    /// Empties the text.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds one byte. A full text stays unchanged; no notation comes near the limit.
    #[inline(always)]
    pub fn push(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(self.len as usize) {
            *slot = byte;
            self.len += 1;
        }
    }

    /// Adds bytes.
    #[inline(always)]
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.push(byte);
        }
    }

    /// Adds a square's file letter and rank digit.
    #[inline(always)]
    pub fn push_square(&mut self, square: Square) {
        let at = self.len as usize;
        if let Some(slots) = self.bytes.get_mut(at..at + 2) {
            slots.copy_from_slice(&[square.file_letter(), square.rank_digit()]);
            self.len += 2;
        }
    }

    /// The bytes: UTF-8 in every notation.
    #[inline(always)]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len as usize]
    }

    /// The first sixteen bytes of the buffer, if the text is no longer: a fixed-size copy is faster than one of the
    /// text's length.
    #[inline(always)]
    pub(crate) fn as_chunk(&self) -> Option<&[u8; 16]> {
        self.bytes.first_chunk().filter(|bytes| usize::from(self.len) <= bytes.len())
    }

    /// Appends the text to `texts`.
    #[inline(always)]
    pub fn append_to(&self, texts: &mut Vec<u8>) {
        if let Some(bytes) = self.as_chunk() {
            let end = texts.len() + usize::from(self.len);
            texts.extend_from_slice(bytes);
            texts.truncate(end);
        } else {
            texts.extend_from_slice(self.as_bytes());
        }
    }

    /// How many bytes.
    #[inline(always)]
    pub fn bytes_count(&self) -> usize {
        self.len as usize
    }

    /// How many characters: Unicode scalar values, that is, bytes that do not continue another.
    #[inline(always)]
    pub fn characters_count(&self) -> usize {
        self.as_bytes().iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.as_bytes()))
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}
