//! The task that makes rows of games and plies, column by column.
//!
//! In: games. Out: for each job the values of the selected columns ([`Rows`]); a [`Cutter`] divides them into groups of
//! rows, which the crate `pgnmill-columns` writes to files. Invariants: rows are in the order of the games; the
//! division depends on the games alone, so that a file is the same for any number of threads and any container; every
//! game is accepted, repaired or rejected, and those that are not rejected have their rows. Cost: the replay, one call
//! per column and row.
//!
//! ```text
//! game ──► RowVisitor ──► Rows ──► Cutter ──► groups ──► columns, encoded on the workers ──► file
//! ```
//!
//! The next column is a row of `games.rs` or `plies.rs`.

mod annotations;
mod buffer;
mod cell;
mod column;
pub mod docs;
mod engine_notes;
mod game_facts;
mod games;
mod group;
mod job_rows;
mod kind;
mod line_facts;
mod long_game;
#[cfg(test)]
mod one_fact;
mod one_line;
mod partition_key;
mod parts;
mod played_ply;
mod plies;
mod ply_filter;
mod position_lines;
mod read_again;
mod request;
mod rows;
mod selection;
mod tag_values;
mod task;
mod values;
mod visitor;

pub use annotations::{Annotations, Kept, PlyNotes};
pub use buffer::{BOARD_BYTES, Buffer};
pub use cell::{Cell, cell, date_text};
pub use column::{Column, PlyFacts, Requires, Set, Source};
pub use engine_notes::EngineNote;
pub use game_facts::GameFacts;
pub use group::{Cutter, GROUP_GAMES_MAX, GROUP_ROWS_MAX, GROUP_TEXT_BYTES_MAX, Group};
pub use job_rows::JobRows;
pub use kind::Kind;
pub use line_facts::LineFacts;
pub use partition_key::PartitionKey;
pub use parts::{Parts, PartsError};
pub use played_ply::{PlayedPly, Players};
pub use ply_filter::{PlyFilter, PlyNumbers};
pub use position_lines::{Opcode, OpcodeError, Operand, PlyPosition, PositionLines};
pub use request::{Export, METADATA_PREFIX, SCHEMA_VERSION};
pub use rows::{PlacedRows, Rows};
pub use selection::{SelectionError, Table};
pub use values::{Ends, Fixed, FixedBytes, Lists, Maps, TextRuns, Texts};
pub use visitor::Scratch;
