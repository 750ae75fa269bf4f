//! `--dry-run`: the plan of a run.
//!
//! In: a plan. Out: lines: inputs with their containers and sizes, what a journal would go on with, outputs and what is
//! there. What cannot be was refused when the plan was resolved. Invariant: nothing is written, and of inputs the first
//! bytes alone are read. Cost: some system calls per file.
//!
//! ```text
//! would read 2 inputs (31.4 MB)
//!     a.pgn (text, 2,310 bytes)
//!     b.pgn.zst (zstd, 31.4 MB)
//! would write 1 file
//!     out.pgn
//! ```

use std::path::Path;

use pgnmill_io::archive::{Archive, Container, Input, Kind, Options};
use pgnmill_io::error::{Error, Result, Shown as _};
use pgnmill_io::sink::is_stream;

use crate::host::Host;
use crate::journal;
use crate::plan::{Place, Plan};
use crate::text::numbers::{count, size};

/// Files that are named, at most.
const NAMED_MAX: usize = 20;

/// Shows a plan.
///
/// # Errors
/// An input that is not there; a journal that the run would not go on with.
pub(super) fn show(plan: &Plan, host: &dyn Host) -> Result<()> {
    let inputs = &plan.inputs.all;
    for input in inputs {
        if let Input::Path(path) = input {
            std::fs::metadata(path).map_err(|error| Error::io("open", path, error))?;
        }
    }
    let bytes: Option<u64> = inputs.iter().map(Input::stored_bytes).sum();
    let bytes = bytes.map_or_else(String::new, |bytes| format!(" ({})", size(bytes)));
    let mut text = format!("would read {}{bytes}\n", count(inputs.len() as u64, "input", "inputs"));
    list(&mut text, inputs.iter().map(described));
    if let Some(found) = journal::found(plan)? {
        text += &format!("would go on: {found}\n");
    }
    let outputs = plan.paths();
    let others = match &plan.outputs.place {
        Place::ByValue { files, .. } => format!(", and {files}"),
        _ => String::new(),
    };
    text += &format!("would write {}{others}\n", count(outputs.len() as u64, "file", "files"));
    list(
        &mut text,
        outputs.iter().map(|path| format!("{}{}", path.shown(), what_is_there(plan, path))),
    );
    host.print(&text);
    Ok(())
}

/// An input, its container and its size, as far as they are known.
fn described(input: &Input) -> String {
    let facts =
        [container_of(input).map(|it| it.name().to_string()), input.stored_bytes().map(size)];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    let name = input.name();
    match facts.is_empty() {
        true => name.shown().to_string(),
        false => format!("{} ({})", name.shown(), facts.join(", ")),
    }
}

/// The container of a file, by its first bytes.
fn container_of(input: &Input) -> Option<Container> {
    let is_file = |path: &Path| path.is_file();
    let is_read = match input {
        Input::Path(path) => is_file(path),
        Input::Stdin => false,
        Input::Named(source) => source.split().is_none() && source.file().is_some_and(is_file),
    };
    let archive =
        is_read.then(|| Archive::open(input, &Options { map: false, ..Options::default() }));
    Some(match archive?.ok()?.kind() {
        Kind::Plain => Container::Text,
        Kind::ZstdFrames => Container::Zstd,
        Kind::Stream { container } => container,
    })
}

/// What is at the place of an output.
fn what_is_there(plan: &Plan, path: &Path) -> &'static str {
    match path.exists() && !is_stream(path) {
        true if plan.resumes() => ", which is there",
        true if plan.files.overwrite => ", in place of the one that is there",
        true => ", which is there: it is refused without --overwrite",
        false if lacks_directory(plan, path) => ", whose directory is not there: it is refused",
        false => "",
    }
}

/// Is there no directory for a file, and none that the run creates?
fn lacks_directory(plan: &Plan, path: &Path) -> bool {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let is_created = |parent: &Path| {
        plan.outputs.directories.iter().any(|directory| directory.starts_with(parent))
    };
    parent.is_some_and(|parent| !parent.is_dir() && !is_created(parent))
}

/// Adds names, a line each.
fn list(text: &mut String, names: impl ExactSizeIterator<Item = String>) {
    let others_count = names.len().saturating_sub(NAMED_MAX);
    names.take(NAMED_MAX).for_each(|name| *text += &format!("    {name}\n"));
    if others_count > 0 {
        *text += &format!("    and {others_count} more\n");
    }
}
