//! A file that is read at any place.
//!
//! In: an offset and a length. Out: bytes. Invariants: nothing is allocated for bytes that the file does not have, nor
//! more than [`PIECE_BYTES_MAX`] at once. Cost: a call of the system for each piece.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use super::flaw::Flaw;

/// The longest piece: a page, a footer, a column of a batch.
pub(super) const PIECE_BYTES_MAX: u64 = 256 << 20;
/// Bytes that are read at once where the length of what is read is not known.
const HEADER_BYTES: usize = 512;

/// A file.
#[derive(Clone, Debug)]
pub(super) struct StoredFile {
    file: Arc<File>,
    len: u64,
}

impl StoredFile {
    pub(super) fn new(file: File, len: u64) -> StoredFile {
        StoredFile { file: Arc::new(file), len }
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Fills `out` with the bytes at an offset.
    pub(super) fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), Flaw> {
        Ok(self.file.read_exact_at(out, offset)?)
    }

    /// The bytes at an offset.
    pub(super) fn bytes(&self, offset: u64, count: u64) -> Result<Vec<u8>, Flaw> {
        if offset.checked_add(count).is_none_or(|end| end > self.len) {
            return Err(Flaw::new("it names bytes after its end"));
        }
        if count > PIECE_BYTES_MAX {
            return Err(Flaw::new(format_args!("it has a piece of {count} bytes")));
        }
        let mut bytes = vec![0; count as usize];
        self.read(offset, &mut bytes)?;
        Ok(bytes)
    }
}

/// The bytes of a file from an offset on.
#[derive(Debug)]
pub(super) struct Rest {
    file: Arc<File>,
    offset: u64,
}

impl Read for Rest {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(out, self.offset)?;
        self.offset = self.offset.saturating_add(count as u64);
        Ok(count)
    }
}

impl Length for StoredFile {
    fn len(&self) -> u64 {
        self.len
    }
}

/// What the reader of pages reads: it begins to read at an offset only where the header of a page begins.
impl ChunkReader for StoredFile {
    type T = BufReader<Rest>;

    fn get_read(&self, offset: u64) -> Result<BufReader<Rest>> {
        let mut start = [0; 16];
        let count = self.file.read_at(&mut start, offset)?;
        match page_bytes(&start[..count]) {
            Some(count) if count <= PIECE_BYTES_MAX => {}
            Some(count) => return Err(ParquetError::General(format!("a page of {count} bytes"))),
            None => return Err(ParquetError::General("no page begins there".to_string())),
        }
        let rest = Rest { file: Arc::clone(&self.file), offset };
        Ok(BufReader::with_capacity(HEADER_BYTES, rest))
    }

    fn get_bytes(&self, offset: u64, count: usize) -> Result<Bytes> {
        let bytes = self.bytes(offset, count as u64);
        bytes.map(Bytes::from).map_err(|flaw| ParquetError::General(format!("{flaw:?}")))
    }
}

/// The length of a page after decompression, of the first bytes of its header: type and length are its first fields
/// (Thrift, compact protocol). The reader of pages would allocate any length.
fn page_bytes(header: &[u8]) -> Option<u64> {
    /// The next field is a number of 32 bits.
    const NUMBER: u8 = 0x15;
    let (first, rest) = header.split_first()?;
    let after_type = rest.iter().position(|byte| byte & 0x80 == 0)? + 1;
    let (second, rest) = rest.get(after_type..)?.split_first()?;
    let last = rest.iter().position(|byte| byte & 0x80 == 0)?;
    let bits = |sum: u64, byte: &u8| sum << 7 | u64::from(byte & 0x7f);
    let number = rest[..=last].iter().rev().fold(0, bits);
    // Zigzag: a positive number is doubled.
    ([*first, *second] == [NUMBER; 2] && last < 5 && number & 1 == 0).then_some(number >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_length_of_its_header() {
        assert_eq!(page_bytes(&[0x15, 0x00, 0x15, 0x80, 0x01, 0x15]), Some(64));
        assert_eq!(
            page_bytes(&[0x15, 0x04, 0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f]),
            Some((1 << 31) - 1)
        );
        for no_page in
            [&[][..], &[0x15], &[0x15, 0, 0x15], &[0x15, 0, 0x15, 1], &[0x16, 0, 0x15, 2]]
        {
            assert_eq!(page_bytes(no_page), None, "{no_page:?}");
        }
    }
}
