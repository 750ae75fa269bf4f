//! Rows of tables, packed: a job of tiny games has one row every two bytes.
//!
//! In: numbers, bytes and texts, row by row. Out: the same, in order. When [`CHUNK_BYTES`] are packed, they are
//! compressed into a chunk. Invariant: a row is in one chunk. Cost: some bytes per row, about a tenth of that if rows
//! are similar, and twice the memory of one chunk.

use pgnmill_io::error::{Error, Result};

/// The size of a chunk before compression: at least so many bytes, and the rest of the row.
const CHUNK_BYTES: usize = 1 << 20;
/// Rows are similar: higher levels of zstd cost more time than they save memory.
const LEVEL: i32 = 1;

/// Rows in their order, packed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed {
    chunks: Vec<Chunk>,
    /// The bytes of the rows after the last chunk.
    pending: Vec<u8>,
}

/// Bytes that are compressed if that saves any.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    bytes: Vec<u8>,
    /// The size before compression; `None` if the bytes are not compressed.
    compressed_from: Option<usize>,
}

impl Chunk {
    pub(crate) fn of(bytes: &[u8]) -> Chunk {
        // If compression fails, or saves nothing, the bytes are kept as they are.
        match zstd::bulk::compress(bytes, LEVEL) {
            Ok(mut compressed) if compressed.len() < bytes.len() => {
                compressed.shrink_to_fit();
                Chunk { bytes: compressed, compressed_from: Some(bytes.len()) }
            }
            _ => Chunk { bytes: bytes.to_vec(), compressed_from: None },
        }
    }

    /// The bytes.
    ///
    /// # Errors
    /// Not enough memory.
    pub(crate) fn unpack(&self) -> Result<Vec<u8>> {
        let Some(len) = self.compressed_from else { return Ok(self.bytes.clone()) };
        // The bytes were compressed above: only an allocation can fail.
        zstd::bulk::decompress(&self.bytes, len)
            .map_err(|error| Error::usage(format!("cannot unpack the rows of a table: {error}")))
    }
}

impl Packed {
    pub(crate) fn byte(&mut self, byte: u8) {
        self.pending.push(byte);
    }

    pub(crate) fn number(&mut self, number: u64) {
        push_number(&mut self.pending, number);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.pending.extend_from_slice(text.as_bytes());
    }

    /// Ends a row.
    pub(crate) fn end_row(&mut self) {
        if self.pending.len() >= CHUNK_BYTES {
            self.chunks.push(Chunk::of(&self.pending));
            self.pending.clear();
        }
    }

    /// Calls `row` at the beginning of each row; it reads exactly one row.
    ///
    /// # Errors
    /// Those of `row`; not enough memory.
    pub(crate) fn visit(&self, mut row: impl FnMut(&mut Unpacked<'_>) -> Result<()>) -> Result<()> {
        for chunk in &self.chunks {
            let bytes = chunk.unpack()?;
            Unpacked { bytes: &bytes }.rows(&mut row)?;
        }
        Unpacked { bytes: &self.pending }.rows(&mut row)
    }
}

/// The unpacked bytes of complete rows, while they are read.
#[derive(Debug)]
pub(crate) struct Unpacked<'b> {
    bytes: &'b [u8],
}

impl Unpacked<'_> {
    fn rows(&mut self, row: &mut impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        while !self.bytes.is_empty() {
            row(self)?;
        }
        Ok(())
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.bytes.split_off_first().copied().unwrap_or(0)
    }

    pub(crate) fn number(&mut self) -> u64 {
        take_number(&mut self.bytes)
    }

    pub(crate) fn text(&mut self) -> String {
        let len = self.number() as usize;
        let text = self.bytes.split_off(..len).unwrap_or_default();
        String::from_utf8_lossy(text).into_owned()
    }
}

/// Writes a number, seven bits per byte, the lowest first.
pub(crate) fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads and removes the number at the beginning of the bytes.
pub(crate) fn take_number(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let Some(&byte) = bytes.split_off_first() {
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 || shift > 63 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any number of rows, over any number of chunks, similar or pseudo-random.
    #[test]
    fn rows_come_out_as_they_went_in() {
        for (count, is_random) in [(0, false), (1, true), (100_000, false), (60_000, true)] {
            let mut random = 1_u64;
            let mut row = |number: u64| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(number);
                let random = if is_random { random } else { 7 };
                let text = format!("{random:x}").repeat(1 + random as usize % 5);
                (random as u8, number.wrapping_sub(random), number << (number % 64), text)
            };
            let rows: Vec<_> = (0..count).map(&mut row).collect();
            let mut packed = Packed::default();
            for (byte, one, other, text) in &rows {
                packed.byte(*byte);
                packed.number(*one);
                packed.text(text);
                packed.number(*other);
                packed.end_row();
            }
            assert_eq!(packed.chunks.is_empty(), count < 2);
            assert!(packed.chunks.iter().all(|chunk| chunk.bytes.len() < CHUNK_BYTES + 200));
            let mut found = Vec::new();
            let visited = packed.visit(|row| {
                let (byte, one, text) = (row.byte(), row.number(), row.text());
                found.push((byte, one, row.number(), text));
                Ok(())
            });
            assert!(visited.is_ok());
            assert!(found == rows, "{count} {is_random}");
        }
    }

    /// A chunk ends with a row, also if only a few bytes of it remain before that row.
    #[test]
    fn rows_around_the_end_of_a_chunk_are_whole() {
        for len in CHUNK_BYTES - 6..CHUNK_BYTES + 3 {
            let texts = ["x".repeat(len), "y".repeat(9), "z".repeat(CHUNK_BYTES), String::new()];
            let mut packed = Packed::default();
            for text in &texts {
                packed.text(text);
                packed.end_row();
            }
            let mut found = Vec::new();
            assert!(
                packed
                    .visit(|row| {
                        found.push(row.text());
                        Ok(())
                    })
                    .is_ok()
            );
            assert!(found == texts, "{len}");
        }
    }

    #[test]
    fn what_cannot_be_compressed_is_kept() {
        let mut random = 1_u64;
        let mut byte = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random as u8
        };
        let bytes: Vec<u8> = (0..CHUNK_BYTES).map(|_| byte()).collect();
        let chunk = Chunk::of(&bytes);
        assert!(chunk.compressed_from.is_none());
        assert!(chunk.unpack().is_ok_and(|found| found == bytes));
    }
}
