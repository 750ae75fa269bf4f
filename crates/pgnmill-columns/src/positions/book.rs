//! A Polyglot book.
//!
//! In: keys of positions. Out: the moves and weights of their entries. Invariant: an entry has 16 bytes, and the
//! entries are in the order of their keys. Cost: a binary search in the file for each position.

use pgnmill_core::tasks::positions::book::ENTRY_BYTES;

use super::flaw::Flaw;
use super::lookup::Lookup;
use super::row::PositionRow;
use super::stored::StoredFile;

/// A book.
#[derive(Debug)]
pub(super) struct Book {
    file: StoredFile,
    entries_count: u64,
}

/// An entry.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    mv: u16,
    weight: u16,
}

impl Book {
    pub(super) fn open(file: StoredFile) -> Result<Book, Flaw> {
        let bytes = file.len();
        if !bytes.is_multiple_of(ENTRY_BYTES as u64) {
            return Err(Flaw::new(format_args!(
                "a Polyglot book has entries of {ENTRY_BYTES} bytes, and the file has {bytes} bytes"
            )));
        }
        Ok(Book { file, entries_count: bytes / ENTRY_BYTES as u64 })
    }

    pub(super) fn entries_count(&self) -> u64 {
        self.entries_count
    }

    fn entry(&self, index: u64) -> Result<Entry, Flaw> {
        let mut bytes = [0; ENTRY_BYTES];
        self.file.read(index * ENTRY_BYTES as u64, &mut bytes)?;
        let [a, b, c, d, e, f, g, h, move_high, move_low, high, low, ..] = bytes;
        Ok(Entry {
            key: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
            mv: u16::from_be_bytes([move_high, move_low]),
            weight: u16::from_be_bytes([high, low]),
        })
    }

    /// The index of the first entry whose key is not smaller.
    fn first_of(&self, key: u64) -> Result<u64, Flaw> {
        let (mut low, mut high) = (0, self.entries_count);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle)?.key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    pub(super) fn find(&self, lookup: &mut Lookup<'_>) -> Result<(), Flaw> {
        for (place, wanted) in lookup.wanted.iter().enumerate() {
            let Some(key) = wanted.hash else { continue };
            for index in self.first_of(key)?..self.entries_count {
                let entry = self.entry(index)?;
                if entry.key != key {
                    break;
                }
                let (book_move, weight) = (Some(entry.mv), Some(entry.weight));
                let row = PositionRow { book_move, weight, ..PositionRow::default() };
                lookup.add(&[place], &row)?;
            }
        }
        Ok(())
    }
}
