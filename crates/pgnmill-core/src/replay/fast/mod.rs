//! The fast path of replay: what nearly all archives consist of, read many bytes at a time.
//!
//! In: the text of a game at an offset where the general loop of [`super::moves`] would continue. Out: how far the
//! text was read; its moves are validated and delivered to the visitor. Invariant: what the fast path reads, the
//! general loop would read with the same verdict (`tests/reading/levels.rs`); the fast path ends before anything else.
//!
//! | file | reads |
//! |---|---|
//! | `movetext.rs` | SAN moves, move numbers and comments |
//! | `others.rs` | the same in any other notation |
//! | `numbers.rs` | move numbers |
//! | `ending.rs` | the result and the bytes after it |
//! | `tags.rs` | tag pairs, a line each |

pub(super) mod ending;
pub(super) mod movetext;
pub(super) mod numbers;
mod others;
pub(super) mod tags;
