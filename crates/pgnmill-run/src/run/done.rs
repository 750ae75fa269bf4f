//! A run that has succeeded and is not yet published.
//!
//! In: the totals of a run, its consumer. Out: published files; the summary; how the run ended. Invariant: the summary
//! is published last: if it exists, so do the others. Cost: that of syncing the files to disk.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use pgnmill_core::engine::{Counted, Settings};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::tables;
use pgnmill_io::error::{Error, Result, Shown as _};
use pgnmill_io::sink::{CsvSink, NewDirectories, Sink, publish_all};

use crate::args::messages::{ListFormat, Mode};
use crate::host::{Completion, Host};
use crate::journal::Outcome;
use crate::ledger::seals::{self, Seal};
use crate::ledger::{self, Entry};
use crate::plan::Plan;
use crate::report::remarks::Remark;
use crate::report::selected::Selected;
use crate::report::summary::{self, Fact, Summarized, SummaryFile};
use crate::report::{unclean, written};
use crate::text::numbers::{count, count_of, grouped};

use super::outlets::{Outlets, PartSink};

/// A run that has succeeded.
#[derive(Debug)]
pub(crate) struct Done<S> {
    pub(crate) plan: Plan,
    host: Arc<dyn Host>,
    started: Instant,
    /// The directories of the outputs, which are removed unless these are published.
    directories: NewDirectories,
    /// The tables of `--summary` and `--ledger`.
    files: LastFiles,
    outlets: Outlets<S>,
    profile: Profile,
    clean: bool,
    selected: Option<Selected>,
}

/// The tables that are filled when everything is read.
#[derive(Debug, Default)]
pub(super) struct LastFiles {
    summary: Option<SummaryFile>,
    ledger: Option<CsvSink>,
}

impl LastFiles {
    /// Created before the run: a table that cannot be written ends it at once, not after hours.
    pub(super) fn create(plan: &Plan) -> Result<LastFiles> {
        let overwrite = plan.files.overwrite;
        let create = |path| SummaryFile::create(path, overwrite);
        let summary = plan.files.summary.as_deref().map(create).transpose()?;
        let create = |path| CsvSink::create(path, overwrite, &tables::ledger::SCHEMA.header());
        let ledger = plan.inputs.ledger.as_deref().map(create).transpose()?;
        Ok(LastFiles { summary, ledger })
    }
}

impl<S: PartSink> Done<S> {
    /// That of a run whose inputs are read.
    pub(super) fn of(
        plan: Plan,
        settings: &Settings,
        outlets: Outlets<S>,
        (directories, files): (NewDirectories, LastFiles),
        started: Instant,
        host: &Arc<dyn Host>,
    ) -> Done<S> {
        let counts = &outlets.totals.counted.counts;
        let damaged = counts.deviations[Deviation::FrameDamaged as usize] > 0;
        let is_fault = |(_, remark): &(String, Remark)| remark.is_fault();
        // What a split has not, others may have, and what is before the end of archives that are not read to it.
        let is_whole = plan.inputs.split.is_none() && !outlets.is_done();
        let selection = settings.selection.as_deref().filter(|_| is_whole && counts.games() > 0);
        let selected = selection.map(|it| {
            let selected = Selected::of(it, &outlets.totals.counted);
            match plan.messages.quiet {
                true => selected,
                false => selected.with_near(it, &plan.inputs.all, &settings.options, host.stop()),
            }
        });
        let unmet = selected.as_ref().map_or(0, |selected| selected.unmet_tags.len());
        let clean = counts.rejected == 0
            && !damaged
            && !outlets.totals.remarks.iter().any(is_fault)
            && unmet == 0;
        let (profile, host) = (settings.profile.clone(), Arc::clone(host));
        Done { plan, host, started, directories, files, outlets, profile, clean, selected }
    }

    /// What has consumed the parts of the task.
    pub(crate) fn sink(&self) -> &S {
        &self.outlets.parts
    }

    /// The same, to be changed.
    pub(crate) fn sink_mut(&mut self) -> &mut S {
        &mut self.outlets.parts
    }

    /// What was read.
    pub(crate) fn counted(&self) -> &Counted {
        &self.outlets.totals.counted
    }

    /// Does the run select games?
    pub(crate) fn selects(&self) -> bool {
        self.outlets.totals.selects
    }

    /// The same run with other counts: of one that was given more than it has read of the archives.
    pub(crate) fn with_counts(mut self, change: impl FnOnce(&mut Counted, &S)) -> Done<S> {
        change(&mut self.outlets.totals.counted, &self.outlets.parts);
        self
    }

    /// The rows of the summary: those of all commands, of the totals, and `own`, those of this command. Every form of
    /// the summary is made of them: tables, standard output, what a host is given, lines for people.
    pub(crate) fn rows(&self, own: &[Fact]) -> Vec<Fact> {
        let rows = summary::rows(self.plan.identity.command, &self.outlets.totals, &self.profile);
        rows.into_iter().chain(own.iter().cloned()).collect()
    }

    /// Publishes all files. The table of `--summary` is last: if it exists, so do the others. Then prints the summary.
    pub(crate) fn publish(&mut self) -> Result<()> {
        self.publish_with(&[], Vec::new(), |_| Ok(Vec::new()))
    }

