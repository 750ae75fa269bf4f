//! Tasks: ways to process the games of archives, one file or folder per task.
//!
//! In: the games of a job. Out: the part of the job. Each implements [`Task`](crate::engine::Task). Invariant: the
//! engine runs them and depends on none.

pub mod convert;
pub mod duplicates;
mod edits;
#[cfg(feature = "export")]
pub mod export;
pub(crate) mod file_name;
pub mod measure;
mod null_moves;
pub mod select;
mod validate;

pub use convert::Convert;
#[cfg(feature = "export")]
pub use export::Export;
pub use measure::Measure;
pub use validate::Validate;
