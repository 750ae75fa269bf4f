//! The beginning of a run with a journal: a new one, or one that goes on.
//!
//! In: the requested run, and the journal of an earlier one, if there is one. Out: a new journal; or the saved
//! state, with everything in order again: outputs that were about to get their names have them, temporary files of no
//! use are removed. Invariants: a journal that another run has locked is never touched; nothing is continued unless the
//! program, the options and the inputs are those of the journal. Cost: a system call per input and output; with
//! `--verify` a read of the complete outputs.

use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pgnmill_io::archive::Input;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Parts, is_stream, lock_soon, publish_left};

use crate::args::resuming::Resuming;
use crate::host::Host;
use crate::plan::{Plan, Resumption};
use crate::report::unclean;
use crate::text::json::path_text;

use super::earlier::{Saved, check, difference, left_of, usable};
use super::files::{Log, Names, open_journal};
use super::records::{
    self, CheckpointFact, FORMAT, InputFact, Outcome, OutputFact, PublishFact, Record, RunFact,
};
use super::{Journal, Steps};

/// Temporary files that are named when they are removed, at most.
const LISTED_MAX: usize = 5;

/// The journal of a run, and the state from which it goes on.
#[derive(Debug, Default)]
pub(crate) struct Continued {
    pub(crate) journal: Option<Journal>,
    pub(crate) saved: Option<Saved>,
}

impl Begun {
    fn run(journal: Option<Journal>, saved: Option<Saved>) -> Begun {
        Begun::Run(Box::new(Continued { journal, saved }))
    }
}

/// How a run begins.
#[derive(Debug)]
pub(crate) enum Begun {
    /// It reads its inputs, from the saved state on if there is one. Without a journal it cannot be continued.
    Run(Box<Continued>),
    /// An earlier run has done everything; were all games valid?
    Done(bool),
}

/// Begins a run, or continues an earlier one.
///
/// # Errors
/// A journal that another run writes; that of a run which did not end, unless it is to be continued or replaced; a
/// difference between the run and that of the journal; outputs that are not as they were.
pub(crate) fn begin(plan: &Plan, host: &Arc<dyn Host>) -> Result<Begun> {
    let Some(resumption) = plan.journal else { return Ok(Begun::run(None, None)) };
    let mut begun = begin_with_journal(plan, resumption, host)?;
    if let Begun::Run(continued) = &mut begun
        && !(resumption.args.resume || host.keeps_journals())
    {
        continued.journal = None;
    }
    Ok(begun)
}

fn begin_with_journal(
    plan: &Plan,
    Resumption { args, refusal: why }: Resumption,
    host: &Arc<dyn Host>,
) -> Result<Begun> {
    let (facts, outputs) = (facts_of(plan), plan.paths());
    if let Some(why) = refusal(plan, why, &outputs, &facts) {
        return match args.resume {
            true => Err(Error::usage(format!("--resume: {why}"))),
            false => Ok(Begun::run(None, None)),
        };
    }
    let Some(names) = names_of(plan) else { return Ok(Begun::run(None, None)) };
    let run = run_fact(plan, facts.into_iter().flatten().collect());
    let quiet = plan.messages.quiet;
    let new = New { host, args, plan, outputs, names, run };
    let path = new.names.journal();
    match open(&path)? {
        Found::Free(file) => new.after(file),
        Found::Locked if args.resume => {
            let output = plan.outputs.place.path().unwrap_or(&path);
            Err(Error::busy(output, path.file_name().unwrap_or_default()))
        }
        Found::Locked => {
            if !quiet {
                host.warn(format_args!(
                    "{} is the journal of another run, which has not ended; this run has none, and cannot be continued",
                    path.shown()
                ));
            }
            Ok(Begun::run(None, None))
        }
        Found::OfOthers(error) if args.resume => Err(Error::io("continue", &path, error)),
        Found::OfOthers(error) => {
            if !quiet {
                host.warn(format_args!(
                    "{}: {error}; this run has no journal, and cannot be continued",
                    path.shown()
                ));
            }
            Ok(Begun::run(None, None))
        }
        Found::Unlockable(error) if args.resume => Err(Error::io("lock", &path, error)),
        Found::Unlockable(error) => {
            if !quiet {
                let path = path.shown();
                host.warn(format_args!(
                    "cannot lock {path}: {error}; this run cannot be continued"
                ));
            }
            Ok(Begun::run(None, None))
        }
        Found::None => {
            if args.resume {
                new.remove_left_overs(&[]);
            }
            Ok(Begun::run(Some(new.journal(None, 0)), None))
        }
    }
}

/// A run that begins, or continues one.
struct New<'p> {
    host: &'p Arc<dyn Host>,
    args: Resuming,
    plan: &'p Plan,
    /// All files that the run writes.
    outputs: Vec<PathBuf>,
    names: Names,
    run: RunFact,
}

