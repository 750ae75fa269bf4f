//! The task that measures the length of each notation.
//!
//! In: games. Out: for each job the measurements ([`Measured`]): lengths in groups and, if requested, rows of games,
//! frequencies of texts, and the moves of games for compressors and codes. Invariant: integers only, so that parts
//! merge exactly and in any order. Cost: the replay, and the computation of lengths per ply.

mod batches;
mod game_rows;
mod lengths;
mod options;
mod repeats;
pub mod study;
pub mod tally;

pub use batches::{BatchCompressor, BatchWork};
pub use game_rows::GameRows;
pub use options::{Buffers, Measure, Measured};
pub use repeats::{ONE_IN, Repeats};
