//! Temporary files of runs that were ended.
//!
//! In: the inputs and outputs of a run. Out: the paths of files that can be removed. Invariant: no input is among them,
//! and no file that is continued. Cost: one read of each directory of the outputs.

use std::path::PathBuf;

use pgnmill_io::archive::Input;
use pgnmill_io::sink::{input_keys, left_overs};

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
