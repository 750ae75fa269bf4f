//! `convert`: a run that writes games in another notation, to one file or to one per input.
//!
//! In: archives. Out: files. Invariant: no file has its name before the run has succeeded. Cost: that of
//! [`crate::tasks::convert`].

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use rayon::ThreadPool;

use crate::archive::{Archive, BLOCK_BYTES, Input};
use crate::engine::{Base, JobResult};
use crate::error::{Error, Result};
use crate::notation;
use crate::sink::{NewDirectories, Reservation, Sink};
use crate::tasks;
use crate::tasks::convert::{Output, Rewritten};

use super::args::Convert;
use super::disk;
use super::outlets::PartSink;
use super::task::{Work, distinct, find_notation};

/// Finished outputs that stay open until the end of the run, at most; the others are synced to disk and closed at once.
pub(super) const OPEN_MAX: usize = 64;

/// The outputs of rewritten text.
#[derive(Debug)]
enum Target {
    /// One file for all inputs.
    One(Output),
    /// One file per input in a directory, in the order of the inputs.
    Directory {
        reserved: VecDeque<Reservation>,
        /// Compression level.
        level: i32,
        current: Option<Output>,
        /// Finished outputs; they get their names when the run has succeeded.
        finished: Vec<Sink>,
    },
}

impl PartSink for Target {
    type Part = Rewritten;

    fn begin(&mut self, archive: &Archive) -> Result<()> {
        match self {
            Target::One(output) => output.archive_begins(),
            Target::Directory { reserved, level, current, .. } => {
                let missing = || Error::usage(format!("{} has no output", archive.name()));
                let reservation = reserved.pop_front().ok_or_else(missing)?;
                *current = Some(Output::open(reservation, *level)?);
            }
        }
        Ok(())
    }

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Rewritten>,
        pool: &ThreadPool,
    ) -> Result<()> {
        match self {
            Target::One(output) | Target::Directory { current: Some(output), .. } => {
                output.add(base, result, pool)
            }
            Target::Directory { current: None, .. } => Ok(()),
        }
    }

    fn end(&mut self, pool: &ThreadPool) -> Result<()> {
        if let Target::Directory { current, finished, .. } = self
            && let Some(mut output) = current.take()
        {
            output.finish(pool)?;
            let mut sink = output.into_sink();
            sink.complete(finished.len() < OPEN_MAX)?;
            finished.push(sink);
        }
        Ok(())
    }

    fn close(&mut self, pool: &ThreadPool) -> Result<()> {
        match self {
            Target::One(output) => output.finish(pool),
            Target::Directory { .. } => Ok(()),
        }
    }

    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        let none = Target::Directory {
            reserved: VecDeque::new(),
            level: 0,
            current: None,
            finished: Vec::new(),
        };
        Ok(match std::mem::replace(self, none) {
            Target::One(output) => vec![output.into_sink()],
            Target::Directory { finished, .. } => finished,
        })
    }
}

pub(super) fn convert(args: Convert, stop: &AtomicBool) -> Result<bool> {
    let to = match &args.language {
        None => find_notation(&args.to)?,
        Some(language) if args.to == notation::SAN.info().name => {
            find_notation(&format!("san-{language}"))?
        }
        Some(_) => return Err(Error::usage("--language goes with --to san")),
    };
    let task = tasks::Convert { to, to_utf8: args.to_utf8 };
    // Small jobs, whose new text is written while it is still in the processor's caches.
    let job = Work::new(&args.common, task, BLOCK_BYTES, args.keep_rejects)?;
    let overwrite = args.common.overwrite;
    let into_directory = is_directory(&args.output);
    let outputs = outputs_of(&args.output, into_directory, &job.inputs)?;
    let directory = if into_directory { args.output.as_path() } else { Path::new("") };
    // Removed if the run fails, after its contents.
    let directory = NewDirectories::create(directory)?;
    let text_bytes = disk::text_bytes(&job.inputs);
    let is_compressed = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "zst");
    let all_compressed = outputs.iter().all(is_compressed);
    let bytes = if all_compressed { disk::stored_bytes(text_bytes) } else { text_bytes };
    let job = job.writing(&args.output, bytes);
    distinct(&args.common, &outputs, &job.inputs)?;
    let mut reserved = VecDeque::from(Reservation::all(&outputs, overwrite)?);
    let one = if into_directory { None } else { reserved.pop_front() };
    let target = match one {
        Some(reservation) => Target::One(Output::open(reservation, args.level)?),
        None => {
            let (level, current, finished) = (args.level, None, Vec::new());
            Target::Directory { reserved, level, current, finished }
        }
    };
    let mut done = job.run(&args.common, "convert", target, stop)?;
    done.publish(&args.common, Vec::new())?;
    directory.keep();
    let rejected = done.outlets.totals.counts.rejected;
    let kept = args.common.rejects.is_some() || args.keep_rejects;
    if rejected > 0 && !kept && !args.common.quiet {
        log::warn!(
            "{rejected} rejected games are not in the output; --rejects FILE or --keep-rejects keeps their text"
        );
    }
    Ok(done.clean)
}

/// The files that a conversion writes: one, or one per input in a directory.
fn outputs_of(output: &Path, into_directory: bool, inputs: &[Input]) -> Result<Vec<PathBuf>> {
    if !into_directory {
        return Ok(vec![output.to_path_buf()]);
    }
    unique(inputs.iter().map(|input| output.join(output_name(input))))
}

/// The outputs, or an error if two of them are the same.
pub(super) fn unique(outputs: impl Iterator<Item = PathBuf>) -> Result<Vec<PathBuf>> {
    let outputs: Vec<PathBuf> = outputs.collect();
    let mut known = HashSet::new();
    match outputs.iter().find(|path| !known.insert(*path)) {
        None => Ok(outputs),
        Some(path) => Err(Error::usage(format!(
            "two inputs would be written to {}; give them separately",
            path.display()
        ))),
    }
}

/// Does an output path name a directory: an existing one, or one with a slash at its end?
pub(super) fn is_directory(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// The name of the output for an input, in the output directory.
pub(super) fn output_name(input: &Input) -> PathBuf {
    let stdin = || PathBuf::from("stdin.pgn");
    match input {
        Input::Path(path) => path.file_name().map_or_else(stdin, PathBuf::from),
        Input::Stdin => stdin(),
    }
}
