//! The outputs of a run that all tasks have in common.
//!
//! In: the results of jobs, in order. Out: totals, the tables of faults and notes, the text of rejected games; the
//! part of the task is passed to its [`PartSink`]. Invariant: a result is written before the next one. Cost: one pass
//! over the rows.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{Base, Consumer, Counted, JobResult, Joiner, Start};
use pgnmill_core::tables;
use pgnmill_io::archive::{Archive, Input, RecordKind, SplitBase};
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Sink, Snapshot};
use pgnmill_state::{Loader, state};

use crate::args::files::RunFiles;
use crate::host::{Host, Left};
use crate::journal::{Journal, Saved};
use crate::outputs::destination::{Finished, Resumed};
use crate::outputs::disk::{self, Disks, Share};
use crate::outputs::table_sink::{TableSink, write_rows};
use crate::plan::Plan;
use crate::report::progress::{Extent, Progress};
use crate::report::remarks::Remark;
use crate::report::totals::{Failure, Totals};

/// The consumer of the parts of a task.
pub(crate) trait PartSink {
    /// The part of the task.
    type Part;

    /// An archive begins.
    fn begin(&mut self, archive: &Archive) -> Result<()> {
        let _ = archive;
        Ok(())
    }

    /// The next result.
    fn part(
        &mut self,
        archive: &str,
        base: Base,
        result: &mut JobResult<Self::Part>,
        pool: &Pool,
    ) -> Result<()>;

    /// The archive ends.
    fn end(&mut self, pool: &Pool) -> Result<()> {
        let _ = pool;
        Ok(())
    }

    /// All archives have ended.
    fn close(&mut self, pool: &Pool) -> Result<()> {
        let _ = pool;
        Ok(())
    }

    /// The input of this index is opened next.
    fn input(&mut self, index: usize) {
        let _ = index;
    }

    /// The current input could not be opened, or not be read to its end: what is written of it alone is dropped.
    fn fail(&mut self, pool: &Pool) -> Result<()> {
        self.end(pool)
    }

    /// Does it require no more results?
    fn is_done(&self) -> bool {
        false
    }

    /// The files that were written, to be published.
    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        Ok(Vec::new())
    }

    /// Do complete outputs wait for their names?
    fn has_finished(&self) -> bool {
        false
    }

    /// The complete outputs of inputs.
    fn take_finished(&mut self) -> Vec<Finished> {
        Vec::new()
    }

    /// Can its state be saved now?
    fn can_be_saved(&self) -> bool {
        true
    }

    /// Saves the state, without complete outputs.
    fn save(&mut self, out: &mut Snapshot, pool: &Pool) -> Result<()> {
        let _ = (out, pool);
        Ok(())
    }
}

/// The files of a run, and its totals.
#[derive(Debug)]
pub(crate) struct Outlets<S> {
    /// The journal, if the run can be continued. Dropped first: it waits for the checkpoint that is being written,
    /// whose outputs are then kept.
    pub(super) journal: Option<Journal>,
    pub(crate) totals: Totals,
    tables: Tables,
    rejects_joiner: Joiner,
    /// The consumer of the parts of the task.
    pub(crate) parts: S,
    host: Arc<dyn Host>,
    pub(crate) progress: Progress,
    disks: Disks,
    /// The stored bytes of all inputs, if they are known.
    stored_bytes: Option<u64>,
    /// The current archive.
    archive: Current,
    /// The index of the current input.
    input: usize,
    /// Go on with the next input if one fails?
    keeps_going: bool,
    /// What was read of the inputs whose outputs wait for their names, by the index of the input.
    pub(crate) read: Vec<(usize, Counted)>,
    /// The number of the split that is read, if it is one.
    ordinal: Option<u64>,
    /// What the rows of the tables begin with.
    pub(crate) before: SplitBase,
    /// The outputs that have their names.
    pub(crate) written: Vec<PathBuf>,
    /// Is it a reading before or after the one that reports each input?
    is_again: bool,
    /// What archives are divided into.
    records: RecordKind,
}

