//! The rows of a table that somebody else wrote, one at a time and within bounds.
//!
//! What enters is CSV, perhaps of another program or damaged; what leaves are its records in order. Invariants: no more
//! than a record is held; a record is no longer than [`ROW_BYTES_MAX`] and a table has no more than [`ROWS_MAX`] of them, or
//! reading ends in words that say so. The longest table that a measurement can write, `by_source.csv`, has fewer rows.
//! Cost: the reader's.
//!
//! ```
//! use pgnmill::tables::rows::Rows;
//! let mut rows = Rows::new("key,value\na,1\n".as_bytes()).unwrap();
//! assert_eq!(rows.header(), ["key", "value"].as_slice());
//! assert_eq!(rows.next_row().unwrap().unwrap(), ["a", "1"].as_slice());
//! assert!(rows.next_row().unwrap().is_none());
//! ```

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use csv::StringRecord;

/// Rows of a table.
pub const ROWS_MAX: u64 = 1 << 20;
/// Bytes of a row, quotes and all. The longest field is the path of an archive.
pub const ROW_BYTES_MAX: usize = 64 << 10;

/// The rows of a table.
#[derive(Debug)]
pub struct Rows<R> {
    reader: csv::Reader<Rationed<R>>,
    left: Rc<Cell<usize>>,
    header: StringRecord,
    record: StringRecord,
    count: u64,
}

/// A reader that gives no more than is left, and fails where more is asked for.
#[derive(Debug)]
struct Rationed<R> {
    inner: R,
    left: Rc<Cell<usize>>,
}

impl<R: Read> Read for Rationed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 && !bytes.is_empty() {
            let more = self.inner.read(&mut [0])? > 0;
            let why = format!("a row is longer than {ROW_BYTES_MAX} bytes");
            return if more { Err(io::Error::other(why)) } else { Ok(0) };
        }
        let len = bytes.len().min(self.left.get());
        let read = self.inner.read(&mut bytes[..len])?;
        self.left.set(self.left.get() - read);
        Ok(read)
    }
}

impl<R: Read> Rows<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// In words, if there is none, or it cannot be read.
    pub fn new(input: R) -> Result<Rows<R>, String> {
        let left = Rc::new(Cell::new(ROW_BYTES_MAX));
        let mut reader =
            csv::Reader::from_reader(Rationed { inner: input, left: Rc::clone(&left) });
        let header = reader.headers().map_err(|error| error.to_string())?.clone();
        Ok(Rows { reader, left, header, record: StringRecord::new(), count: 0 })
    }

    /// The names of the columns.
    pub fn header(&self) -> &StringRecord {
        &self.header
    }

    /// The next row; none at the end.
    ///
    /// # Errors
    /// In words, if it is malformed, too long, or one too many.
    pub fn next_row(&mut self) -> Result<Option<&StringRecord>, String> {
        // What the reader holds already was counted before, and is less than a row may be.
        self.left.set(ROW_BYTES_MAX);
        let more = self.reader.read_record(&mut self.record).map_err(|error| error.to_string())?;
        self.count += u64::from(more);
        if self.count > ROWS_MAX {
            return Err(format!("it has more than {ROWS_MAX} rows"));
        }
        Ok(more.then_some(&self.record))
    }

    /// The line of the row that was read last.
    pub fn line(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end_of(input: impl Read) -> Result<u64, String> {
        let mut rows = Rows::new(input)?;
        while rows.next_row()?.is_some() {}
        Ok(rows.count)
    }

    #[test]
    fn what_is_endless_ends_in_words() {
        let endless = || io::repeat(b'x');
        assert!(end_of(endless()).unwrap_err().contains("longer than"));
        assert!(end_of(b"a,b\n\"".chain(endless())).unwrap_err().contains("longer than"));
        assert!(end_of(b"a\n".chain(io::repeat(b'\n'))).is_err());
        struct Lines;
        impl Read for Lines {
            fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
                let len = bytes.len() / 2 * 2;
                bytes[..len].chunks_mut(2).for_each(|line| line.copy_from_slice(b"1\n"));
                Ok(len)
            }
        }
        assert!(end_of(Lines).unwrap_err().contains("rows"));
    }

    #[test]
    fn rows_of_any_length_that_is_allowed_are_read() {
        let field = "x".repeat(ROW_BYTES_MAX / 4);
        let text = format!("a,b\n{}", format!("{field},\"{field}\"\n").repeat(9));
        assert_eq!(end_of(text.as_bytes()), Ok(9));
    }
}
