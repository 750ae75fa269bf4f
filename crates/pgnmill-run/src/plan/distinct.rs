//! The outputs of a run are different files, and none of them is an input.
//!
//! In: paths of outputs and inputs. Out: an error if writing one would destroy another; warnings of temporary files
//! that killed runs left. Cost: some calls of the system per path.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use pgnmill_io::archive::Input;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{FileKey, input_keys, left_overs, output_keys, stdin_keys};

use crate::host::Host;

/// Temporary files of killed runs that are listed, at most.
const LEFT_OVERS_MAX: usize = 5;

/// The keys of the file of an input.
pub fn keys_of(input: &Input) -> Vec<FileKey> {
    match input {
        Input::Path(path) => input_keys(path),
        Input::Stdin => stdin_keys(),
        Input::Named(source) => {
            let archive = source.split().map(|split| Path::new(&split.archive));
            archive.or(source.file()).map(input_keys).unwrap_or_default()
        }
    }
}

/// Refuses a standard output that a shell appends to a file which the run reads.
pub fn refuse_stdout(read: &HashSet<FileKey>) -> Result<()> {
    match output_keys(Path::new("-")).iter().any(|key| read.contains(key)) {
        true => Err(Error::usage("standard output is an input; write to another file".to_string())),
        false => Ok(()),
    }
}

/// Returns an error if two outputs are the same file, or an output is one that is read, also under another name: one
/// would replace the other.
pub fn distinct_files(outputs: &[&Path], read: &HashSet<FileKey>) -> Result<()> {
    let mut written: HashMap<FileKey, &Path> = HashMap::new();
    for &output in outputs {
        let path = output.shown();
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
                    let other = other.shown();
                    return Err(Error::usage(format!("{other} and {path} are the same output")));
                }
            }
        }
    }
    Ok(())
}

/// Warns of temporary files that killed runs left of outputs, except files that are inputs.
pub fn warn_of_left_overs(outputs: &[&Path], read: &HashSet<FileKey>, host: &dyn Host) {
    let is_read = |path: &PathBuf| input_keys(path).iter().any(|key| read.contains(key));
    let left = left_overs(outputs.iter().copied()).into_iter().map(|left| left.path);
    let left: Vec<PathBuf> = left.filter(|path| !is_read(path)).collect();
    for path in left.iter().take(LEFT_OVERS_MAX) {
        host.warn(format_args!(
            "{} looks like what a run that was killed left; this run does not use it, and if none goes on with --resume it can be removed",
            path.shown()
        ));
    }
    if left.len() > LEFT_OVERS_MAX {
        let others_count = left.len() - LEFT_OVERS_MAX;
        host.warn(format_args!("so do {others_count} more files beside it"));
    }
}
