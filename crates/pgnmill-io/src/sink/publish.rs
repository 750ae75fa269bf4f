//! The end of a run: its outputs get their names, all of them or none.
//!
//! In: the outputs of a run, in order; the last one (a summary) shows that all are complete. Out: files at their paths.
//! First all are synced to disk, then every name is checked, then the names are given, in order; the last one after the
//! names of the others are synced too. If a name is refused after the check, files that are new are removed again;
//! those that replaced another file stay, as they are complete.
//!
//! Cost: a sync per file, of which several are requested at once if there are many: the file system then writes its
//! journal for all of them together (ext4: 2 ms per file one by one, 0.04 ms with eight threads). A file at rest is
//! open while it is synced, so that this takes few descriptors, however many files there are.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use crate::error::{Error, Result};

use super::file_id::id;
use super::temporary::Temporary;
use super::{Digest, Sink, directory};

/// Fewer outputs are synced one after the other.
const SYNCED_ALONE_MAX: usize = 16;
/// How many threads sync many outputs.
const SYNC_THREADS: usize = 8;
/// How many outputs one of them takes at a time.
const SHARE_FILES: usize = 8;

/// Syncs outputs to disk and gives them their names.
///
/// # Errors
/// What the system refuses, with the path; an output that appeared during the run and may not be replaced.
pub fn publish_all(mut sinks: Vec<Sink>) -> Result<()> {
    finish_all(&mut sinks)?;
    sinks.iter().try_for_each(check)?;
    let mut published = Published::default();
    let last = sinks.len().saturating_sub(1);
    for (index, sink) in sinks.iter_mut().enumerate() {
        if index == last {
            published.sync();
        }
        published.add(sink)?;
    }
    published.sync();
    published.new.clear();
    Ok(())
}

/// Gives a complete output of an ended run its name. `digest`: that of its bytes. `false`: the temporary file is not
/// there, and a file of this length has the name.
///
/// # Errors
/// As [`publish_all`]; neither the temporary file nor the output has this many bytes; the temporary file is not the
/// user's, or has other bytes.
pub fn publish_left(
    part: &Path,
    output: &Path,
    (bytes, digest): (u64, &str),
    overwrite: bool,
) -> Result<bool> {
    let len = |path: &Path| fs::metadata(path).ok().map(|there| there.len());
    if len(part) != Some(bytes) {
        return match len(output) {
            Some(len) if len == bytes => Ok(false),
            _ => Err(Error::io("publish", output, io::ErrorKind::NotFound.into())),
        };
    }
    let mut temporary = Temporary::adopt(output, part, true)?;
    let failed = |error| Error::io("continue", part, error);
    let file = temporary.open().map_err(failed)?;
    if Digest::read(&*file).map_err(failed)?.text() != digest {
        return Err(failed(io::Error::other("its bytes are not those that were written")));
    }
    // The name may have been given, and the temporary one not yet removed.
    let target = temporary.target().path();
    let there = fs::symlink_metadata(target).ok();
    let given = there.and_then(|there| id(target, &there));
    let overwrite = overwrite || given.is_some() && given.as_ref() == temporary.id();
    temporary.publish(overwrite).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Error::appeared(output),
        _ => Error::io("publish", output, error),
    })?;
    // A rename of a file to another name of its own does nothing.
    drop(fs::remove_file(part));
    directory::sync(temporary.target().directory());
    Ok(true)
}