/// The files that all tasks have in common.
#[derive(Debug, Default)]
struct Tables {
    faults: Option<TableSink>,
    notes: Option<TableSink>,
    rejects: Option<Sink>,
}

impl Tables {
    /// Opens them; with a saved state they are continued.
    fn open(plan: &Plan, mut from: Option<&mut Loader<'_>>) -> Result<Tables> {
        let RunFiles { overwrite, faults, notes, rejects, .. } = &plan.files;
        let overwrite = *overwrite;
        let mut table = |path: &Path, schema: &tables::Schema| match from.as_deref_mut() {
            None => TableSink::create(path, overwrite, schema),
            Some(from) => TableSink::load(path, from, overwrite, schema),
        };
        let mut open = |path: &Option<PathBuf>, schema| {
            path.as_deref().map(|path| table(path, schema)).transpose()
        };
        let faults = open(faults, &tables::faults::SCHEMA)?;
        let notes = open(notes, &tables::notes::SCHEMA)?;
        let rejects = rejects.as_deref().map(|path| match from {
            None => Sink::create(path, overwrite),
            Some(from) => Sink::load(from, overwrite),
        });
        Ok(Tables { faults, notes, rejects: rejects.transpose()? })
    }
}

/// What a run begins with: nothing, or what a state has saved.
#[derive(Debug, Default)]
struct Restored {
    totals: Totals,
    archive: Current,
    rejects_joiner: Joiner,
    tables: Tables,
}

/// The disks of all outputs; warns if those of the task hardly fit.
fn disks(plan: &Plan, host: &Arc<dyn Host>) -> Disks {
    let tables = plan.tables().filter_map(disk::directory_of);
    let directory = plan.outputs.place.path().and_then(disk::directory_of);
    let disks = Disks::watch(tables.chain(directory), host);
    if let Some(directory) = directory.filter(|_| !plan.messages.quiet) {
        disks.expect(directory, plan.outputs.bytes);
    }
    disks
}

/// What was read of the current archive.
#[derive(Debug, Default)]
struct Current {
    counted: Counted,
    /// The stored bytes that were counted, and all of them, where that is known.
    stored_bytes: u64,
    stored_bytes_total: Option<u64>,
}
state!(Current { counted, stored_bytes, stored_bytes_total });

impl<S: PartSink> Outlets<S> {
    /// Those of a reading that fills no files.
    pub(super) fn of(plan: &Plan, parts: S, host: &Arc<dyn Host>) -> Outlets<S> {
        Outlets {
            is_again: true,
            ..Outlets::with(plan, Restored::default(), None, parts, Disks::none(host), host)
        }
    }

    /// Opens the files of a run, or continues them from a saved state.
    ///
    /// # Errors
    /// A file that cannot be created or continued; a state that cannot be read.
    pub(super) fn begin(
        plan: &Plan,
        journal: Option<Journal>,
        saved: Option<&Saved>,
        parts: impl FnOnce(&Plan, Option<Resumed<'_, '_>>) -> Result<S>,
        host: &Arc<dyn Host>,
    ) -> Result<Outlets<S>> {
        let disks = disks(plan, host);
        let (state, parts) = match saved {
            None => {
                let tables = Tables::open(plan, None)?;
                let state = Restored { tables, ..Restored::default() };
                (state, parts(plan, None)?)
            }
            Some(saved) => {
                let mut from = saved.loader();
                let damaged = || Error::usage("the saved state cannot be read");
                let totals = from.value().ok_or_else(damaged)?;
                let archive = from.value().ok_or_else(damaged)?;
                let rejects_joiner = from.value().ok_or_else(damaged)?;
                let tables = Tables::open(plan, Some(&mut from))?;
                let resumed = Resumed { from: &mut from, start: &saved.start };
                let parts = parts(plan, Some(resumed))?;
                (Restored { totals, archive, rejects_joiner, tables }, parts)
            }
        };
        let outlets = Outlets::with(plan, state, journal, parts, disks, host);
        let input = saved.map_or(0, |saved| saved.start.input);
        outlets.progress.begins_at(input, &outlets.totals);
        Ok(outlets)
    }

