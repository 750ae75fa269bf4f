//! The common part of the commands that run a task, and `validate`, which has no other part.
//!
//! In: the common arguments and a task. Out: the outputs of the run. Invariant: no output has its name before the run
//! has succeeded, and no output replaces an input. Cost: that of the task.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::archive::{FRAME_TEXT_BYTES_MAX, Input, Options, RANGE_BYTES};
use crate::engine::{self, Rejects, Settings, THREADS_MAX, Task};
use crate::error::{Error, Result};
use crate::machine::Level;
use crate::notation::{self, Notation};
use crate::pgn::deviation::{Deviation, Profile};
use crate::sink::{
    CsvSink, FileKey, Sink, input_keys, left_overs, output_keys, publish_all, stdin_keys,
};
use crate::{tables, tasks};

use super::args::{Common, Validate};
use super::disk::{self, Disks};
use super::outlets::{Outlets, PartSink};
use super::progress::{Extent, Progress};
use super::remarks::{self, Remark};
use super::summary::{self, grouped};
use super::table_sink::TableSink;

/// With a table of notes, frames that decode to more than this are read in order.
const NOTED_TEXT_BYTES_MAX: u64 = 16 << 20;

/// Temporary files of killed runs that are listed, at most.
const LEFT_OVERS_MAX: usize = 5;

pub(super) fn validate(args: Validate, stop: &AtomicBool) -> Result<bool> {
    let common = &args.common;
    let job = Work::new(common, tasks::Validate, RANGE_BYTES, false)?;
    distinct(common, &[], &job.inputs)?;
    let mut done = job.run(common, "validate", (), stop)?;
    done.publish(common, Vec::new())?;
    Ok(done.clean)
}

/// Returns an error if two outputs are the same file, or an output is an input, also under another name: one would
/// replace the other. Warns of temporary files that killed runs left of these outputs.
pub(super) fn distinct(common: &Common, outputs: &[PathBuf], inputs: &[Input]) -> Result<()> {
    let keys = |input: &Input| match input {
        Input::Path(path) => input_keys(path),
        Input::Stdin => stdin_keys(),
    };
    let read: HashSet<FileKey> = inputs.iter().flat_map(keys).collect();
    let others = [&common.faults, &common.notes, &common.rejects, &common.summary];
    let outputs: Vec<&Path> =
        outputs.iter().chain(others.into_iter().flatten()).map(PathBuf::as_path).collect();
    distinct_files(&outputs, &read)?;
    if !common.quiet {
        warn_of_left_overs(&outputs, &read);
    }
    Ok(())
}

/// As [`distinct`], for files whose keys are known.
pub(super) fn distinct_files(outputs: &[&Path], read: &HashSet<FileKey>) -> Result<()> {
    let mut written: HashMap<FileKey, &Path> = HashMap::new();
    for &output in outputs {
        let path = output.display();
        for key in output_keys(output) {
            if read.contains(&key) {
                return Err(Error::usage(format!("{path} is an input; write to another file")));
            }
            match written.insert(key, output) {
                None => {}
                // The keys of one output are different: it is named twice.
                Some(other) if other == output => {
                    return Err(Error::usage(format!("{path} is named for two outputs")));
                }
                Some(other) => {
                    let other = other.display();
                    return Err(Error::usage(format!("{other} and {path} are the same output")));
                }
            }
        }
    }
    Ok(())
}

/// Warns of temporary files that killed runs left of outputs, except files that are inputs.
pub(super) fn warn_of_left_overs(outputs: &[&Path], read: &HashSet<FileKey>) {
    let is_read = |path: &PathBuf| input_keys(path).iter().any(|key| read.contains(key));
    let mut left = left_overs(outputs.iter().copied());
    left.retain(|path| !is_read(path));
    for path in left.iter().take(LEFT_OVERS_MAX) {
        log::warn!(
            "{} looks like what a run that was killed left; it is not used, and can be removed",
            path.display()
        );
    }
    if left.len() > LEFT_OVERS_MAX {
        log::warn!("so do {} more files beside it", left.len() - LEFT_OVERS_MAX);
    }
}