impl New<'_> {
    /// The journal, in this file if it exists, after the checkpoint of this number.
    fn journal(&self, file: Option<File>, number: u64) -> Journal {
        let Resuming { checkpoint, abort_after, resume, .. } = self.args;
        let steps = Steps::new(abort_after);
        Journal {
            host: Arc::clone(self.host),
            log: Arc::new(Log::new(self.names.clone(), self.run.clone(), file, steps)),
            is_record: self.plan.outputs.place.is_directory() || resume,
            interval: Duration::try_from_secs_f64(checkpoint).unwrap_or(Duration::MAX),
            last: Instant::now(),
            number,
            number_before: number,
            writing: None,
            is_lost: false,
        }
    }

    /// The run, after one that has left this journal.
    fn after(&self, file: File) -> Result<Begun> {
        let New { args, plan, names, run, .. } = self;
        let (overwrite, is_directory) = (plan.files.overwrite, plan.outputs.place.is_directory());
        let path = names.journal();
        let (records, len) = records::read(&file, &path)?;
        let is_done = matches!(records.last(), Some(Record::Done(_)));
        if records.is_empty() || !args.resume && (is_done || overwrite) {
            if !is_done {
                self.remove_left_overs(&[]);
                self.warn_of(&path);
                remove(&path)?;
                names.remove_states();
            } else if !is_directory && (overwrite || !self.outputs_exist()) {
                // It is not of the file that this run writes.
                remove(&path)?;
            }
            return Ok(Begun::run(Some(self.journal(None, 0)), None));
        }
        if !args.resume {
            return Err(unended(&path));
        }
        let Some(Record::Run(before)) = records.first() else {
            return Err(Error::usage(format!("{} does not begin with a run", path.shown())));
        };
        if let Some(what) = difference(before, run) {
            return Err(other_run(&path, &what));
        }
        file.set_len(len).map_err(|error| Error::io("write", &path, error))?;
        self.recover(file, &records)
    }

    /// Is the file of the run there?
    fn outputs_exist(&self) -> bool {
        self.plan.outputs.place.path().is_some_and(Path::exists)
    }

    /// Puts the outputs of a run in order again, and finds the state from which it goes on.
    fn recover(&self, file: File, records: &[Record]) -> Result<Begun> {
        let New { args, plan, names, .. } = self;
        let mut complete: Vec<OutputFact> = Vec::new();
        let mut checkpoints: Vec<&CheckpointFact> = Vec::new();
        let mut finished: HashSet<&OutputFact> = HashSet::new();
        let mut last: Option<(&[OutputFact], Outcome)> = None;
        let mut done = None;
        for record in records {
            match record {
                Record::Checkpoint(fact) => {
                    complete.extend(fact.publish.iter().cloned());
                    checkpoints.push(fact);
                }
                Record::Publish(PublishFact { outputs, outcome }) => {
                    complete.extend(outputs.iter().cloned());
                    last = Some((outputs, *outcome));
                }
                Record::Done(outcome) => done = Some(*outcome),
                Record::Finished(fact) => drop(finished.insert(fact)),
                Record::Run(_) => {}
            }
        }
        self.refuse_other_files(&complete, &checkpoints)?;
        let number = checkpoints.last().map_or(0, |fact| fact.number);
        if done.is_none() {
            let naming = last.map(|(outputs, _)| outputs);
            let naming = naming.or(checkpoints.last().map(|fact| fact.publish.as_slice()));
            naming.unwrap_or_default().iter().try_for_each(|fact| self.publish(fact))?;
        }
        complete.iter().try_for_each(|fact| check(fact, args.verify))?;
        if let Some(outcome) = done.or(last.map(|(_, outcome)| outcome)) {
            self.remove_left_overs(&[]);
            if done.is_none() {
                self.journal(Some(file), number)
                    .close(last.map_or(Vec::new(), |(outputs, _)| outputs.to_vec()), outcome)?;
            }
            return self.complete(outcome);
        }
        let found = usable(&checkpoints, names, &**self.host);
        let Some((fact, saved)) = found else {
            if let Some(fact) = complete.first() {
                return Err(Error::usage(format!(
                    "{}: the saved state is damaged, and {} is complete; begin again with --overwrite in place of --resume",
                    names.journal().shown(),
                    fact.output.shown()
                )));
            }
            self.host.warn(format_args!(
                "{} has no state that can be read: the run begins again",
                names.journal().shown()
            ));
            self.remove_left_overs(&[]);
            return Ok(Begun::run(Some(self.journal(Some(file), number)), None));
        };
        self.remove_left_overs(&fact.parts);
        let (input, inputs) = number_of(fact, plan);
        self.report(&format!("the run goes on with input {input} of {inputs}"));
        // The number of the state that is used: the next one replaces the other state.
        let journal = self.journal(Some(file), fact.number);
        journal.log.keep(fact.parts.iter().map(PathBuf::as_path));
        // The run was ended before it recorded that they have their names.
        let unrecorded = complete.iter().filter(|fact| !finished.contains(fact));
        let unrecorded: Vec<Record> = unrecorded.cloned().map(Record::Finished).collect();
        if !unrecorded.is_empty() {
            journal.log.append(&unrecorded)?;
        }
        Ok(Begun::run(Some(journal), Some(saved)))
    }

    /// Returns an error if the records name a file that no output of the run is or can have made: it would be read,
    /// renamed or removed.
    fn refuse_other_files(
        &self,
        complete: &[OutputFact],
        checkpoints: &[&CheckpointFact],
    ) -> Result<()> {
        let names = |path: &Path, what: &str| {
            let (journal, path) = (self.names.journal(), path.shown());
            Err(Error::usage(format!("{} names {path}, which {what}", journal.shown())))
        };
        let outputs: HashSet<&Path> = self.outputs.iter().map(PathBuf::as_path).collect();
        let parts = Parts::of(outputs.iter().copied());
        for fact in complete {
            if !outputs.contains(fact.output.as_path()) {
                return names(&fact.output, "is no output of this run");
            }
        }
        let of_complete = complete.iter().map(|fact| &fact.part);
        let of_states = checkpoints.iter().flat_map(|fact| &fact.parts);
        match of_complete.chain(of_states).find(|part| !parts.contain(part)) {
            Some(part) => names(part, "is not a temporary file of an output of this run"),
            None => Ok(()),
        }
    }

    /// The run is complete.
    fn complete(&self, outcome: Outcome) -> Result<Begun> {
        self.report("the run is complete: nothing is left to do");
        if self.plan.messages.quiet && !outcome.clean && outcome.failed_inputs == 0 {
            let why = "the run was complete before, and its end not clean: games were rejected, or inputs are no archives";
            unclean::print(&[why.to_string()], &**self.host);
        }
        match outcome.failed_inputs {
            0 => Ok(Begun::Done(outcome.clean)),
            failed => Err(Error::usage(format!(
                "{failed} of its inputs could not be read to the end; read them in a run of their own"
            ))),
        }
    }

    /// Gives an output the name that it was about to get.
    fn publish(&self, fact: &OutputFact) -> Result<()> {
        let written = (fact.bytes, fact.digest.as_str());
        let is_given = publish_left(&fact.part, &fact.output, written, self.plan.files.overwrite)?;
        // Without its temporary file, an older output of the same length cannot be excluded otherwise.
        if is_given { Ok(()) } else { check(fact, true) }
    }

    /// Removes temporary files of runs that were ended, except those that are continued, and names them.
    fn remove_left_overs(&self, continued: &[PathBuf]) {
        let left = left_of(&self.plan.inputs.all, &self.outputs, continued);
        for (number, path) in left.iter().enumerate() {
            if number < LISTED_MAX {
                self.warn_of(path);
            }
            if let Err(error) = remove(path) {
                self.host.warn(format_args!("{error}"));
            }
        }
        if left.len() > LISTED_MAX && !self.plan.messages.quiet {
            self.host.warn(format_args!("so are {} more files", left.len() - LISTED_MAX));
        }
    }

    /// Prints what becomes of the run.
    fn report(&self, what: &str) {
        if !self.plan.messages.quiet {
            self.host.print(&format!("pgnmill: {what}\n"));
        }
    }

    fn warn_of(&self, path: &Path) {
        if !self.plan.messages.quiet {
            self.host.warn(format_args!(
                "{} is what a run that was ended left; it is removed",
                path.shown()
            ));
        }
    }
}

