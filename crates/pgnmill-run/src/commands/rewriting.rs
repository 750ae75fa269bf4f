//! The files of a run that writes games in its own text: one, or one per input.
//!
//! In: rewritten text of jobs, in order. Out: files, and of those of one input each that wait for their names.
//! Invariant: a file has its name when it is complete and on disk. Cost: that of [`pgnmill_core::tasks::convert`].

use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{Base, JobResult};
use pgnmill_core::tasks::convert::{Output, Rewritten};
use pgnmill_io::archive::Archive;
use pgnmill_io::error::Result;
use pgnmill_io::sink::{Reservation, Sink, Snapshot};
use pgnmill_state::Loader;

use crate::args::output_path::is_directory;
use crate::args::writing::Writing;
use crate::host::{self, Host};
use crate::outputs::destination::{Destination, Finished, Resumed};
use crate::plan::{Place, Plan};
use crate::run::PartSink;

/// The outputs of rewritten text.
#[derive(Debug)]
pub(crate) struct Target {
    files: Destination<Output>,
    /// Compression level.
    level: i32,
}

impl Target {
    /// The outputs, anew or from a saved state.
    pub(crate) fn begin(
        plan: &Plan,
        resumed: Option<Resumed<'_, '_>>,
        host: &dyn Host,
    ) -> Result<Target> {
        let (level, overwrite) = (plan.outputs.level, plan.files.overwrite);
        let open = |reservation| Output::open(reservation, level);
        let load = |from: &mut Loader<'_>| Output::load(from, overwrite, level);
        Ok(Target { files: Destination::begin(plan, resumed, host, open, load)?, level })
    }
}

/// The complete file.
fn finished(mut output: Output, pool: &Pool) -> Result<Sink> {
    output.finish(pool)?;
    Ok(output.into_sink())
}

impl PartSink for Target {
    type Part = Rewritten;

    fn input(&mut self, index: usize) {
        self.files.input(index);
    }

    fn begin(&mut self, archive: &Archive) -> Result<()> {
        if self.files.is_one()
            && let Some(output) = &mut self.files.current
        {
            output.archive_begins();
        }
        let level = self.level;
        self.files.archive_begins(archive, |reservation| Output::open(reservation, level))
    }

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Rewritten>,
        pool: &Pool,
    ) -> Result<()> {
        match &mut self.files.current {
            Some(output) => output.add(base, result, pool),
            None => Ok(()),
        }
    }

    fn end(&mut self, pool: &Pool) -> Result<()> {
        self.files.archive_ends(|output| finished(output, pool))
    }

    fn fail(&mut self, _: &Pool) -> Result<()> {
        self.files.archive_fails();
        Ok(())
    }

    fn close(&mut self, pool: &Pool) -> Result<()> {
        self.files.close(|output| finished(output, pool))
    }

    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        Ok(self.files.take_sinks())
    }

    fn has_finished(&self) -> bool {
        self.files.has_finished()
    }

    fn take_finished(&mut self) -> Vec<Finished> {
        self.files.take_finished()
    }

    fn save(&mut self, out: &mut Snapshot, _: &Pool) -> Result<()> {
        self.files.save(out, Output::save)
    }
}

/// Where games are written: to a file, or to a file per input.
pub(crate) fn place_of_games(Writing { output, flat, .. }: &Writing) -> Place {
    match is_directory(output) {
        true => Place::PerInput { directory: output.clone(), flat: *flat, ending: None },
        false => Place::File(output.clone()),
    }
}

/// The one file of a run, reserved and opened.
pub(crate) fn one_file(plan: &Plan, host: &dyn Host) -> Result<Option<Output>> {
    let reserved = Reservation::all(&plan.outputs.paths, plan.files.overwrite)?.pop();
    let open = |one| Output::open(host::output(host, one), plan.outputs.level);
    reserved.map(open).transpose()
}