/// A run before its start.
pub(super) struct Work<T> {
    pub(super) task: T,
    pub(super) settings: Settings,
    pub(super) inputs: Vec<Input>,
    /// Where the outputs of the task are written, and how large they become, about.
    outputs: Option<(PathBuf, u64)>,
}

/// A run that has succeeded and is not yet published.
pub(super) struct Done<S> {
    command: &'static str,
    started: Instant,
    /// The table of `--summary`.
    summary: Option<CsvSink>,
    pub(super) outlets: Outlets<S>,
    pub(super) profile: Profile,
    pub(super) clean: bool,
}

impl<T: Task> Work<T> {
    /// `range_bytes` is the size of a job of a mapped file, unless the arguments contain another.
    pub(super) fn new(
        common: &Common,
        task: T,
        range_bytes: usize,
        keep_rejects: bool,
    ) -> Result<Work<T>> {
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
            notes: common.notes.is_some(),
            profile: profile(common.strict, &common.allow, &common.deny)?,
            from,
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
        };
        let inputs = Input::expand(&common.inputs)?;
        Ok(Work { task, settings, inputs, outputs: None })
    }

    /// The same, whose task writes about so many bytes to a file or to files in a directory.
    pub(super) fn writing(mut self, output: &Path, bytes: u64) -> Work<T> {
        self.outputs = disk::directory_of(output).map(|directory| (directory.to_path_buf(), bytes));
        self
    }

    /// The same; frames of more stored or decoded bytes are read in order.
    #[cfg(feature = "export")]
    pub(super) fn with_frames_of(mut self, stored_bytes: usize, text_bytes: u64) -> Work<T> {
        let options = &mut self.settings.options;
        options.frame_stored_bytes_max = stored_bytes.min(options.frame_stored_bytes_max);
        options.frame_text_bytes_max = text_bytes.min(options.frame_text_bytes_max);
        self
    }

    /// The disks of all outputs; warns if the outputs of the task hardly fit.
    fn disks(&self, common: &Common) -> Disks {
        let tables = [&common.faults, &common.notes, &common.rejects, &common.summary];
        let tables = tables.into_iter().flatten().filter_map(|path| disk::directory_of(path));
        let directory = self.outputs.as_ref().map(|(directory, _)| directory.as_path());
        let disks = Disks::watch(tables.chain(directory));
        if let Some((directory, bytes)) = &self.outputs
            && !common.quiet
        {
            disks.expect(directory, *bytes);
        }
        disks
    }

    /// Runs the task; `parts` consumes its parts.
    pub(super) fn run<S: PartSink<Part = T::Part>>(
        self,
        common: &Common,
        command: &'static str,
        parts: S,
        stop: &AtomicBool,
    ) -> Result<Done<S>> {
        let progress = Progress::new(common.progress(), extent_of(&self.inputs));
        let disks = self.disks(common);
        let mut outlets = Outlets::new(parts, progress, disks, stored_bytes(&self.inputs));
        if let Some(path) = &common.faults {
            outlets.faults =
                Some(TableSink::create(path, common.overwrite, &tables::faults::SCHEMA)?);
        }
        if let Some(path) = &common.notes {
            outlets.notes =
                Some(TableSink::create(path, common.overwrite, &tables::notes::SCHEMA)?);
        }
        if let Some(path) = &common.rejects {
            outlets.rejects = Some(Sink::create(path, common.overwrite)?);
        }
        // Created before the run: a table that cannot be written ends it at once, not after hours.
        let create =
            |path| CsvSink::create(path, common.overwrite, &tables::summary::SCHEMA.header());
        let table = common.summary.as_deref().map(create).transpose()?;
        if !common.quiet {
            remarks::warn_of_twins(&self.inputs);
        }
        let started = Instant::now();
        let ran = engine::run(&self.task, &self.settings, &self.inputs, &mut outlets, stop);
        outlets.progress.finish();
        ran?;
        let profile = self.settings.profile;
        let counts = &outlets.totals.counts;
        let damaged = counts.deviations[Deviation::FrameDamaged as usize] > 0;
        let is_fault = |(_, remark): &(String, Remark)| remark.is_fault();
        let clean =
            counts.rejected == 0 && !damaged && !outlets.totals.remarks.iter().any(is_fault);
        Ok(Done { command, started, summary: table, outlets, profile, clean })
    }
}

