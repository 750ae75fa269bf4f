//! Tasks: ways to process the games of archives, one file or folder per task.
//!
//! In: the games of a job. Out: the part of the job. Each implements [`Task`](crate::engine::Task). Invariant: the
//! engine runs them and depends on none.

pub mod convert;
pub mod measure;
mod validate;

pub use convert::Convert;
pub use measure::Measure;
pub use validate::Validate;
