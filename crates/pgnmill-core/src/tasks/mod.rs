//! Tasks: ways to process the games of archives, one file or folder per task; and the sort on disk that some use.
//!
//! In: the games of a job. Out: the part of the job. Each implements [`Task`](crate::engine::Task). Invariant: the
//! engine runs them and depends on none.

pub mod convert;
pub mod duplicates;
pub mod edits;
pub mod export;
pub mod measure;
pub mod positions;
pub mod select;
pub mod sorter;
pub mod stats;
mod validate;

pub use convert::Convert;
pub use export::Export;
pub use measure::Measure;
pub use stats::Stats;
pub use validate::Validate;
