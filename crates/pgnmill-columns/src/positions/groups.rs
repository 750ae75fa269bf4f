//! The rows of counted positions, in groups.
//!
//! In: pairs with their sums, in order; of games, or of tables that are added. Out: groups of rows, for a file or for
//! record batches. Invariant: a group has [`POSITION_GROUP_ROWS_MAX`] rows, the last one fewer, however the rows were
//! counted. Cost: that of the pairs; rows are made on the workers. Memory: two groups.

use std::sync::Arc;

use pgnmill_core::engine::{Base, Pool};
use pgnmill_core::tasks::export::{Buffer, Group, PlacedRows, Rows};
use pgnmill_core::tasks::positions::{
    ChessKey, OtherKey, Pair, Pairs, Rows as PositionRows, Shape, TablePairs,
};
use pgnmill_io::error::Result;

/// Rows in a group.
pub const POSITION_GROUP_ROWS_MAX: usize = 1 << 17;

/// Pairs in order.
#[derive(Debug)]
pub enum PairsInOrder {
    /// Those of games.
    Games(Box<Pairs>),
    /// Those of tables.
    Tables(TablePairs),
}

/// How many rows there were.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CountedRows {
    /// Positions.
    pub positions: u64,
    /// Rows: a move each.
    pub rows: u64,
    /// Of sums: the sum of the digests of the rows.
    pub digest: u64,
}

impl PairsInOrder {
    /// As [`Pairs::finish`].
    ///
    /// # Errors
    /// As there.
    pub fn finish<T: Send + 'static>(
        self,
        pool: &Pool,
        of_chess: impl Fn(Vec<Pair<ChessKey>>) -> T + Send + Sync + 'static,
        of_others: impl Fn(Vec<Pair<OtherKey>>) -> T,
        write: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        match self {
            PairsInOrder::Games(pairs) => pairs.finish(pool, of_chess, of_others, write),
            PairsInOrder::Tables(pairs) => pairs.finish(pool, of_chess, of_others, write),
        }
    }

    /// Calls `write` with the rows, group by group. `archives`: the names of those that the pairs know by index.
    ///
    /// # Errors
    /// A temporary file, or a table, that cannot be read; those of `write`.
    pub fn groups(
        self,
        shape: Shape,
        archives: Vec<String>,
        pool: &Pool,
        mut write: impl FnMut(Group) -> Result<()>,
    ) -> Result<CountedRows> {
        let archives = Arc::new(archives);
        let of_others = Arc::clone(&archives);
        let (mut counted, mut waiting) = (CountedRows::default(), Group::default());
        self.finish(
            pool,
            move |pairs: Vec<Pair<ChessKey>>| {
                let mut rows = PositionRows::new(shape, &archives);
                rows.add_chess(&pairs);
                Made::of(rows)
            },
            |pairs: Vec<Pair<OtherKey>>| {
                let mut rows = PositionRows::new(shape, &of_others);
                rows.add_others(pairs);
                Made::of(rows)
            },
            |made| {
                counted.add(made.counted);
                let rows = Rows::of_table(made.buffers, made.counted.rows as usize);
                waiting.extend(PlacedRows::new(String::new(), Base::default(), rows));
                if waiting.rows_count() < POSITION_GROUP_ROWS_MAX {
                    return Ok(());
                }
                let mut groups = std::mem::take(&mut waiting).divided(POSITION_GROUP_ROWS_MAX);
                waiting = groups.pop().unwrap_or_default();
                groups.into_iter().try_for_each(&mut write)
            },
        )?;
        if waiting.rows_count() > 0 {
            write(waiting)?;
        }
        Ok(counted)
    }
}

impl CountedRows {
    fn add(&mut self, other: CountedRows) {
        self.positions += other.positions;
        self.rows += other.rows;
        self.digest = self.digest.wrapping_add(other.digest);
    }
}

/// Rows of whole positions.
struct Made {
    counted: CountedRows,
    buffers: Vec<Buffer>,
}

impl Made {
    fn of(rows: PositionRows<'_>) -> Made {
        let PositionRows { positions, rows: count, digest, .. } = rows;
        let counted = CountedRows { positions, rows: count as u64, digest };
        Made { counted, buffers: rows.into_buffers() }
    }
}
