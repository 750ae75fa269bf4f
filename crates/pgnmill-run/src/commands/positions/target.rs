//! The files of a count of positions: one, or one per input.
//!
//! In: the parts of jobs, in order. Out: tables or books, each written when its archives are read. Invariant: the state
//! of a run can be saved between two inputs, where no pair is held. Cost: that of the counts and of
//! [`super::table_file`].

use std::path::Path;

use pgnmill_columns::PairsInOrder;
use pgnmill_core::engine::{Base, Counted as Read, JobResult, Pool};
use pgnmill_core::tasks::positions::{Counted, Limits, Pairs, Stop};
use pgnmill_core::tasks::sorter::Spill;
use pgnmill_io::archive::{Archive, ArchiveSplit, SplitBase};
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Reservation, Sink, Snapshot, not_a_state};
use pgnmill_state::Loader;

use crate::host::Host;
use crate::ledger::Entry;
use crate::outputs::destination::{Destination, Finished, Resumed};
use crate::plan::{Plan, Request};
use crate::run::PartSink;

use super::args::Positions;
use super::sums::SumsFact;
use super::table_file::{About, Found, Wanted, write};

/// What all files of a run have in common.
#[derive(Debug)]
pub(super) struct Common {
    pub(super) wanted: Wanted,
    /// The memory of the counts, in bytes.
    pub(super) bytes_max: usize,
    /// What ends the run.
    pub(super) stop: Stop,
    /// The options of the run, as words of a shell.
    pub(super) command: String,
    /// Those of them that decide what is counted.
    pub(super) counted: String,
    /// The digests of the files that they name.
    pub(super) files: String,
    /// The split that is read, if it is one.
    pub(super) split: Option<ArchiveSplit>,
}

impl Common {
    fn begin(&self, reserved: Reservation) -> Counting {
        let spill = spill(reserved.path(), self.bytes_max);
        let (games_min, stop) = (self.wanted.min_games, self.stop.clone());
        let limits = Limits { spill: spill.clone(), games_min, stop };
        let pairs = Box::new(Pairs::new(limits));
        let (archives, before, read) = (Vec::new(), SplitBase::default(), Read::default());
        Counting { reserved, spill, pairs, archives, before, read }
    }

    /// Writes the file of what was counted.
    fn write(&self, counting: Counting, pool: &Pool) -> Result<(Sink, Found)> {
        let Counting { reserved, spill, pairs, archives, before, read } = counting;
        let entry = |split| Entry::of(split, Positions::NAME, self.counted.clone(), before, &read);
        let sums = SumsFact {
            counted: self.counted.clone(),
            files: self.files.clone(),
            min_games: self.wanted.min_games,
            has_rules: pairs.has_other_rules(),
            archives,
            splits: self.split.iter().map(entry).collect(),
            rows: Default::default(),
        };
        let about = About { command: self.command.clone(), sums };
        write(PairsInOrder::Games(pairs), self.wanted, about, reserved, &spill, pool)
    }
}

/// Where what exceeds the memory is written: beside the output, or among the temporary files of the system.
pub(crate) fn spill(output: &Path, bytes_max: usize) -> Spill {
    let directory = crate::outputs::beside(output);
    let name = output.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Spill { directory, name, bytes_max }
}

/// The counts of a file.
#[derive(Debug)]
struct Counting {
    reserved: Reservation,
    spill: Spill,
    pairs: Box<Pairs>,
    archives: Vec<String>,
    /// Of a split: what the offsets of its games begin with, and what was read of it.
    before: SplitBase,
    read: Read,
}

/// The files, and what was written.
#[derive(Debug)]
pub(super) struct Target {
    common: Common,
    files: Destination<Counting>,
    found: Found,
}

impl Target {
    /// Reserves the files.
    pub(super) fn begin(
        common: Common,
        plan: &Plan,
        mut resumed: Option<Resumed<'_, '_>>,
        host: &dyn Host,
    ) -> Result<Target> {
        let found = match &mut resumed {
            None => Found::default(),
            Some(resumed) => resumed.from.value().ok_or_else(damaged)?,
        };
        // The pairs of an input are not saved.
        let load = |_: &mut Loader<'_>| Err(damaged());
        let open = |reserved| Ok(common.begin(reserved));
        let files = Destination::begin(plan, resumed, host, open, load)?;
        Ok(Target { common, files, found })
    }

    /// What was written.
    pub(super) fn found(&self) -> Found {
        self.found
    }
}

fn damaged() -> Error {
    not_a_state(Path::new("positions"))
}

impl PartSink for Target {
    type Part = Counted;

    fn begin(&mut self, archive: &Archive) -> Result<()> {
        let Target { common, files, .. } = self;
        files.archive_begins(archive, |reserved| Ok(common.begin(reserved)))?;
        if let Some(counting) = &mut files.current {
            counting.archives.push(archive.name().to_string());
            let base = archive.base();
            let text_bytes = archive.text_begin().unwrap_or(base.text_bytes);
            counting.before = SplitBase { text_bytes, ..base };
        }
        Ok(())
    }

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Counted>,
        pool: &Pool,
    ) -> Result<()> {
        let Some(counting) = &mut self.files.current else { return Ok(()) };
        counting.read.merge(&result.facts.counted);
        let archive = counting.archives.len().saturating_sub(1) as u32;
        counting.pairs.add(&mut result.part, archive, base, pool)
    }

    fn end(&mut self, pool: &Pool) -> Result<()> {
        let Target { common, files, found } = self;
        files.archive_ends(|counting| {
            let (sink, own) = common.write(counting, pool)?;
            found.add(own);
            Ok(sink)
        })
    }

    fn fail(&mut self, _: &Pool) -> Result<()> {
        self.files.archive_fails();
        Ok(())
    }

    fn close(&mut self, pool: &Pool) -> Result<()> {
        let Target { common, files, found } = self;
        files.close(|counting| {
            let (sink, own) = common.write(counting, pool)?;
            found.add(own);
            Ok(sink)
        })
    }

    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        Ok(self.files.take_sinks())
    }

    fn input(&mut self, index: usize) {
        self.files.input(index);
    }

    fn has_finished(&self) -> bool {
        self.files.has_finished()
    }

    fn take_finished(&mut self) -> Vec<Finished> {
        self.files.take_finished()
    }

    fn can_be_saved(&self) -> bool {
        self.files.current.is_none()
    }

    fn save(&mut self, out: &mut Snapshot, _: &Pool) -> Result<()> {
        out.add(&self.found);
        self.files.save(out, |_, _| Err(damaged()))
    }
}
