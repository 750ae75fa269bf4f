//! The file of a partition: the rows of the games with its values of some columns, in a folder as Apache Hive names it,
//! `Year=2024/Month=5`.
//!
//! In: the rows of games, one game after the other. Out: rows in pieces of 2 MB, for the [`Output`]. Invariant: which
//! rows are written together depends on the games alone. Cost: one copy of the rows.

use pgnmill_columns::{Column, Output, PlacedRows, Rows};
use pgnmill_core::engine::Base;
use pgnmill_core::engine::Pool;
use pgnmill_io::error::Result;

use crate::outputs::by_value::ValueFile;

/// The memory of rows that wait to be written, in all partitions together.
pub(crate) const WAITING_BYTES_MAX: u64 = 256 << 20;
/// The rows of a partition are passed to its output in pieces of this much memory.
const PIECE_BYTES: u64 = 2 << 20;

/// The file of a partition.
#[derive(Debug)]
pub(crate) struct Partition {
    pub(crate) output: Output,
    /// Rows that are not yet passed to the output.
    open: Option<PlacedRows>,
    open_bytes: u64,
}

impl Partition {
    /// Without rows.
    pub(crate) fn new(output: Output) -> Partition {
        Partition { output, open: None, open_bytes: 0 }
    }

    /// Adds the rows of a game of a job.
    ///
    /// # Errors
    /// An output that cannot be written.
    pub(crate) fn add_game(
        &mut self,
        rows: &PlacedRows,
        columns: &[Column],
        game: usize,
        pool: &Pool,
    ) -> Result<()> {
        let is_other = self.open.as_ref().is_some_and(|open| open.archive != rows.archive);
        if is_other || self.open_bytes >= PIECE_BYTES {
            self.pass_on(pool)?;
        }
        let open = self.open.get_or_insert_with(|| {
            PlacedRows::new(rows.archive.clone(), Base::default(), Rows::default())
        });
        open.append_game_of(rows, columns, game);
        self.open_bytes = open.rows.bytes();
        Ok(())
    }

    /// Adds a part of the rows of a game.
    ///
    /// # Errors
    /// An output that cannot be written.
    pub(crate) fn add_part(&mut self, rows: PlacedRows, pool: &Pool) -> Result<()> {
        self.pass_on(pool)?;
        self.output.add(rows, pool)?;
        self.output.wait()
    }

    /// Passes all rows to the output.
    ///
    /// # Errors
    /// An output that cannot be written.
    pub(crate) fn pass_on(&mut self, pool: &Pool) -> Result<()> {
        self.open_bytes = 0;
        let Some(rows) = self.open.take() else { return Ok(()) };
        self.output.add(rows, pool)?;
        self.output.wait()
    }
}

impl ValueFile for Partition {
    fn waiting_bytes(&self) -> u64 {
        self.open_bytes + self.output.waiting_bytes()
    }

    fn write_waiting(&mut self, pool: &Pool) -> Result<()> {
        self.pass_on(pool)?;
        self.output.write_waiting(pool)
    }
}
