//! `select`: a run that copies games: all of a selection, the first of them, a random sample, or each to the file of a
//! value.
//!
//! In: archives. Out: a file, one per input, or one per value of a field. Invariants: games are copied in the order of
//! the archives, the same for any number of threads; no file has its name before the run has succeeded. Cost: that of
//! [`pgnmill_core::tasks::select`]; a sample reads the inputs twice.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use pgnmill_core::engine::{Base, JobResult};
use pgnmill_core::tasks::convert::{Output, Rewritten};
use pgnmill_core::tasks::select::{Copied, CopyGames, Sample, SampledGame, Select};
use pgnmill_io::archive::{Archive, BLOCK_BYTES};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Reservation, Sink};
use rayon::ThreadPool;

use crate::args::defaults::defaults;
use crate::args::options::options_of_outputs;
use crate::args::output_path::{self, is_directory};
use crate::args::sample::SampleSize;
use crate::args::summary::ListFormat;
use crate::args::values::{exclusive, level_of, level_of_texts, needs};
use crate::commands::convert::{Writing, Written, rewrite};
use crate::commands::rewrite_args;
use crate::commands::select_split::split;
use crate::host::{self, Completion, Host};
use crate::journal::Continued;
use crate::plan::distinct::distinct;
use crate::plan::dry_run;
use crate::report::copied::print_ledger;
use crate::run::outlets::PartSink;
use crate::run::sampled::refuse_read_once;
use crate::run::task::Work;

impl rewrite_args::Select {
    /// Archives, and the output; the other fields have the defaults of the command line.
    pub fn new(
        inputs: impl IntoIterator<Item = impl Into<PathBuf>>,
        output: impl Into<PathBuf>,
    ) -> rewrite_args::Select {
        let mut request: rewrite_args::Select = defaults();
        request.common.inputs = inputs.into_iter().map(Into::into).collect();
        request.output = output.into();
        request
    }

    /// Runs it.
    ///
    /// # Errors
    /// What the request cannot have; what ends the run.
    pub fn run(mut self, host: &Arc<dyn Host>) -> Result<Completion> {
        self.common.summary_format = self.summary.format;
        select(self, host)
    }
}

fn select(mut args: rewrite_args::Select, host: &Arc<dyn Host>) -> Result<Completion> {
    level_of(args.level)?;
    let (sample, seed) = (args.sample.size()?, args.sample.seed);
    let is_number = matches!(sample, Some(SampleSize::Games(_)));
    exclusive(&[
        ("--head", args.head.is_some()),
        ("--sample N", is_number),
        ("--split-by", args.split_by.is_some()),
    ])?;
    needs(("--sample", sample.is_some()), &[("--seed", seed != 0)])?;
    let into_directory = args.split_by.is_some() || is_directory(&args.output);
    args.common.apart = into_directory.then(|| args.output.clone());
    let common = &args.common;
    common.refuse_splits("select")?;
    let has_summary = common.summary.is_some() || common.summary_format != ListFormat::Text;
    if args.head.is_some() && has_summary {
        let message = "--summary and --format count whole archives, which --head does not read";
        return Err(Error::usage(message));
    }
    let is_partial = args.split_by.is_some() || args.head.is_some() || is_number;
    if common.resume && is_partial {
        let message = "--resume does not go with --split-by, --head and --sample N: begin again";
        return Err(Error::usage(message));
    }
    if let Some(key) = &args.split_by {
        level_of_texts(args.level, &[], &args.output)?;
        return split(&args, key, host);
    }
    if args.head.is_some() || is_number {
        return some(&args, host);
    }
    let edits = args.edits.edits()?;
    let work = Work::new(common, Select { edits: edits.clone() }, BLOCK_BYTES, false)?;
    let selection = work.selection();
    let work = work.with_selection(selection).sampled(&args.sample, host)?;
    let writing = Writing {
        command: "select",
        output: &args.output,
        flat: args.flat,
        level: args.level,
        options: options_of_outputs(&args),
    };
    let done = match rewrite(work, writing, host)? {
        Written::Now(done) => done,
        Written::Before(clean) => return Ok(Completion::of(clean)),
    };
    print_ledger(common, &done.outlets.totals.counted.counts, &**host);
    // Of a run that was continued, the first part is not known.
    if !common.resume {
        args.edits.warn_of_unmet(&edits, &**host);
    }
    Ok(done.completion())
}

/// Which of the selected games are taken.
#[derive(Debug)]
enum Limit {
    /// The first ones.
    Head { left: u64 },
    /// Those of a sample.
    Sample(HashSet<SampledGame>),
}

/// Counts of games as far as a run has read.
#[derive(Debug, Default)]
struct SomeCounts {
    selected: u64,
    /// Games of the archives before the current one, as far as they were read.
    read_before: u64,
    /// Games of the current archive.
    read: u64,
    rejected: u64,
}

/// One output of some of the selected games.
#[derive(Debug)]
struct SomeGames {
    output: Option<Output>,
    limit: Limit,
    /// The number of the current archive, from 1.
    archives: u32,
    counts: SomeCounts,
}

impl PartSink for SomeGames {
    type Part = Copied;

