//! What was played in a position, of a table that `positions` has written.
//!
//! In: a table or a book; a position as a record, or as the moves that lead to it. Out: its moves, or a tree of them,
//! as values and as records; the caller shows them. May use: texts. Invariants: what is given is what the table has; a
//! page and records are of one [`Explored`]. Cost: a look-up in the table, and one more for each ply of a tree.
//!
//! ```text
//! Explore ──► RequestedPosition ──► MoveTree (PositionTable, level by level) ──► Explored
//! ```

mod explored;
mod request;
mod requested_position;
mod shown;
mod tree;

pub use explored::Explored;
pub use request::Explore;
pub use requested_position::{RequestedPosition, after_move};
pub use shown::{numbered, sample_command};
pub use tree::{ExploredMove, MoveTree, games_of};