impl<S: PartSink> Done<S> {
    /// Publishes all files, including `others`. The table of `--summary` is last: if it exists, so do the others.
    /// Then prints the summary.
    pub(super) fn publish(&mut self, common: &Common, others: Vec<Sink>) -> Result<()> {
        let totals = &self.outlets.totals;
        if let Some(table) = &mut self.summary {
            summary::fill(table, summary::rows(self.command, totals, &self.profile))?;
        }
        let mut sinks = self.outlets.take_sinks()?;
        sinks.extend(others);
        sinks.extend(self.summary.take().map(CsvSink::into_sink).transpose()?);
        publish_all(sinks)?;
        if common.quiet {
            return Ok(());
        }
        let totals = &self.outlets.totals;
        summary::print(totals, &self.profile, self.started.elapsed());
        totals.remarks.iter().for_each(|(name, remark)| log::warn!("{name} {remark}"));
        Ok(())
    }
}

pub(super) fn find_notation(name: &str) -> Result<&'static dyn Notation> {
    notation::find(name).ok_or_else(|| {
        Error::usage(format!("there is no notation {name}; `pgnmill notations` lists them"))
    })
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

pub(super) fn profile(strict: bool, allow: &[String], deny: &[String]) -> Result<Profile> {
    let mut profile = if strict { Profile::strict() } else { Profile::lenient() };
    let find = |name: &str| {
        Deviation::from_name(name).ok_or_else(|| {
            Error::usage(format!("there is no deviation {name}; `pgnmill deviations` lists them"))
        })
    };
    for name in allow {
        if !profile.allow(find(name)?) {
            return Err(Error::usage(format!("{name} cannot be allowed: nothing would be proved")));
        }
    }
    for name in deny {
        let deviation = find(name)?;
        if deviation.is_of_archive() {
            return Err(Error::usage(format!(
                "{name} cannot be denied: it is of an archive, not of a game that could be rejected"
            )));
        }
        profile.deny(deviation);
    }
    Ok(profile)
}

/// The options that decide which games are read, and which of them are rejected, in a canonical form.
pub(super) fn options_of_games(common: &Common) -> Vec<String> {
    let mut options = Vec::new();
    options.extend((common.from != "auto").then(|| format!("--from {}", common.from)));
    options.extend(common.strict.then(|| "--strict".to_string()));
    options.extend(common.skip_damaged.then(|| "--skip-damaged".to_string()));
    for (option, names) in [("--allow", &common.allow), ("--deny", &common.deny)] {
        let mut names: Vec<&String> = names.iter().collect();
        names.sort();
        names.dedup();
        options.extend(names.iter().map(|name| format!("{option} {name}")));
    }
    options
}

/// The names of the inputs, for the progress display, and their size together, where it is known.
pub(super) fn extent_of(inputs: &[Input]) -> Extent {
    Extent { names: inputs.iter().map(Input::name).collect(), stored_bytes: stored_bytes(inputs) }
}

/// The size of all inputs together, where it is known.
fn stored_bytes(inputs: &[Input]) -> Option<u64> {
    inputs
        .iter()
        .map(|input| match input {
            Input::Path(path) => fs::metadata(path).ok().filter(fs::Metadata::is_file),
            Input::Stdin => None,
        })
        .map(|metadata| metadata.map(|metadata| metadata.len()))
        .sum()
}
