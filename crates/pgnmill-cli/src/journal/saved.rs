//! The saved states of a run, of which one is the beginning of the run that goes on.
//!
//! In: the checkpoints of a journal. Out: the last state that is undamaged. Invariants: a state is of use until outputs
//! after it have their names; a file of another name or length is not read. Cost: a read of the state.

use std::fs;

use pgnmill_core::engine::Start;
use pgnmill_io::error::Shown as _;
use pgnmill_io::sink::Digest;
use pgnmill_state::Loader;

use crate::host::Host;

use super::files::Names;
use super::records::CheckpointFact;

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
