//! Splits of plain text: the text that a split owns.
//!
//! In: the text as [`RangedBytes`], a [`Split`]. Out: the text from the first game start in the split's range to the
//! first one after it that another split owns.
//!
//! Invariant: the search for the first start of a range depends on the text, the target and the number of the split
//! alone, so that the split before finds the same one. Cost: a split reads each byte once: its range and the
//! [`CONTEXT_BYTES_MAX`] before it in large pieces, what follows in small ones, which grow. What is held is a piece and
//! the context.

use super::super::lines::{BYTE_ORDER_MARK, LINE_EDGE_BYTES};
use super::super::scanner::Scanner;
use super::Split;
use super::held::{Held, Steps};
use super::ranged::{RangeReader, RangedBytes};
use crate::error::{Error, Result};
use std::io::BufRead;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The text before a range that is read to decide whether a line at its beginning starts a game: so much, or a quarter
/// of the target if that is less.
pub(super) const CONTEXT_BYTES_MAX: u64 = 64 << 10;
/// Text is taken from the reader in pieces of this length.
const PIECE_BYTES: usize = 256 << 10;

/// The end of the range that begins at `begin`.
pub(super) fn range_end(split: &Split, begin: u64) -> u64 {
    begin.saturating_add(split.target_bytes).min(split.stored_bytes)
}

/// Is the split's range one of those that [`range_end`] makes?
pub(super) fn is_range(split: &Split) -> bool {
    split.begin.checked_rem(split.target_bytes) == Some(0)
        && split.end == range_end(split, split.begin)
}

/// What is done with the text that is read.
enum State {
    /// The split's own range, before its first start: the text is dropped.
    Before(Scanner),
    /// The split's own range: the text is given.
    Own,
    /// The range of a later split, before its first start: the text is given.
    After(Scanner),
}

/// What a search for the first start of a range has found.
enum Found {
    /// The offset of the start.
    Start(u64),
    /// The range has no start that its text and its context make certain.
    Nothing,
    /// More text is needed.
    More,
}

/// The text that a split owns.
pub(super) struct RangeText {
    reader: RangeReader<Arc<dyn RangedBytes>>,
    path: Arc<Path>,
    split: Split,
    context: u64,
    state: State,
    /// The range that is read.
    range: Range<u64>,
    /// The offset of the text held.
    at: u64,
    /// Where in the text held the text of the scanner begins, and before which no start will be found.
    scanned: usize,
    understood: usize,
}

impl RangeText {
    /// The text of a split; it fits the source.
    pub(super) fn new(source: Arc<dyn RangedBytes>, path: Arc<Path>, split: &Split) -> RangeText {
        let context = CONTEXT_BYTES_MAX.min(split.target_bytes / 4);
        let at = split.begin.saturating_sub(context);
        let is_first = split.begin == 0;
        RangeText {
            reader: RangeReader::new(source, at, split.end),
            path,
            split: split.clone(),
            context,
            // The archive begins with a start.
            state: if is_first { State::Own } else { State::Before(Scanner::unknown()) },
            range: split.begin..split.end,
            at,
            scanned: 0,
            understood: 0,
        }
    }

    /// Finds the first start of the split; `None` if it has none, and no text.
    ///
    /// # Errors
    /// What the source refuses.
    pub(super) fn find_start(&mut self, held: &mut Held) -> Result<Option<u64>> {
        while matches!(self.state, State::Before(_)) {
            if !self.step(held)? {
                return Ok(None);
            }
        }
        Ok(Some(self.at + held.given as u64))
    }

    /// The end of the text held.
    fn end(&self, held: &Held) -> u64 {
        self.at + held.text.len() as u64
    }

    /// The index of an offset in the text held: its end for those after it.
    fn index(&self, held: &Held, offset: u64) -> usize {
        offset.saturating_sub(self.at).min(held.text.len() as u64) as usize
    }

