//! Tasks: what is done with the games of archives, one file or folder a task.
//!
//! Each implements [`Task`](crate::engine::Task); the engine runs them and names none.

pub mod convert;
pub mod measure;
mod validate;

pub use convert::Convert;
pub use measure::Measure;
pub use validate::Validate;
