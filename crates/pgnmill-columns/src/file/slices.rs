//! Texts as slices of one buffer.
//!
//! In: texts. Out: values of Parquet. Invariant: texts are checked once more to be UTF-8. Cost: a reference to the
//! buffer per value that is not a short text of many rows; its bytes are not copied.

use std::ops::Range;

use bytes::Bytes;
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use pgnmill_core::tasks::export::{Ends, TextRuns, Texts};

use super::levels::valid_count;
use super::short::ShortTexts;

/// Texts.
pub(super) struct Slices {
    bytes: Bytes,
    pub(super) rows: Ends,
}

impl Slices {
    /// # Errors
    /// A text that is not UTF-8, which is a bug.
    pub(super) fn new(texts: Texts) -> Result<Slices> {
        let failed = || ParquetError::General("a text is not UTF-8".to_string());
        let text = str::from_utf8(&texts.bytes).map_err(|_| failed())?;
        let is_end = |&end: &u32| text.is_char_boundary(end as usize);
        if !text.is_ascii() && !texts.rows.ends.iter().all(is_end) {
            return Err(failed());
        }
        // A clone finds its counter of references with fewer steps than the first reference does.
        let bytes = Bytes::from(texts.bytes).slice(..);
        Ok(Slices { bytes, rows: texts.rows })
    }

    /// The text of a row; that of a null is empty.
    fn get(&self, row: usize) -> ByteArray {
        self.bytes.slice(self.rows.start_of(row)..self.rows.ends[row] as usize).into()
    }

    /// Adds the texts of some rows that are not null.
    pub(super) fn fill(&self, rows: Range<usize>, values: &mut Vec<ByteArray>) {
        let short_texts = ShortTexts::of_process();
        let mut start = self.rows.start_of(rows.start);
        let mut next = |end: u32| {
            let span = start..end as usize;
            start = span.end;
            let short = short_texts.get(&self.bytes[span.start..], span.len());
            ByteArray::from(short.map_or_else(|| self.bytes.slice(span), Bytes::from_static))
        };
        let (ends, valid) = (&self.rows.ends[rows.clone()], &self.rows.valid[rows]);
        extend_valid(values, ends, valid, |&end| next(end));
    }
}

/// Adds what `value` makes of the items that are not null; a null has no bytes.
pub(super) fn extend_valid<I, V>(
    values: &mut Vec<V>,
    items: &[I],
    valid: &[bool],
    mut value: impl FnMut(&I) -> V,
) {
    // The length of such an iterator is known, that of one with nulls is not.
    if valid_count(valid) == valid.len() {
        return values.extend(items.iter().map(value));
    }
    for (item, &valid) in items.iter().zip(valid) {
        if valid {
            values.push(value(item));
        }
    }
}

/// Texts of which each is that of one row or more.
pub(super) struct RunSlices {
    texts: Slices,
    row_ends: Vec<u32>,
    /// The text of all rows that were given last.
    last: Option<usize>,
}

impl RunSlices {
    /// # Errors
    /// As [`Slices::new`].
    pub(super) fn new(runs: TextRuns) -> Result<RunSlices> {
        Ok(RunSlices { texts: Slices::new(runs.texts)?, row_ends: runs.row_ends, last: None })
    }

    pub(super) fn rows_count(&self) -> usize {
        self.row_ends.last().map_or(0, |&end| end as usize)
    }

    /// Which rows are not null.
    pub(super) fn valid(&self) -> Vec<bool> {
        let mut valid = Vec::with_capacity(self.rows_count());
        for (&end, &is_valid) in self.row_ends.iter().zip(&self.texts.rows.valid) {
            valid.resize(end as usize, is_valid);
        }
        valid
    }

    /// Sets the values to the texts of some rows that are not null.
    pub(super) fn fill(&mut self, rows: Range<usize>, values: &mut Vec<ByteArray>) {
        let first = self.run_of(rows.start);
        if self.last != Some(first) {
            values.clear();
        }
        let is_one = self.row_ends.get(first).is_some_and(|&end| end as usize >= rows.end);
        self.last = is_one.then_some(first);
        if is_one && self.texts.rows.valid[first] {
            return values.resize(rows.len(), self.texts.get(first));
        }
        values.clear();
        self.each_run(rows, |run, rows| {
            if self.texts.rows.valid[run] {
                values.resize(values.len() + rows, self.texts.get(run));
            }
        });
    }

    /// Bytes of the texts of some rows.
    pub(super) fn bytes_count(&self, rows: Range<usize>) -> usize {
        let mut bytes = 0;
        self.each_run(rows, |run, rows| {
            bytes += rows * self.texts.rows.elements_count(&(run..run + 1));
        });
        bytes
    }

    /// The text of a row.
    fn run_of(&self, row: usize) -> usize {
        self.row_ends.partition_point(|&end| end as usize <= row)
    }

    /// Visits the texts of some rows: which one, and of how many of the rows it is.
    fn each_run(&self, rows: Range<usize>, mut visit: impl FnMut(usize, usize)) {
        let (mut run, mut row) = (self.run_of(rows.start), rows.start);
        while row < rows.end {
            let end = rows.end.min(self.row_ends[run] as usize);
            visit(run, end - row);
            (row, run) = (end, run + 1);
        }
    }
}
