//! Runs: a plan, a task, and what consumes its parts.
//!
//! In: a request, a host. Out: totals, tables, published files, a [`Completion`]. May use: every room but commands.
//! Invariants: no output has its name before it is complete and on disk; a reading before or after the run that writes
//! is the same consumer without files. Cost: that of the task.

mod again;
mod done;
mod dry_run;
mod execute;
mod outlets;
mod sampled;

use std::sync::Arc;

use pgnmill_io::archive::Input;
use pgnmill_io::error::Result;

use crate::host::{Completion, Host};
use crate::plan::{Request, resolve};

pub(crate) use again::read_again;
pub(crate) use done::Done;
pub(crate) use execute::{Executed, execute};
pub(crate) use outlets::PartSink;

/// Runs a request; or shows its plan, if that is requested. `given`: archives of a caller, in place of those that it
/// names.
///
/// # Errors
/// What the request cannot have; what ends the run.
pub(crate) fn run<R: Request>(
    request: R,
    given: Option<Vec<Input>>,
    host: &Arc<dyn Host>,
) -> Result<Completion> {
    let (plan, task) = resolve(&request, given, host)?;
    if plan.files.dry_run {
        dry_run::show(&plan, &**host)?;
        return Ok(Completion::of(true));
    }
    request.execute(plan, task, host)
}
