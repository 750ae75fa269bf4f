//! A split with all that another machine needs to read it: the archive, the version of the archive, the range.
//!
//! In: the name of an archive, its [`Version`], a [`Split`]. Out: an [`ArchiveSplit`], which is a few words long; from
//! it and the bytes of the archive a [`NamedSource`](crate::archive::NamedSource) of the games that it owns.
//! Invariants: a split is read from the version of the archive that was divided, or not at all; its
//! [seal](ArchiveSplit::seal) shows that no field was altered. Cost: constant.
//!
//! ```
//! use pgnmill_io::archive::ArchiveSplit;
//! use pgnmill_io::archive::Split;
//! use pgnmill_io::archive::Version;
//! let stored = b"[Event \"a\"]\n\n*\n".as_slice();
//! let [split] = &Split::all("a.pgn", stored, 100)?[..] else { panic!("one split") };
//! let whole = ArchiveSplit::new("a.pgn", Version::default(), split.clone());
//! let mut altered = whole.clone();
//! altered.split.end = 10;
//! assert_ne!(whole.seal(), altered.seal());
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

use std::fmt;
use std::fs::File;
use std::path::Path;
use std::time::UNIX_EPOCH;

use super::Split;
use crate::error::{Error, Result};
use crate::file_name::fnv1a;
use crate::utc::utc;

/// What changes when an archive is written again; its size is in each [`Split`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Version {
    /// The time of the last modification of a file, in nanoseconds since 1970.
    pub modified_ns: Option<u64>,
    /// The tag by which an object store names the contents (RFC 9110, 8.8.3), or what serves as one.
    pub etag: Option<String>,
}

impl Version {
    /// The version of an open file.
    ///
    /// # Errors
    /// What the system refuses; `path` is for the message.
    pub fn of_file(path: &Path, file: &File) -> Result<Version> {
        let metadata = file.metadata().map_err(|error| Error::io("open", path, error))?;
        let time = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified_ns = time.and_then(|time| u64::try_from(time.as_nanos()).ok());
        Ok(Version { modified_ns, etag: None })
    }

    /// The version of an object with this tag.
    pub fn of_etag(etag: impl Into<String>) -> Version {
        Version { modified_ns: None, etag: Some(etag.into()) }
    }

    /// What differs between this version and that of the archive now, in words; properties that one of the two lacks
    /// are not compared.
    pub fn difference(&self, now: &Version) -> Option<String> {
        if let (Some(before), Some(now)) = (self.modified_ns, now.modified_ns)
            && before != now
        {
            let (before, now) = (utc(before), utc(now));
            return Some(format!(
                "it was modified at {now}; the version that was divided, at {before}"
            ));
        }
        match (&self.etag, &now.etag) {
            (Some(before), Some(now)) if before != now => {
                Some(format!("its etag was {before}, is {now}"))
            }
            _ => None,
        }
    }
}

/// What an archive has before the text of a split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SplitBase {
    /// Bytes of text.
    pub text_bytes: u64,
    /// Line ends.
    pub lines: u64,
    /// Games.
    pub games: u64,
}

/// A split of a named archive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ArchiveSplit {
    /// The path or URL of the archive; its name in tables and messages.
    pub archive: String,
    /// The version that was divided.
    pub version: Version,
    /// The part of it.
    pub split: Split,
    /// What is before it, where that is known: rows then have the numbers that a run over the whole archive gives.
    pub base: Option<SplitBase>,
}

impl ArchiveSplit {
    /// A split of an archive of this version.
    pub fn new(archive: impl Into<String>, version: Version, split: Split) -> ArchiveSplit {
        ArchiveSplit { archive: archive.into(), version, split, base: None }
    }

    /// The stored bytes of its range.
    pub fn stored_bytes(&self) -> u64 {
        self.split.end.saturating_sub(self.split.begin)
    }

    /// A hash of all fields but the base: the same on all machines. It shows mistakes, not malice.
    pub fn seal(&self) -> u64 {
        let Version { modified_ns, etag } = &self.version;
        let modified = modified_ns.map_or_else(|| "-".to_string(), |time| time.to_string());
        let etag = etag.as_deref().map_or_else(|| "-".to_string(), |etag| format!("{etag:?}"));
        fnv1a(&format!("{:?} {modified} {etag} {}", self.archive, self.split))
    }
}

/// The name in messages, such as `split 3 of 7 of games.pgn`.
impl fmt::Display for ArchiveSplit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.split.place(), self.archive)
    }
}
