//! Named sources: archives that are no files, such as bytes in memory, a reader of another program, an object of a
//! store.
//!
//! In: a name, and a value that opens the archive. Out: a [`NamedSource`], which is an [`Input`](super::Input) beside
//! paths and standard input. Invariants: the name is used in messages, tables and the column `archive`; nothing is
//! opened before the archive has its turn. Cost: bytes in memory are read by all workers, as those of a mapped file
//! are; readers are read in order.
//!
//! ```
//! use pgnmill_io::archive::Archive;
//! use pgnmill_io::archive::Input;
//! use pgnmill_io::archive::NamedSource;
//! use pgnmill_io::archive::Options;
//! let stored = b"[Event \"a\"]\n\n*\n";
//! let input = Input::Named(NamedSource::bytes("memory", stored));
//! assert_eq!(input.name(), "memory");
//! assert_eq!(Archive::open(&input, &Options::default())?.stored_bytes(), Some(15));
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::map::Map;
use super::{Archive, ArchiveSplit, Options};
use crate::error::{Error, Result};

/// Opens an archive.
pub trait OpenArchive: Send + Sync {
    /// The archive; `name` is that of the source. Called on a thread of the run.
    ///
    /// # Errors
    /// What cannot be opened.
    fn open(&self, name: &str, options: &Options) -> Result<Archive>;

    /// The number of stored bytes, where it is known before the archive is open.
    fn stored_bytes(&self) -> Option<u64> {
        None
    }

    /// The split of an archive that is opened, if it is one.
    fn split(&self) -> Option<&ArchiveSplit> {
        None
    }

    /// The file that contains the archive, if it is a part of one.
    fn file(&self) -> Option<&Path> {
        None
    }

    /// Can the archive be opened several times, each time with the same bytes?
    fn is_repeatable(&self) -> bool {
        false
    }
}

/// A source that has a name and is no path. Two are equal if one is a clone of the other.
#[derive(Clone)]
pub struct NamedSource {
    name: Arc<str>,
    opener: Arc<dyn OpenArchive>,
}

impl NamedSource {
    /// A source that is opened in any manner.
    pub fn new(name: &str, opener: impl OpenArchive + 'static) -> NamedSource {
        NamedSource { name: name.into(), opener: Arc::new(opener) }
    }

    /// The source of this name, of an opener that opens several.
    #[cfg(feature = "containers")]
    pub(super) fn of(name: &str, opener: Arc<dyn OpenArchive>) -> NamedSource {
        NamedSource { name: name.into(), opener }
    }

    /// The bytes of a reader, which can be read once.
    pub fn reader(name: &str, reader: impl Read + Send + 'static) -> NamedSource {
        NamedSource::new(name, Once(Mutex::new(Some(Box::new(reader)))))
    }

    /// The bytes of readers, of which `open` returns a new one each time.
    pub fn readers<R: Read + Send + 'static>(
        name: &str,
        open: impl Fn() -> io::Result<R> + Send + Sync + 'static,
    ) -> NamedSource {
        NamedSource::new(name, Readers(open))
    }

    /// Bytes in memory.
    pub fn bytes(name: &str, bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> NamedSource {
        NamedSource::new(name, Bytes(Arc::new(bytes)))
    }

    /// The name of the archive.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of stored bytes, where it is known.
    pub fn stored_bytes(&self) -> Option<u64> {
        self.opener.stored_bytes()
    }

    /// The split of an archive that it is, if it is one.
    pub fn split(&self) -> Option<&ArchiveSplit> {
        self.opener.split()
    }

    /// The file that contains the archive, if it is a part of one.
    pub fn file(&self) -> Option<&Path> {
        self.opener.file()
    }

    /// Its name in the file that contains it, if it is a part of one and named after it.
    pub fn member(&self) -> Option<&str> {
        let file = self.file()?.display().to_string();
        self.name.strip_prefix(&file)?.strip_prefix('/')
    }

    /// Can the archive be read several times?
    pub fn is_repeatable(&self) -> bool {
        self.opener.is_repeatable()
    }

    pub(super) fn open(&self, options: &Options) -> Result<Archive> {
        self.opener.open(&self.name, options)
    }
}

