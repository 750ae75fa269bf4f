//! What was played in a position, of a table that `positions` has written.
//!
//! In: a table or a book; a position as a record, or as the moves that lead to it. Out: its moves, or a tree of them,
//! as values and as records; who asks shows them. May use: texts. Invariants: what is given is what the table has; a
//! page and records are of one [`Explored`]. Cost: a look-up in the table, and one more for each ply of a tree.
//!
//! ```text
//! Explore ──► AskedPosition ──► MoveTree (PositionTable, level by level) ──► Explored
//! ```

mod asked_position;
mod explored;
mod request;
mod tree;

pub use asked_position::AskedPosition;
pub use explored::Explored;
pub use request::Explore;
pub use tree::{ExploredMove, MoveTree, games_of};