/// Syncs outputs to disk. Of several errors that of the first output is returned.
fn finish_all(sinks: &mut [Sink]) -> Result<()> {
    let finish = |sinks: &mut [Sink]| sinks.iter_mut().try_for_each(Sink::finish);
    if sinks.len() < SYNCED_ALONE_MAX {
        return finish(sinks);
    }
    let shares = Mutex::new(sinks.chunks_mut(SHARE_FILES).enumerate());
    let failed: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    let work = || {
        // Those before one that fails were taken before it.
        while locked(&failed).is_none() {
            let share = locked(&shares).next();
            let Some((number, share)) = share else { return };
            if let Err(error) = finish(share) {
                let mut failed = locked(&failed);
                if failed.as_ref().is_none_or(|&(first, _)| number < first) {
                    *failed = Some((number, error));
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..SYNC_THREADS {
            if let Err(error) = Builder::new().spawn_scoped(scope, work) {
                log::debug!("files are synced to disk by fewer threads: {error}");
            }
        }
        work();
    });
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.map_or(Ok(()), |(_, error)| Err(error))
}

/// What a mutex has; a panic of another thread ends the run when that thread is joined.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Can the output get its name?
fn check(sink: &Sink) -> Result<()> {
    let Some(temporary) = &sink.temporary else { return Ok(()) };
    match fs::symlink_metadata(temporary.target().path()) {
        Ok(_) if !sink.overwrite => Err(Error::appeared(&sink.path)),
        Ok(there) if there.is_dir() => {
            Err(Error::io("publish", &sink.path, io::ErrorKind::IsADirectory.into()))
        }
        _ => Ok(()),
    }
}

/// The outputs that have their names.
#[derive(Default)]
struct Published {
    /// Files that are new; they are removed when this is dropped.
    new: Vec<PathBuf>,
    /// Directories whose names are not yet synced to disk.
    directories: BTreeSet<PathBuf>,
}

impl Published {
    fn add(&mut self, sink: &mut Sink) -> Result<()> {
        let Some(temporary) = &mut sink.temporary else { return Ok(()) };
        let is_new = fs::symlink_metadata(temporary.target().path()).is_err();
        temporary.publish(sink.overwrite).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Error::appeared(&sink.path),
            _ => Error::io("publish", &sink.path, error),
        })?;
        let target = temporary.target();
        if is_new {
            self.new.push(target.path().to_path_buf());
        }
        if !self.directories.contains(target.directory()) {
            self.directories.insert(target.directory().to_path_buf());
        }
        Ok(())
    }

    fn sync(&mut self) {
        std::mem::take(&mut self.directories).iter().for_each(|path| directory::sync(path));
    }
}

impl Drop for Published {
    fn drop(&mut self) {
        for file in &self.new {
            // Nothing more can be done about a file that cannot be removed either.
            let _ = fs::remove_file(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory with the name of one output is found before another output is replaced.
    #[test]
    fn a_directory_in_the_place_of_one_output_leaves_the_others_as_they_were() {
        let root = std::env::temp_dir().join(format!("pgnmill-in-place-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let paths = ["a", "b"].map(|name| root.join(name));
        fs::write(&paths[0], "old").unwrap();
        let mut sinks = paths.each_ref().map(|path| Sink::create(path, true).unwrap());
        sinks.iter_mut().for_each(|sink| sink.add(b"new").unwrap());
        fs::create_dir(&paths[1]).unwrap();
        let error = publish_all(sinks.into()).unwrap_err().to_string();
        assert!(error.contains("cannot publish") && error.contains("b"), "{error}");
        assert_eq!(fs::read_to_string(&paths[0]).unwrap(), "old");
        assert_eq!(fs::read_dir(&root).unwrap().count(), 2);
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn a_refused_name_removes_the_new_files() {
        let root = std::env::temp_dir().join(format!("pgnmill-publish-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let paths = ["a", "b", "c"].map(|name| root.join(name));
        fs::write(&paths[0], "old").unwrap();
        let create = |path: &PathBuf| Sink::create(path, path == &paths[0]).unwrap();
        let mut sinks: Vec<Sink> = paths.iter().map(create).collect();
        let mut published = Published::default();
        for sink in &mut sinks {
            sink.add(b"new").unwrap();
            sink.finish().unwrap();
        }
        published.add(&mut sinks[0]).unwrap();
        published.add(&mut sinks[1]).unwrap();
        // After the check.
        fs::write(&paths[2], "of another program").unwrap();
        assert!(published.add(&mut sinks[2]).is_err());
        drop((published, sinks));
        assert_eq!(fs::read_to_string(&paths[0]).unwrap(), "new");
        assert!(!paths[1].exists());
        assert_eq!(fs::read_to_string(&paths[2]).unwrap(), "of another program");
        assert_eq!(fs::read_dir(&root).unwrap().count(), 2);
        fs::remove_dir_all(&root).unwrap();
    }
}
