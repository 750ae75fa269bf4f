//! Outputs of a run that goes on later: their lengths are saved, and their temporary files are continued.
//!
//! In: open outputs; later the saved bytes. Out: a [`Snapshot`] with what must be on disk before it is valid; outputs
//! that continue their temporary files at the saved length. Invariants: a temporary file of a snapshot that was
//! [kept](Snapshot::keep) is not removed when the run ends by an error; one that another run has locked is refused.
//! Cost: the write buffers are emptied.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pgnmill_state::{Loader, State};

use crate::error::Shown as _;
use crate::error::{Error, Result};

use super::temporary::Temporary;
use super::{Digest, Out, Sink, buffered, directory};

/// The state of a run, and the files that it refers to.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// The saved values.
    pub bytes: Vec<u8>,
    files: Vec<SavedFile>,
}

/// A temporary file up to a length.
#[derive(Debug)]
struct SavedFile {
    output: PathBuf,
    part: PathBuf,
    /// To be synced; `None` if it is.
    file: Option<File>,
    is_kept: Arc<AtomicBool>,
}

impl Snapshot {
    /// Adds a value.
    pub fn add(&mut self, value: &impl State) {
        value.save(&mut self.bytes);
    }

    /// The temporary files.
    pub fn parts(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| file.part.as_path())
    }

    /// Syncs all files to disk: their names, and their bytes up to the saved lengths.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub fn sync(&self) -> Result<()> {
        for file in &self.files {
            let synced = file.file.as_ref().map_or(Ok(()), File::sync_data);
            synced.map_err(|error| Error::io("write", &file.output, error))?;
        }
        let mut directories: Vec<&Path> =
            self.files.iter().map(|file| parent(&file.part)).collect();
        directories.sort();
        directories.dedup();
        directories.into_iter().for_each(directory::sync);
        Ok(())
    }

    /// From now on the temporary files are kept when the run ends by an error.
    pub fn keep(&self) {
        self.files.iter().for_each(|file| file.is_kept.store(true, Ordering::Relaxed));
    }
}

/// The directory of a file.
fn parent(path: &Path) -> &Path {
    let parent = path.parent().unwrap_or(Path::new(""));
    if parent.as_os_str().is_empty() { Path::new(".") } else { parent }
}

/// Saved bytes that are not of this version of the program, although they are undamaged.
pub fn not_a_state(path: &Path) -> Error {
    Error::usage(format!("{}: the saved state cannot be read", path.shown()))
}

impl Sink {
    /// Is it a file, which gets its name at the end? Standard output, devices and pipes cannot be continued.
    pub fn is_file(&self) -> bool {
        self.temporary.is_some()
    }

    /// The path of the temporary file.
    pub fn part(&self) -> Option<&Path> {
        self.temporary.as_ref().map(Temporary::path)
    }

    /// The bytes that were added, and their digest.
    pub fn written(&self) -> (u64, String) {
        (self.added_bytes, self.digest.text())
    }

    /// From now on the temporary file is kept when the run ends by an error.
    pub fn keep(&self) {
        if let Some(temporary) = &self.temporary {
            temporary.is_kept().store(true, Ordering::Relaxed);
        }
    }

    /// Removes the temporary file, also if a saved state refers to it.
    pub fn discard(self) {
        if let Some(temporary) = &self.temporary {
            temporary.is_kept().store(false, Ordering::Relaxed);
        }
    }

    /// Saves the state; the bytes so far are passed to the system.
    ///
    /// # Errors
    /// What the system refuses, with the path; an output that is not a file.
    pub fn save(&mut self, out: &mut Snapshot) -> Result<()> {
        self.wake().and_then(|()| self.flush()).map_err(|error| self.error(error))?;
        let Some(temporary) = &self.temporary else {
            let path = self.path.shown();
            return Err(Error::usage(format!("{path} is no file: it cannot be continued later")));
        };
        let file = match &self.out {
            Out::File(file) => Some(file.get_ref().try_clone()),
            Out::Complete(file) => Some(file.try_clone()),
            _ => None,
        };
        let file = file.transpose().map_err(|error| self.error(error))?;
        out.add(&self.path);
        out.add(&temporary.path().to_path_buf());
        out.add(&self.added_bytes);
        out.add(&self.digest);
        out.files.push(SavedFile {
            output: self.path.clone(),
            part: temporary.path().to_path_buf(),
            file,
            is_kept: temporary.is_kept(),
        });
        Ok(())
    }

