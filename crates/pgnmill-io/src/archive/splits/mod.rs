//! Splits: parts of an archive that are read alone, on any machine, each game in exactly one of them.
//!
//! In: stored bytes that can be read at any offset ([`RangedBytes`]) and a size. Out: [`Split`]s, a few numbers each;
//! from a split and the same bytes, an [`Archive`] of the games that it owns.
//!
//! Each split has a range of the stored bytes. Its text begins at the first game start that is certain in that range
//! (the first split: at the beginning of the archive) and ends where the text of the next split begins: a split reads
//! on beyond its range to finish its last game. A split without a certain start is empty, and the split before it reads
//! through it. Both sides find a start with the same search in the same bytes, so that every byte of the text is in
//! exactly one split.
//!
//! | container | ranges | the search for a start |
//! |---|---|---|
//! | plain text | of `target_bytes` | begins 64 KiB before the range, or a quarter of `target_bytes` |
//! | zstd, several frames | whole frames, `target_bytes` or more | begins with the text of the range |
//! | zstd, one frame | one split | |
//!
//! Memory: a piece of 4 MiB more than reading the archive. Cost, over all splits of an archive together: plain text is
//! searched twice at most and delivered once; a frame is decoded twice at most. Reads are few and large: with a target
//! of 64 MiB some 20 for each split, and 0.3 % more bytes than the archive has.
//!
//! ```
//! use pgnmill_io::archive::{Archive, InOrder, Options, Split};
//! let stored = b"[Event \"a\"]\n\n*\n\n[Event \"b\"]\n\n*\n\n[Event \"c\"]\n\n*\n".as_slice();
//! let splits = Split::all("memory", stored, 16)?;
//! assert_eq!(splits.len(), 3);
//! let mut text = Vec::new();
//! for split in splits {
//!     let split: Split = split.to_string().parse()?; // on another machine
//!     for item in Archive::open_split("memory", stored, &split, &Options::default())?.blocks() {
//!         if let InOrder::Block(block) = item? {
//!             text.extend_from_slice(&block.text);
//!         }
//!     }
//! }
//! assert_eq!(text, stored);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod division;
mod frame_ends;
mod frames;
mod held;
mod of_archive;
mod open;
mod ranged;
mod sources;
mod text;

pub use division::{Division, Undivided};
pub use of_archive::{ArchiveSplit, SplitBase, Version};
pub use ranged::RangedBytes;
pub use sources::OpenRanged;

use super::container::Container;
use crate::error::{Error, Result};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A part of an archive that is read alone.
///
/// Its [`Display`](fmt::Display) is one line of eight fields, in the order of the fields here, with spaces between;
/// [`FromStr`] reads it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Split {
    /// The container of the archive.
    pub container: Container,
    /// The first stored byte of the split's range.
    pub begin: u64,
    /// The end of its range.
    pub end: u64,
    /// The stored bytes of the whole archive; [`u64::MAX`] if that is unknown, and then the split cannot be opened.
    pub stored_bytes: u64,
    /// The size that ranges were requested to have, in stored bytes; 1 or more.
    pub target_bytes: u64,
    /// The frames that begin before `begin`, skippable ones not counted.
    pub frames: u64,
    /// The number of the split, from 0.
    pub ordinal: u64,
    /// The number of all splits of the archive.
    pub count: u64,
}

impl Split {
    /// All splits of an archive, in order: see [`Division::new`].
    ///
    /// # Errors
    /// What the source refuses; a file of another format.
    pub fn all(name: &str, source: impl RangedBytes, target_bytes: u64) -> Result<Vec<Split>> {
        Ok(Division::new(name, source, target_bytes)?.splits)
    }

    /// The only split of an archive.
    fn whole(container: Container, stored_bytes: u64) -> Split {
        let (begin, end, target_bytes) = (0, stored_bytes, stored_bytes.max(1));
        Split { container, begin, end, stored_bytes, target_bytes, frames: 0, ordinal: 0, count: 1 }
    }

    /// Its place among the splits of the archive, such as `split 3 of 7`.
    fn place(&self) -> String {
        format!("split {} of {}", self.ordinal.saturating_add(1), self.count)
    }

    /// The error of this split of the archive `name`.
    fn wrong(&self, name: &Path, detail: impl fmt::Display) -> Error {
        Error::wrong_split(name, self.place(), detail)
    }

    /// Checks that this can be a split of an archive of so many bytes.
    fn check(&self, name: &Path, stored_bytes: u64) -> Result<()> {
        if self.stored_bytes != stored_bytes {
            let had = self.stored_bytes;
            let what = "the archive has changed since it was divided";
            return Err(self.wrong(name, format!("{what}: it had {had} bytes, has {stored_bytes}")));
        }
        let is_range = match self.container {
            Container::Text => text::is_range(self),
            Container::Zstd => self.target_bytes > 0,
            // They are one split.
            _ => self.target_bytes > 0 && self.begin == 0 && self.end == stored_bytes,
        };
        if !is_range || self.begin > self.end || self.end > stored_bytes {
            let Split { begin, end, target_bytes, .. } = self;
            let what = "no split of this archive has the range";
            return Err(
                self.wrong(name, format!("{what} {begin}..{end}, with a target of {target_bytes}"))
            );
        }
        Ok(())
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let container = self.container.name();
        let Split { begin, end, stored_bytes, target_bytes, frames, ordinal, count, .. } = self;
        write!(
            f,
            "{container} {begin} {end} {stored_bytes} {target_bytes} {frames} {ordinal} {count}"
        )
    }
}

/// A text that is not that of a [`Split`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseSplitError;

impl fmt::Display for ParseSplitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a split is a container and seven numbers, with spaces between")
    }
}

impl std::error::Error for ParseSplitError {}

impl FromStr for Split {
    type Err = ParseSplitError;

    fn from_str(text: &str) -> Result<Split, ParseSplitError> {
        let (container, numbers) = text.split_once(' ').ok_or(ParseSplitError)?;
        let named = Container::ALL.into_iter().find(|known| known.name() == container);
        let container = named.ok_or(ParseSplitError)?;
        let numbers: Result<Vec<u64>, _> = numbers.split(' ').map(str::parse).collect();
        let numbers = numbers.map_err(|_| ParseSplitError)?;
        let &[begin, end, stored_bytes, target_bytes, frames, ordinal, count] = &numbers[..] else {
            return Err(ParseSplitError);
        };
        Ok(Split { container, begin, end, stored_bytes, target_bytes, frames, ordinal, count })
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
