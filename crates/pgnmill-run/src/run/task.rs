//! The common part of the commands that run a task.
//!
//! In: the common arguments and a task. Out: the outputs of the run. Invariant: no output has its name before it is
//! complete and on disk, and no output replaces an input. Cost: that of the task.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use pgnmill_core::engine::{self, Counted, Rejects, Settings, Start, THREADS_MAX, Task};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::select::{SelectError, Selection};
use pgnmill_core::tables;
use pgnmill_io::archive::{ArchiveSplit, Expanded, FRAME_TEXT_BYTES_MAX, Input, Options, Skipped};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{CsvSink, Sink, publish_all};
use pgnmill_simd::Level;

use crate::args::common::Common;
use crate::args::messages::Mode;
use crate::args::names::{find_notation, find_rules, profile};
use crate::args::summary::ListFormat;
use crate::host::{Completion, Host};
use crate::journal::{Continued, Outcome};
use crate::ledger::seals::{self, Seal};
use crate::ledger::{self, Entry};
use crate::outputs::destination::Resumed;
use crate::outputs::disk::{self, Disks};
use crate::plan::splits::refuse_for_splits;
use crate::report::progress::{Extent, Progress};
use crate::report::remarks::{self, Remark};
use crate::report::selected::Selected;
use crate::report::summary::{self, Fact, Summarized, SummaryFile};
use crate::report::unclean;
use crate::report::written;
use crate::run::outlets::{Beginning, Outlets, PartSink};
use crate::text::numbers::{count, grouped};

/// With a table of notes, frames that decode to more than this are read in order.
const NOTED_TEXT_BYTES_MAX: u64 = 16 << 20;

/// A run before its start.
pub(crate) struct Work<'c, T> {
    pub(crate) common: &'c Common,
    pub(crate) task: T,
    pub(crate) settings: Settings,
    pub(crate) inputs: Vec<Input>,
    /// What in directories has the name of an archive and is not read.
    skipped: Vec<Skipped>,
    /// See [`Expanded::hidden_count`].
    hidden_count: u64,
    /// Where the outputs of the task are written, and how large they become, about.
    outputs: Option<(PathBuf, u64)>,
    /// The options that influence the counts, for the ledger.
    options: String,
}

/// A run that has succeeded and is not yet published.
pub(crate) struct Done<'c, S> {
    common: &'c Common,
    host: Arc<dyn Host>,
    command: &'static str,
    started: Instant,
    /// The table of `--summary`.
    summary: Option<SummaryFile>,
    /// The split that was read, the options of the run, and the table of `--ledger`.
    split: Option<(ArchiveSplit, String)>,
    /// The rows that this command alone adds to the summary; see [`Done::rows`].
    pub(crate) facts: Vec<Fact>,
    ledger: Option<CsvSink>,
    pub(crate) outlets: Outlets<S>,
    pub(crate) profile: Profile,
    pub(crate) clean: bool,
    selected: Option<Selected>,
}

