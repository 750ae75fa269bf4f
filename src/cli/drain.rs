//! The outlets of a run: reports in order become files and totals.

use std::io;
use std::path::{Path, PathBuf};

use rayon::ThreadPool;

use crate::archive::{Archive, Input};
use crate::error::{Error, Result};
use crate::fault::Deviation;
use crate::pipeline::{Base, Drain, FaultRow, Joiner, Output, Press, Report};
use crate::replay::Counts;
use crate::sink::{Sink, Table};
use crate::study::Information;
use crate::tally::{GameRow, Tally};

use super::progress::Progress;

/// What was counted over all archives.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) archives: u64,
    pub(super) stored_bytes: u64,
    pub(super) text_bytes: u64,
    pub(super) rejected_bytes: u64,
    pub(super) damaged_bytes: u64,
    pub(super) counts: Counts,
    /// Archives that hold text, but no game: their names, and how many bytes.
    pub(super) without_games: Vec<(String, u64)>,
}

/// Where rewritten text goes.
#[derive(Debug)]
pub(super) enum Target {
    /// Nowhere.
    None,
    /// One file for all inputs.
    One(Output),
    /// A file in this directory for each input.
    Directory { path: PathBuf, current: Option<Output> },
}

/// The files of a run, and its totals.
#[derive(Debug)]
pub(super) struct Outlets {
    pub(super) totals: Totals,
    pub(super) tally: Tally,
    pub(super) information: Information,
    pub(super) press: Option<Press>,
    pub(super) faults: Option<Table>,
    pub(super) rejects: Option<Sink>,
    rejects_joiner: Joiner,
    pub(super) games: Option<Table>,
    pub(super) target: Target,
    pub(super) overwrite: bool,
    pub(super) level: i32,
    pub(super) progress: Progress,
    /// Outputs that are finished but for their names, which they get when the run has gone through.
    finished: Vec<Output>,
    /// Games, bytes, and stretches of text between games of the archive at hand.
    archive: (u64, u64, u64),
}

/// The header of `faults.csv`.
pub(super) const FAULTS_HEADER: [&str; 14] = [
    "archive",
    "byte_offset",
    "line",
    "column",
    "game",
    "ply",
    "kind",
    "text",
    "detail",
    "fen",
    "event",
    "site",
    "white",
    "black",
];

impl Outlets {
    pub(super) fn new(progress: Progress, overwrite: bool) -> Outlets {
        Outlets {
            totals: Totals::default(),
            tally: Tally::default(),
            information: Information::default(),
            press: None,
            faults: None,
            rejects: None,
            rejects_joiner: Joiner::default(),
            games: None,
            target: Target::None,
            overwrite,
            level: 0,
            progress,
            finished: Vec::new(),
            archive: (0, 0, 0),
        }
    }

    /// Gives every file its name. To be called when the run has gone through.
    pub(super) fn publish(&mut self) -> Result<()> {
        if let Target::One(output) = std::mem::replace(&mut self.target, Target::None) {
            self.finished.push(output);
        }
        for output in self.finished.drain(..) {
            output.publish()?;
        }
        self.rejects.take().map_or(Ok(()), Sink::publish)?;
        self.games.take().map_or(Ok(()), Table::publish)?;
        self.faults.take().map_or(Ok(()), Table::publish)
    }

    fn fault(&mut self, archive: &str, base: Base, row: &FaultRow) -> Result<()> {
        let Some(faults) = &mut self.faults else { return Ok(()) };
        faults.row(&[
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
    }
}

impl Drain for Outlets {
    fn begin(&mut self, archive: &Archive) -> Result<()> {
        self.totals.archives += 1;
        self.archive = (0, 0, 0);
        self.rejects_joiner.archive_begins();
        if let Target::One(output) = &mut self.target {
            output.archive_begins();
        }
        if let Target::Directory { path, current } = &mut self.target {
            let target = path.join(file_name(archive.name()));
            *current = Some(Output::create(&target, self.overwrite, self.level)?);
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
        self.archive.0 += report.counts.games();
        self.archive.1 += report.text_bytes;
        self.archive.2 += report.counts.deviations[Deviation::BytesBetweenGames as usize];
        for row in &report.faults {
            self.fault(archive, base, row)?;
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
            for row in &mut report.rows {
                row.offset += base.offset;
                row.game += base.games + 1;
                games.row(&GameRow::record(row, archive))?;
            }
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
        if let (0, bytes, 1..) = self.archive {
            self.totals.without_games.push((archive.to_string(), bytes));
        }
        if let Some(press) = &mut self.press {
            press.end(pool).map_err(compressing)?;
        }
        if let Target::Directory { current, .. } = &mut self.target
            && let Some(mut output) = current.take()
        {
            output.finish(pool)?;
            self.finished.push(output);
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
