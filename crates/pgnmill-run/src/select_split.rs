//! `select --split-by`: one file per value of a field, or of several fields.
//!
//! In: selected games with their keys. Out: files in a directory. Invariants: games keep their order; different values
//! have different names.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_core::engine::{Base, JobResult};
use pgnmill_core::tasks::convert::{Output, Rewritten};
use pgnmill_core::tasks::select::{Copied, CopyGames};
use pgnmill_io::archive::BLOCK_BYTES;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::file_name::name_of_values;
use pgnmill_io::sink::{FileKey, NewDirectories, Sink, input_keys};
use rayon::ThreadPool;

use super::by_value::{ByValue, ValueFile};
use super::common_args;
use super::distinct::{distinct, distinct_files, files_read};
use super::dry_run;
use super::expression::Expression;
use super::host::{Completion, Host};
use super::journal::Continued;
use super::outlets::PartSink;
use super::output_path;
use super::rewrite_args;
use super::select_ledger::print_ledger;
use super::summary::count;
use super::task::Work;

/// The text that waits for all files of `--split-by` together, at most.
const WAITING_BYTES_MAX: u64 = 64 << 20;
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

impl ValueFile for SplitFile {
    fn waiting_bytes(&self) -> u64 {
        self.waiting.part.text.len() as u64
    }

    fn write_waiting(&mut self, pool: &ThreadPool) -> Result<()> {
        self.output.add(Base::default(), &mut std::mem::take(&mut self.waiting), pool)
    }
}

/// One file per value, in a directory.
#[derive(Debug)]
struct SplitFiles {
    directory: PathBuf,
    /// What the games are divided by.
    fields: Vec<String>,
    overwrite: bool,
    /// The inputs, which no file may replace.
    read: HashSet<FileKey>,
    files: ByValue<SplitFile>,
    /// The files of this run.
    written: HashSet<PathBuf>,
    /// The games in all files together: one of two players is in two.
    copies: u64,
}

impl PartSink for SplitFiles {
    type Part = Copied;

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Copied>,
        pool: &ThreadPool,
    ) -> Result<()> {
        let SplitFiles { directory, fields, overwrite, read, files, written, .. } = self;
        for (index, piece) in result.part.pieces.iter().enumerate() {
            let Some(game) = &piece.game else { continue };
            self.copies += game.keys.len() as u64;
            for keys in &game.keys {
                let name = file_name(fields, keys);
                let open = || {
                    let path = directory.join(format!("{name}.pgn"));
                    distinct_files(&[&path], read)?;
                    let output = Output::create(&path, *overwrite, 0)?;
                    written.insert(path);
                    Ok(SplitFile { output, waiting: JobResult::default() })
                };
                let add = |file: &mut SplitFile| {
                    result.part.append_to(index, base.offset, &mut file.waiting.part);
                    match file.waiting.part.text.len() > FILE_WAITING_BYTES_MAX {
                        true => file.write_waiting(pool),
                        false => Ok(()),
                    }
                };
                files.add(&name, open, add, pool)?;
            }
        }
        let damaged_bytes = result.facts.counted.damaged_bytes;
        if damaged_bytes == 0 {
            return Ok(());
        }
        files.each(|file| {
            file.write_waiting(pool)?;
            let mut damage = JobResult::<Rewritten>::default();
            damage.facts.counted.damaged_bytes = damaged_bytes;
            file.output.add(Base::default(), &mut damage, pool)
        })
    }

    fn end(&mut self, pool: &ThreadPool) -> Result<()> {
        self.files.each(|file| {
            file.write_waiting(pool)?;
            file.output.archive_begins();
            Ok(())
        })
    }

    fn close(&mut self, pool: &ThreadPool) -> Result<()> {
        self.files.close(|mut file| {
            file.output.finish(pool)?;
            Ok(file.output.into_sink())
        })
    }

    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        Ok(self.files.take_sinks())
    }
}

