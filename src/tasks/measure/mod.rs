//! The task that measures what each notation costs.
//!
//! In: games. Out: for each job what was measured ([`Measured`]): lengths in groups, and where they are requested rows of games,
//! frequencies of texts and the moves of games for compressors. Invariant: integers only, so that parts merge exactly and in any
//! order.

mod batches;
mod game_rows;
mod lengths;
mod options;
pub mod study;
pub mod tally;

pub use batches::BatchCompressor;
pub use game_rows::GameRows;
pub use lengths::LengthVisitor;
pub use options::{Buffers, Measure, Measured};
