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
//! Memory: some kilobytes more than reading the archive. Cost, over all splits of an archive together: plain text is
//! searched twice at most and delivered once; a frame is decoded twice at most. To find the splits, plain text is not
//! read, and of a frame only the headers of its blocks.
//!
//! ```
//! use pgnmill::archive::{Archive, InOrder, Options, Split};
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

mod frames;
mod ranged;
mod text;

pub use ranged::RangedBytes;

use super::inflate::{Plain, Source};
use super::jobs::Plan;
use super::peek_buffer::Piped;
use super::splitter::Sizes;
use super::stream::Stream;
use super::zstd_headers::is_zstd;
use super::{Archive, Kind, LOOK_BYTES_MAX, Options, SNIFF_BYTES, foreign, holds_frame, is_text};
use crate::error::{Error, Result};
use frames::{FrameSplit, FrameWalk};
use ranged::RangeReader;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

/// The container of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    /// Text as it is.
    Text,
    /// zstd frames.
    Zstd,
}

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
    /// All splits of an archive, in order: one at least. `name` is for messages; a `target_bytes` of 0 counts as 1.
    ///
    /// # Errors
    /// What the source refuses; a file of another format.
    pub fn all(name: &str, source: impl RangedBytes, target_bytes: u64) -> Result<Vec<Split>> {
        let path = Path::new(name);
        let container = container(path, &source)?;
        let stored_bytes = source.len();
        let mut whole = Split::whole(container, stored_bytes);
        whole.target_bytes = target_bytes.max(1);
        let mut splits = Vec::new();
        let mut walk = FrameWalk::new(&source, stored_bytes);
        let (mut begin, mut frames) = (0, 0);
        while begin < stored_bytes || splits.is_empty() {
            let (end, more_frames) = match container {
                Container::Text => (text::range_end(&whole, begin), 0),
                Container::Zstd => {
                    let range = walk.range(begin, whole.target_bytes);
                    range.map_err(|error| Error::io("read", path, error))?
                }
            };
            let ordinal = splits.len() as u64;
            splits.push(Split { begin, end, frames, ordinal, ..whole.clone() });
            (begin, frames) = (end, frames + more_frames);
        }
        let count = splits.len() as u64;
        splits.iter_mut().for_each(|split| split.count = count);
        Ok(splits)
    }

    /// The only split of an archive.
    fn whole(container: Container, stored_bytes: u64) -> Split {
        let (begin, end, target_bytes) = (0, stored_bytes, stored_bytes.max(1));
        Split { container, begin, end, stored_bytes, target_bytes, frames: 0, ordinal: 0, count: 1 }
    }

    /// Can this be a split of an archive of so many bytes?
    fn fits(&self, stored_bytes: u64) -> bool {
        let is_aligned = match self.container {
            Container::Text => text::is_range(self),
            Container::Zstd => true,
        };
        self.stored_bytes == stored_bytes
            && self.begin <= self.end
            && self.end <= stored_bytes
            && self.target_bytes > 0
            && is_aligned
    }
}

/// The container of an archive, by its first bytes.
fn container(path: &Path, source: &impl RangedBytes) -> Result<Container> {
    let len = source.len();
    let mut first = vec![0; len.min(SNIFF_BYTES as u64) as usize];
    source.read_at(0, &mut first).map_err(|error| Error::io("read", path, error))?;
    foreign::refuse(path, &first)?;
    if is_zstd(&first) {
        return Ok(Container::Zstd);
    }
    let near = RangeReader::new(source, 0, len.min(LOOK_BYTES_MAX as u64));
    let is_text = is_text(&first) || !holds_frame(Piped::new(near, path.into()))?;
    Ok(if is_text { Container::Text } else { Container::Zstd })
}

impl Archive {
    /// All splits of the archive: see [`Split::all`]. What is not a file has one split, which cannot be opened again.
    ///
    /// # Errors
    /// What the system refuses; a mapped file that has become shorter.
    pub fn splits(&self, target_bytes: u64) -> Result<Vec<Split>> {
        if let Some(map) = &self.watch.map {
            let splits = Split::all(&self.name, &map[..], target_bytes);
            self.watch.check()?;
            return splits;
        }
        if let Some(file) = &self.file {
            return Split::all(&self.name, file, target_bytes);
        }
        let container = match self.kind {
            Kind::Plain | Kind::Stream { zstd: false } => Container::Text,
            Kind::ZstdFrames | Kind::Stream { zstd: true } => Container::Zstd,
        };
        Ok(vec![Split::whole(container, self.stored_bytes.unwrap_or(u64::MAX))])
    }

    /// Opens a split: an archive of the games that it owns, read in order by one reader. `name` is for messages.
    ///
    /// The offsets of its blocks are those in the text of the whole archive where that is plain text, or the split is
    /// the first; else they count from the first byte of the split's text: see [`Archive::text_begin`]. Damaged frames
    /// are never skipped.
    ///
    /// # Errors
    /// What the source refuses; a split of other bytes; [`Options::skip_damaged`] with zstd frames.
    pub fn open_split(
        name: &str,
        source: impl RangedBytes + 'static,
        split: &Split,
        options: &Options,
    ) -> Result<Archive> {
        let path: Arc<Path> = Path::new(name).into();
        if !split.fits(source.len()) {
            return Err(Error::wrong_split(path));
        }
        let source: Arc<dyn RangedBytes> = Arc::new(source);
        let zstd = split.container == Container::Zstd;
        let (text_begin, source): (_, Box<dyn Source>) = if zstd {
            if options.skip_damaged {
                return Err(Error::usage(format!("{name}: a split cannot skip damaged frames")));
            }
            let text_begin = (split.begin == 0).then_some(0);
            (text_begin, Box::new(FrameSplit::new(source, Arc::clone(&path), split)?))
        } else {
            let owned = text::owned(&source, split);
            let owned = owned.map_err(|error| Error::io("read", &path, error))?;
            let reader = RangeReader::new(source, owned.start, owned.end);
            (Some(owned.start), Box::new(Plain::new(reader, Arc::clone(&path))))
        };
        let stream = Stream::new(source, true, Sizes::new(options));
        let plan = Plan::Stream(Box::new(stream));
        let mut archive = Archive::with_plan(path, Kind::Stream { zstd }, plan, options);
        archive.stored_bytes = Some(split.end - split.begin);
        archive.text_begin = text_begin;
        Ok(archive)
    }

    /// The offset of the first byte of this archive's text in the text of the whole archive: 0, but for a [`Split`];
    /// `None` if it is unknown. The offsets of blocks count from there, or from 0.
    pub fn text_begin(&self) -> Option<u64> {
        self.text_begin
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let container = match self.container {
            Container::Text => "text",
            Container::Zstd => "zstd",
        };
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
        f.write_str("a split is `text` or `zstd` and seven numbers, with spaces between")
    }
}

impl std::error::Error for ParseSplitError {}

impl FromStr for Split {
    type Err = ParseSplitError;

    fn from_str(text: &str) -> Result<Split, ParseSplitError> {
        let (container, numbers) = text.split_once(' ').ok_or(ParseSplitError)?;
        let container = match container {
            "text" => Container::Text,
            "zstd" => Container::Zstd,
            _ => return Err(ParseSplitError),
        };
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