impl<'c, T: Task> Work<'c, T> {
    /// `range_bytes` is the size of a job of a mapped file, unless the arguments contain another.
    pub(crate) fn new(
        common: &'c Common,
        task: T,
        range_bytes: usize,
        keep_rejects: bool,
    ) -> Result<Work<'c, T>> {
        if common.threads > THREADS_MAX {
            let (most, threads) = (grouped(THREADS_MAX as u64), common.threads);
            return Err(Error::usage(format!("--threads takes 0 to {most}; not {threads}")));
        }
        let rejects = match () {
            () if common.rejects.is_some() => Rejects::Apart,
            () if keep_rejects => Rejects::Kept,
            () => Rejects::Dropped,
        };
        let from = match common.from.as_str() {
            "auto" => None,
            name => Some(find_notation(name)?),
        };
        let all = || std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
        // The notes and repairs of a job can be several times as long as its text, and stay in memory until their turn.
        let frame_text_bytes_max =
            if common.notes.is_some() { NOTED_TEXT_BYTES_MAX } else { FRAME_TEXT_BYTES_MAX };
        let settings = Settings {
            rejects,
            faults: common.faults.is_some(),
            faults_max: u64::MAX,
            notes: common.notes.is_some(),
            profile: profile(common.strict, &common.allow, &common.deny)?,
            from,
            rules: find_rules(&common.rules)?,
            options: Options {
                block_bytes: common.block_bytes,
                range_bytes: common.range_bytes.unwrap_or(range_bytes),
                skip_damaged: common.skip_damaged,
                frame_text_bytes_max,
                level: level(&common.machine)?,
                ..Options::default()
            },
            threads: if common.threads == 0 { all() } else { common.threads },
            level: level(&common.machine)?,
            selection: selection(common)?,
        };
        let Expanded { inputs, skipped, hidden_count } = common.archives()?;
        refuse_for_splits(common, &inputs)?;
        let options = common.options_of_games().join(" ");
        Ok(Work { common, task, settings, inputs, skipped, hidden_count, outputs: None, options })
    }

    /// The same, with the options of the task that influence its outputs, for the ledger.
    pub(crate) fn with_options(mut self, options: String) -> Work<'c, T> {
        self.options = options;
        self
    }

    /// The same, whose task writes about so many bytes to a file or to files in a directory.
    pub(crate) fn writing(mut self, output: &Path, bytes: u64) -> Work<'c, T> {
        self.outputs = disk::directory_of(output).map(|directory| (directory.to_path_buf(), bytes));
        self
    }

    /// The same; frames of more stored or decoded bytes are read in order.
    #[cfg(feature = "columns")]
    pub(crate) fn with_frames_of(mut self, stored_bytes: usize, text_bytes: u64) -> Work<'c, T> {
        let options = &mut self.settings.options;
        options.frame_stored_bytes_max = stored_bytes.min(options.frame_stored_bytes_max);
        options.frame_text_bytes_max = text_bytes.min(options.frame_text_bytes_max);
        self
    }

    /// The disks of all outputs; warns if the outputs of the task hardly fit.
    fn disks(&self, host: &Arc<dyn Host>) -> Disks {
        let tables = self.common.tables().filter_map(disk::directory_of);
        let directory = self.outputs.as_ref().map(|(directory, _)| directory.as_path());
        let disks = Disks::watch(tables.chain(directory), host);
        if let Some((directory, bytes)) = &self.outputs
            && !self.common.quiet
        {
            disks.expect(directory, *bytes);
        }
        disks
    }

    /// Runs the task before the run that writes outputs, which reads the inputs again.
    pub(crate) fn run_before<S: PartSink<Part = T::Part>>(
        mut self,
        parts: S,
        host: &Arc<dyn Host>,
    ) -> Result<S> {
        let progress = Progress::new(
            self.common.progress(),
            self.common.verbose,
            extent_of(&self.inputs),
            host,
        );
        let begin = Beginning {
            progress,
            disks: Disks::none(host),
            stored_bytes: None,
            host: Arc::clone(host),
        };
        let mut outlets = Outlets::of(parts, begin);
        outlets.keeps_going = self.common.keep_going;
        self.settings.options.map = host.maps_files();
        let ran = engine::run(&self.task, &self.settings, &self.inputs, &mut outlets, host.stop());
        outlets.progress.finish();
        ran.map(|()| outlets.parts)
    }

    /// The same with another selection.
    pub(crate) fn with_selection(mut self, selection: Selection) -> Work<'c, T> {
        self.settings.selection = Some(Arc::new(selection));
        self
    }

    /// The selection of the arguments; every game if they have none.
    pub(crate) fn selection(&self) -> Selection {
        self.settings.selection.as_deref().cloned().unwrap_or_else(Selection::all)
    }

    /// The split that is read, if it is one, and the options of the run.
    fn split(&self) -> Option<(ArchiveSplit, String)> {
        let [input] = &self.inputs[..] else { return None };
        input.split().map(|split| (split.clone(), self.options.clone()))
    }

    /// Warns of what can be known before the run.
    fn warn_before(&self, host: &Arc<dyn Host>) {
        if self.common.quiet {
            return;
        }
        let warnings = self.settings.selection.iter().flat_map(|it| it.warnings());
        warnings.for_each(|warning| host.warn(format_args!("--where: {warning}")));
        remarks::warn_of_twins(&self.inputs, &**host);
        remarks::warn_of_skipped(&self.skipped, &**host);
        remarks::warn_of_hidden(self.hidden_count, &**host);
    }

    /// What a selection came to.
    fn selected(&self, selection: &Selection, counted: &Counted, host: &dyn Host) -> Selected {
        let selected = Selected::of(selection, counted);
        match self.common.quiet {
            true => selected,
            false => {
                selected.with_near(selection, &self.inputs, &self.settings.options, host.stop())
            }
        }
    }

    /// Runs the task; `parts` makes what consumes its parts, anew or from a saved state.
    pub(crate) fn run<S: PartSink<Part = T::Part>>(
        mut self,
        command: &'static str,
        parts: impl FnOnce(Option<Resumed<'_, '_>>) -> Result<S>,
        continued: Continued,
        host: &Arc<dyn Host>,
    ) -> Result<Done<'c, S>> {
        let common = self.common;
        let progress =
            Progress::new(common.progress(), common.verbose, extent_of(&self.inputs), host);
        let disks = self.disks(host);
        let stored_bytes = stored_bytes(&self.inputs);
        let Continued { journal, saved } = continued;
        let begin = Beginning { progress, disks, stored_bytes, host: Arc::clone(host) };
        let mut outlets = Outlets::begin(common, saved.as_ref(), parts, begin)?;
        let split = self.split();
        outlets.ordinal = split.as_ref().map(|(split, _)| split.split.ordinal);
        outlets.journal = journal;
        outlets.totals.selects = self.settings.selection.is_some();
        outlets.keeps_going = common.keep_going;
        let start = saved.map_or_else(Start::default, |saved| saved.start);
        outlets.progress.begins_at(start.input, &outlets.totals);
        // Created before the run: a table that cannot be written ends it at once, not after hours.
        let create = |path| SummaryFile::create(path, common.overwrite);
        let table = common.summary.as_deref().map(create).transpose()?;
        let create =
            |path| CsvSink::create(path, common.overwrite, &tables::ledger::SCHEMA.header());
        let ledger = common.ledger.as_deref().map(create).transpose()?;
        self.warn_before(host);
        let started = Instant::now();
        self.settings.options.map = host.maps_files();
        let (task, settings) = (&self.task, &self.settings);
        let ran = engine::run_from(task, settings, &self.inputs, start, &mut outlets, host.stop());
        outlets.progress.finish();
        if ran.is_err() {
            outlets.report_left(&**host);
        }
        ran?;
        let profile = self.settings.profile.clone();
        let counts = &outlets.totals.counted.counts;
        let damaged = counts.deviations[Deviation::FrameDamaged as usize] > 0;
        let is_fault = |(_, remark): &(String, Remark)| remark.is_fault();
        // What a split has not, others may have, and what is before the end of archives that are not read to it.
        let is_whole = split.is_none() && !outlets.parts.is_done();
        let selection =
            self.settings.selection.as_deref().filter(|_| is_whole && counts.games() > 0);
        let selected = selection.map(|it| self.selected(it, &outlets.totals.counted, &**host));
        let unmet = selected.as_ref().map_or(0, |selected| selected.unmet_tags.len());
        let clean = counts.rejected == 0
            && !damaged
            && !outlets.totals.remarks.iter().any(is_fault)
            && unmet == 0;
        let host = Arc::clone(host);
        Ok(Done {
            common,
            host,
            command,
            started,
            summary: table,
            split,
            facts: Vec::new(),
            ledger,
            outlets,
            profile,
            clean,
            selected,
        })
    }
}

