//! The task that writes the moves of games in another notation.

mod output;
mod rewrite;

pub use output::Output;
pub(crate) use rewrite::Rewrite;
