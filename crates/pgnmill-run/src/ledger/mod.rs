//! The ledger of splits: what was read of which split, and whether that is all of every archive exactly once.
//!
//! In: the totals of a run over a split; rows of `ledger.csv`. Out: [`Entry`]s, `ledger.csv`, and a [`Tiling`] of all
//! archives, or the reason why there is none. Invariant: a split that is missing, doubled, altered, or of another
//! version of its archive is refused by name. Cost: a row per split.

mod entry;
mod tiling;

pub(super) use entry::{Entry, read, write};
pub(super) use tiling::{Found, Tiling};
