//! The values of a column in memory: of one size, texts, lists and maps.
//!
//! Invariants: as many validity flags as rows; a row of texts or of a list begins where the one before it ends.

use std::borrow::Cow;
use std::ops::Range;

use pgnmill_state::{Loader, State, state};

use crate::notation::MoveText;
use crate::pgn::{decode_onto, tag_value_onto};

/// Values of one fixed size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fixed<T> {
    /// The values; that of a null is the default.
    pub values: Vec<T>,
    /// Which are not null.
    pub valid: Vec<bool>,
}

impl<T: State> State for Fixed<T> {
    fn save(&self, out: &mut Vec<u8>) {
        self.values.save(out);
        self.valid.save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<Fixed<T>> {
        Some(Fixed { values: from.value()?, valid: from.value()? })
    }
}

impl<T: Copy + Default> Fixed<T> {
    pub(crate) fn push(&mut self, value: Option<T>) {
        self.values.push(value.unwrap_or_default());
        self.valid.push(value.is_some());
    }

    /// Adds a value several times.
    pub(super) fn push_repeated(&mut self, value: T, times: usize) {
        self.values.resize(self.values.len() + times, value);
        self.valid.resize(self.valid.len() + times, true);
    }

    /// Adds values of which none is null.
    pub(super) fn extend(&mut self, values: impl Iterator<Item = T>) {
        self.values.extend(values);
        self.valid.resize(self.values.len(), true);
    }

    pub(super) fn append(&mut self, from: &Fixed<T>, rows: Range<usize>) {
        self.values.extend_from_slice(&from.values[rows.clone()]);
        self.valid.extend_from_slice(&from.valid[rows]);
    }

    pub(super) fn reserve(&mut self, rows: usize) {
        self.values.reserve_exact(rows);
        self.valid.reserve_exact(rows);
    }

    pub(super) fn truncate(&mut self, rows: usize) {
        self.values.truncate(rows);
        self.valid.truncate(rows);
    }

    pub(super) fn bytes(&self) -> usize {
        self.values.len() * (size_of::<T>() + 1)
    }

    /// The value of a row.
    pub fn get(&self, row: usize) -> Option<T> {
        self.valid[row].then(|| self.values[row])
    }
}

/// Values of so many bytes each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FixedBytes {
    /// Bytes of a value.
    pub width: usize,
    /// The values, one after the other.
    pub bytes: Vec<u8>,
}

state!(FixedBytes { width, bytes });

/// The ends of values of any length in a list of elements; a row begins where the one before it ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ends {
    /// The end of each row.
    pub ends: Vec<u32>,
    /// Which rows are not null.
    pub valid: Vec<bool>,
}

state!(Ends { ends, valid });

impl Ends {
    /// Adds a row: the end of its elements, and whether it has a value.
    pub fn push(&mut self, end: usize, valid: bool) {
        // A group of rows is cut long before 4 GiB.
        self.ends.push(end as u32);
        self.valid.push(valid);
    }

    pub(super) fn bytes(&self) -> usize {
        self.ends.len() * 5
    }

    /// The end of the last row.
    pub fn end(&self) -> usize {
        self.ends.last().map_or(0, |&end| end as usize)
    }

    pub(super) fn reserve(&mut self, rows: usize) {
        self.ends.reserve_exact(rows);
        self.valid.reserve_exact(rows);
    }

    /// The elements of some rows.
    pub fn elements_count(&self, rows: &Range<usize>) -> usize {
        self.start_of(rows.end) - self.start_of(rows.start)
    }

    /// Where the elements of a row begin.
    pub fn start_of(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }

    /// The elements of a row; `None` for null.
    pub fn get(&self, row: usize) -> Option<Range<usize>> {
        self.valid[row].then(|| self.start_of(row)..self.ends[row] as usize)
    }

    /// Appends rows; returns the range of their elements in the list that they come from.
    pub(super) fn append(&mut self, from: &Ends, rows: Range<usize>) -> Range<usize> {
        let (old, start) = (self.end(), from.start_of(rows.start));
        let shift = (old as u32).wrapping_sub(start as u32);
        self.ends.extend(from.ends[rows.clone()].iter().map(|&end| end.wrapping_add(shift)));
        self.valid.extend_from_slice(&from.valid[rows.clone()]);
        start..from.start_of(rows.end)
    }

    /// Returns the new end.
    pub(super) fn truncate(&mut self, rows: usize) -> usize {
        self.ends.truncate(rows);
        self.valid.truncate(rows);
        self.end()
    }
}

/// Texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texts {
    /// The bytes of all texts, one after the other, in UTF-8.
    pub bytes: Vec<u8>,
    /// Where they end.
    pub rows: Ends,
}

