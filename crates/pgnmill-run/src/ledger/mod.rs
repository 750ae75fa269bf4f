//! The ledger of splits: what was read of which split, and whether that is all of every archive exactly once.
//!
//! In: the totals of a run over a split; rows of `ledger.csv`. Out: [`Entry`]s, `ledger.csv`, and a [`Tiling`] of all
//! archives, or the reason why there is none. Invariant: a split that is missing, doubled, altered, or of another
//! version of its archive is refused by name. Cost: a row per split.

mod entry;
pub(crate) mod seals;
pub(crate) mod split_json;
mod tiling;

pub(crate) use entry::{Entry, read, write};
pub(crate) use tiling::{Found, Tiling};
