//! Files of columns by value: the rows of a game go to the file of its value, which is opened with the first ones, and
//! stays open: its writer has a state that cannot be saved. Files of games (`select_split.rs`) need not be open.
//!
//! In: values, and what is added to their files. Out: complete files. Invariants: the number of files and the memory of
//! what waits for them are bounded; what is written together depends on the games alone. Cost: a look into a table per
//! game.

use std::collections::HashMap;

use pgnmill_core::engine::Pool;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::Sink;

use crate::outputs::destination::OPEN_MAX;

/// The maximum number of files: each is open until the end.
pub const FILES_BY_VALUE_MAX: usize = 600;

/// The file of a value.
pub(crate) trait ValueFile {
    /// The memory of what is not yet written.
    fn waiting_bytes(&self) -> u64;

    /// Writes it.
    ///
    /// # Errors
    /// What the system refuses.
    fn write_waiting(&mut self, pool: &Pool) -> Result<()>;
}

/// The files by value; their order is that of their first games.
#[derive(Debug)]
pub(crate) struct ByValue<F> {
    by_value: HashMap<String, usize>,
    files: Vec<F>,
    waiting_bytes: u64,
    waiting_bytes_max: u64,
    finished: Vec<Sink>,
}

impl<F: ValueFile> ByValue<F> {
    /// No file yet. `waiting_bytes_max`: the memory of what waits for all files together.
    pub(crate) fn new(waiting_bytes_max: u64) -> ByValue<F> {
        let (by_value, files, finished) = (HashMap::new(), Vec::new(), Vec::new());
        ByValue { by_value, files, waiting_bytes: 0, waiting_bytes_max, finished }
    }

    /// Adds to the file of a value, which `open` opens if it is the first time.
    ///
    /// # Errors
    /// More than [`FILES_BY_VALUE_MAX`] values; what the system refuses.
    pub(crate) fn add(
        &mut self,
        value: &str,
        open: impl FnOnce() -> Result<F>,
        add: impl FnOnce(&mut F) -> Result<()>,
        pool: &Pool,
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

    /// All archives have ended.
    ///
    /// # Errors
    /// What the system refuses.
    pub(crate) fn close(&mut self, mut finish: impl FnMut(F) -> Result<Sink>) -> Result<()> {
        for file in self.files.drain(..) {
            let mut sink = finish(file)?;
            sink.complete(self.finished.len() < OPEN_MAX)?;
            self.finished.push(sink);
        }
        Ok(())
    }

    /// The complete files.
    pub(crate) fn take_sinks(&mut self) -> Vec<Sink> {
        std::mem::take(&mut self.finished)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths that wait, and those that were written.
    #[derive(Default)]
    struct Fake(u64, Vec<u64>);

    impl ValueFile for Fake {
        fn waiting_bytes(&self) -> u64 {
            self.0
        }

        fn write_waiting(&mut self, _: &Pool) -> Result<()> {
            self.1.push(std::mem::take(&mut self.0));
            Ok(())
        }
    }

    #[test]
    fn what_waits_is_bounded_and_the_largest_is_written() {
        let pool = Pool::new(1).unwrap();
        let mut files = ByValue::new(100);
        let add = |files: &mut ByValue<Fake>, value: &str, bytes| {
            let added = |file: &mut Fake| {
                file.0 += bytes;
                Ok(())
            };
            files.add(value, || Ok(Fake::default()), added, &pool)
        };
        for (value, bytes) in [("a", 30), ("b", 50), ("a", 10), ("c", 10), ("c", 1), ("a", 70)] {
            add(&mut files, value, bytes).unwrap();
            let waiting: u64 = files.files.iter().map(|file| file.0).sum();
            assert!(waiting == files.waiting_bytes && waiting <= 100, "{value}: {waiting}");
        }
        let written = |index: usize| files.files[index].1.clone();
        assert_eq!([written(0), written(1), written(2)], [vec![110], vec![50], vec![]]);
        for number in 3..FILES_BY_VALUE_MAX {
            add(&mut files, &number.to_string(), 0).unwrap();
        }
        add(&mut files, "a", 1).unwrap();
        let error = add(&mut files, "one more", 1).unwrap_err().to_string();
        assert!(error.contains("more than 600 files, such as one for \"one more\""), "{error}");
    }
}
