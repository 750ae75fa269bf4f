//! The execution of a plan: the engine over its inputs, with a consumer.
//!
//! In: a plan, a task, a sink. Out: a [`Done`], to be published; or the end of an earlier run that has done everything.
//! Invariant: every output is reserved before anything is read, or continued from a saved state. Cost: that of the
//! task.

use std::sync::Arc;
use std::time::Instant;

use pgnmill_core::engine::{self, Settings, Start, Task};
use pgnmill_io::archive::RecordKind;
use pgnmill_io::error::Result;
use pgnmill_io::sink::NewDirectories;

use crate::host::{Completion, Host};
use crate::journal::{self, Begun, Continued};
use crate::outputs::destination::Resumed;
use crate::plan::Plan;
use crate::report::remarks;
use crate::run::done::{Done, LastFiles};
use crate::run::outlets::{Outlets, PartSink};
use crate::run::sampled::sampled;

/// How an execution ended.
pub(crate) enum Executed<S> {
    /// By this run, which is to be published.
    Now(Box<Done<S>>),
    /// By an earlier one.
    Before(Completion),
}

/// Executes a plan; `sink` makes what consumes the parts of the task, anew or from a saved state.
///
/// # Errors
/// What ends the run.
pub(crate) fn execute<T: Task, S: PartSink<Part = T::Part>>(
    plan: Plan,
    task: &T,
    sink: impl FnOnce(&Plan, Option<Resumed<'_, '_>>) -> Result<S>,
    host: &Arc<dyn Host>,
) -> Result<Executed<S>> {
    // Removed if the run fails, after their contents.
    let mut directories = NewDirectories::default();
    let is_new = plan.outputs.directories.iter().any(|directory| !directory.is_dir());
    plan.outputs.directories.iter().try_for_each(|directory| directories.add(directory))?;
    if is_new {
        plan.check_again()?;
    }
    let Continued { journal, saved } = match journal::begin(&plan, host)? {
        Begun::Run(continued) => *continued,
        Begun::Done(clean) => return Ok(Executed::Before(Completion::of(clean))),
    };
    let settings = sampled(&plan, host)?;
    let mut outlets = Outlets::begin(&plan, journal, saved.as_ref(), sink, host)?;
    let files = LastFiles::create(&plan)?;
    let start = saved.map_or_else(Start::default, |saved| saved.start);
    warn_before(&plan, &settings, &**host);
    let started = Instant::now();
    let inputs = &plan.inputs.all;
    let ran = engine::run_from(task, &settings, inputs, start, &mut outlets, host.stop());
    outlets.progress.finish();
    if ran.is_err() {
        outlets.report_left(&**host);
    }
    ran?;
    let done = Done::of(plan, &settings, outlets, (directories, files), started, host);
    Ok(Executed::Now(Box::new(done)))
}

/// Warns of what can be known before the run.
fn warn_before(plan: &Plan, settings: &Settings, host: &dyn Host) {
    if plan.messages.quiet {
        return;
    }
    let warnings = settings.selection.iter().flat_map(|it| it.warnings());
    warnings.for_each(|warning| host.warn(format_args!("--where: {warning}")));
    remarks::warn_of_twins(&plan.inputs.all, host);
    match plan.records() {
        RecordKind::Games => remarks::warn_of_positions(&plan.inputs.all, host),
        RecordKind::GameLines => remarks::warn_of_archives(&plan.inputs.all, host),
        RecordKind::Lines => {}
    }
    remarks::warn_of_skipped(&plan.inputs.skipped, host);
    remarks::warn_of_hidden(plan.inputs.hidden_count, host);
}
