//! The outlets of a run: reports in order become files and totals.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};

use rayon::ThreadPool;

use crate::archive::{Archive, Input};
use crate::engine::{Base, Drain, FaultRows, Joiner, NoteRows, Report};
use crate::error::{Error, Result};
use crate::pgn::deviation::{Class, Deviation};
use crate::replay::Counts;
use crate::sink::{Reservation, Sink, Table};
use crate::tasks::convert::Output;
use crate::tasks::measure::BatchCompressor;
use crate::tasks::measure::study::Information;
use crate::tasks::measure::tally::Tally;

use super::progress::Progress;
use super::remarks::Remark;
use super::totals::Totals;

/// So many finished outputs stay open until the end of the run; the others are brought to the disk at once, and closed.
const OPEN_MAX: usize = 64;

/// Where rewritten text goes.
#[derive(Debug)]
pub(super) enum Target {
    /// Nowhere.
    None,
    /// One file for all inputs.
    One(Output),
    /// A file in a directory for each input, in their order.
    Directory { reserved: VecDeque<Reservation>, current: Option<Output> },
}

/// The files of a run, and its totals.
#[derive(Debug)]
pub(super) struct Outlets {
    pub(super) totals: Totals,
    pub(super) tally: Tally,
    pub(super) information: Information,
    pub(super) press: Option<BatchCompressor>,
    pub(super) faults: Option<Table>,
    pub(super) notes: Option<Table>,
    pub(super) rejects: Option<Sink>,
    rejects_joiner: Joiner,
    pub(super) games: Option<Table>,
    pub(super) target: Target,
    pub(super) level: i32,
    pub(super) progress: Progress,
    /// Outputs that are finished but for their names, which they get when the run has gone through.
    finished: Vec<Sink>,
    /// What the archive at hand came to so far, and how long its text is.
    archive: (Counts, u64),
}

/// The kind of the row that ends a game of more notes and repairs than are listed.
const LEFT_OUT: &str = "left-out";

impl Outlets {
    pub(super) fn new(progress: Progress) -> Outlets {
        Outlets {
            totals: Totals::default(),
            tally: Tally::default(),
            information: Information::default(),
            press: None,
            faults: None,
            notes: None,
            rejects: None,
            rejects_joiner: Joiner::default(),
            games: None,
            target: Target::None,
            level: 0,
            progress,
            finished: Vec::new(),
            archive: Default::default(),
        }
    }

    /// Every file that was written, to be published when the run has gone through; faults come last.
    pub(super) fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        let mut sinks = std::mem::take(&mut self.finished);
        if let Target::One(output) = std::mem::replace(&mut self.target, Target::None) {
            sinks.push(output.into_sink());
        }
        sinks.extend(self.rejects.take());
        for table in [&mut self.games, &mut self.notes, &mut self.faults] {
            sinks.extend(table.take().map(Table::into_sink).transpose()?);
        }
        Ok(sinks)
    }
}

/// Writes the faults of a report.
fn fault(table: &mut Table, archive: &str, base: Base, rows: &FaultRows) -> Result<()> {
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
fn note(table: &mut Table, archive: &str, base: Base, rows: &NoteRows) -> Result<()> {
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

impl Drain for Outlets {
    fn begin(&mut self, archive: &Archive) -> Result<()> {
        self.totals.archives += 1;
        self.archive = Default::default();
        self.rejects_joiner.archive_begins();
        if let Target::One(output) = &mut self.target {
            output.archive_begins();
        }
        if let Target::Directory { reserved, current } = &mut self.target {
            let missing = || Error::usage(format!("{} has no output", archive.name()));
            let reservation = reserved.pop_front().ok_or_else(missing)?;
            *current = Some(Output::open(reservation, self.level)?);
        }
        Ok(())
    }

    fn report(
        &mut self,
        archive: &str,
        base: Base,
        report: &mut Report,
        pool: &ThreadPool,
    ) -> Result<()> {
        self.totals.text_bytes += report.text_bytes;
        self.totals.rejected_bytes += report.rejected_bytes;
        self.totals.damaged_bytes += report.damaged_bytes;
        self.totals.counts.merge(&report.counts);
        self.archive.0.merge(&report.counts);
        self.archive.1 += report.text_bytes;
        if let Some(faults) = &mut self.faults {
            fault(faults, archive, base, &report.faults)?;
        }
        if let Some(notes) = &mut self.notes {
            note(notes, archive, base, &report.notes)?;
        }
        if let Some(rejects) = &mut self.rejects {
            let Report { rejects: text, reject_seams, .. } = report;
            self.rejects_joiner.join(base.offset, text, reject_seams, &mut []);
            if report.damaged_bytes > 0 {
                self.rejects_joiner.breaks();
            }
            rejects.add(&report.rejects)?;
        }
        if let Some(tally) = &report.tally {
            self.tally.merge_of_source(archive, tally);
        }
        if let Some(information) = &report.information {
            self.information.merge(information);
        }
        if let Some(press) = &mut self.press {
            press.add(report.scores.drain(..), pool).map_err(compressing)?;
        }
        if let Some(games) = &mut self.games {
            report.rows.visit(|row| {
                let mut row = row.clone();
                row.offset += base.offset;
                row.game += base.games + 1;
                games.row(&row.record(archive))
            })?;
        }
        match &mut self.target {
            Target::None | Target::Directory { current: None, .. } => Ok(()),
            Target::One(output) | Target::Directory { current: Some(output), .. } => {
                output.add(base, report, pool)
            }
        }
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
        if let Some(press) = &mut self.press {
            press.end(pool).map_err(compressing)?;
        }
        if let Target::Directory { current, .. } = &mut self.target
            && let Some(mut output) = current.take()
        {
            output.finish(pool)?;
            let mut sink = output.into_sink();
            sink.complete(self.finished.len() < OPEN_MAX)?;
            self.finished.push(sink);
        }
        Ok(())
    }

    fn close(&mut self, pool: &ThreadPool) -> Result<()> {
        if let Some(press) = &mut self.press {
            press.finish().map_err(compressing)?;
        }
        match &mut self.target {
            Target::One(output) => output.finish(pool),
            _ => Ok(()),
        }
    }
}

fn compressing(error: io::Error) -> Error {
    Error::io("compress", Path::new("the texts of a batch of games"), error)
}

/// The name of the output for an input, in the output directory.
pub(super) fn output_name(input: &Input) -> PathBuf {
    match input {
        Input::Path(path) => file_name(&path.display().to_string()),
        Input::Stdin => file_name("standard input"),
    }
}

fn file_name(archive: &str) -> PathBuf {
    match Path::new(archive).file_name() {
        Some(name) if archive != "standard input" => PathBuf::from(name),
        _ => PathBuf::from("stdin.pgn"),
    }
}
