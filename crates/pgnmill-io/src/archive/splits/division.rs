//! The division of an archive: its splits, or why it has only one.
//!
//! In: the stored bytes as [`RangedBytes`], the size that splits should have. Out: a [`Division`]. Invariant: the
//! ranges of the splits are the whole archive, in order. Cost: plain text is not read; of frames, what stores their
//! sizes is read, or the headers of their blocks where small reads are cheap.
//!
//! ```
//! use pgnmill_io::archive::Division;
//! use pgnmill_io::archive::Undivided;
//! let text = "[Event \"a\"]\n\n*\n\n".repeat(100);
//! let frame = zstd::bulk::compress(text.as_bytes(), 1)?;
//! let division = Division::new("memory", frame.as_slice(), 10)?;
//! assert_eq!((division.splits.len(), division.undivided), (1, Some(Undivided::OneFrame)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::super::peek_buffer::Piped;
use super::super::zstd_headers::is_zstd;
use super::super::{LOOK_BYTES_MAX, SNIFF_BYTES, coded_container, foreign, holds_frame, is_text};
use super::frame_ends::{FrameWalk, Ranges, by_table};
use super::ranged::{RangeReader, RangedBytes};
use super::{Container, Split, text};
use crate::error::{Error, Result};
use std::fmt;
use std::io;
use std::path::Path;

/// The splits of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Division {
    /// All splits, in order: one at least.
    pub splits: Vec<Split>,
    /// Why an archive that is longer than the target is one split.
    pub undivided: Option<Undivided>,
}

/// Why an archive is not divided. Written again as frames with a seek table, as `select` does, it can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Undivided {
    /// It has one zstd frame.
    OneFrame,
    /// The sizes of its zstd frames are not stored, and small reads of its source are expensive.
    SizesUnknown,
    /// Its container is decoded from its beginning on.
    OneStream(Container),
}

impl fmt::Display for Undivided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Undivided::OneFrame => "it is one zstd frame",
            Undivided::SizesUnknown => "it does not store the sizes of its zstd frames",
            Undivided::OneStream(container) => {
                return write!(f, "{} is decoded from its beginning on", container.name());
            }
        })
    }
}

impl Division {
    /// Divides an archive. `name` is for messages; a `target_bytes` of 0 counts as 1.
    ///
    /// # Errors
    /// What the source refuses; a file of another format.
    pub fn new(name: &str, source: impl RangedBytes, target_bytes: u64) -> Result<Division> {
        let path = Path::new(name);
        let container = container(path, &source)?;
        let mut whole = Split::whole(container, source.len());
        if whole.stored_bytes == 0 {
            whole.target_bytes = target_bytes.max(1);
            return Ok(Division { splits: vec![whole], undivided: None });
        }
        let is_longer = whole.stored_bytes > target_bytes.max(1);
        let undivided = |reason| is_longer.then_some(reason);
        let ranges = match container {
            Container::Text => {
                whole.target_bytes = target_bytes.max(1);
                text_ranges(&whole)
            }
            Container::Zstd => {
                let ranges = frame_ranges(&source, target_bytes.max(1));
                match ranges.map_err(|error| Error::io("read", path, error))? {
                    Some(ranges) => {
                        whole.target_bytes = target_bytes.max(1);
                        ranges.found
                    }
                    None => {
                        let undivided = undivided(Undivided::SizesUnknown);
                        return Ok(Division { splits: vec![whole], undivided });
                    }
                }
            }
            Container::Gzip | Container::Bzip2 | Container::Xz => {
                whole.target_bytes = target_bytes.max(1);
                let undivided = undivided(Undivided::OneStream(container));
                return Ok(Division { splits: vec![whole], undivided });
            }
        };
        let splits = splits(&whole, &ranges);
        let undivided = if splits.len() == 1 { undivided(Undivided::OneFrame) } else { None };
        Ok(Division { splits, undivided })
    }
}

fn text_ranges(whole: &Split) -> Vec<(u64, u64)> {
    let (mut ranges, mut end) = (Vec::new(), 0);
    while end < whole.stored_bytes {
        end = text::range_end(whole, end);
        ranges.push((end, 0));
    }
    ranges
}

fn frame_ranges(source: &impl RangedBytes, target_bytes: u64) -> io::Result<Option<Ranges>> {
    match by_table(source, target_bytes)? {
        Some(ranges) => Ok(Some(ranges)),
        None => FrameWalk::new(source).ranges(target_bytes),
    }
}

fn splits(whole: &Split, ranges: &[(u64, u64)]) -> Vec<Split> {
    let count = ranges.len() as u64;
    let (mut begin, mut frames) = (0, 0);
    let split = |(ordinal, &(end, more)): (usize, &(u64, u64))| {
        let ordinal = ordinal as u64;
        let split = Split { begin, end, frames, ordinal, count, ..whole.clone() };
        (begin, frames) = (end, frames + more);
        split
    };
    ranges.iter().enumerate().map(split).collect()
}

/// The container of an archive, by its first bytes.
fn container(path: &Path, source: &impl RangedBytes) -> Result<Container> {
    let len = source.len();
    let mut first = vec![0; len.min(SNIFF_BYTES as u64) as usize];
    source.read_at(0, &mut first).map_err(|error| Error::io("read", path, error))?;
    if let Some(container) = coded_container(&first) {
        return Ok(container);
    }
    foreign::refuse(path, &first)?;
    if is_zstd(&first) {
        return Ok(Container::Zstd);
    }
    let near = RangeReader::new(source, 0, len.min(LOOK_BYTES_MAX as u64));
    let is_text = is_text(&first) || !holds_frame(Piped::new(near, path.into()))?;
    Ok(if is_text { Container::Text } else { Container::Zstd })
}
