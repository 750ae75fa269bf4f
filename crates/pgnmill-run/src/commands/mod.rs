//! Commands: each a request, its task, what consumes the parts, and its last lines.
//!
//! In: a request, a [`crate::host::Host`]. Out: files, a [`crate::host::Completion`]. May use: every other room.
//! Invariant: a command is its file or folder, and a row of the registry. Cost: that of its task.

pub(crate) mod convert;
pub(crate) mod duplicates;
#[cfg(feature = "columns")]
pub(crate) mod export;
mod first_faults;
pub(crate) mod measure;
pub(crate) mod merge;
// Without columns no table is written; `merge` has the arguments all the same.
#[cfg_attr(
    not(feature = "columns"),
    allow(dead_code, unused_imports, reason = "the commands that write columns use them")
)]
pub(crate) mod position_args;
#[cfg(feature = "columns")]
pub(crate) mod positions;
pub mod registry;
pub(crate) mod report;
mod rewriting;
pub(crate) mod select;
mod select_head;
pub(crate) mod select_split;
pub(crate) mod sort;
pub(crate) mod splits;
pub(crate) mod stats;
pub(crate) mod validate;
