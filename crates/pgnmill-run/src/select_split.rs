//! `select --split-by`: one file per value of a field.
//!
//! In: selected games with their keys. Out: files in a directory. Invariants: games keep their order; different values
//! have different names; the memory of text that waits and the number of files are bounded.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_core::engine::{Base, JobResult};
use pgnmill_core::tasks::convert::{Output, Rewritten};
use pgnmill_core::tasks::select::{ChosenGames, SelectOneByOne};
use pgnmill_io::archive::BLOCK_BYTES;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::file_name::escaped_but;
use pgnmill_io::sink::{FileKey, NewDirectories, Sink, input_keys};
use rayon::ThreadPool;

use super::common_args;
use super::destination::OPEN_MAX;
use super::distinct::{distinct, distinct_files, files_read};
use super::expression::Expression;
use super::host::{Completion, Host};
use super::journal::Continued;
use super::outlets::PartSink;
use super::output_path;
use super::rewrite_args;
use super::select_ledger::print_ledger;
use super::summary::count;
use super::task::{Work, all_outputs};

/// The maximum number of files of `--split-by`: each is open until the end.
const FILES_MAX: usize = 600;
/// The text that waits for all files of `--split-by` together, at most.
const WAITING_BYTES_MAX: usize = 64 << 20;
/// The text that waits for one file, at most.
const FILE_WAITING_BYTES_MAX: usize = 256 << 10;
/// The name of the file for games without a value.
const MISSING: &str = "missing";

/// The file of one value.
#[derive(Debug)]
struct SplitFile {
    output: Output,
    /// Text that is not yet written.
    waiting: JobResult<Rewritten>,
}

/// One file per value, in a directory.
#[derive(Debug)]
struct SplitFiles {
    directory: PathBuf,
    overwrite: bool,
    /// The inputs, which no file may replace.
    read: HashSet<FileKey>,
    /// The files by value; their order is that of their first games.
    by_value: HashMap<Option<String>, usize>,
    files: Vec<SplitFile>,
    waiting_bytes: usize,
    finished: Vec<Sink>,
}

impl SplitFiles {
    fn index_of(&mut self, value: &Option<String>) -> Result<usize> {
        if let Some(&index) = self.by_value.get(value) {
            return Ok(index);
        }
        if self.files.len() == FILES_MAX {
            let value = value.as_deref().unwrap_or(MISSING);
            return Err(Error::usage(format!(
                "--split-by would write more than {FILES_MAX} files, such as one for {value:?}; take a field with fewer \
                 values"
            )));
        }
        let name = match value.as_deref() {
            None => MISSING.to_string(),
            Some(value) => escaped_but(MISSING, value),
        };
        let path = self.directory.join(format!("{name}.pgn"));
        distinct_files(&[&path], &self.read)?;
        let output = Output::create(&path, self.overwrite, 0)?;
        self.files.push(SplitFile { output, waiting: JobResult::default() });
        self.by_value.insert(value.clone(), self.files.len() - 1);
        Ok(self.files.len() - 1)
    }

    fn write(&mut self, index: usize, pool: &ThreadPool) -> Result<()> {
        let SplitFile { output, waiting } = &mut self.files[index];
        self.waiting_bytes -= waiting.part.text.len();
        output.add(Base::default(), waiting, pool)?;
        *waiting = JobResult::default();
        Ok(())
    }

    fn write_all(&mut self, pool: &ThreadPool) -> Result<()> {
        (0..self.files.len()).try_for_each(|index| self.write(index, pool))
    }
}

impl PartSink for SplitFiles {
    type Part = ChosenGames;

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<ChosenGames>,
        pool: &ThreadPool,
    ) -> Result<()> {
        for (index, game) in result.part.games.iter().enumerate() {
            let value = game.key.clone().filter(|value| !value.is_empty());
            let file = self.index_of(&value)?;
            let waiting = &mut self.files[file].waiting.part;
            let before = waiting.text.len();
            result.part.append_to(index, base.offset, waiting);
            let now = waiting.text.len();
            self.waiting_bytes += now - before;
            if now > FILE_WAITING_BYTES_MAX {
                self.write(file, pool)?;
            }
            if self.waiting_bytes > WAITING_BYTES_MAX {
                self.write_all(pool)?;
            }
        }
        if result.facts.counted.damaged_bytes > 0 {
            self.write_all(pool)?;
            for file in &mut self.files {
                let mut damage = JobResult::<Rewritten>::default();
                damage.facts.counted.damaged_bytes = result.facts.counted.damaged_bytes;
                file.output.add(Base::default(), &mut damage, pool)?;
            }
        }
        Ok(())
    }

    fn end(&mut self, pool: &ThreadPool) -> Result<()> {
        self.write_all(pool)?;
        self.files.iter_mut().for_each(|file| file.output.archive_begins());
        Ok(())
    }

    fn close(&mut self, pool: &ThreadPool) -> Result<()> {
        for mut file in self.files.drain(..) {
            file.output.finish(pool)?;
            let mut sink = file.output.into_sink();
            sink.complete(self.finished.len() < OPEN_MAX)?;
            self.finished.push(sink);
        }
        Ok(())
    }

    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        Ok(std::mem::take(&mut self.finished))
    }
}

/// `--split-by`: each selected game to the file of its value.
pub(super) fn split(
    args: &rewrite_args::Select,
    key: &str,
    host: &Arc<dyn Host>,
) -> Result<Completion> {
    let common = &args.common;
    let task = SelectOneByOne { with_text: true, edits: args.edits.edits()? };
    let work = Work::new(common, task, BLOCK_BYTES, false)?;
    let key = &Expression::read(key)?;
    let selection = work.selection().with_key(key.text());
    let selection = selection.map_err(|error| Error::usage(format!("--split-by: {error}")))?;
    let work = work.with_selection(selection);
    if args.output == Path::new("-") || args.output.is_file() {
        let output = args.output.shown();
        return Err(Error::usage(format!("--split-by writes a directory; {output} is none")));
    }
    output_path::check("select --split-by", &args.output, output_path::Written::Directory)?;
    distinct(common, &[], &work.inputs, host)?;
    refuse_names_of_files(common, &args.output)?;
    let new_directory = NewDirectories::create(&args.output)?;
    let target = SplitFiles {
        directory: args.output.clone(),
        overwrite: common.overwrite,
        read: files_read(common, &work.inputs, Some(key)),
        by_value: HashMap::new(),
        files: Vec::new(),
        waiting_bytes: 0,
        finished: Vec::new(),
    };
    let mut done = work.run(common, "select", |_| Ok(target), Continued::default(), host)?;
    let files = done.outlets.parts.finished.len();
    done.publish(common, Vec::new())?;
    new_directory.keep();
    let counts = &done.outlets.totals.counted.counts;
    print_ledger(common, [counts.unread, counts.not_selected, counts.rejected], &**host);
    if !common.quiet {
        host.print(&format!("{} written\n", count(files as u64, "file", "files")));
    }
    Ok(done.completion())
}

/// Refuses tables whose names a value of `--split-by` could have: that would be discovered in the middle of the run.
fn refuse_names_of_files(common: &common_args::Common, directory: &Path) -> Result<()> {
    let directory_key = input_keys(directory);
    for path in all_outputs(common, &[]) {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        let is_there =
            parent == directory || input_keys(parent).iter().any(|key| directory_key.contains(key));
        let is_pgn = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
        if is_there && is_pgn {
            let path = path.shown();
            return Err(Error::usage(format!(
                "{path} could be the name of a file of --split-by; write it to another directory"
            )));
        }
    }
    Ok(())
}