    fn with(
        plan: &Plan,
        state: Restored,
        journal: Option<Journal>,
        parts: S,
        disks: Disks,
        host: &Arc<dyn Host>,
    ) -> Outlets<S> {
        let inputs = &plan.inputs.all;
        let stored_bytes = inputs.iter().map(Input::stored_bytes).sum();
        let names = inputs.iter().map(Input::name).collect();
        let extent = Extent { names, stored_bytes, records: plan.records() };
        let progress = Progress::new(plan.messages.mode(), plan.messages.verbose, extent, host);
        let Restored { totals, archive, rejects_joiner, tables } = state;
        let selects = plan.settings.selection.is_some() || plan.sample.sample.is_some();
        Outlets {
            journal,
            totals: Totals { selects, ..totals },
            tables,
            rejects_joiner,
            parts,
            host: Arc::clone(host),
            progress,
            disks,
            stored_bytes,
            archive,
            input: 0,
            keeps_going: plan.keeps_going,
            read: Vec::new(),
            ordinal: plan.inputs.split.as_ref().map(|split| split.split.ordinal),
            before: SplitBase::default(),
            written: Vec::new(),
            is_again: false,
            records: plan.records(),
        }
    }

    /// Does the consumer require no more results?
    pub(super) fn is_done(&self) -> bool {
        self.parts.is_done()
    }

    /// The number of inputs that were opened, or could not be opened.
    pub(crate) fn inputs_count(&self) -> u64 {
        self.input as u64 + 1
    }

    /// Saves the state.
    fn save(&mut self, out: &mut Snapshot, pool: &Pool) -> Result<()> {
        out.add(&self.totals);
        out.add(&self.archive);
        out.add(&self.rejects_joiner);
        let Tables { faults, notes, rejects } = &mut self.tables;
        for table in [faults, notes].into_iter().flatten() {
            table.save(out)?;
        }
        rejects.iter_mut().try_for_each(|rejects| rejects.save(out))?;
        self.parts.save(out, pool)
    }

    /// Reports what the run leaves, which ends by an error. Waits for the checkpoint that is being written, whether or
    /// not there is something to report: its outputs are kept.
    pub(crate) fn report_left(&mut self, host: &dyn Host) {
        let Some(journal) = &mut self.journal else { return };
        let can_go_on = journal.can_go_on();
        let left = Left::of(journal.files(), can_go_on, &self.written);
        if !left.is_empty() {
            host.left(&left);
        }
    }

    /// All files that were written, to be published when the run has succeeded; faults are last.
    pub(crate) fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        let mut sinks = self.parts.take_sinks()?;
        let Tables { faults, notes, rejects } = std::mem::take(&mut self.tables);
        sinks.extend(rejects);
        for table in [notes, faults] {
            sinks.extend(table.map(TableSink::into_sink).transpose()?);
        }
        Ok(sinks)
    }
}

impl<S: PartSink> Consumer<S::Part> for Outlets<S> {
    fn input(&mut self, index: usize) -> Result<()> {
        self.input = index;
        self.parts.input(index);
        Ok(())
    }

    fn begin(&mut self, archive: &Archive) -> Result<()> {
        // An archive counts with its first split.
        let is_first = self.ordinal.is_none_or(|ordinal| ordinal == 0);
        self.totals.archives += u64::from(is_first);
        let base = archive.base();
        let text_bytes = archive.text_begin().unwrap_or(base.text_bytes);
        self.before = SplitBase { text_bytes, ..base };
        self.archive.stored_bytes_total = archive.stored_bytes();
        self.rejects_joiner.archive_begins();
        self.parts.begin(archive)
    }

