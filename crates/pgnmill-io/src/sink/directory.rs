//! Directories that a run creates, and removes if it fails.
//!
//! In: a path. Out: its missing directories exist. Unless they are kept, dropping the value removes those that this run
//! created and that are empty; directories that existed before, or that contain files of others, stay.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::Shown as _;
use crate::error::{Error, Result};

/// Directories that are removed again unless they are kept.
#[derive(Debug, Default)]
#[must_use = "what is dropped is removed"]
pub struct NewDirectories(Vec<PathBuf>);

impl NewDirectories {
    /// Creates a directory and those above it, as far as they are missing.
    ///
    /// # Errors
    /// What the system refuses, with the path; no new directory is left then.
    pub fn create(path: &Path) -> Result<NewDirectories> {
        let mut created = NewDirectories::default();
        created.add(path)?;
        Ok(created)
    }

    /// Creates one more directory, as [`NewDirectories::create`].
    ///
    /// # Errors
    /// As there.
    pub fn add(&mut self, path: &Path) -> Result<()> {
        let missing: Vec<&Path> = path
            .ancestors()
            .take_while(|ancestor| !ancestor.as_os_str().is_empty() && !ancestor.is_dir())
            .collect();
        for directory in missing.into_iter().rev() {
            match fs::create_dir(directory) {
                Ok(()) => self.0.push(directory.to_path_buf()),
                // Another run has created it.
                Err(error)
                    if error.kind() == io::ErrorKind::AlreadyExists && directory.is_dir() => {}
                Err(error) => return Err(Error::io("create", path, error)),
            }
        }
        Ok(())
    }

    /// Keeps them: the run has succeeded.
    pub fn keep(mut self) {
        for directory in std::mem::take(&mut self.0) {
            let parent = directory.parent().unwrap_or(Path::new(""));
            sync(if parent.as_os_str().is_empty() { Path::new(".") } else { parent });
        }
    }
}

impl Drop for NewDirectories {
    fn drop(&mut self) {
        for directory in self.0.iter().rev() {
            // One that is not empty contains files of another run.
            let _ = fs::remove_dir(directory);
        }
    }
}

/// Syncs the names in a directory to disk. On systems that cannot it has no effect.
pub fn sync(directory: &Path) {
    if let Err(error) = File::open(directory).and_then(|directory| directory.sync_all()) {
        log::debug!("cannot sync the names in {} to disk: {error}", directory.shown());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_empty_directories_that_were_created_are_removed() {
        let root = std::env::temp_dir().join(format!("pgnmill-directory-{}", std::process::id()));
        fs::create_dir_all(root.join("old")).unwrap();
        for path in ["old", "old/a/b", "new/c", "old/x/../y"] {
            drop(NewDirectories::create(&root.join(path)).unwrap());
            assert_eq!(fs::read_dir(&root).unwrap().count(), 1, "{path}");
            assert_eq!(fs::read_dir(root.join("old")).unwrap().count(), 0, "{path}");
        }
        NewDirectories::create(&root.join("kept/d")).unwrap().keep();
        assert!(root.join("kept/d").is_dir());
        let used = NewDirectories::create(&root.join("used/e")).unwrap();
        fs::write(root.join("used/other"), "").unwrap();
        drop(used);
        assert!(root.join("used/other").is_file() && !root.join("used/e").exists());
        fs::write(root.join("file"), "").unwrap();
        assert!(NewDirectories::create(&root.join("file/f")).is_err());
        fs::remove_dir_all(&root).unwrap();
    }
}
