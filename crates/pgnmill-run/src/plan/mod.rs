//! Plans: what a run will read and write, before it begins.
//!
//! In: arguments, a host. Out: inputs, names of outputs that are different files. May use: arguments, reports.
//! Invariant: nothing is written. Cost: some calls of the system per file.

pub mod distinct;
pub(crate) mod dry_run;
pub(crate) mod splits;
