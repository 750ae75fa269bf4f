//! What an earlier run has left.
//!
//! In: the records of a journal; the inputs and outputs of a run. Out: the first difference between the two runs, in
//! words; an error about a complete output that was changed; the last saved state that is undamaged; the paths of files
//! that can be removed. Invariants: a state is of use until outputs after it have their names; a file of another name
//! or length is not read; no input is removed, and no file that is continued. Cost: a comparison per option and input;
//! a system call per output, or a read of it; a read of the state and of each directory of the outputs.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::hash::Hash;
use std::io::Read as _;
use std::path::PathBuf;

use pgnmill_core::engine::Start;
use pgnmill_io::archive::Input;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Digest, input_keys, left_overs, open_own};
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
        let (before, now) = (before.program_version.shown(), &now.program_version);
        return Some(format!("version {before} of the program has begun it, this is {now}"));
    }
    if before.command != now.command {
        return Some(format!("it was `{}`, this is `{}`", before.command.shown(), now.command));
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
        return Some(format!("{} was {}, is not given", name.shown(), shown(value)));
    }
    difference_of_inputs(&before.inputs, &now.inputs)
}

/// The first difference between the inputs of two runs. Strings of a journal are escaped: they can be anybody's.
fn difference_of_inputs(old: &[InputFact], new: &[InputFact]) -> Option<String> {
    let paths = |inputs: &'_ [InputFact]| -> Vec<String> {
        inputs.iter().map(|input| input.path.clone()).collect()
    };
    let (of_old, of_new) = (paths(old), paths(new));
    if let Some(path) = first_missing(&of_old, &of_new) {
        return Some(format!("the input {} is missing", path.shown()));
    }
    if let Some(path) = first_missing(&of_new, &of_old) {
        return Some(format!("the input {} was added", path.shown()));
    }
    if old.len() != new.len() {
        return Some(format!("there were {} inputs, now there are {}", old.len(), new.len()));
    }
    for (old, new) in old.iter().zip(new) {
        if old.path != new.path {
            return Some(format!(
                "the inputs were in another order: {}, now {}",
                old.path.shown(),
                new.path.shown()
            ));
        }
        if old.bytes != new.bytes {
            let (path, old, new) = (new.path.shown(), old.bytes, new.bytes);
            return Some(format!("the input {path} had {old} bytes, has {new}"));
        }
        if old.modified != new.modified {
            return Some(format!("the input {} was modified since", new.path.shown()));
        }
    }
    None
}

/// The first key that is not among others.
fn first_missing<'k, K: Eq + Hash>(keys: &'k [K], others: &[K]) -> Option<&'k K> {
    let others: HashSet<&K> = others.iter().collect();
    keys.iter().find(|key| !others.contains(key))
}

fn shown(value: &str) -> String {
    if value.is_empty() { "not given".to_string() } else { value.shown().to_string() }
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
    /// The files that it may continue.
    parts: HashSet<PathBuf>,
    /// Where the run goes on.
    pub(crate) start: Start,
}

impl Saved {
    fn new(bytes: Vec<u8>, parts: HashSet<PathBuf>) -> Option<Saved> {
        let start = Loader::new(&bytes).value()?;
        Some(Saved { bytes, parts, start })
    }

    /// The state after the start.
    pub(crate) fn loader(&self) -> Loader<'_> {
        let mut loader = Loader::new(&self.bytes).with_files(&self.parts);
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
            match read_state(names, fact) {
                Ok(saved) => return Some((fact, saved)),
                Err(why) => {
                    host.warn(format_args!("{} {why}; the state before it is used", path.shown()))
                }
            }
            damaged.push(&fact.state);
        }
        if !fact.publish.is_empty() || damaged.len() == 2 {
            return None;
        }
    }
    None
}

/// The state of a checkpoint; otherwise why it is of no use: it is damaged, or not the user's.
fn read_state(names: &Names, fact: &CheckpointFact) -> Result<Saved, String> {
    let damaged = || "is damaged".to_string();
    if fact.state != names.state_name(fact.number) {
        return Err(damaged());
    }
    let file = open_own(OpenOptions::new().read(true), &names.beside(&fact.state));
    let file = file.map_err(|error| format!("cannot be used ({error})"))?;
    let mut bytes = Vec::new();
    let read = file.take(fact.bytes.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| format!("cannot be read ({error})"))?;
    let is_whole = bytes.len() as u64 == fact.bytes && Digest::of(&bytes) == fact.digest;
    let parts = fact.parts.iter().cloned().collect();
    is_whole.then(|| Saved::new(bytes, parts)).flatten().ok_or_else(damaged)
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
    let read: HashSet<_> = paths.flat_map(|path| input_keys(path)).collect();
    let continued: HashSet<&PathBuf> = continued.iter().collect();
    let is_removed = |path: &PathBuf| {
        !continued.contains(path) && !input_keys(path).iter().any(|key| read.contains(key))
    };
    // Files without a token are of earlier versions, or of others: they are named, not removed.
    let left = left_overs(outputs.iter().map(PathBuf::as_path)).into_iter();
    left.filter(|left| left.has_token).map(|left| left.path).filter(is_removed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(count: usize) -> Vec<InputFact> {
        let input = |number| InputFact {
            path: format!("archives/of/many/games/{number}.pgn"),
            bytes: number,
            modified: 1,
        };
        (0..count as u64).map(input).collect()
    }

    #[test]
    fn the_first_difference_of_inputs_is_named() {
        let all = inputs(5);
        let of = |change: &dyn Fn(&mut Vec<InputFact>)| {
            let mut new = all.clone();
            change(&mut new);
            difference_of_inputs(&all, &new)
        };
        let is = |change: &dyn Fn(&mut Vec<InputFact>), what: &str| {
            let found = of(change).unwrap_or_default();
            assert!(found.contains(what), "{found}");
        };
        assert_eq!(of(&|_| ()), None);
        is(&|new| drop(new.remove(3)), "games/3.pgn is missing");
        is(
            &|new| new.push(InputFact { path: "x".to_string(), bytes: 1, modified: 1 }),
            "x was added",
        );
        is(&|new| new.push(inputs(1).remove(0)), "there were 5 inputs, now there are 6");
        is(&|new| new.swap(1, 2), "in another order: archives/of/many/games/1.pgn");
        is(&|new| new[4].bytes = 7, "had 4 bytes, has 7");
        is(&|new| new[4].modified = 7, "games/4.pgn was modified since");
    }

    /// Paths are compared about as often as there are inputs, not with all others.
    #[test]
    fn many_inputs_take_no_quadratic_work() {
        thread_local!(static COMPARED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) });
        #[derive(Debug)]
        struct Key(usize);
        impl PartialEq for Key {
            fn eq(&self, other: &Key) -> bool {
                COMPARED.set(COMPARED.get() + 1);
                self.0 == other.0
            }
        }
        impl Eq for Key {}
        impl Hash for Key {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.0.hash(state);
            }
        }
        let keys: Vec<Key> = (0..4_000).map(Key).collect();
        assert!(first_missing(&keys, &keys).is_none());
        assert_eq!(first_missing(&keys, &keys[..3_000]).map(|key| key.0), Some(3_000));
        assert!(COMPARED.get() < 4 * keys.len(), "{}", COMPARED.get());
    }
}