    /// The same with the rows of the summary that this command has alone, and with `others`; `last` writes more files,
    /// which are published last, with the seals of all others in mind.
    pub(crate) fn publish_with(
        &mut self,
        own: &[Fact],
        others: Vec<Sink>,
        last: impl FnOnce(&[Sink]) -> Result<Vec<Sink>>,
    ) -> Result<()> {
        // A run with a journal is complete here, and could be continued.
        if !self.host.keeps_journals() && self.host.stop().load(Ordering::Relaxed) {
            return Err(Error::interrupted());
        }
        let totals = &self.outlets.totals;
        let rows = self.rows(own);
        // The counts of archives that are not read to their end depend on the jobs.
        if !self.outlets.is_done() {
            self.host.add_facts(&rows);
        }
        let fill = |file: SummaryFile| file.fill(rows.clone(), totals, self.clean);
        let summary = self.files.summary.take().map(fill).transpose()?;
        let finished = self.outlets.parts.take_finished();
        let mut sinks = self.outlets.take_sinks()?;
        sinks.extend(others);
        let last = last(&sinks)?;
        sinks.extend(last);
        if let (Some(mut table), Some(path), Some(entry)) =
            (self.files.ledger.take(), &self.plan.inputs.ledger, self.entry())
        {
            let directory = path.parent().unwrap_or(Path::new(""));
            let tables = seals::field(&Seal::all(sinks.iter().chain(&summary), directory));
            ledger::write(&mut table, &[Entry { tables, ..entry }])?;
            sinks.push(table.into_sink()?);
        }
        sinks.extend(summary);
        let all = finished.iter().map(|finished| &finished.sink).chain(&sinks);
        self.outlets.written.extend(all.map(|sink| sink.path().to_path_buf()));
        match &mut self.outlets.journal {
            Some(journal) => {
                let failed_inputs = self.outlets.totals.failures.len() as u64;
                let outcome = Outcome { clean: self.clean, failed_inputs };
                journal.end(finished, sinks, &self.outlets.read, outcome)?;
            }
            None => {
                let finished = finished.into_iter().map(|finished| finished.sink);
                publish_all(finished.chain(sinks).collect())?;
            }
        }
        std::mem::take(&mut self.directories).keep();
        self.show_summary(rows)
    }

    /// Shows the summary as data or prints it; warns of what is probably not meant.
    fn show_summary(&self, rows: Vec<Fact>) -> Result<()> {
        let (plan, totals) = (&self.plan, &self.outlets.totals);
        match plan.format {
            ListFormat::Csv => self.host.show(&summary::csv(rows)?)?,
            ListFormat::Json => {
                self.host.show(&summary::json(rows, totals, self.clean))?;
            }
            ListFormat::Text => {}
        }
        if plan.messages.quiet {
            return Ok(());
        }
        if plan.prints_summary() && !summary::copies_games(plan.identity.command) {
            let split = plan.inputs.split.as_ref();
            let (profile, elapsed) = (&self.profile, self.started.elapsed());
            let verbose = plan.messages.verbose;
            let records = plan.records();
            let run = Summarized { totals, split, profile, elapsed, records, verbose };
            summary::print(&run, &*self.host);
        }
        // What is printed of games that are copied has no damage.
        let damaged = totals.counted.counts.deviations[Deviation::FrameDamaged as usize];
        if summary::copies_games(plan.identity.command) && damaged > 0 {
            let (bytes, places) =
                (grouped(totals.counted.damaged_bytes), count(damaged, "place", "places"));
            self.host.warn(format_args!(
                "damage in {places} is skipped, {bytes} stored bytes: `pgnmill validate --skip-damaged` names it"
            ));
        }
        let warn = |name: &str, remark| {
            self.host.warn(format_args!("{} {remark}", name.shown()));
        };
        totals.remarks.iter().for_each(|(name, remark)| warn(name, remark));
        self.selected.iter().for_each(|selected| selected.warn(&*self.host));
        Ok(())
    }

    /// Why the run does not end with exit code 0.
    fn why_unclean(&self) -> Vec<String> {
        let counted = &self.outlets.totals.counted;
        let (counts, damage) = (&counted.counts, Deviation::FrameDamaged as usize);
        let mut reasons = Vec::new();
        if counts.rejected > 0 {
            let (games, verb) = (counts.games(), if counts.rejected == 1 { "is" } else { "are" });
            let games = count_of(self.plan.records(), games);
            reasons.push(format!("{} of {games} {verb} rejected", grouped(counts.rejected)));
        }
        if counts.deviations[damage] > 0 {
            reasons.push("damaged bytes are skipped".to_string());
        }
        let faults = self.outlets.totals.remarks.iter().filter(|(_, remark)| remark.is_fault());
        reasons.extend(faults.map(|(name, remark)| format!("{} {remark}", name.shown())));
        let unmet = self.selected.iter().flat_map(|selected| &selected.unmet_tags);
        reasons.extend(unmet.map(|name| format!("no game has the tag pair {name}")));
        reasons
    }

    /// The row of the ledger, if a split was read.
    pub(crate) fn entry(&self) -> Option<Entry> {
        let split = self.plan.inputs.split.as_ref()?;
        let Outlets { totals, before, .. } = &self.outlets;
        let identity = &self.plan.identity;
        Some(Entry::of(split, identity.command, identity.words.clone(), *before, &totals.counted))
    }

    /// How the run ended; prints what was written, and with `--quiet` why its end is not clean. To be returned when
    /// everything is published.
    pub(crate) fn completion(&self) -> Completion {
        if self.plan.prints_summary() {
            written::print(&self.outlets.written, &*self.host);
        }
        // Lines of JSON have the number of rejected games.
        let is_silent = self.plan.messages.quiet
            && self.plan.messages.mode() != Mode::Json
            && self.outlets.totals.failures.is_empty();
        if is_silent && !self.clean {
            unclean::print(&self.why_unclean(), &*self.host);
        }
        Completion {
            is_clean: self.clean,
            failed_inputs: self.outlets.totals.failures.len() as u64,
            inputs: self.outlets.inputs_count(),
        }
    }
}
