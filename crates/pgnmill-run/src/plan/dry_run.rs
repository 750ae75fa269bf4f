//! `--dry-run`: what a run would read and write.
//!
//! In: inputs, paths of outputs. Out: lines. Invariant: nothing is read but the sizes of files, and nothing is written.
//! Cost: a system call per file.

use std::path::{Path, PathBuf};

use pgnmill_io::archive::Input;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::is_stream;

use crate::args::common::Common;
use crate::host::Host;
use crate::text::numbers::{count, size};

/// Files that are named, at most.
const NAMED_MAX: usize = 20;

/// Shows what would be read and written if the request is a dry run. `others`: what more is written, in words.
///
/// # Errors
/// An input that is not there.
pub(crate) fn is_shown(
    common: &Common,
    inputs: &[Input],
    outputs: &[PathBuf],
    others: &str,
    host: &dyn Host,
) -> Result<bool> {
    if !common.dry_run {
        return Ok(false);
    }
    for input in inputs {
        if let Input::Path(path) = input {
            std::fs::metadata(path).map_err(|error| Error::io("open", path, error))?;
        }
    }
    let bytes: Option<u64> = inputs.iter().map(Input::stored_bytes).sum();
    let bytes = bytes.map_or_else(String::new, |bytes| format!(" ({})", size(bytes)));
    let mut text = format!("would read {}{bytes}\n", count(inputs.len() as u64, "input", "inputs"));
    list(&mut text, inputs.iter().map(|input| input.name().shown().to_string()));
    let outputs = common.outputs(outputs);
    let of = |path: &PathBuf| {
        let there = match path.exists() && !is_stream(path) {
            true if common.resume => ", which is there",
            true if common.overwrite => ", in place of the one that is there",
            true => ", which is there: it is refused without --overwrite",
            false if lacks_directory(path) => ", whose directory is not there: it is refused",
            false => "",
        };
        format!("{}{there}", path.shown())
    };
    text += &format!("would write {}{others}\n", count(outputs.len() as u64, "file", "files"));
    list(&mut text, outputs.iter().map(of));
    host.print(&text);
    Ok(true)
}

/// Is there no directory for a file?
fn lacks_directory(path: &Path) -> bool {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.is_some_and(|parent| !parent.is_dir())
}

/// Adds names, a line each.
fn list(text: &mut String, names: impl ExactSizeIterator<Item = String>) {
    let others_count = names.len().saturating_sub(NAMED_MAX);
    names.take(NAMED_MAX).for_each(|name| *text += &format!("    {name}\n"));
    if others_count > 0 {
        *text += &format!("    and {others_count} more\n");
    }
}
