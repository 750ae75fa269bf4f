//! The task that writes the moves of games in another notation.
//!
//! In: games. Out: for each job its new text ([`Rewritten`]), which an [`Output`] joins and writes, compressed if it is to be.
//! Invariant: everything but moves and the tag pair that names their notation is copied byte for byte.

mod options;
mod output;
mod preceding;
mod rewrite;

pub use options::{Convert, Rewritten};
pub use output::Output;
pub use rewrite::Rewrite;
