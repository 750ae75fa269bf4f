//! Splits, and archives that can be read at any offset, as inputs of a run.
//!
//! In: an [`ArchiveSplit`] and a file, or a value that opens ranged bytes, such as an object of a store. Out: a
//! [`NamedSource`]. Invariants: nothing is opened before the archive has its turn; each time it is opened its size and
//! version are compared with those that were divided. Cost: that of the reading.
//!
//! ```
//! use pgnmill_io::archive::Archive;
//! use pgnmill_io::archive::ArchiveSplit;
//! use pgnmill_io::archive::Input;
//! use pgnmill_io::archive::NamedSource;
//! use pgnmill_io::archive::OpenRanged;
//! use pgnmill_io::archive::Options;
//! use pgnmill_io::archive::RangedBytes;
//! use pgnmill_io::archive::Split;
//! use pgnmill_io::archive::Version;
//! struct Memory(&'static [u8]);
//! impl OpenRanged for Memory {
//!     fn open(&self) -> pgnmill_io::error::Result<(Box<dyn RangedBytes>, Version)> {
//!         Ok((Box::new(self.0), Version::of_etag("1")))
//!     }
//! }
//! let stored = b"[Event \"a\"]\n\n*\n".as_slice();
//! let [split] = &Split::all("s3://a/b.pgn", stored, 100)?[..] else { panic!("one split") };
//! let split = ArchiveSplit::new("s3://a/b.pgn", Version::of_etag("1"), split.clone());
//! let input = Input::Named(NamedSource::ranged_split(split, Memory(stored)));
//! assert_eq!(input.name(), "s3://a/b.pgn");
//! assert_eq!(Archive::open(&input, &Options::default())?.stored_bytes(), Some(15));
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

use super::super::named::{NamedSource, OpenArchive};
use super::super::{Archive, Options};
use super::ranged::{RangeReader, RangedBytes};
use super::{ArchiveSplit, Version};
use crate::error::{Error, Result};
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Opens stored bytes that can be read at any offset.
pub trait OpenRanged: Send + Sync {
    /// The bytes, and their version. Called on a thread of the run, each time the archive is opened.
    ///
    /// # Errors
    /// What cannot be opened.
    fn open(&self) -> Result<(Box<dyn RangedBytes>, Version)>;
}

impl NamedSource {
    /// The games of a split of a local file; the path is the name of its archive.
    pub fn archive_split(split: ArchiveSplit) -> NamedSource {
        let path = PathBuf::from(&split.archive);
        NamedSource::archive_split_at(split, path)
    }

    /// The source of a split whose file has the path `path` on this machine; its name remains that of the archive.
    pub fn archive_split_at(split: ArchiveSplit, path: PathBuf) -> NamedSource {
        NamedSource::ranged_split(split, LocalFile(path))
    }

    /// The games of a split of an archive that `opener` opens.
    pub fn ranged_split(split: ArchiveSplit, opener: impl OpenRanged + 'static) -> NamedSource {
        let name = split.archive.clone();
        NamedSource::new(&name, RangedSplit(split, opener))
    }

    /// A whole archive that `opener` opens; it is read in order, in large pieces. It can be read several times, as long
    /// as it has the same size and version each time.
    pub fn ranged(name: &str, opener: impl OpenRanged + 'static) -> NamedSource {
        NamedSource::new(name, Ranged { opener, first: OnceLock::new() })
    }
}

struct LocalFile(PathBuf);

impl OpenRanged for LocalFile {
    fn open(&self) -> Result<(Box<dyn RangedBytes>, Version)> {
        let file = File::open(&self.0).map_err(|error| Error::io("open", &self.0, error))?;
        let metadata = file.metadata().map_err(|error| Error::io("open", &self.0, error))?;
        if metadata.is_dir() {
            return Err(Error::io("open", &self.0, io::ErrorKind::IsADirectory.into()));
        }
        let version = Version::of_file(&self.0, &file)?;
        Ok((Box::new(file), version))
    }
}

struct RangedSplit<O>(ArchiveSplit, O);

impl<O: OpenRanged> OpenArchive for RangedSplit<O> {
    fn open(&self, _: &str, options: &Options) -> Result<Archive> {
        let (source, version) = self.1.open()?;
        Archive::open_archive_split(source, &version, &self.0, options)
    }

    fn stored_bytes(&self) -> Option<u64> {
        Some(self.0.stored_bytes())
    }

    fn split(&self) -> Option<&ArchiveSplit> {
        Some(&self.0)
    }

    fn is_repeatable(&self) -> bool {
        true
    }
}

struct Ranged<O> {
    opener: O,
    /// The size and the version when it was first opened.
    first: OnceLock<(u64, Version)>,
}

impl<O: OpenRanged> OpenArchive for Ranged<O> {
    fn open(&self, name: &str, options: &Options) -> Result<Archive> {
        let (source, version) = self.opener.open()?;
        let len = source.len();
        let (first_len, first) = self.first.get_or_init(|| (len, version.clone()));
        let difference = first.difference(&version);
        let difference = difference
            .or((*first_len != len).then(|| format!("it had {first_len} bytes, has {len}")));
        if let Some(difference) = difference {
            let detail = format!("it has changed since it was first read: {difference}");
            return Err(Error::io("read", name, io::Error::other(detail)));
        }
        let mut archive = Archive::from_reader(name, RangeReader::new(source, 0, len), options)?;
        archive.stored_bytes = Some(len);
        Ok(archive)
    }

