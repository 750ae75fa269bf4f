//! Splits of plain text: which range of the text a split owns.
//!
//! In: the text as [`RangedBytes`], a [`Split`]. Out: the range from the first game start in the split's range to the
//! first one after it that another split owns.
//!
//! Invariant: [`first_start`] depends on the text, the target and the number of the split alone, so that the split
//! before computes the same offset. Cost: a range is searched up to its first start, once for its own split and once
//! for the one before; [`CONTEXT_BYTES_MAX`] more are read for each range.

use super::super::lines::{BYTE_ORDER_MARK, LINE_EDGE_BYTES};
use super::super::scanner::Scanner;
use super::Split;
use super::ranged::{RangeReader, RangedBytes};
use std::io::{self, BufRead};
use std::ops::Range;

/// The text before a range that is read to decide whether a line at its beginning starts a game: so much, or a quarter
/// of the target if that is less.
pub(super) const CONTEXT_BYTES_MAX: u64 = 64 << 10;

/// The end of the range that begins at `begin`.
pub(super) fn range_end(split: &Split, begin: u64) -> u64 {
    begin.saturating_add(split.target_bytes).min(split.stored_bytes)
}

/// Is the split's range one of those that [`range_end`] makes?
pub(super) fn is_range(split: &Split) -> bool {
    split.begin.checked_rem(split.target_bytes) == Some(0)
        && split.end == range_end(split, split.begin)
}

/// The text that a split owns; empty if no game starts in its range.
pub(super) fn owned(source: &impl RangedBytes, split: &Split) -> io::Result<Range<u64>> {
    let Some(start) = first_start(source, split, split.begin)? else {
        return Ok(split.end..split.end);
    };
    let mut next = split.end;
    while next < split.stored_bytes {
        if let Some(end) = first_start(source, split, next)? {
            return Ok(start..end);
        }
        next = range_end(split, next);
    }
    Ok(start..split.stored_bytes)
}

/// The first game start in the range that begins at `begin` which the text of the range and its context make certain.
/// The archive begins with one.
fn first_start(source: &impl RangedBytes, split: &Split, begin: u64) -> io::Result<Option<u64>> {
    if begin == 0 {
        return Ok(Some(0));
    }
    let end = range_end(split, begin);
    let context = CONTEXT_BYTES_MAX.min(split.target_bytes / 4);
    let mut base = begin.saturating_sub(context);
    // A line that begins in the range is read as far as it can matter.
    let sight = (LINE_EDGE_BYTES + BYTE_ORDER_MARK.len()) as u64;
    let until = end.saturating_add(sight).min(split.stored_bytes);
    let mut reader = RangeReader::new(source, base, until);
    let mut scanner = if base == 0 { Scanner::at_start() } else { Scanner::unknown() };
    let mut text = Vec::new();
    loop {
        let read = reader.fill_buf()?;
        if read.is_empty() {
            return Ok(None);
        }
        let len = read.len();
        text.extend_from_slice(read);
        reader.consume(len);
        while let Some(start) = scanner.next(&text, true) {
            let start = base + start as u64;
            if start >= begin {
                return Ok(Some(start).filter(|&start| start < end));
            }
        }
        let understood = scanner.understood(text.len());
        scanner.forget(understood);
        text.drain(..understood);
        base += understood as u64;
    }
}
