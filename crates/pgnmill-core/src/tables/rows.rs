//! The rows of a table of any origin, one at a time and within bounds.
//!
//! Input: CSV, perhaps of another program or damaged; output: its records in order. Invariants: no more than one record
//! is held; a record is no longer than [`ROW_BYTES_MAX`] and a table has no more than [`ROWS_MAX`] of them, unless the
//! caller allows that, or reading ends with an error. The longest table that a measurement can write, `by_source.csv`,
//! has fewer rows. Cost: the CSV reader's.
//!
//! ```
//! use pgnmill_core::tables::Rows;
//! let mut rows = Rows::new("key,value\na,1\n".as_bytes()).unwrap();
//! assert_eq!(rows.header(), ["key", "value"].as_slice());
//! assert_eq!(rows.next_row().unwrap().unwrap(), ["a", "1"].as_slice());
//! assert!(rows.next_row().unwrap().is_none());
//! ```

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use csv::StringRecord;

use super::error::TableError;
use super::schema::Schema;

/// Rows of a table.
pub const ROWS_MAX: u64 = 1 << 20;
/// Bytes of a row, quotes included. The longest field is the path of an archive.
pub const ROW_BYTES_MAX: usize = 64 << 10;

/// The rows of a table.
#[derive(Debug)]
pub struct Rows<R> {
    reader: csv::Reader<Limited<R>>,
    /// Bytes that may still be read of the current row.
    left: Rc<Cell<usize>>,
    /// The last byte that was read.
    last: Rc<Cell<u8>>,
    header: StringRecord,
    record: StringRecord,
    count: u64,
    count_max: u64,
}

/// A reader with a limit that can be renewed; more bytes than that are an error.
#[derive(Debug)]
struct Limited<R> {
    inner: R,
    left: Rc<Cell<usize>>,
    /// The last byte that was read.
    last: Rc<Cell<u8>>,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 && !bytes.is_empty() {
            let more = self.inner.read(&mut [0])? > 0;
            let why = format!("a row is longer than {ROW_BYTES_MAX} bytes");
            return if more { Err(io::Error::other(why)) } else { Ok(0) };
        }
        let len = bytes.len().min(self.left.get());
        let read = self.inner.read(&mut bytes[..len])?;
        self.left.set(self.left.get() - read);
        if let Some(&last) = bytes[..read].last() {
            self.last.set(last);
        }
        Ok(read)
    }
}

impl<R: Read> Rows<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If it cannot be read, or is too long.
    pub fn new(input: R) -> Result<Rows<R>, TableError> {
        let left = Rc::new(Cell::new(ROW_BYTES_MAX));
        let last = Rc::new(Cell::new(b'\n'));
        let limited = Limited { inner: input, left: Rc::clone(&left), last: Rc::clone(&last) };
        let mut reader = csv::Reader::from_reader(limited);
        let header = reader.headers().map_err(TableError::Csv)?.clone();
        Ok(Rows {
            reader,
            left,
            last,
            header,
            record: StringRecord::new(),
            count: 0,
            count_max: ROWS_MAX,
        })
    }

    /// Reads the header of a table that is declared.
    ///
    /// # Errors
    /// As [`Rows::new`]; and if its columns are not the declared ones.
    pub fn of(input: R, schema: &Schema) -> Result<Rows<R>, TableError> {
        let rows = Rows::new(input)?;
        let declared = schema.header();
        if rows.header.iter().eq(declared.iter().copied()) {
            Ok(rows)
        } else {
            Err(TableError::Columns(declared))
        }
    }

    /// These rows without the limit on their number: for a table that is not held in memory.
    #[must_use]
    pub fn of_any_number(self) -> Rows<R> {
        Rows { count_max: u64::MAX, ..self }
    }

    /// The names of the columns.
    pub fn header(&self) -> &StringRecord {
        &self.header
    }

    /// The next row; `None` at the end.
    ///
    /// # Errors
    /// If it is malformed, too long, or one too many; at the end if the last one has no line end.
    pub fn next_row(&mut self) -> Result<Option<&StringRecord>, TableError> {
        // Bytes that the CSV reader has buffered were counted before, and are fewer than a row may have.
        self.left.set(ROW_BYTES_MAX);
        let more = self.reader.read_record(&mut self.record).map_err(TableError::Csv)?;
        self.count += u64::from(more);
        if self.count > self.count_max {
            return Err(TableError::TooManyRows(self.count_max));
        }
        if !more && self.last.get() != b'\n' {
            return Err(TableError::Cut);
        }
        Ok(more.then_some(&self.record))
    }

    /// The line of the last row.
    pub fn line(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }
}

/// The count in a field.
///
/// # Errors
/// If it is none.
pub fn count(field: &str) -> Result<u64, TableError> {
    field.parse().map_err(|_| TableError::NotACount(field.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end_of(input: impl Read) -> Result<u64, TableError> {
        let mut rows = Rows::new(input)?;
        while rows.next_row()?.is_some() {}
        Ok(rows.count)
    }

    #[test]
    fn endless_input_ends_with_an_error() {
        let endless = || io::repeat(b'x');
        assert!(end_of(endless()).unwrap_err().to_string().contains("longer than"));
        assert!(
            end_of(b"a,b\n\"".chain(endless())).unwrap_err().to_string().contains("longer than")
        );
        assert!(end_of(b"a\n".chain(io::repeat(b'\n'))).is_err());
        struct Lines;
        impl Read for Lines {
            fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
                let len = bytes.len() / 2 * 2;
                bytes[..len].chunks_mut(2).for_each(|line| line.copy_from_slice(b"1\n"));
                Ok(len)
            }
        }
        assert!(end_of(Lines).unwrap_err().to_string().contains("rows"));
    }

    #[test]
    fn rows_of_any_allowed_length_are_read() {
        let field = "x".repeat(ROW_BYTES_MAX / 4);
        let text = format!("a,b\n{}", format!("{field},\"{field}\"\n").repeat(9));
        assert_eq!(end_of(text.as_bytes()).unwrap(), 9);
    }
}
