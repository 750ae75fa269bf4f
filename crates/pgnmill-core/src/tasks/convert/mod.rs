//! The task that writes the moves of games in another notation.
//!
//! In: games. Out: for each job its new text ([`Rewritten`]), which an [`Output`] joins and writes, plain or
//! compressed. Invariant: everything except the moves and the tag pair that names their notation is copied byte for
//! byte, unless the moves alone are written ([`Form`]). Cost: the replay, one copy of the text, and the compression.

mod game_editor;
mod moves_alone;
mod output;
mod preceding;
mod rewrite;
mod rewritten;

pub use moves_alone::Movetext;
pub use output::Output;
pub use rewrite::{Convert, Form};
pub use rewritten::Rewritten;
