//! The fast path of replay: what nearly all archives consist of, read many bytes at a time.
//!
//! In: the text of a game at a place where the general loop of [`super::moves`] would go on. Out: how far the text was read; the
//! moves in it are validated and delivered to the visitor. Invariant: whatever the fast path takes, the general loop would have
//! taken with the same verdict (`tests/levels.rs`); anything else is left where it begins.
//!
//! | file | reads |
//! |---|---|
//! | `movetext.rs` | SAN moves, move numbers and comments of the main line |
//! | `numbers.rs` | move numbers |
//! | `ending.rs` | the result and the bytes after it |
//! | `tags.rs` | tag pairs, a line each |

pub(super) mod ending;
pub(super) mod movetext;
pub(super) mod numbers;
pub(super) mod tags;
