//! Series: temporary files in one directory that are created during a run, as their outputs turn out.
//!
//! In: outputs, one after the other. Out: temporary files with one token, and with one lock: that of a file of its own,
//! `lock-TOKEN.pgnmill-TOKEN.part`, which is there as long as one of the others is. So a file of the series needs no
//! descriptor to be known as that of an active run. Invariant: as for files that are reserved together, of two runs
//! that write the same output one fails, because each creates its file before it searches for others. A series searches
//! when it has twice as many files as at the last time, and at its end. Cost: that of a file each, and listings of the
//! directory that together are as long as two or three of the complete one.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, Result};

use super::temporary::{FoundFile, Target, Temporary, lock_directory, token};

/// A series of temporary files.
#[derive(Debug)]
pub(super) struct Series {
    directory: PathBuf,
    token: String,
    locked: Arc<Temporary>,
    /// The outputs for whose other temporary files the directory was not yet searched, by the prefix of their names.
    unchecked: HashMap<OsString, PathBuf>,
    /// How many others there are.
    checked_count: usize,
}

impl Series {
    /// No file yet, but for the lock.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub(super) fn begin(directory: &Path) -> Result<Series> {
        let token = token();
        let locked = Arc::new(Temporary::begin_series(directory, &token)?);
        let (directory, unchecked) = (directory.to_path_buf(), HashMap::new());
        Ok(Series { directory, token, locked, unchecked, checked_count: 0 })
    }

    /// Creates the temporary file of an output in the directory. Also returns the open file.
    ///
    /// # Errors
    /// A file that cannot be created; an output that another run is writing.
    pub(super) fn create(&mut self, target: Target) -> Result<(Temporary, Arc<File>)> {
        self.unchecked.insert(target.stem(), target.path().to_path_buf());
        let created = Temporary::create_in(&self.locked, &self.token, target)?;
        if self.unchecked.len() > self.checked_count {
            self.check()?;
        }
        Ok(created)
    }

    /// Searches for runs that write the same outputs.
    ///
    /// # Errors
    /// An output that another run is writing.
    pub(super) fn check(&mut self) -> Result<()> {
        let Series { directory, token, locked, unchecked, checked_count } = self;
        let _exclusive = lock_directory(directory);
        let found = FoundFile::in_directory(directory);
        let is_other = |found: &FoundFile| found.token != *token;
        let live = FoundFile::live(&found, |f| is_other(f) && unchecked.contains_key(&f.stem));
        let mut busy = found.iter().filter(|file| live.contains(&file.token));
        let busy = busy.find_map(|file| Some((unchecked.get(&file.stem)?, &file.name)));
        if let Some((output, name)) = busy {
            // The other run may be about to search, and would find files that are removed only later.
            locked.unlock();
            return Err(Error::busy(output, name));
        }
        *checked_count += unchecked.len();
        unchecked.clear();
        Ok(())
    }
}