/// `--split-by`: each selected game to the file of its value.
pub(super) fn split(
    args: &rewrite_args::Select,
    key: &str,
    host: &Arc<dyn Host>,
) -> Result<Completion> {
    let common = &args.common;
    let task = CopyGames { moves: false, text: true, edits: args.edits.edits()? };
    let work = Work::new(common, task, BLOCK_BYTES, false)?;
    let key = &Expression::read(key)?;
    let selection = work
        .selection()
        .with_keys(key.text())
        .map_err(|error| Error::usage(format!("--split-by: {error}")))?;
    let of_players = selection.has_keys_of_players();
    let fields: Vec<String> = selection.key_texts().map(Into::into).collect();
    let work = work.with_selection(selection).sampled(&args.sample, host)?;
    if args.output == Path::new("-") || args.output.is_file() {
        let output = args.output.shown();
        return Err(Error::usage(format!("--split-by writes a directory; {output} is none")));
    }
    output_path::check("select --split-by", &args.output, output_path::Written::Directory)?;
    distinct(common, &[], &work.inputs, host)?;
    let others = format!(", and one per value of {} in {}", key.text(), args.output.shown());
    if dry_run::is_shown(common, &work.inputs, &[], &others, &**host)? {
        return Ok(Completion::of(true));
    }
    refuse_names_of_files(common, &args.output)?;
    let new_directory = NewDirectories::create(&args.output)?;
    let target = SplitFiles {
        directory: args.output.clone(),
        fields,
        overwrite: common.overwrite,
        read: files_read(common, &work.inputs, Some(key)),
        files: ByValue::new(WAITING_BYTES_MAX),
        written: HashSet::new(),
        copies: 0,
    };
    let mut done = work.run("select", |_| Ok(target), Continued::default(), host)?;
    if common.overwrite {
        refuse_other_files(common, &done.outlets.parts)?;
    }
    done.publish(Vec::new())?;
    new_directory.keep();
    print_ledger(common, &done.outlets.totals.counted.counts, &**host);
    if of_players && !common.quiet {
        let copies = count(done.outlets.parts.copies, "game", "games");
        host.print(&format!("a game is in the files of both its players: {copies} in all files\n"));
    }
    Ok(done.completion())
}

/// Refuses to replace some files of a directory, and to leave games of another run beside them.
fn refuse_other_files(common: &common_args::Common, files: &SplitFiles) -> Result<()> {
    let SplitFiles { directory, read, written, .. } = files;
    let entries =
        std::fs::read_dir(directory).map_err(|error| Error::io("read", directory, error))?;
    let is_own = |path: &Path| {
        let is_read = input_keys(path).iter().any(|key| read.contains(key));
        is_read || written.contains(path) || common.rejects.as_deref() == Some(path)
    };
    let other = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "pgn") && !is_own(path))
        .min();
    other.map_or(Ok(()), |path| {
        let path = path.shown();
        Err(Error::usage(format!(
            "{path} is of another run, and would stay beside the files of this one; remove it or name another directory"
        )))
    })
}

/// The name of the file for a game with these values, without its ending. A month after a year has two digits, so that
/// names are in order.
fn file_name(fields: &[String], values: &[Option<String>]) -> String {
    let months: Vec<Option<String>> = fields
        .iter()
        .zip(values)
        .map(|(field, value)| match value {
            Some(month) if field == "month" && fields.len() > 1 => Some(format!("{month:0>2}")),
            value => value.clone().filter(|value| !value.is_empty()),
        })
        .collect();
    name_of_values(MISSING, &months.iter().map(Option::as_deref).collect::<Vec<_>>())
}

/// Refuses tables whose names a value of `--split-by` could have: that would be discovered in the middle of the run.
fn refuse_names_of_files(common: &common_args::Common, directory: &Path) -> Result<()> {
    let directory_key = input_keys(directory);
    for path in common.outputs(&[]) {
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