    /// Continues a temporary file that was saved; what was written after that is removed. Its bytes are read, and
    /// compared with their digest.
    ///
    /// # Errors
    /// What the system refuses, with the path; a file that is shorter than it was, that has other bytes, that is not
    /// the user's, or that another run writes; an output that exists and may not be replaced.
    pub fn load(from: &mut Loader<'_>, overwrite: bool) -> Result<Sink> {
        let fields = || -> Option<(PathBuf, PathBuf, u64, Digest)> {
            Some((from.value()?, from.value()?, from.value()?, from.value()?))
        };
        let (path, part, bytes, digest) =
            { fields }().ok_or_else(|| not_a_state(Path::new("an output")))?;
        let failed = |error| Error::io("continue", &part, error);
        if !overwrite && path.symlink_metadata().is_ok() {
            return Err(Error::exists(&path));
        }
        if !from.may_continue(&part) {
            let part = part.shown();
            return Err(Error::usage(format!("{part} is not among the files of the saved state")));
        }
        let temporary = Temporary::adopt(&path, &part, false)?;
        let shared = temporary.open().map_err(failed)?;
        let mut file = &*shared;
        let len = file.metadata().map_err(failed)?.len();
        if len < bytes {
            return Err(failed(io::Error::other(format!(
                "it has {len} bytes, and had {bytes} when its state was saved"
            ))));
        }
        // It is at its beginning.
        if Digest::read(file.take(bytes)).map_err(failed)? != digest {
            return Err(failed(io::Error::other("its bytes are not those that were written")));
        }
        file.set_len(bytes).and_then(|()| file.seek(SeekFrom::Start(bytes))).map_err(failed)?;
        Ok(Sink {
            path,
            out: Out::File(buffered(shared)),
            temporary: Some(temporary),
            overwrite,
            added_bytes: bytes,
            begun_bytes: bytes,
            skipped_bytes: 0,
            digest,
        })
    }

    /// The first `bytes` that are added next are those of the file up to its length: they are passed over.
    #[must_use]
    pub fn written_again(mut self) -> Sink {
        self.skipped_bytes = self.added_bytes;
        self
    }

    /// Were as many bytes added once more as the file has?
    pub fn is_at_its_end(&self) -> bool {
        self.skipped_bytes == 0 && self.added_bytes == self.begun_bytes
    }

    /// Reads the file that is being written.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub fn reopen(&self) -> Result<File> {
        let path = self.part().unwrap_or(&self.path);
        File::open(path).map_err(|error| Error::io("open", path, error))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::fs;

    use super::*;

    /// A state continues the files that it is allowed to, and cuts and writes no other one.
    #[test]
    fn a_state_continues_the_files_that_its_journal_names() {
        let root = std::env::temp_dir().join(format!("pgnmill-saved-{}", std::process::id()));
        drop(fs::remove_dir_all(&root));
        fs::create_dir_all(&root).unwrap();
        let mut parts = Vec::new();
        let mut saved = Vec::new();
        for name in ["a", "b", "c"] {
            let mut sink = Sink::create(&root.join(name), false).unwrap();
            sink.add(b"saved").unwrap();
            let mut snapshot = Snapshot::default();
            sink.save(&mut snapshot).unwrap();
            // Behind what is saved, so that a file that is continued is cut.
            sink.add(b" and more").unwrap();
            sink.save(&mut Snapshot::default()).unwrap();
            snapshot.keep();
            parts.push(sink.part().unwrap().to_path_buf());
            saved.push(snapshot.bytes);
        }
        for named in [&[][..], &[0], &[1], &[0, 2], &[0, 1, 2]] {
            let files: HashSet<PathBuf> =
                named.iter().map(|&at: &usize| parts[at].clone()).collect();
            for (at, bytes) in saved.iter().enumerate() {
                let mut loader = Loader::new(bytes).with_files(&files);
                let before = fs::read(&parts[at]).unwrap();
                let loaded = Sink::load(&mut loader, false);
                assert_eq!(loaded.is_ok(), named.contains(&at), "{named:?}, {at}: {loaded:?}");
                let Ok(mut sink) = loaded else {
                    assert_eq!(fs::read(&parts[at]).unwrap(), before);
                    continue;
                };
                assert_eq!(fs::read(&parts[at]).unwrap(), b"saved");
                sink.save(&mut Snapshot::default()).unwrap();
                sink.keep();
            }
        }
        fs::remove_dir_all(&root).unwrap();
    }
}
