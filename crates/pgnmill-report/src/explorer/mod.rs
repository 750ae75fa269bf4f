//! The page of a table of positions: what was played in a position, and after it.
//!
//! In: an [`Explorer`], which a run has looked up in the table. Out: the page; its tree of moves as HTML and as
//! Markdown. Invariants: the page has at most [`BRANCHES_MAX`] moves in its tree and [`MOVES_MAX`] in its list, and of
//! texts at most [`TEXT_CHARS_MAX`] characters, so that its size is bounded whatever the table; texts of the table are
//! literal. Cost: the length of the page.
//!
//! ```text
//! Explorer ──► sections ──► Page ──► html, markdown ──► tree
//! ```

mod played;
mod sections;
pub(super) mod tree;

pub use played::{BRANCHES_MAX, Branch, Explorer, MOVES_MAX, PLIES_MAX, Played, TEXT_CHARS_MAX};
pub(super) use sections::page;