    /// Drops what was given, but not what a search needs: its own text, and the context of the next range.
    fn forget(&mut self, held: &mut Held) {
        let searched = self.end(held).min(self.range.end).saturating_sub(self.context);
        let mut len = self.index(held, searched);
        len = len.min(held.given);
        if !matches!(self.state, State::Own) {
            len = len.min(self.understood);
        }
        held.drop_front(len);
        self.at += len as u64;
        if let State::Before(scanner) | State::After(scanner) = &mut self.state {
            scanner.forget(len.saturating_sub(self.scanned));
        }
        self.scanned = self.scanned.saturating_sub(len);
        self.understood = self.understood.saturating_sub(len);
    }

    /// Reads some text; none at the end of the archive.
    fn read(&mut self, held: &mut Held) -> Result<()> {
        if self.end(held) >= self.split.end {
            self.reader.extend(self.split.stored_bytes, self.split.target_bytes);
        }
        let read = self.reader.fill_buf().map_err(|error| Error::io("read", &self.path, error))?;
        let len = read.len().min(PIECE_BYTES);
        held.text.extend_from_slice(&read[..len]);
        self.reader.consume(len);
        Ok(())
    }

    /// Goes on with the search for the first start of the range.
    fn search(&mut self, held: &Held) -> Found {
        // A line that begins in the range is read as far as it can matter.
        let sight = (LINE_EDGE_BYTES + BYTE_ORDER_MARK.len()) as u64;
        let until = self.range.end.saturating_add(sight).min(self.split.stored_bytes);
        let text = &held.text[self.scanned..self.index(held, until)];
        let (State::Before(scanner) | State::After(scanner)) = &mut self.state else {
            return Found::Nothing;
        };
        while let Some(start) = scanner.next(text, true) {
            let start = self.at + (self.scanned + start) as u64;
            if start >= self.range.end {
                return Found::Nothing;
            }
            if start >= self.range.start {
                return Found::Start(start);
            }
        }
        self.understood = self.scanned + scanner.understood(text.len());
        if self.end(held) >= until { Found::Nothing } else { Found::More }
    }

    /// Begins the search in the range after this one.
    fn next_range(&mut self, held: &Held) {
        let begin = self.range.end;
        self.range = begin..range_end(&self.split, begin);
        self.state = State::After(Scanner::unknown());
        self.scanned = self.index(held, begin - self.context);
        self.understood = self.scanned;
    }
}

impl Steps for RangeText {
    fn step(&mut self, held: &mut Held) -> Result<bool> {
        self.forget(held);
        let stored_bytes = self.split.stored_bytes;
        if matches!(self.state, State::Own) {
            if self.end(held) < self.range.end {
                self.read(held)?;
            } else if self.range.end >= stored_bytes {
                return Ok(false);
            } else {
                self.next_range(held);
                return Ok(true);
            }
            held.ready = self.index(held, self.range.end);
            return Ok(true);
        }
        let mut found = self.search(held);
        if matches!(found, Found::More) {
            self.read(held)?;
            found = self.search(held);
        }
        let is_own = matches!(self.state, State::Before(_));
        match found {
            Found::Start(start) if is_own => {
                held.given = self.index(held, start);
                held.ready = self.index(held, self.range.end);
                self.state = State::Own;
                Ok(true)
            }
            Found::Start(start) => {
                held.ready = self.index(held, start);
                Ok(false)
            }
            Found::Nothing if is_own => Ok(false),
            Found::Nothing => {
                held.ready = self.index(held, self.range.end);
                if self.range.end >= stored_bytes {
                    return Ok(false);
                }
                self.next_range(held);
                Ok(true)
            }
            Found::More => {
                let understood = self.understood.min(self.index(held, self.range.end));
                held.ready = understood.max(held.given);
                if is_own {
                    held.given = held.ready;
                }
                Ok(true)
            }
        }
    }

    fn stored(&self) -> u64 {
        self.at.saturating_sub(self.split.begin)
    }
}