    fn stored_bytes(&self) -> Option<u64> {
        self.first.get().map(|(len, _)| *len)
    }

    fn is_repeatable(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{InOrder, Input, Split, SplitBase};
    use crate::error::ErrorKind;
    use std::sync::Mutex;

    const GAMES: &[u8] = b"[Event \"a\"]\n\n*\n\n[Event \"b\"]\n\n*\n\n[Event \"c\"]\n\n*\n";

    fn text(source: &NamedSource) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        for item in Archive::open(&Input::Named(source.clone()), &Options::default())?.blocks() {
            if let InOrder::Block(block) = item? {
                text.extend_from_slice(&block.text);
            }
        }
        Ok(text)
    }

    fn message(source: &NamedSource) -> String {
        let error = text(source).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::WrongSplit { .. }), "{error}");
        error.to_string()
    }

    #[test]
    fn splits_of_a_file_are_the_file_until_it_changes() {
        let path = std::env::temp_dir().join(format!("pgnmill-splits-{}.pgn", std::process::id()));
        std::fs::write(&path, GAMES).unwrap();
        let name = path.display().to_string();
        let version = Version::of_file(&path, &File::open(&path).unwrap()).unwrap();
        let split = |split| ArchiveSplit::new(name.clone(), version.clone(), split);
        let splits: Vec<_> = Split::all(&name, GAMES, 16).unwrap().into_iter().map(split).collect();
        assert_eq!(splits.len(), 3);
        let part = |split: &ArchiveSplit| {
            let input = Input::Named(NamedSource::archive_split(split.clone()));
            assert_eq!(
                (input.split(), input.stored_bytes()),
                (Some(split), Some(split.stored_bytes()))
            );
            assert!(input.is_repeatable());
            text(&NamedSource::archive_split(split.clone())).unwrap()
        };
        assert_eq!(splits.iter().flat_map(part).collect::<Vec<u8>>(), GAMES);

        let mut other = splits[1].clone();
        other.version.modified_ns = Some(1_000_000_007);
        let error = message(&NamedSource::archive_split(other));
        let expected = format!("split 2 of 3 of {name} cannot be read: the archive has changed");
        assert!(error.starts_with(&expected) && error.contains("it was modified at "), "{error}");

        std::fs::write(&path, [GAMES, b"\n"].concat()).unwrap();
        let error = message(&NamedSource::archive_split(splits[2].clone()));
        let expected = format!(
            "split 3 of 3 of {name} cannot be read: the archive has changed since it was divided: \
             it had {} bytes, has {}",
            GAMES.len(),
            GAMES.len() + 1
        );
        assert_eq!(error, expected);
        std::fs::remove_file(&path).unwrap();
        let error = text(&NamedSource::archive_split(splits[2].clone())).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Io { action: "open", .. }), "{error}");
    }

    struct Object(&'static [u8], Mutex<u32>);

    /// Each time it is opened it has the next etag.
    impl OpenRanged for Object {
        fn open(&self) -> Result<(Box<dyn RangedBytes>, Version)> {
            let mut etag = self.1.lock().unwrap();
            *etag += 1;
            Ok((Box::new(self.0), Version::of_etag(etag.to_string())))
        }
    }

    #[test]
    fn an_object_that_was_written_again_is_refused() {
        let split = Split::all("s3://a/b", GAMES, 16).unwrap().remove(1);
        let split = ArchiveSplit::new("s3://a/b", Version::of_etag("1"), split);
        let source = NamedSource::ranged_split(split, Object(GAMES, Mutex::new(0)));
        assert!(text(&source).is_ok());
        assert_eq!(
            message(&source),
            "split 2 of 3 of s3://a/b cannot be read: the archive has changed since it was \
             divided: its etag was 1, is 2"
        );
        let source = NamedSource::ranged("s3://a/b", Object(GAMES, Mutex::new(0)));
        assert_eq!(text(&source).unwrap(), GAMES);
        let error = text(&source).unwrap_err().to_string();
        assert!(error.ends_with("since it was first read: its etag was 1, is 2"), "{error}");
    }

    #[test]
    fn a_base_gives_the_offsets_of_the_whole_archive() {
        let frames: Vec<u8> =
            GAMES.chunks(17).flat_map(|text| zstd::encode_all(text, 1).unwrap()).collect();
        for stored in [GAMES.to_vec(), frames] {
            let mut before = SplitBase::default();
            for split in Split::all("x", stored.as_slice(), 16).unwrap() {
                let mut split = ArchiveSplit::new("x", Version::default(), split);
                split.base = Some(before);
                let version = Version::default();
                let archive = Archive::open_archive_split(
                    stored.clone(),
                    &version,
                    &split,
                    &Options::default(),
                )
                .unwrap();
                assert_eq!(
                    (archive.base(), archive.text_begin()),
                    (before, Some(before.text_bytes))
                );
                for item in archive.blocks() {
                    let InOrder::Block(block) = item.unwrap() else { panic!("no damage") };
                    assert_eq!(block.offset, before.text_bytes);
                    before.text_bytes += block.text.len() as u64;
                    before.games += 1;
                }
                if stored == GAMES {
                    split.base = Some(SplitBase { text_bytes: 7, ..before });
                    let open = Archive::open_archive_split(
                        stored.clone(),
                        &version,
                        &split,
                        &Options::default(),
                    );
                    let error = open.unwrap_err().to_string();
                    assert!(error.contains("begins at byte "), "{error}");
                }
            }
            assert_eq!(before.text_bytes, GAMES.len() as u64);
        }
    }
}