impl<S: PartSink> Done<'_, S> {
    /// The rows of the summary: those of all commands, of the totals, and those of this command. Every form of the
    /// summary is made of them: tables, standard output, what a host is given, lines for people.
    pub(crate) fn rows(&self) -> Vec<Fact> {
        let rows = summary::rows(self.command, &self.outlets.totals, &self.profile);
        rows.into_iter().chain(self.facts.iter().cloned()).collect()
    }

    /// Publishes all files, including `others`. The table of `--summary` is last: if it exists, so do the others.
    /// Then prints the summary.
    pub(crate) fn publish(&mut self, others: Vec<Sink>) -> Result<()> {
        self.publish_with(others, |_| Ok(Vec::new()))
    }

    /// The same; `last` writes more files, which are published last, with the seals of all others in mind.
    pub(crate) fn publish_with(
        &mut self,
        others: Vec<Sink>,
        last: impl FnOnce(&[Sink]) -> Result<Vec<Sink>>,
    ) -> Result<()> {
        // A run with a journal is complete here, and could be continued.
        if !self.host.keeps_journals() && self.host.stop().load(Ordering::Relaxed) {
            return Err(Error::interrupted());
        }
        let totals = &self.outlets.totals;
        let rows = self.rows();
        // The counts of archives that are not read to their end depend on the jobs.
        if !self.outlets.parts.is_done() {
            self.host.add_facts(&rows);
        }
        let fill = |file: SummaryFile| file.fill(rows, totals, self.clean);
        let summary = self.summary.take().map(fill).transpose()?;
        let finished = self.outlets.parts.take_finished();
        let mut sinks = self.outlets.take_sinks()?;
        sinks.extend(others);
        let last = last(&sinks)?;
        sinks.extend(last);
        if let (Some(mut table), Some(path), Some(entry)) =
            (self.ledger.take(), &self.common.ledger, self.entry())
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
        self.show_summary()
    }

    /// Shows the summary as data or prints it; warns of what is probably not meant.
    fn show_summary(&self) -> Result<()> {
        let totals = &self.outlets.totals;
        let common = self.common;
        match common.summary_format {
            ListFormat::Csv => self.host.show(&summary::csv(self.rows())?)?,
            ListFormat::Json => {
                self.host.show(&summary::json(self.rows(), totals, self.clean))?;
            }
            ListFormat::Text => {}
        }
        if common.quiet {
            return Ok(());
        }
        if common.prints_summary() && !summary::copies_games(self.command) {
            let split = self.split.as_ref().map(|(split, _)| split);
            let (profile, elapsed) = (&self.profile, self.started.elapsed());
            let verbose = common.verbose;
            let run = Summarized { totals, split, profile, elapsed, verbose };
            summary::print(&run, &*self.host);
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
            let games = count(games, "game", "games");
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
        let (split, options) = self.split.as_ref()?;
        let Outlets { totals, before, .. } = &self.outlets;
        Some(Entry::of(split, self.command, options.clone(), *before, &totals.counted))
    }

    /// How the run ended; prints what was written, and with `--quiet` why its end is not clean. To be returned when
    /// everything is published.
    pub(crate) fn completion(&self) -> Completion {
        if self.common.prints_summary() {
            written::print(&self.outlets.written, &*self.host);
        }
        // Lines of JSON have the number of rejected games.
        let is_silent = self.common.quiet
            && self.common.progress() != Mode::Json
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

/// How an expression becomes one word.
const UNQUOTED: &str = "\n    the shell has cut the expression at its blanks: write it in single quotes, --where 'White == \"Tal, Mihail\"'";

/// Are the words after the expression its rest, as a shell divides an expression without quotes?
fn is_cut(common: &Common) -> bool {
    const OPERATORS: [&str; 16] = [
        "==", "=", "!=", "<>", "<=", ">=", "=~", "!~", "and", "or", "in", "is", "like", "ilike",
        "not", "between",
    ];
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let has_operator = common.inputs.iter().any(|input| {
        input.to_str().is_some_and(|word| OPERATORS.contains(&word)) && !input.exists()
    });
    // `>` and what follows it is not for the program: a shell writes a file.
    let is_one_name = |text: &str| !text.is_empty() && is_name(text);
    has_operator
        || common.condition.as_ref().is_some_and(|text| {
            is_one_name(text.text().trim()) && common.inputs.iter().any(|input| !input.exists())
        })
}

/// The selection of `--where`.
fn selection(common: &Common) -> Result<Option<Arc<Selection>>> {
    let Some(text) = &common.condition else { return Ok(None) };
    let refuse = |error: SelectError| {
        let quotes = if is_cut(common) { UNQUOTED } else { "" };
        Error::usage(format!("--where: {error}{quotes}"))
    };
    Ok(Some(Arc::new(Selection::parse(text.text()).map_err(refuse)?)))
}

/// The instruction set; each one that the processor supports can be requested, so that all can be compared.
fn level(name: &str) -> Result<Level> {
    let best = (name == "best").then(Level::best);
    best.or_else(|| Level::find(name)).ok_or_else(|| {
        let names: Vec<&str> = Level::all().map(Level::name).collect();
        let names = names.join(", ");
        Error::usage(format!(
            "--machine takes best, or what this processor has: {names}; not {name}"
        ))
    })
}

/// The names of the inputs, for the progress display, and their size together, where it is known.
pub(crate) fn extent_of(inputs: &[Input]) -> Extent {
    Extent { names: inputs.iter().map(Input::name).collect(), stored_bytes: stored_bytes(inputs) }
}

/// The size of all inputs together, where it is known.
fn stored_bytes(inputs: &[Input]) -> Option<u64> {
    inputs.iter().map(Input::stored_bytes).sum()
}
