//! One more reading of the inputs of a plan, before or after its execution.
//!
//! In: a plan, a task, a sink. Out: the sink. Invariant: it is the reading of the execution without tables, outputs and
//! journal. Cost: that of the task.

use std::sync::Arc;

use pgnmill_core::engine::{self, MovesUse, Rejects, Task};
use pgnmill_io::error::Result;

use crate::host::Host;
use crate::plan::Plan;
use crate::run::outlets::{Outlets, PartSink};

/// Reads the inputs once more. `rejects`: what becomes of the text of rejected games.
///
/// # Errors
/// What ends the run.
pub(crate) fn read_again<T: Task, S: PartSink<Part = T::Part>>(
    plan: &Plan,
    task: &T,
    sink: S,
    rejects: Rejects,
    host: &Arc<dyn Host>,
) -> Result<S> {
    let mut outlets = Outlets::of(plan, sink, host);
    let mut settings = plan.settings_again(rejects);
    // A task that reads no moves takes what a selection selects: without one every game would be replayed for it.
    if task.moves() == MovesUse::Unread {
        settings.selection = Some(Arc::new(plan.selection()));
    }
    let ran = engine::run(task, &settings, &plan.inputs.all, &mut outlets, host.stop());
    outlets.progress.finish();
    ran.map(|()| outlets.parts)
}
