//! The pages of a column chunk in memory, until it is its turn to be written.
//!
//! In: bytes. Out: the same bytes. Cost: they are copied once when they come and once when they go; no large piece of
//! memory grows.

use std::collections::VecDeque;
use std::io::{self, Read, Write};

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// Bytes in pieces.
#[derive(Debug, Default)]
pub(super) struct Pages(VecDeque<Bytes>);

impl Write for Pages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A reader is at its end where it gives no bytes.
        if !bytes.is_empty() {
            self.0.push_back(Bytes::copy_from_slice(bytes));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Length for Pages {
    fn len(&self) -> u64 {
        self.0.iter().map(|piece| piece.len() as u64).sum()
    }
}

impl ChunkReader for Pages {
    type T = Reader;

    fn get_read(&self, start: u64) -> Result<Reader> {
        let mut reader = Reader(self.0.clone());
        reader.skip(start as usize);
        Ok(reader)
    }

    fn get_bytes(&self, _: u64, _: usize) -> Result<Bytes> {
        Err(ParquetError::NYI("pages are read in order".to_string()))
    }
}

/// Reads bytes in pieces.
#[derive(Debug)]
pub(super) struct Reader(VecDeque<Bytes>);

impl Reader {
    fn skip(&mut self, mut count: usize) {
        while let Some(piece) = self.0.front_mut().filter(|_| count > 0) {
            let here = count.min(piece.len());
            count -= here;
            if here == piece.len() {
                self.0.pop_front();
            } else {
                drop(piece.split_to(here));
            }
        }
    }
}

impl Read for Reader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let piece = self.0.front().map_or(&[][..], |piece| piece);
        let count = piece.len().min(out.len());
        out[..count].copy_from_slice(&piece[..count]);
        self.skip(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Pages {
        /// All bytes.
        pub(in super::super) fn bytes(&self) -> Vec<u8> {
            self.0.iter().flatten().copied().collect()
        }
    }

    #[test]
    fn bytes_are_read_as_they_came() {
        let mut pages = Pages::default();
        for piece in ["", "abc", "", "defg", "h"] {
            assert_eq!(pages.write(piece.as_bytes()).unwrap(), piece.len());
        }
        assert_eq!(pages.len(), 8);
        for start in 0..=8 {
            let mut read = Vec::new();
            pages.get_read(start).unwrap().read_to_end(&mut read).unwrap();
            assert_eq!(read, b"abcdefgh"[start as usize..]);
        }
    }
}
