//! The tasks, and what they share: validate, convert; `measure.rs` has the third.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::archive::{Input, Options};
use crate::error::{Error, Result};
use crate::fault::{Deviation, Profile};
use crate::machine::Level;
use crate::notation::{self, Notation};
use crate::pipeline::{self, Output, Rejects, Run, Task};
use crate::sink::{Sink, Table};

use super::args::{Common, Convert, Validate};
use super::drain::{FAULTS_HEADER, Outlets, Target, output_name};
use super::progress::Progress;
use super::summary;

pub(super) fn validate(args: Validate, stop: &AtomicBool) -> Result<bool> {
    let job = Work::new(&args.common, Task::Validate, false)?;
    distinct(&args.common, &[], &job.inputs)?;
    let outlets = job.outlets(&args.common);
    job.go(&args.common, "validate", outlets, Target::None, stop).map(|done| done.clean)
}

pub(super) fn convert(args: Convert, stop: &AtomicBool) -> Result<bool> {
    let to = match &args.language {
        None => find_notation(&args.to)?,
        Some(language) if args.to == "san" => find_notation(&format!("san-{language}"))?,
        Some(_) => return Err(Error::usage("--language goes with --to san")),
    };
    let job =
        Work::new(&args.common, Task::Convert { to, to_utf8: args.to_utf8 }, args.keep_rejects)?;
    let overwrite = args.common.overwrite;
    distinct(&args.common, &outputs_of(&args.output, &job.inputs)?, &job.inputs)?;
    let target = if is_directory(&args.output) {
        create_directory(&args.output)?;
        Target::Directory { path: args.output.clone(), current: None }
    } else {
        Target::One(Output::create(&args.output, overwrite, args.level)?)
    };
    let mut outlets = job.outlets(&args.common);
    outlets.level = args.level;
    let done = job.go(&args.common, "convert", outlets, target, stop)?;
    let rejected = done.outlets.totals.counts.rejected;
    let kept = args.common.rejects.is_some() || args.keep_rejects;
    if rejected > 0 && !kept && !args.common.quiet {
        log::warn!(
            "{rejected} rejected games are not in the output; --rejects FILE or --keep-rejects keeps their text"
        );
    }
    Ok(done.clean)
}

/// The files that a conversion writes: one, or in a directory one an input.
fn outputs_of(output: &Path, inputs: &[Input]) -> Result<Vec<PathBuf>> {
    if !is_directory(output) {
        return Ok(vec![output.to_path_buf()]);
    }
    let outputs: Vec<PathBuf> =
        inputs.iter().map(|input| output.join(output_name(input))).collect();
    let mut seen = HashSet::new();
    match outputs.iter().find(|path| !seen.insert(*path)) {
        None => Ok(outputs),
        Some(path) => Err(Error::usage(format!(
            "two inputs would be written to {}; give them separately",
            path.display()
        ))),
    }
}

/// Refuses one path for two outputs, and an input's: the second would take the first one's place.
pub(super) fn distinct(common: &Common, outputs: &[PathBuf], inputs: &[Input]) -> Result<()> {
    let there = |path: &Path| fs::canonicalize(path).ok().filter(|path| path.is_file());
    let read: HashSet<PathBuf> = inputs
        .iter()
        .filter_map(|input| match input {
            Input::Path(path) => there(path),
            Input::Stdin => None,
        })
        .collect();
    let mut seen = HashSet::new();
    let others = [&common.faults, &common.rejects, &common.summary];
    for path in outputs.iter().chain(others.into_iter().flatten()) {
        if there(path).is_some_and(|path| read.contains(&path)) {
            let path = path.display();
            return Err(Error::usage(format!("{path} is an input; write to another file")));
        }
        if !seen.insert(path) {
            return Err(Error::usage(format!("{} is named for two outputs", path.display())));
        }
    }
    Ok(())
}

/// A run that is ready to go.
pub(super) struct Work {
    run: Run,
    pub(super) inputs: Vec<Input>,
}

