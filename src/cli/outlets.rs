//! The outputs of a run that all tasks have in common.
//!
//! In: the results of jobs, in order. Out: totals, the tables of faults and notes, the text of rejected games; the
//! part of the task is passed to its [`PartSink`]. Invariant: a result is written before the next one. Cost: one pass
//! over the rows.

use rayon::ThreadPool;

use crate::archive::Archive;
use crate::engine::{Base, Consumer, FaultRows, JobResult, Joiner, NoteRows};
use crate::error::Result;
use crate::pgn::deviation::{Class, Deviation};
use crate::replay::Counts;
use crate::sink::Sink;

use super::disk::{Disks, Share};
use super::progress::Progress;
use super::remarks::Remark;
use super::table_sink::TableSink;
use super::totals::Totals;

/// The consumer of the parts of a task.
pub(super) trait PartSink {
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
        pool: &ThreadPool,
    ) -> Result<()>;

    /// The archive ends.
    fn end(&mut self, pool: &ThreadPool) -> Result<()> {
        let _ = pool;
        Ok(())
    }

    /// All archives have ended.
    fn close(&mut self, pool: &ThreadPool) -> Result<()> {
        let _ = pool;
        Ok(())
    }

    /// The files that were written, to be published.
    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        Ok(Vec::new())
    }
}

/// Validation has no part.
impl PartSink for () {
    type Part = ();

    fn part(&mut self, _: &str, _: Base, _: &mut JobResult<()>, _: &ThreadPool) -> Result<()> {
        Ok(())
    }
}

/// The files of a run, and its totals.
#[derive(Debug)]
pub(super) struct Outlets<S> {
    pub(super) totals: Totals,
    pub(super) faults: Option<TableSink>,
    pub(super) notes: Option<TableSink>,
    pub(super) rejects: Option<Sink>,
    rejects_joiner: Joiner,
    /// The consumer of the parts of the task.
    pub(super) parts: S,
    pub(super) progress: Progress,
    disks: Disks,
    /// The stored bytes of all inputs, if they are known.
    stored_bytes: Option<u64>,
    /// The current archive: its counts so far, and the bytes of its text.
    archive: (Counts, u64),
}

/// The kind of the last row of a game that has more notes and repairs than are listed.
const OMITTED: &str = "left-out";

impl<S: PartSink> Outlets<S> {
    pub(super) fn new(
        parts: S,
        progress: Progress,
        disks: Disks,
        stored_bytes: Option<u64>,
    ) -> Outlets<S> {
        Outlets {
            totals: Totals::default(),
            faults: None,
            notes: None,
            rejects: None,
            rejects_joiner: Joiner::default(),
            parts,
            progress,
            disks,
            stored_bytes,
            archive: Default::default(),
        }
    }

    /// All files that were written, to be published when the run has succeeded; faults are last.
    pub(super) fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        let mut sinks = self.parts.take_sinks()?;
        sinks.extend(self.rejects.take());
        for table in [&mut self.notes, &mut self.faults] {
            sinks.extend(table.take().map(TableSink::into_sink).transpose()?);
        }
        Ok(sinks)
    }
}

/// Writes the faults of a job.
fn write_faults(table: &mut TableSink, archive: &str, base: Base, rows: &FaultRows) -> Result<()> {
    rows.visit(|row| {
        table.row(&[
            archive,
            &(base.offset + row.offset).to_string(),
            &(base.lines + row.lines + 1).to_string(),
            &(row.column + 1).to_string(),
            &(base.games + row.game + 1).to_string(),
            &row.ply.to_string(),
            row.kind.name(),
            &row.text,
            &row.detail,
            &row.fen,
            &row.names.event,
            &row.names.site,
            &row.names.white,
            &row.names.black,
        ])
    })
}

/// Writes the notes and repairs of a job.
fn write_notes(table: &mut TableSink, archive: &str, base: Base, rows: &NoteRows) -> Result<()> {
    rows.visit(|row, names| {
        table.row(&[
            archive,
            &(base.offset + row.offset).to_string(),
            &(base.lines + row.lines + 1).to_string(),
            &(row.column + 1).to_string(),
            &(base.games + row.game + 1).to_string(),
            &row.ply.to_string(),
            row.kind.map_or(OMITTED, Deviation::name),
            row.class.map_or("", Class::name),
            &row.written,
            &row.canonical,
            &names.event,
            &names.site,
            &names.white,
            &names.black,
        ])
    })
}

impl<S: PartSink> Consumer<S::Part> for Outlets<S> {
    fn begin(&mut self, archive: &Archive) -> Result<()> {
        self.totals.archives += 1;
        self.archive = Default::default();
        self.rejects_joiner.archive_begins();
        self.parts.begin(archive)
    }

    fn result(
        &mut self,
        archive: &str,
        base: Base,
        result: &mut JobResult<S::Part>,
        pool: &ThreadPool,
    ) -> Result<()> {
        let read_bytes = self.totals.stored_bytes;
        self.disks.check(Share { read_bytes, total_bytes: self.stored_bytes })?;
        let facts = &mut result.facts;
        self.totals.text_bytes += facts.text_bytes;
        self.totals.rejected_bytes += facts.rejected_bytes;
        self.totals.damaged_bytes += facts.damaged_bytes;
        self.totals.counts.merge(&facts.counts);
        self.totals.unreadable.merge(&facts.unreadable);
        self.archive.0.merge(&facts.counts);
        self.archive.1 += facts.text_bytes;
        if let Some(faults) = &mut self.faults {
            write_faults(faults, archive, base, &facts.faults)?;
        }
        if let Some(notes) = &mut self.notes {
            write_notes(notes, archive, base, &facts.notes)?;
        }
        if let Some(rejects) = &mut self.rejects {
            let (text, seams) = (&mut facts.rejects, &mut facts.reject_seams);
            self.rejects_joiner.join(base.offset, text, seams, &mut []);
            if facts.damaged_bytes > 0 {
                self.rejects_joiner.breaks();
            }
            rejects.add(&facts.rejects)?;
        }
        self.parts.part(archive, base, result, pool)
    }

    fn progress(&mut self, stored_bytes: u64) {
        self.totals.stored_bytes += stored_bytes;
        self.progress.show(&self.totals);
    }

    fn end(&mut self, archive: &str, pool: &ThreadPool) -> Result<()> {
        let (counts, bytes) = &self.archive;
        if let Some(remark) = Remark::of(counts, *bytes) {
            self.totals.remarks.push((archive.to_string(), remark));
        }
        self.progress.input_ends(counts, None);
        self.parts.end(pool)
    }

    fn close(&mut self, pool: &ThreadPool) -> Result<()> {
        self.parts.close(pool)
    }
}
