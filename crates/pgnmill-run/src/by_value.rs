//! Files by value: each game, or its rows, goes to the file of its value, which is opened with the first one.
//!
//! In: values, and what is added to their files. Out: complete files. Invariants: the number of files and the memory of
//! what waits for them are bounded; what is written together depends on the games alone. Cost: a look into a table per
//! game.

use std::collections::HashMap;

use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::Sink;
use rayon::ThreadPool;

use super::destination::OPEN_MAX;

/// The maximum number of files: each is open until the end.
pub const FILES_BY_VALUE_MAX: usize = 600;

/// The file of a value.
pub(super) trait ValueFile {
    /// The memory of what is not yet written.
    fn waiting_bytes(&self) -> u64;

    /// Writes it.
    ///
    /// # Errors
    /// What the system refuses.
    fn write_waiting(&mut self, pool: &ThreadPool) -> Result<()>;
}

/// The files by value; their order is that of their first games.
#[derive(Debug)]
pub(super) struct ByValue<F> {
    by_value: HashMap<String, usize>,
    files: Vec<F>,
    waiting_bytes: u64,
    waiting_bytes_max: u64,
    finished: Vec<Sink>,
}

impl<F: ValueFile> ByValue<F> {
    /// No file yet. `waiting_bytes_max`: the memory of what waits for all files together.
    pub(super) fn new(waiting_bytes_max: u64) -> ByValue<F> {
        let (by_value, files, finished) = (HashMap::new(), Vec::new(), Vec::new());
        ByValue { by_value, files, waiting_bytes: 0, waiting_bytes_max, finished }
    }

    /// Adds to the file of a value, which `open` opens if it is the first time.
    ///
    /// # Errors
    /// More than [`FILES_BY_VALUE_MAX`] values; what the system refuses.
    pub(super) fn add(
        &mut self,
        value: &str,
        open: impl FnOnce() -> Result<F>,
        add: impl FnOnce(&mut F) -> Result<()>,
        pool: &ThreadPool,
    ) -> Result<()> {
        let index = match self.by_value.get(value) {
            Some(&index) => index,
            None if self.files.len() == FILES_BY_VALUE_MAX => {
                return Err(Error::usage(format!(
                    "there would be more than {FILES_BY_VALUE_MAX} files, such as one for {value:?}; divide by what has \
                     fewer values"
                )));
            }
            None => {
                self.files.push(open()?);
                self.by_value.insert(value.to_string(), self.files.len() - 1);
                self.files.len() - 1
            }
        };
        self.change(index, add)?;
        if self.waiting_bytes <= self.waiting_bytes_max {
            return Ok(());
        }
        // Of several the first.
        let largest = (0..self.files.len()).rev().max_by_key(|&at| self.files[at].waiting_bytes());
        largest.map_or(Ok(()), |at| self.change(at, |file| file.write_waiting(pool)))
    }

    fn change(&mut self, index: usize, change: impl FnOnce(&mut F) -> Result<()>) -> Result<()> {
        let file = &mut self.files[index];
        let before = file.waiting_bytes();
        change(file)?;
        self.waiting_bytes = self.waiting_bytes - before + file.waiting_bytes();
        Ok(())
    }

    /// Changes each file.
    ///
    /// # Errors
    /// Those of the change.
    pub(super) fn each(&mut self, mut change: impl FnMut(&mut F) -> Result<()>) -> Result<()> {
        (0..self.files.len()).try_for_each(|index| self.change(index, &mut change))
    }

    /// All archives have ended.
    ///
    /// # Errors
    /// What the system refuses.
    pub(super) fn close(&mut self, mut finish: impl FnMut(F) -> Result<Sink>) -> Result<()> {
        for file in self.files.drain(..) {
            let mut sink = finish(file)?;
            sink.complete(self.finished.len() < OPEN_MAX)?;
            self.finished.push(sink);
        }
        Ok(())
    }

    /// The complete files.
    pub(super) fn take_sinks(&mut self) -> Vec<Sink> {
        std::mem::take(&mut self.finished)
    }
}
