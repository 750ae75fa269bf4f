//! `convert`: a run that writes games in another notation, to one file or to one per input.
//!
//! In: archives. Out: files. Invariant: a file has its name when it is complete and on disk. Cost: that of
//! [`pgnmill_core::tasks::convert`].

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_core::engine::{Base, JobResult, Task};
use pgnmill_core::notation;
use pgnmill_core::tasks;
use pgnmill_core::tasks::convert::{Output, Rewritten};
use pgnmill_io::archive::{Archive, BLOCK_BYTES, Input};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{NewDirectories, Sink, Snapshot};
use pgnmill_state::Loader;
use rayon::ThreadPool;

use crate::args::defaults::defaults;
use crate::args::names::{find_language, find_notation};
use crate::args::options::options_of_outputs;
use crate::args::output_path::{self, is_directory};
use crate::args::values::{exclusive, level_of, level_of_texts};
use crate::commands::rewrite_args::Convert;
use crate::host::{Completion, Host};
use crate::journal::{self, Begun, Plan};
use crate::outputs::destination::Finished;
use crate::outputs::destination::{Destination, Paths, Resumed};
use crate::outputs::disk;
use crate::plan::distinct::distinct;
use crate::plan::dry_run;
use crate::run::outlets::PartSink;
use crate::run::task::{Done, Work};
use crate::text::numbers::count;
use crate::text::shell::{flag, option};

/// The outputs of rewritten text.
#[derive(Debug)]
pub(crate) struct Target {
    files: Destination<Output>,
    /// Compression level.
    level: i32,
}

impl Target {
    /// The outputs, anew or from a saved state.
    fn begin(
        paths: &Paths<'_>,
        level: i32,
        resumed: Option<Resumed<'_, '_>>,
        host: &dyn Host,
    ) -> Result<Target> {
        let open = |reservation| Output::open(reservation, level);
        let load = |from: &mut Loader<'_>| Output::load(from, paths.overwrite, level);
        Ok(Target { files: Destination::begin(paths, resumed, host, open, load)?, level })
    }
}

/// The complete file.
fn finished(mut output: Output, pool: &ThreadPool) -> Result<Sink> {
    output.finish(pool)?;
    Ok(output.into_sink())
}

impl PartSink for Target {
    type Part = Rewritten;

    fn input(&mut self, index: usize) {
        self.files.input(index);
    }

    fn begin(&mut self, archive: &Archive) -> Result<()> {
        if self.files.is_one()
            && let Some(output) = self.files.current()
        {
            output.archive_begins();
        }
        let level = self.level;
        self.files.archive_begins(archive, |reservation| Output::open(reservation, level))
    }

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Rewritten>,
        pool: &ThreadPool,
    ) -> Result<()> {
        self.files.current().map_or(Ok(()), |output| output.add(base, result, pool))
    }

    fn end(&mut self, pool: &ThreadPool) -> Result<()> {
        self.files.archive_ends(|output| finished(output, pool))
    }

    fn fail(&mut self, _: &ThreadPool) -> Result<()> {
        self.files.archive_fails();
        Ok(())
    }

    fn close(&mut self, pool: &ThreadPool) -> Result<()> {
        self.files.close(|output| finished(output, pool))
    }

    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        Ok(self.files.take_sinks())
    }

    fn has_finished(&self) -> bool {
        self.files.has_finished()
    }

    fn take_finished(&mut self) -> Vec<Finished> {
        self.files.take_finished()
    }

    fn save(&mut self, out: &mut Snapshot, _: &ThreadPool) -> Result<()> {
        self.files.save(out, Output::save)
    }
}

impl Convert {
    /// Archives, the notation to write, and the output; the other fields have the defaults of the command line.
    pub fn new(
        inputs: impl IntoIterator<Item = impl Into<PathBuf>>,
        to: &str,
        output: impl Into<PathBuf>,
    ) -> Convert {
        let mut request: Convert = defaults();
        request.common.inputs = inputs.into_iter().map(Into::into).collect();
        request.to = to.to_string();
        request.output = output.into();
        request
    }