    fn result(
        &mut self,
        archive: &str,
        base: Base,
        result: &mut JobResult<S::Part>,
        pool: &Pool,
    ) -> Result<()> {
        let read_bytes = self.totals.stored_bytes;
        self.disks.check(Share { read_bytes, total_bytes: self.stored_bytes })?;
        let facts = &mut result.facts;
        self.totals.counted.merge(&facts.counted);
        self.archive.counted.merge(&facts.counted);
        let Tables { faults, notes, rejects } = &mut self.tables;
        let tables = [(faults, &facts.faults), (notes, &facts.notes)];
        for (table, rows) in tables {
            table.iter_mut().try_for_each(|table| write_rows(table, archive, base, rows))?;
        }
        if let Some(rejects) = rejects {
            let (text, seams) = (&mut facts.rejects, &mut facts.reject_seams);
            self.rejects_joiner.join(base.offset, text, seams, &mut []);
            if facts.counted.damaged_bytes > 0 {
                self.rejects_joiner.breaks();
            }
            rejects.add(&facts.rejects)?;
        }
        self.parts.part(archive, base, result, pool)
    }

    fn is_done(&self) -> bool {
        self.parts.is_done()
    }

    fn progress(&mut self, stored_bytes: u64) {
        self.totals.stored_bytes += stored_bytes;
        self.archive.stored_bytes += stored_bytes;
        self.progress.show(&self.totals);
        self.journal.iter().for_each(Journal::step);
    }

    fn is_checkpoint_due(&mut self) -> bool {
        let waiting = self.parts.has_finished();
        let is_due = self.journal.as_ref().is_some_and(|journal| journal.is_due(waiting));
        is_due && self.parts.can_be_saved()
    }

    fn saves_when_stopped(&self) -> bool {
        self.journal.is_some() && self.parts.can_be_saved()
    }

    fn checkpoint(&mut self, start: Start, pool: &Pool) -> Result<()> {
        let mut snapshot = Snapshot::default();
        snapshot.add(&start);
        self.save(&mut snapshot, pool)?;
        let finished = self.parts.take_finished();
        let Some(journal) = &mut self.journal else { return Ok(()) };
        if finished.is_empty() {
            return journal.checkpoint(start.input, snapshot);
        }
        let read = std::mem::take(&mut self.read);
        self.written.extend(finished.iter().map(|one| one.sink.path().to_path_buf()));
        journal.publish(start.input, &snapshot, finished, &read)
    }

    fn end(&mut self, archive: &str, pool: &Pool) -> Result<()> {
        // Empty for the next one, which may not be opened.
        let Current { counted, .. } = std::mem::take(&mut self.archive);
        if self.ordinal.is_some() {
            // Notes on the whole archive: its other splits may have them too.
            for note in counted.survey.notes() {
                self.totals.counted.counts.deviations[note as usize] -= 1;
            }
        } else if let Some(remark) = Remark::of(self.records, &counted) {
            // A remark is on a whole archive.
            let is_whole = !self.parts.is_done();
            let remark = if is_whole { remark } else { remark.of_beginning() };
            self.totals.remarks.push((archive.to_string(), remark));
        }
        // One that is not read to its end has no counts: they would depend on the jobs.
        if self.is_again {
            self.progress.input_passes();
        } else if !self.parts.is_done() {
            self.progress.input_ends(&counted.counts, None);
        }
        self.read.push((self.input, counted));
        self.parts.end(pool)
    }

    fn failed(&mut self, input: &Input, error: Error, pool: &Pool) -> Result<()> {
        if !self.keeps_going {
            return Err(error);
        }
        let error = error.to_string();
        // The reading of the run names it, once.
        if !self.is_again {
            self.host.warn(format_args!("{error}; this input is left, and the others are read"));
        }
        let Current { counted, stored_bytes, stored_bytes_total } =
            std::mem::take(&mut self.archive);
        // How far a decoder had read ahead when it met the damage depends on where it began.
        if let Some(all) = stored_bytes_total {
            self.totals.stored_bytes += all.saturating_sub(stored_bytes);
        }
        match self.is_again {
            true => self.progress.input_passes(),
            false => self.progress.input_ends(&counted.counts, Some(&error)),
        }
        let (input, games) = (input.name(), counted.counts.games());
        self.totals.failures.push(Failure { input, games, error });
        self.parts.fail(pool)
    }

    fn close(&mut self, pool: &Pool) -> Result<()> {
        self.parts.close(pool)
    }
}
