//! The outlets of a run: results in order become files and totals.
//!
//! In: the results of jobs. Out: what all tasks have in common, that is totals and the tables of faults and notes and the text of
//! rejected games; the part of the task goes to its [`PartSink`].

use rayon::ThreadPool;

use crate::archive::Archive;
use crate::engine::{Base, Consumer, FaultRows, JobResult, Joiner, NoteRows};
use crate::error::Result;
use crate::pgn::deviation::{Class, Deviation};
use crate::replay::Counts;
use crate::sink::{CsvSink, Sink};

use super::progress::Progress;
use super::remarks::Remark;
use super::totals::Totals;

/// What the program does with the parts of a task.
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

    /// The archive is at its end.
    fn end(&mut self, pool: &ThreadPool) -> Result<()> {
        let _ = pool;
        Ok(())
    }

    /// All archives are at their end.
    fn close(&mut self, pool: &ThreadPool) -> Result<()> {
        let _ = pool;
        Ok(())
    }

    /// The files that were written, to be published.
    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        Ok(Vec::new())
    }
}

/// Of validation there is no part.
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
    pub(super) faults: Option<CsvSink>,
    pub(super) notes: Option<CsvSink>,
    pub(super) rejects: Option<Sink>,
    rejects_joiner: Joiner,
    /// What the parts of the task go to.
    pub(super) parts: S,
    pub(super) progress: Progress,
    /// The current archive: what was counted so far, and the bytes of its text.
    archive: (Counts, u64),
}

/// The kind of the row that ends a game of more notes and repairs than are listed.
const LEFT_OUT: &str = "left-out";

impl<S: PartSink> Outlets<S> {
    pub(super) fn new(parts: S, progress: Progress) -> Outlets<S> {
        Outlets {
            totals: Totals::default(),
            faults: None,
            notes: None,
            rejects: None,
            rejects_joiner: Joiner::default(),
            parts,
            progress,
            archive: Default::default(),
        }
    }

    /// Every file that was written, to be published when the run has gone through; faults come last.
    pub(super) fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        let mut sinks = self.parts.take_sinks()?;
        sinks.extend(self.rejects.take());
        for table in [&mut self.notes, &mut self.faults] {
            sinks.extend(table.take().map(CsvSink::into_sink).transpose()?);
        }
        Ok(sinks)
    }
}

/// Writes the faults of a report.
fn fault(table: &mut CsvSink, archive: &str, base: Base, rows: &FaultRows) -> Result<()> {
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

/// Writes the notes and repairs of a report.
fn note(table: &mut CsvSink, archive: &str, base: Base, rows: &NoteRows) -> Result<()> {
    rows.visit(|row, names| {
        table.row(&[
            archive,
            &(base.offset + row.offset).to_string(),
            &(base.lines + row.lines + 1).to_string(),
            &(row.column + 1).to_string(),
            &(base.games + row.game + 1).to_string(),
            &row.ply.to_string(),
            row.kind.map_or(LEFT_OUT, Deviation::name),
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
        let facts = &mut result.facts;
        self.totals.text_bytes += facts.text_bytes;
        self.totals.rejected_bytes += facts.rejected_bytes;
        self.totals.damaged_bytes += facts.damaged_bytes;
        self.totals.counts.merge(&facts.counts);
        self.archive.0.merge(&facts.counts);
        self.archive.1 += facts.text_bytes;
        if let Some(faults) = &mut self.faults {
            fault(faults, archive, base, &facts.faults)?;
        }
        if let Some(notes) = &mut self.notes {
            note(notes, archive, base, &facts.notes)?;
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
        self.parts.end(pool)
    }

    fn close(&mut self, pool: &ThreadPool) -> Result<()> {
        self.parts.close(pool)
    }
}