    /// Runs it.
    ///
    /// # Errors
    /// What the request cannot have; what ends the run.
    pub fn run(mut self, host: &Arc<dyn Host>) -> Result<Completion> {
        self.common.summary_format = self.summary.format;
        convert(self, host)
    }
}

fn convert(mut args: Convert, host: &Arc<dyn Host>) -> Result<Completion> {
    level_of(args.level)?;
    exclusive(&[
        ("--keep-rejects", args.keep_rejects),
        ("--rejects", args.common.rejects.is_some()),
    ])?;
    args.common.apart = is_directory(&args.output).then(|| args.output.clone());
    let to = match &args.language {
        None => find_notation(&args.to)?,
        Some(language) if args.to == notation::SAN.info().name => find_language(language)?,
        Some(_) => return Err(Error::usage("--language goes with --to san")),
    };
    let (to_utf8, edits) = (args.to_utf8, args.edits.edits()?);
    let convert = tasks::Convert { to, to_utf8, edits: edits.clone(), sets_opening: args.set_eco };
    let writing = Writing {
        command: "convert",
        output: &args.output,
        flat: args.flat,
        level: args.level,
        options: options_of_outputs(&args),
    };
    let common = &args.common;
    let ledger_options = ledger_options(&args);
    // Small jobs, whose new text is written while it is still in the processor's caches.
    let work = Work::new(common, convert, BLOCK_BYTES, args.keep_rejects)?;
    let work = work.with_options(ledger_options);
    refuse_dropping(&args, &work.inputs)?;
    let done = match rewrite(work, writing, host)? {
        Written::Now(done) => done,
        Written::Before(clean) => return Ok(Completion::of(clean)),
    };
    // Of a run that was continued, the first part is not known; of a split, not the rest.
    let is_whole = !args.common.resume && args.common.ledger.is_none();
    if is_whole {
        args.edits.warn_of_unmet(&edits, &**host);
    }
    let rejected = done.outlets.totals.counted.counts.rejected;
    let kept = args.common.rejects.is_some() || args.keep_rejects;
    if rejected > 0 && !kept && !args.common.quiet {
        host.warn(format_args!(
            "{} not in the output; --rejects FILE or --keep-rejects keeps their text",
            count(rejected, "rejected game is", "rejected games are")
        ));
    }
    Ok(done.completion())
}

/// The options that influence the text, for the ledger.
fn ledger_options(args: &Convert) -> String {
    let mut words = vec![option("--to", &args.to)];
    words.extend(args.language.iter().map(|language| option("--language", language)));
    words.extend(args.edits.options());
    words.extend(flag("--set-eco", args.set_eco));
    words.extend(flag("--to-utf8", args.to_utf8));
    words.extend(flag("--keep-rejects", args.keep_rejects));
    words.extend(args.common.options_of_games());
    words.join(" ")
}

/// Refuses to leave games of a split out: what is between two texts where games are missing depends on both, and a
/// split has only one of them at its ends.
fn refuse_dropping(args: &Convert, inputs: &[Input]) -> Result<()> {
    let is_split = inputs.iter().any(|input| input.split().is_some());
    let keeps_all = args.keep_rejects && args.common.condition.is_none();
    match is_split && !keeps_all {
        false => Ok(()),
        true => Err(Error::usage(
            "a split is converted with --keep-rejects and without --where: else the texts of two splits could run together",
        )),
    }
}

/// What a run that rewrites text writes, and where.
#[derive(Debug)]
pub(crate) struct Writing<'a> {
    pub(crate) command: &'static str,
    /// A file, or a directory for one file per input.
    pub(crate) output: &'a Path,
    /// In a directory: no folders.
    pub(crate) flat: bool,
    /// The compression level of `.zst` files, if it is given.
    pub(crate) level: Option<i32>,
    /// The options that decide about the outputs, and their values.
    pub(crate) options: Vec<(String, String)>,
}