/// What identifies the inputs; `None`: one that cannot be read again.
fn facts_of(plan: &Plan) -> Vec<Option<InputFact>> {
    let fact = |input| InputFact::of(input).unwrap_or_else(|_| missing(input));
    plan.inputs.all.iter().map(fact).collect()
}

/// Why the run cannot be continued later, if that is so. `why`: a reason of the command.
fn refusal(
    plan: &Plan,
    why: Option<&str>,
    outputs: &[PathBuf],
    facts: &[Option<InputFact>],
) -> Option<String> {
    if let Some(why) = why {
        return Some(why.to_string());
    }
    let inputs = &plan.inputs.all;
    if let Some((input, _)) = inputs.iter().zip(facts).find(|(_, fact)| fact.is_none()) {
        return Some(match input {
            Input::Named(source) if source.file().is_some() => {
                format!(
                    "{} is part of another file: unpack it, to continue runs",
                    source.name().shown()
                )
            }
            Input::Stdin | Input::Named(_) => format!("{} cannot be read again", input.name()),
            Input::Path(path) => format!("{} is no file: it cannot be read again", path.shown()),
        });
    }
    let special = outputs.iter().find(|path| is_stream(path))?;
    Some(format!("{} is no file: it cannot be continued", special.shown()))
}

/// Where the journal of a plan is.
fn names_of(plan: &Plan) -> Option<Names> {
    let place = &plan.outputs.place;
    Some(Names::of(place.path()?, place.is_directory()))
}

