//! The task that makes columns of games and plies, for Parquet, Arrow, CSV and JSON lines.
//!
//! In: games. Out: for each job the values of the selected columns ([`Rows`]); an [`Output`] divides them into groups
//! of rows and writes files. Invariants: rows are in the order of the games; the division depends on the games alone,
//! so that a file is the same for any number of threads and any container; every game is accepted, repaired or
//! rejected, and those that are not rejected have their rows. Cost: the replay, one call per column and row, and the
//! encoding of the columns on the workers.
//!
//! ```text
//! game ──► RowVisitor ──► Rows ──► Cutter ──► groups ──► columns, encoded on the workers ──► file
//! ```

mod annotations;
mod arrays;
mod batches;
mod buffer;
mod cell;
mod column;
pub mod docs;
mod file;
mod game_facts;
mod games;
mod group;
mod kind;
mod one_line;
mod output;
mod partition;
mod partition_key;
mod plies;
mod request;
mod rows;
mod selection;
mod tag_values;
mod task;
mod values;
mod visitor;

pub use annotations::{Annotations, PlyNotes};
pub use batches::{BatchTotals, Batches, NextBatch};
pub(crate) use batches::{FRAME_STORED_BYTES_MAX, FRAME_TEXT_BYTES_MAX};
pub use buffer::Buffer;
pub use column::{Column, Set};
pub use file::{Fact, Format, RecordFile};
pub use group::{Cutter, GROUP_GAMES_MAX, GROUP_ROWS_MAX, GROUP_TEXT_BYTES_MAX, Group};
pub use kind::Kind;
pub use output::Output;
pub use partition::{PARTITIONS_MAX, Partitions};
pub use partition_key::PartitionKey;
pub use request::{Export, METADATA_PREFIX, SCHEMA_VERSION};
pub use rows::{PlacedRows, Rows};
pub use selection::{SelectionError, Table};
pub use values::{Ends, Fixed, Lists, Maps, Texts};