/// A run that has gone through.
pub(super) struct Done {
    pub(super) outlets: Outlets,
    pub(super) profile: Profile,
    pub(super) clean: bool,
}

impl Work {
    pub(super) fn new(common: &Common, task: Task, keep_rejects: bool) -> Result<Work> {
        let rejects = match () {
            () if common.rejects.is_some() => Rejects::Apart,
            () if keep_rejects => Rejects::Kept,
            () => Rejects::Dropped,
        };
        let from = match common.from.as_str() {
            "auto" => None,
            name => Some(find_notation(name)?),
        };
        // A job's new text is written while it lies in the processor's caches.
        let range_bytes = match task {
            Task::Convert { .. } => crate::archive::BLOCK_BYTES,
            // A row of the shortest games is longer than they are.
            Task::Measure(wanted) if wanted.per_game => crate::archive::BLOCK_BYTES,
            _ => crate::archive::RANGE_BYTES,
        };
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        let run = Run {
            task,
            rejects,
            profile: profile(common.strict, &common.allow, &common.deny)?,
            from,
            options: Options {
                block_bytes: common.block_bytes,
                range_bytes: common.range_bytes.unwrap_or(range_bytes),
                skip_damaged: common.skip_damaged,
                ..Options::default()
            },
            threads: if common.threads == 0 { all() } else { common.threads },
            level: level(&common.machine)?,
        };
        Ok(Work { run, inputs: Input::expand(&common.inputs)? })
    }

    /// Outlets that nothing goes to yet.
    pub(super) fn outlets(&self, common: &Common) -> Outlets {
        let wanted = !common.quiet && !common.no_progress;
        let progress = Progress::new(wanted, stored_bytes(&self.inputs));
        Outlets::new(progress, common.overwrite)
    }

    pub(super) fn go(
        self,
        common: &Common,
        command: &str,
        mut outlets: Outlets,
        target: Target,
        stop: &AtomicBool,
    ) -> Result<Done> {
        outlets.target = target;
        if let Some(path) = &common.faults {
            outlets.faults = Some(Table::create(path, common.overwrite, &FAULTS_HEADER)?);
        }
        if let Some(path) = &common.rejects {
            outlets.rejects = Some(Sink::create(path, common.overwrite)?);
        }
        // Begun before the run, so that a table that cannot be written stops it before the night and not after it.
        let create = |path| Table::create(path, common.overwrite, &summary::HEADER);
        let mut table = common.summary.as_deref().map(create).transpose()?;
        let started = Instant::now();
        let ran = pipeline::run(&self.run, &self.inputs, &mut outlets, stop);
        outlets.progress.finish();
        ran?;
        let profile = self.run.profile;
        if let Some(table) = &mut table {
            summary::fill(table, summary::rows(command, &outlets.totals, &profile))?;
        }
        outlets.publish()?;
        table.map_or(Ok(()), Table::publish)?;
        if !common.quiet {
            summary::tell(&outlets.totals, &profile, started.elapsed());
        }
        let without_games = &outlets.totals.without_games;
        if !common.quiet {
            without_games.iter().for_each(|(name, bytes)| {
                log::warn!("{name} holds no game: none of its {bytes} bytes belong to one");
            });
        }
        let counts = &outlets.totals.counts;
        let damaged = counts.deviations[Deviation::FrameDamaged as usize] > 0;
        let clean = counts.rejected == 0 && !damaged && without_games.is_empty();
        Ok(Done { outlets, profile, clean })
    }
}

pub(super) fn find_notation(name: &str) -> Result<&'static dyn Notation> {
    notation::find(name).ok_or_else(|| {
        Error::usage(format!("there is no notation {name}; `pgnmill notations` lists them"))
    })
}

/// What of the processor is used; each level that it has can be asked for, so that each can be held against the others.
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

/// Is an output path meant as a directory? It is one, or ends as one.
fn is_directory(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

pub(super) fn create_directory(path: &PathBuf) -> Result<()> {
    fs::create_dir_all(path).map_err(|error| Error::io("create", path, error))
}