/// What identifies the run of a plan.
fn run_fact(plan: &Plan, inputs: Vec<InputFact>) -> RunFact {
    RunFact {
        journal: FORMAT,
        program_version: env!("CARGO_PKG_VERSION").to_string(),
        command: plan.identity.command.to_string(),
        options: plan.identity.options.iter().cloned().collect(),
        inputs,
    }
}

/// The number of the input with which a run goes on, from 1, and how many there are.
fn number_of(fact: &CheckpointFact, plan: &Plan) -> (usize, usize) {
    let inputs = plan.inputs.all.len();
    ((fact.input + 1).min(inputs), inputs)
}

fn unended(path: &Path) -> Error {
    Error::usage(format!(
        "{} is the journal of a run that did not end: go on with --resume, or begin again with --overwrite",
        path.shown()
    ))
}

fn other_run(path: &Path, what: &str) -> Error {
    Error::usage(format!(
        "the run of {} cannot be continued: {what}; begin again with --overwrite in place of --resume",
        path.shown()
    ))
}

/// What the run of a plan would go on with, in words, if there is an earlier one. Nothing is locked or changed.
///
/// # Errors
/// A run that cannot be continued, though that is requested; a journal with which it would not go on.
pub(crate) fn found(plan: &Plan) -> Result<Option<String>> {
    let Some(Resumption { args, refusal: why }) = plan.journal else { return Ok(None) };
    if args.resume
        && let Some(why) = refusal(plan, why, &plan.paths(), &facts_of(plan))
    {
        return Err(Error::usage(format!("--resume: {why}")));
    }
    let Some(path) = names_of(plan).map(|names| names.journal()) else { return Ok(None) };
    let Ok(file) = File::open(&path) else { return Ok(None) };
    let (records, _) = records::read(&file, &path)?;
    let is_done = matches!(records.last(), Some(Record::Done(_)));
    if records.is_empty() || !args.resume && (is_done || plan.files.overwrite) {
        return Ok(None);
    }
    if !args.resume {
        return Err(unended(&path));
    }
    let facts = plan.inputs.all.iter().filter_map(|input| InputFact::of(input).ok().flatten());
    let run = run_fact(plan, facts.collect());
    match records.first() {
        Some(Record::Run(before)) => {
            if let Some(what) = difference(before, &run) {
                return Err(other_run(&path, &what));
            }
        }
        _ => return Err(Error::usage(format!("{} does not begin with a run", path.shown()))),
    }
    let checkpoints = records.iter().rev().find_map(|record| match record {
        Record::Checkpoint(fact) => Some(number_of(fact, plan)),
        _ => None,
    });
    Ok(Some(match (is_done, checkpoints) {
        (true, _) => "the run is complete: nothing is left to do".to_string(),
        (false, Some((input, inputs))) => format!("with input {input} of {inputs}"),
        (false, None) => "with the first input".to_string(),
    }))
}

/// An input that cannot be opened: the run reports it in its turn.
fn missing(input: &Input) -> Option<InputFact> {
    let Input::Path(path) = input else { return None };
    Some(InputFact { path: path_text(path), bytes: 0, modified: 0 })
}

/// The journal of an earlier run.
enum Found {
    None,
    /// It is locked now.
    Free(File),
    /// Another run has locked it.
    Locked,
    /// It cannot be locked.
    Unlockable(io::Error),
    /// It is not the user's.
    OfOthers(io::Error),
}

/// Opens and locks a journal.
fn open(path: &Path) -> Result<Found> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(Found::None);
    }
    if !fs::symlink_metadata(path).is_ok_and(|there| there.is_file()) {
        let path = path.shown();
        return Err(Error::usage(format!("{path} is no file: a journal would be written there")));
    }
    let file = match open_journal(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::Other => return Ok(Found::OfOthers(error)),
        Err(error) => return Err(Error::io("open", path, error)),
    };
    match lock_soon(&file) {
        Ok(()) => Ok(Found::Free(file)),
        Err(TryLockError::WouldBlock) => Ok(Found::Locked),
        Err(TryLockError::Error(error)) => Ok(Found::Unlockable(error)),
    }
}

fn remove(path: &Path) -> Result<()> {
    fs::remove_file(path).map_err(|error| Error::io("remove", path, error))
}
