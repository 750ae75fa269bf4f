//! Partitions: one file per value of some columns, in folders as Apache Hive names them, `Year=2024/Month=5`.
//!
//! In: the games of jobs, with the folder of each. Out: the rows of each folder, to be added to its [`Output`].
//! Invariants: which rows are written together depends on the games alone; the memory of rows that wait is bounded by
//! [`WAITING_BYTES_MAX`], and the number of folders by [`PARTITIONS_MAX`].

use std::collections::HashMap;

use pgnmill_core::engine::Base;
use pgnmill_core::tasks::export::Column;
use pgnmill_core::tasks::export::{PlacedRows, Rows};
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::Sink;
use rayon::ThreadPool;

use super::file::Fact;
use super::output::Output;

/// The maximum number of partitions: each has an open file.
pub const PARTITIONS_MAX: usize = 600;
/// The memory of rows that wait to be written, in all partitions together.
pub(super) const WAITING_BYTES_MAX: u64 = 256 << 20;
/// The rows of a partition are passed to its output in pieces of this much memory.
const PIECE_BYTES: u64 = 2 << 20;
/// A partition.
#[derive(Debug)]
struct Partition {
    output: Output,
    /// Rows that are not yet passed to the output.
    open: Option<PlacedRows>,
    open_bytes: u64,
}

impl Partition {
    fn waiting_bytes(&self) -> u64 {
        self.open_bytes + self.output.waiting_bytes()
    }

    fn pass_on(&mut self, pool: &ThreadPool) -> Result<()> {
        self.open_bytes = 0;
        let Some(rows) = self.open.take() else { return Ok(()) };
        self.output.add(rows, pool)?;
        self.output.wait()
    }
}

/// The partitions of an export.
#[derive(Debug, Default)]
pub struct Partitions {
    by_folder: HashMap<String, usize>,
    partitions: Vec<Partition>,
    waiting_bytes: u64,
}

impl Partitions {
    /// Divides the rows of a job; `open` opens the output of a new folder.
    ///
    /// # Errors
    /// More than [`PARTITIONS_MAX`] folders; an output that cannot be written.
    pub fn add(
        &mut self,
        rows: &PlacedRows,
        columns: &[Column],
        pool: &ThreadPool,
        open: &mut dyn FnMut(&str) -> Result<Output>,
    ) -> Result<()> {
        for game in 0..rows.rows.games_count() {
            let folder = rows.rows.folder(game);
            let index = match self.by_folder.get(&*folder) {
                Some(&index) => index,
                None => self.create(&folder, open)?,
            };
            self.add_game(index, rows, columns, game, pool)?;
            if self.waiting_bytes > WAITING_BYTES_MAX {
                self.write_largest(pool)?;
            }
        }
        Ok(())
    }

    fn create(
        &mut self,
        folder: &str,
        open: &mut dyn FnMut(&str) -> Result<Output>,
    ) -> Result<usize> {
        if self.partitions.len() == PARTITIONS_MAX {
            return Err(Error::usage(format!(
                "there are more than {PARTITIONS_MAX} partitions, such as {folder}; divide by columns with fewer values"
            )));
        }
        let output = open(folder)?;
        self.partitions.push(Partition { output, open: None, open_bytes: 0 });
        self.by_folder.insert(folder.to_string(), self.partitions.len() - 1);
        Ok(self.partitions.len() - 1)
    }

    fn add_game(
        &mut self,
        index: usize,
        rows: &PlacedRows,
        columns: &[Column],
        game: usize,
        pool: &ThreadPool,
    ) -> Result<()> {
        let partition = &mut self.partitions[index];
        let before = partition.waiting_bytes();
        let is_other = partition.open.as_ref().is_some_and(|open| open.archive != rows.archive);
        if is_other || partition.open_bytes >= PIECE_BYTES {
            partition.pass_on(pool)?;
        }
        let open = partition.open.get_or_insert_with(|| {
            PlacedRows::new(rows.archive.clone(), Base::default(), Rows::default())
        });
        open.append_game_of(rows, columns, game);
        partition.open_bytes = open.rows.bytes();
        self.waiting_bytes = self.waiting_bytes - before + partition.waiting_bytes();
        Ok(())
    }

    /// Writes the rows of the partition that has the most; of several the oldest.
    fn write_largest(&mut self, pool: &ThreadPool) -> Result<()> {
        let largest = self.partitions.iter_mut().rev().max_by_key(|one| one.waiting_bytes());
        let Some(largest) = largest else { return Ok(()) };
        self.waiting_bytes -= largest.waiting_bytes();
        largest.pass_on(pool)?;
        largest.output.write_waiting(pool)?;
        self.waiting_bytes += largest.waiting_bytes();
        Ok(())
    }

    /// Ends all files, with this metadata; `done` takes each.
    ///
    /// # Errors
    /// An output that cannot be written.
    pub fn finish(
        mut self,
        pool: &ThreadPool,
        metadata: &[Fact],
        done: &mut dyn FnMut(Sink) -> Result<()>,
    ) -> Result<()> {
        for mut partition in self.partitions.drain(..) {
            partition.pass_on(pool)?;
            done(partition.output.finish(metadata.to_vec(), pool)?)?;
        }
        Ok(())
    }
}
