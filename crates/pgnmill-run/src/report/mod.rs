//! Reports: what a run prints while it lasts and at its end.
//!
//! In: totals, counts, paths of files that have their names. Out: lines, tables, JSON, through the host. May use:
//! texts, arguments, the host. Invariant: the same run gives the same text. Cost: the number of rows.

pub(crate) mod copied;
pub(crate) mod headline;
pub(crate) mod progress;
pub(crate) mod remarks;
pub(crate) mod selected;
pub(crate) mod summary;
pub(crate) mod totals;
pub(crate) mod unclean;
pub(crate) mod written;
