//! The files of one directory that a run writes at its end, and publishes together.
//!
//! In: a directory, and names of files in it, which are reserved before the run begins. Out: the files that were
//! written, in that order.

use std::path::{Path, PathBuf};

use crate::error::Shown as _;
use crate::error::{Error, Result};

use super::{Reservation, Sink};

/// Outputs of one directory.
#[derive(Debug)]
pub struct FileSet {
    directory: PathBuf,
    reserved: Vec<Reservation>,
    written: Vec<Sink>,
}

impl FileSet {
    /// Reserves files of a directory.
    ///
    /// # Errors
    /// As [`Reservation::all`].
    pub fn reserve(directory: &Path, files: &[PathBuf], overwrite: bool) -> Result<FileSet> {
        let reserved = Reservation::all(files, overwrite)?;
        Ok(FileSet { directory: directory.to_path_buf(), reserved, written: Vec::new() })
    }

    /// Opens one of the files.
    ///
    /// # Errors
    /// A name that was not reserved, or was opened before; what the system refuses, with the path.
    pub fn open(&mut self, name: &str) -> Result<Sink> {
        let path = self.directory.join(name);
        let index = self.reserved.iter().position(|reserved| reserved.path == path);
        let missing = || Error::usage(format!("{} was not reserved", path.shown()));
        self.reserved.swap_remove(index.ok_or_else(missing)?).open()
    }

    /// Adds a complete file, to be published with the others.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub fn add(&mut self, mut sink: Sink) -> Result<()> {
        sink.complete(true)?;
        self.written.push(sink);
        Ok(())
    }

    /// Writes a whole table at once.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub fn write_table(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut csv::Writer<Vec<u8>>) -> csv::Result<()>,
    ) -> Result<()> {
        let mut sink = self.open(name)?;
        let failed = |error| Error::io("write", self.directory.join(name), error);
        let mut writer = csv::Writer::from_writer(Vec::new());
        fill(&mut writer).map_err(|error| failed(error.into()))?;
        let bytes = writer.into_inner();
        let bytes = bytes.map_err(|error| failed(std::io::Error::other(error.to_string())))?;
        sink.add(&bytes)?;
        self.add(sink)
    }

    /// Takes the files that were written so far.
    pub fn take_written(&mut self) -> Vec<Sink> {
        std::mem::take(&mut self.written)
    }

    /// The files that were written so far.
    pub fn written(&self) -> &[Sink] {
        &self.written
    }

    /// The files that were written, the one of this name last; other reservations are released.
    pub fn into_written(mut self, last: &str) -> Vec<Sink> {
        self.written.sort_by_key(|sink| sink.path().ends_with(last));
        self.written
    }
}
