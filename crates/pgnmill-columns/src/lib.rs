//! Files of games and plies as columns: Parquet, Arrow, CSV and JSON lines; the only crate that knows Arrow.
//!
//! In: the rows of jobs, made by the task [`Export`]. Out: an [`Output`] encodes groups of rows on the workers and
//! writes files; [`Batches`] are record batches without a file, of counted positions too ([`PositionBatches`]); a
//! [`PositionTable`] is read. May use: `pgnmill-core` and `pgnmill-io`. Invariant: a file is the same for any number of
//! threads and any container. Cost: the encoding of the columns, on the workers. A format is added as a file of `file/`
//! and a row of [`Format`].
//!
//! ```text
//! Rows ──► Cutter ──► groups ──► columns, encoded on the workers ──► file
//! ```

mod arrays;
mod batches;
mod cells;
mod file;
mod output;
mod position_batches;
mod positions;

pub use pgnmill_core::tasks::export::*;

pub use batches::{BatchTotals, Batches, NextBatch};
pub use batches::{FRAME_STORED_BYTES_MAX, FRAME_TEXT_BYTES_MAX};
pub use file::{Fact, Format, RecordFile};
pub use output::Output;
pub use position_batches::PositionBatches;
pub use positions::{ArchivePlace, Expected, SumsTable};
pub use positions::{CountedRows, POSITION_GROUP_ROWS_MAX, PairsInOrder};
pub use positions::{PositionRow, PositionTable, Wanted};
