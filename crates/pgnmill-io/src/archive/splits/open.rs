//! Splits are opened: an archive of the games that one split owns.
//!
//! In: the stored bytes of an archive as [`RangedBytes`], a [`Split`] or an [`ArchiveSplit`]. Out: an [`Archive`] that
//! one reader reads in order. Invariants: a split of other bytes is refused; the jobs of a split count its stored
//! bytes, `end - begin`, so that all splits together count those of the archive. Cost: that of the reading; a split of
//! plain text is searched for its first start when it is opened.
//!
//! ```
//! use pgnmill_io::archive::Archive;
//! use pgnmill_io::archive::ArchiveSplit;
//! use pgnmill_io::archive::Options;
//! use pgnmill_io::archive::Split;
//! use pgnmill_io::archive::Version;
//! let stored = b"[Event \"a\"]\n\n*\n".as_slice();
//! let [split] = &Split::all("a.pgn", stored, 100)?[..] else { panic!("one split") };
//! let split = ArchiveSplit::new("a.pgn", Version::of_etag("1"), split.clone());
//! let options = Options::default();
//! assert!(Archive::open_archive_split(stored, &Version::of_etag("1"), &split, &options).is_ok());
//! assert!(Archive::open_archive_split(stored, &Version::of_etag("2"), &split, &options).is_err());
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

use super::super::deliver::Sizes;
use super::super::inflate::Source;
use super::super::jobs::Plan;
use super::super::stream::Stream;
use super::super::{Archive, Kind, Options, coded_source, is_coded};
use super::frames::FrameText;
use super::held::{Held, Stepped};
use super::ranged::{RangeReader, RangedBytes};
use super::text::RangeText;
use super::{ArchiveSplit, Container, Division, Split, SplitBase, Version};
use crate::error::{Error, Result};
use std::path::Path;
use std::sync::Arc;

impl Archive {
    /// All splits of the archive: see [`Split::all`]. What is not a file has one split, which cannot be opened again.
    ///
    /// # Errors
    /// What the system refuses; a mapped file that has become shorter.
    pub fn splits(&self, target_bytes: u64) -> Result<Vec<Split>> {
        if let Some(map) = &self.watch.map {
            let division = Division::new(&self.name, &map[..], target_bytes);
            self.watch.check()?;
            return Ok(division?.splits);
        }
        if let Some(file) = &self.file {
            return Split::all(&self.name, file, target_bytes);
        }
        let container = match self.kind {
            Kind::Plain => Container::Text,
            Kind::ZstdFrames => Container::Zstd,
            Kind::Stream { container } => container,
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
        open(Path::new(name), Arc::new(source), split, None, options)
    }

    /// Opens a split of an archive, as [`Archive::open_split`], whose source has this version. With
    /// [`ArchiveSplit::base`] all offsets, lines and numbers of games are those in the whole archive.
    ///
    /// # Errors
    /// Those of [`Archive::open_split`]; a source of another size or version than that which was divided.
    pub fn open_archive_split(
        source: impl RangedBytes + 'static,
        version: &Version,
        split: &ArchiveSplit,
        options: &Options,
    ) -> Result<Archive> {
        let name = Path::new(&split.archive);
        split.split.check(name, source.len())?;
        if let Some(difference) = split.version.difference(version) {
            let detail = format!("the archive has changed since it was divided: {difference}");
            return Err(split.split.wrong(name, detail));
        }
        open(name, Arc::new(source), &split.split, split.base, options)
    }

    /// The offset of the first byte of this archive's text in the text of the whole archive: 0, but for a [`Split`];
    /// `None` if it is unknown. The offsets of blocks count from there, or from 0.
    pub fn text_begin(&self) -> Option<u64> {
        self.text_begin
    }

    /// What of the whole archive is before the text of this one, as far as that is known: zeros where it is not, and
    /// where this is the whole archive.
    pub fn base(&self) -> SplitBase {
        self.base
    }
}

fn open(
    name: &Path,
    source: Arc<dyn RangedBytes>,
    split: &Split,
    base: Option<SplitBase>,
    options: &Options,
) -> Result<Archive> {
    split.check(name, source.len())?;
    let path: Arc<Path> = name.into();
    let container = split.container;
    let stored_bytes = split.end - split.begin;
    let mut held = Held::default();
    if container != Container::Text && options.skip_damaged {
        let name = name.display();
        return Err(Error::usage(format!("{name}: a split cannot skip damaged frames")));
    }
    let (text_begin, source): (_, Box<dyn Source>) = if is_coded(container) {
        let reader = RangeReader::new(source, 0, split.end);
        (Some(0), coded_source(container, reader, &path, options)?)
    } else if container == Container::Zstd {
        let text = FrameText::new(source, Arc::clone(&path), split)?;
        let text_begin = (split.begin == 0).then_some(0);
        (text_begin, Box::new(Stepped::new(text, held, true, stored_bytes)))
    } else {
        let mut text = RangeText::new(source, Arc::clone(&path), split);
        let start = text.find_start(&mut held)?;
        // The text of an empty split is nowhere.
        let text_begin = start.or(base.is_none().then_some(split.end));
        (text_begin, Box::new(Stepped::new(text, held, start.is_some(), stored_bytes)))
    };
    if let (Some(base), Some(found)) = (base, text_begin)
        && base.text_bytes != found
    {
        let expected = base.text_bytes;
        let detail = format!("its text begins at byte {found} of the text, not at {expected}");
        return Err(split.wrong(name, detail));
    }
    let stream = Stream::new(source, true, Sizes::new(options));
    let plan = Plan::Stream(Box::new(stream));
    let mut archive = Archive::with_plan(path, Kind::Stream { container }, plan, options);
    archive.stored_bytes = Some(stored_bytes);
    archive.text_begin = base.map(|base| base.text_bytes).or(text_begin);
    archive.base = base.unwrap_or_default();
    Ok(archive)
}