impl PartialEq for NamedSource {
    fn eq(&self, other: &NamedSource) -> bool {
        self.name == other.name && Arc::ptr_eq(&self.opener, &other.opener)
    }
}

impl Eq for NamedSource {}

impl fmt::Debug for NamedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NamedSource").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A reader, until it is opened.
struct Once(Mutex<Option<Box<dyn Read + Send>>>);

impl OpenArchive for Once {
    fn open(&self, name: &str, options: &Options) -> Result<Archive> {
        let reader = self.0.lock().ok().and_then(|mut reader| reader.take());
        let used = || Error::usage(format!("{name} was read before, and cannot be read again"));
        Archive::from_reader(name, reader.ok_or_else(used)?, options)
    }
}

struct Readers<F>(F);

impl<R: Read + Send + 'static, F: Fn() -> io::Result<R> + Send + Sync> OpenArchive for Readers<F> {
    fn open(&self, name: &str, options: &Options) -> Result<Archive> {
        let reader = (self.0)().map_err(|error| Error::io("open", name, error))?;
        Archive::from_reader(name, reader, options)
    }

    fn is_repeatable(&self) -> bool {
        true
    }
}

struct Bytes(Arc<dyn AsRef<[u8]> + Send + Sync>);

impl OpenArchive for Bytes {
    fn open(&self, name: &str, options: &Options) -> Result<Archive> {
        Archive::from_map(Path::new(name).into(), Map::of_memory(Arc::clone(&self.0)), options)
    }

    fn stored_bytes(&self) -> Option<u64> {
        Some((*self.0).as_ref().len() as u64)
    }

    fn is_repeatable(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{InOrder, Input};
    use crate::error::ErrorKind;

    const GAMES: &[u8] = b"[Event \"a\"]\n\n*\n\n[Event \"b\"]\n\n*\n\n[Event \"c\"]\n\n*\n";

    fn text(source: &NamedSource, options: &Options) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        for item in Archive::open(&Input::Named(source.clone()), options)?.blocks() {
            if let InOrder::Block(block) = item? {
                text.extend_from_slice(&block.text);
            }
        }
        Ok(text)
    }

    /// Plain and zstd, in one frame and in several, are the same games from every source.
    #[test]
    fn every_source_gives_the_text() {
        let frame = |text: &[u8]| zstd::encode_all(text, 1).unwrap();
        let frames: Vec<u8> = GAMES.chunks(9).flat_map(frame).collect();
        let options = Options { range_bytes: 11, block_bytes: 7, ..Options::default() };
        for stored in [GAMES.to_vec(), frame(GAMES), frames, Vec::new()] {
            let expected = if stored.is_empty() { b"" } else { GAMES };
            let again = stored.clone();
            let open = move || Ok(io::Cursor::new(again.clone()));
            let sources = [
                NamedSource::bytes("bytes", stored.clone()),
                NamedSource::readers("readers", open),
                NamedSource::reader("reader", io::Cursor::new(stored.clone())),
            ];
            for source in sources {
                assert_eq!(text(&source, &options).unwrap(), expected, "{source:?}");
                let again = text(&source, &options);
                assert_eq!(again.is_ok(), source.is_repeatable(), "{source:?}");
            }
        }
    }

    #[test]
    fn a_reader_cannot_be_read_again() {
        let source = NamedSource::reader("games of the day", GAMES);
        assert!(!source.is_repeatable());
        text(&source, &Options::default()).unwrap();
        let error = text(&source, &Options::default()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Usage(_)));
        assert!(error.to_string().starts_with("games of the day was read"), "{error}");
    }

    #[test]
    fn the_error_of_a_reader_is_the_cause() {
        let fails = || Err::<&[u8], _>(io::Error::other("no network"));
        let error = text(&NamedSource::readers("s3://a/b", fails), &Options::default());
        assert_eq!(error.unwrap_err().to_string(), "cannot open s3://a/b: no network");
    }

    #[test]
    fn only_clones_are_equal() {
        let source = NamedSource::bytes("a", GAMES);
        assert_eq!(source, source.clone());
        assert_ne!(source, NamedSource::bytes("a", GAMES));
    }
}
