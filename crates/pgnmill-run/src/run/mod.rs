//! Runs: a task over the inputs, and what consumes its parts.
//!
//! In: a plan, a task, a sink. Out: totals, tables, published files. May use: everything but commands. Invariant: no
//! output has its name before it is complete and on disk. Cost: that of the task.

pub(crate) mod outlets;
pub(crate) mod sampled;
pub(crate) mod task;
