//! What an earlier run has left.
//!
//! In: the records of a journal; the inputs and outputs of a run. Out: the first difference between the two runs, in
//! words; an error about a complete output that was changed; the last saved state that is undamaged; the paths of files
//! that can be removed. Invariants: a state is of use until outputs after it have their names; a file of another name
//! or length is not read; no input is removed, and no file that is continued. Cost: a comparison per option and input;
//! a system call per output, or a read of it; a read of the state and of each directory of the outputs.

use std::fs::{self, File};
use std::path::PathBuf;

use pgnmill_core::engine::Start;
use pgnmill_io::archive::Input;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Digest, input_keys, left_overs};
use pgnmill_state::Loader;

use crate::host::Host;

use super::files::Names;
use super::records::{CheckpointFact, InputFact, OutputFact, RunFact};

/// The first difference between the run of a journal and another.
pub(super) fn difference(before: &RunFact, now: &RunFact) -> Option<String> {
    if before.journal != now.journal {
        let (before, now) = (before.journal, now.journal);
        return Some(format!("its journal has format {before}, that of this program is {now}"));
    }
    if before.program_version != now.program_version {
        return Some(format!(
            "version {} of the program has begun it, this is {}",
            before.program_version, now.program_version
        ));
    }
    if before.command != now.command {
        return Some(format!("it was `{}`, this is `{}`", before.command, now.command));
    }
    for (name, value) in &now.options {
        match before.options.get(name).map_or("", String::as_str) {
            old if old == value => {}
            old => return Some(format!("{name} was {}, is {}", shown(old), shown(value))),
        }
    }
    if let Some((name, value)) =
        before.options.iter().find(|(name, _)| !now.options.contains_key(*name))
    {
        return Some(format!("{name} was {}, is not given", shown(value)));
    }
    let (old, new) = (&before.inputs, &now.inputs);
    let has = |inputs: &[InputFact], path: &str| inputs.iter().any(|input| input.path == path);
    if let Some(input) = old.iter().find(|input| !has(new, &input.path)) {
        return Some(format!("the input {} is missing", input.path));
    }
    if let Some(input) = new.iter().find(|input| !has(old, &input.path)) {
        return Some(format!("the input {} was added", input.path));
    }
    if old.len() != new.len() {
        return Some(format!("there were {} inputs, now there are {}", old.len(), new.len()));
    }
    for (old, new) in old.iter().zip(new) {
        if old.path != new.path {
            return Some(format!(
                "the inputs were in another order: {}, now {}",
                old.path, new.path
            ));
        }
        if old.bytes != new.bytes {
            let (path, old, new) = (&new.path, old.bytes, new.bytes);
            return Some(format!("the input {path} had {old} bytes, has {new}"));
        }
        if old.modified != new.modified {
            return Some(format!("the input {} was modified since", new.path));
        }
    }
    None
}

fn shown(value: &str) -> String {
    if value.is_empty() { "not given".to_string() } else { value.to_string() }
}

/// Returns an error if a complete output is not as it was; `reads`: by its bytes, else by its length.
pub(super) fn check(fact: &OutputFact, reads: bool) -> Result<()> {
    let path = &fact.output;
    let changed = |what: String| {
        let path = path.shown();
        Error::usage(format!(
            "{path} is complete, and was changed since: {what}; begin again with --overwrite in place of --resume"
        ))
    };
    let len = fs::metadata(path).map_err(|error| changed(error.to_string()))?.len();
    if len != fact.bytes {
        return Err(changed(format!("it had {} bytes, has {len}", fact.bytes)));
    }
    let digest = || File::open(path).and_then(Digest::read);
    if reads && digest().map_err(|error| Error::io("read", path, error))?.text() != fact.digest {
        return Err(changed("its digest is another one".to_string()));
    }
    Ok(())
}

/// A state that was saved.
#[derive(Debug)]
pub(crate) struct Saved {
    bytes: Vec<u8>,
    /// Where the run goes on.
    pub(crate) start: Start,
}

impl Saved {
    fn new(bytes: Vec<u8>) -> Option<Saved> {
        let start = Loader::new(&bytes).value()?;
        Some(Saved { bytes, start })
    }

    /// The state after the start.
    pub(crate) fn loader(&self) -> Loader<'_> {
        let mut loader = Loader::new(&self.bytes);
        let _: Option<Start> = loader.value();
        loader
    }
}

/// The last state that is undamaged. One before outputs that have their names is of no use: it continues their
/// temporary files.
pub(super) fn usable<'c>(
    checkpoints: &[&'c CheckpointFact],
    names: &Names,
    host: &dyn Host,
) -> Option<(&'c CheckpointFact, Saved)> {
    let mut damaged: Vec<&str> = Vec::new();
    for fact in checkpoints.iter().rev() {
        // The names of the two states alternate: an earlier record of a name is of a state that was replaced.
        if !damaged.contains(&fact.state.as_str()) {
            let path = names.beside(&fact.state);
            if let Some(saved) = read_state(names, fact) {
                return Some((fact, saved));
            }
            host.warn(format_args!("{} is damaged; the state before it is used", path.shown()));
            damaged.push(&fact.state);
        }
        if !fact.publish.is_empty() || damaged.len() == 2 {
            return None;
        }
    }
    None
}

/// The state of a checkpoint, if it is undamaged.
fn read_state(names: &Names, fact: &CheckpointFact) -> Option<Saved> {
    let path = names.beside(&fact.state);
    let is_state = fact.state == names.state_name(fact.number)
        && fs::metadata(&path).is_ok_and(|there| there.is_file() && there.len() == fact.bytes);
    let bytes = is_state.then(|| fs::read(&path).ok()).flatten()?;
    if Digest::of(&bytes) == fact.digest { Saved::new(bytes) } else { None }
}

/// The temporary files of these outputs, except those that are continued.
pub(super) fn left_of(
    inputs: &[Input],
    outputs: &[PathBuf],
    continued: &[PathBuf],
) -> Vec<PathBuf> {
    let paths = inputs.iter().filter_map(|input| match input {
        Input::Path(path) => Some(path),
        Input::Stdin | Input::Named(_) => None,
    });
    let read: Vec<_> = paths.flat_map(|path| input_keys(path)).collect();
    let is_removed = |path: &PathBuf| {
        !continued.contains(path) && !input_keys(path).iter().any(|key| read.contains(key))
    };
    // Files without a token are of earlier versions, or of others: they are named, not removed.
    let left = left_overs(outputs.iter().map(PathBuf::as_path)).into_iter();
    left.filter(|left| left.has_token).map(|left| left.path).filter(is_removed).collect()
}
