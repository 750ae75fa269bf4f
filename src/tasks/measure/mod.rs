//! The task that measures what each notation costs.

mod batches;
mod game_rows;
mod lengths;
pub mod study;
pub mod tally;

pub use batches::BatchCompressor;
pub use game_rows::GameRows;
pub(crate) use lengths::Measure;
pub use lengths::Wanted;