/// The end of a run that rewrites text.
pub(crate) enum Written<'c> {
    /// By this run.
    Now(Box<Done<'c, Target>>),
    /// By an earlier one, with this outcome.
    Before(bool),
}

/// Runs a task that writes text, to one file or to one per input, and publishes the files.
pub(crate) fn rewrite<'c, T: Task<Part = Rewritten>>(
    work: Work<'c, T>,
    writing: Writing<'_>,
    host: &Arc<dyn Host>,
) -> Result<Written<'c>> {
    let Writing { command, output, flat, level, options } = writing;
    let common = work.common;
    let overwrite = common.overwrite;
    output_path::check(command, output, output_path::Written::Games)?;
    let into_directory = is_directory(output);
    refuse_directory(output, into_directory, &work.inputs)?;
    let below = |input| output.join(common.output_below(input, flat));
    let outputs = match into_directory {
        true => unique(work.inputs.iter().map(below))?,
        false => vec![output.to_path_buf()],
    };
    let level = level_of_texts(level, &outputs, output)?;
    // Removed if the run fails, after their contents.
    let directories = directories_of(into_directory, output, &outputs)?;
    let text_bytes = disk::text_bytes(&work.inputs);
    let is_compressed = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "zst");
    let all_compressed = outputs.iter().all(is_compressed);
    let bytes = if all_compressed { disk::stored_bytes(text_bytes) } else { text_bytes };
    // A selection may write much less.
    let work = work.writing(output, if common.condition.is_some() { 0 } else { bytes });
    distinct(common, &outputs, &work.inputs, host)?;
    if dry_run::is_shown(common, &work.inputs, &outputs, "", &**host)? {
        return Ok(Written::Before(true));
    }
    let plan = Plan {
        command,
        options,
        inputs: &work.inputs,
        output,
        is_directory: into_directory,
        outputs: common.outputs(&outputs),
        refusal: None,
    };
    let continued = match journal::begin(common, &plan, host)? {
        Begun::Run(continued) => *continued,
        Begun::Done(clean) => return Ok(Written::Before(clean)),
    };
    let paths = Paths { outputs: &outputs, per_input: into_directory, overwrite };
    let target = |resumed: Option<Resumed<'_, '_>>| Target::begin(&paths, level, resumed, &**host);
    let mut done = work.run(command, target, continued, host)?;
    done.publish(Vec::new())?;
    directories.keep();
    Ok(Written::Now(Box::new(done)))
}

/// Refuses a directory as the output of a split: all splits of an archive would have one name in it.
pub(crate) fn refuse_directory(
    output: &Path,
    into_directory: bool,
    inputs: &[Input],
) -> Result<()> {
    let split = inputs.iter().find_map(Input::split).filter(|_| into_directory);
    split.map_or(Ok(()), |split| {
        Err(Error::usage(format!(
            "{split} is written to a file: in the directory {} all splits of the archive would have one name",
            output.shown()
        )))
    })
}

/// Creates a directory of outputs, and the folders in it; none for one file.
pub(crate) fn directories_of(
    into_directory: bool,
    directory: &Path,
    outputs: &[PathBuf],
) -> Result<NewDirectories> {
    let mut created = NewDirectories::default();
    if into_directory {
        created.add(directory)?;
        let folders: BTreeSet<&Path> = outputs.iter().filter_map(|path| path.parent()).collect();
        folders.into_iter().try_for_each(|folder| created.add(folder))?;
    }
    Ok(created)
}

/// The outputs, or an error if two of them are the same.
pub(crate) fn unique(outputs: impl Iterator<Item = PathBuf>) -> Result<Vec<PathBuf>> {
    let outputs: Vec<PathBuf> = outputs.collect();
    let mut known = HashSet::new();
    match outputs.iter().find(|path| !known.insert(*path)) {
        None => Ok(outputs),
        Some(path) => Err(Error::usage(format!(
            "two inputs would be written to {}; give them separately",
            path.shown()
        ))),
    }
}