state!(Texts { bytes, rows });

impl Texts {
    /// Adds bytes to the text of a row that is not yet ended.
    pub fn extend(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Adds text of an archive to that of a row that is not yet ended: see [`decode`](crate::pgn::decode).
    pub(super) fn decoded(&mut self, text: &[u8]) {
        decode_onto(text, &mut self.bytes);
    }

    /// Adds the value of a tag pair, as it is written, decoded.
    pub(super) fn tag_value(&mut self, value: &[u8]) {
        tag_value_onto(value, &mut self.bytes);
    }

    /// Adds a word to the text of a row that is not yet ended, after a space if it is not the first.
    pub(super) fn word(&mut self, word: &[u8]) {
        if self.bytes.len() > self.rows.end() {
            self.bytes.push(b' ');
        }
        self.bytes.extend_from_slice(word);
    }

    /// Adds the text of a move.
    pub(super) fn move_text(&mut self, text: &MoveText) {
        if self.bytes.len() > self.rows.end() {
            self.bytes.push(b' ');
        }
        text.append_to(&mut self.bytes);
    }

    /// Ends the row: with the bytes that were added since the last one, or as null, without them.
    pub fn end_row(&mut self, valid: bool) {
        if !valid {
            self.bytes.truncate(self.rows.end());
        }
        self.rows.push(self.bytes.len(), valid);
    }

    /// Adds a row for each text: the first so many of eight bytes.
    pub(super) fn short_rows(&mut self, texts: impl ExactSizeIterator<Item = ([u8; 8], usize)>) {
        let mut end = self.bytes.len();
        self.bytes.resize(end + 8 * texts.len(), 0);
        for (text, count) in texts {
            self.bytes[end..end + 8].copy_from_slice(&text);
            end += count.min(8);
            self.rows.push(end, true);
        }
        self.bytes.truncate(end);
    }

    pub(super) fn append(&mut self, from: &Texts, rows: Range<usize>) {
        let bytes = self.rows.append(&from.rows, rows);
        self.bytes.extend_from_slice(&from.bytes[bytes]);
    }

    pub(super) fn truncate(&mut self, rows: usize) {
        let end = self.rows.truncate(rows);
        self.bytes.truncate(end);
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.len() + self.rows.bytes()
    }

    /// The text of a row.
    pub fn get(&self, row: usize) -> Option<Cow<'_, str>> {
        self.rows.get(row).map(|span| String::from_utf8_lossy(&self.bytes[span]))
    }
}

/// Texts of which each is that of one row or more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextRuns {
    /// The texts.
    pub texts: Texts,
    /// For each text the number of rows up to its last one.
    pub row_ends: Vec<u32>,
}

impl TextRuns {
    /// The number of rows.
    pub(super) fn rows_count(&self) -> usize {
        self.row_ends.last().map_or(0, |&end| end as usize)
    }

    /// Gives the last text of so many rows.
    pub fn end_run(&mut self, rows: usize) {
        // A group has fewer rows than 2^32.
        self.row_ends.push((self.rows_count() + rows) as u32);
    }
}

/// Lists of numbers, which may contain nulls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lists<T> {
    /// The elements of all lists, one after the other.
    pub elements: Fixed<T>,
    /// Where the lists end.
    pub rows: Ends,
}

impl<T: State> State for Lists<T> {
    fn save(&self, out: &mut Vec<u8>) {
        self.elements.save(out);
        self.rows.save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<Lists<T>> {
        Some(Lists { elements: from.value()?, rows: from.value()? })
    }
}

impl<T: Copy + Default> Lists<T> {
    pub(super) fn append(&mut self, from: &Lists<T>, rows: Range<usize>) {
        let elements = self.rows.append(&from.rows, rows);
        self.elements.append(&from.elements, elements);
    }

    pub(super) fn truncate(&mut self, rows: usize) {
        let end = self.rows.truncate(rows);
        self.elements.truncate(end);
    }

    pub(super) fn bytes(&self) -> usize {
        self.elements.bytes() + self.rows.bytes()
    }

    /// Adds an element to the list of a row that is not yet ended.
    pub fn element(&mut self, element: Option<T>) {
        self.elements.push(element);
    }

    /// Ends the row: with the elements that were added since the last one, or as null, without them.
    pub fn end_row(&mut self, valid: bool) {
        if !valid {
            self.elements.truncate(self.rows.end());
        }
        self.rows.push(self.elements.values.len(), valid);
    }
}

/// Texts by names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Maps {
    /// The names of all entries.
    pub names: Texts,
    /// Their values.
    pub values: Texts,
    /// Where the maps end.
    pub rows: Ends,
}
state!(Maps { names, values, rows });