    fn begin(&mut self, _: &Archive) -> Result<()> {
        self.archives += 1;
        self.counts.read_before += std::mem::take(&mut self.counts.read);
        self.output.iter_mut().for_each(Output::archive_begins);
        Ok(())
    }

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Copied>,
        pool: &ThreadPool,
    ) -> Result<()> {
        if self.is_done() {
            return Ok(());
        }
        let mut rewritten = JobResult::<Rewritten>::default();
        rewritten.facts.counted.damaged_bytes = result.facts.counted.damaged_bytes;
        let games = &result.part;
        self.counts.read = base.games + result.facts.counted.counts.games();
        for (index, piece) in games.pieces.iter().enumerate() {
            let Some(game) = &piece.game else { continue };
            let number = base.games + game.place.number;
            let is_taken = match &mut self.limit {
                Limit::Head { left: 0 } => break,
                Limit::Head { left } => {
                    *left -= 1;
                    if *left == 0 {
                        self.counts.read = number + 1;
                    }
                    true
                }
                Limit::Sample(games) => games.contains(&(self.archives - 1, number)),
            };
            if is_taken {
                games.append_to(index, 0, &mut rewritten.part);
                self.counts.selected += 1;
            }
        }
        if !self.is_done() {
            self.counts.rejected += result.facts.counted.counts.rejected;
        }
        self.output.iter_mut().try_for_each(|output| output.add(base, &mut rewritten, pool))
    }

    fn is_done(&self) -> bool {
        matches!(self.limit, Limit::Head { left: 0 })
    }

    fn close(&mut self, pool: &ThreadPool) -> Result<()> {
        self.output.iter_mut().try_for_each(|output| output.finish(pool))
    }

    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        Ok(self.output.take().map(Output::into_sink).into_iter().collect())
    }
}

/// Takes the games of a sample; nothing is written.
#[derive(Debug)]
struct Sampler {
    sample: Sample,
    archives: u32,
}

impl PartSink for Sampler {
    type Part = Copied;

    fn begin(&mut self, _: &Archive) -> Result<()> {
        self.archives += 1;
        Ok(())
    }

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Copied>,
        _: &ThreadPool,
    ) -> Result<()> {
        let games = result.part.pieces.iter().filter_map(|piece| piece.game.as_ref());
        let numbers = games.map(|game| base.games + game.place.number);
        numbers.for_each(|number| self.sample.add((self.archives - 1, number)));
        Ok(())
    }
}

/// `--head` and `--sample`: some of the selected games, in one file.
fn some(args: &rewrite_args::Select, host: &Arc<dyn Host>) -> Result<Completion> {
    let common = &args.common;
    if is_directory(&args.output) {
        let output = args.output.shown();
        return Err(Error::usage(format!(
            "--head and --sample write one file; {output} is a directory"
        )));
    }
    output_path::check("select", &args.output, output_path::Written::OneFileOfGames)?;
    let edits = args.edits.edits()?;
    let work = |text| {
        let task = CopyGames { moves: false, text, edits: edits.clone() };
        let work = Work::new(common, task, BLOCK_BYTES, false)?;
        let selection = work.selection();
        Ok::<_, Error>(work.with_selection(selection))
    };
    let games = match args.sample.sample {
        Some(SampleSize::Games(games)) => Some(games),
        Some(SampleSize::Percent(_)) | None => None,
    };
    let writing = match games {
        Some(_) => work(true)?,
        None => work(true)?.sampled(&args.sample, host)?,
    };
    let outputs = [args.output.clone()];
    let level = level_of_texts(args.level, &outputs, &args.output)?;
    distinct(common, &outputs, &writing.inputs, host)?;
    if dry_run::is_shown(common, &writing.inputs, &outputs, "", &**host)? {
        return Ok(Completion::of(true));
    }
    if games.is_some() {
        refuse_read_once(&writing.inputs)?;
    }
    let reserved = Reservation::all(&outputs, common.overwrite)?.pop();
    let open = |one| Output::open(host::output(&**host, one), level);
    let output = reserved.map(open).transpose()?;
    let limit = match games {
        None => Limit::Head { left: args.head.unwrap_or(u64::MAX) },
        Some(games) => {
            let games = usize::try_from(games).unwrap_or(usize::MAX);
            let sampler = Sampler { sample: Sample::new(games, args.sample.seed), archives: 0 };
            let sampler = work(false)?.run_before(sampler, host)?;
            Limit::Sample(sampler.sample.into_games())
        }
    };
    let target = SomeGames { output, limit, archives: 0, counts: SomeCounts::default() };
    let mut done = writing.run("select", |_| Ok(target), Continued::default(), host)?;
    let SomeCounts { selected, read_before, read, rejected } = done.outlets.parts.counts;
    let totals = &mut done.outlets.totals;
    let counts = &mut totals.counted.counts;
    // The counts of the run are of what was copied to be chosen from, and, with a limit, of jobs beyond it.
    counts.not_selected = (read_before + read).saturating_sub(selected + rejected);
    (counts.unread, counts.rejected) = (selected, rejected);
    totals.selects = true;
    done.publish(Vec::new())?;
    print_ledger(common, &done.outlets.totals.counted.counts, &**host);
    args.edits.warn_of_unmet(&edits, &**host);
    Ok(done.completion())
}
