//! `sort`: a run that writes the games of archives in the order of fields.
//!
//! In: archives. Out: one file. Invariants: the games are those of the inputs, each once, with the bytes that `select`
//! writes of it; games that are equal in all fields keep the order of the inputs; the file does not depend on the
//! number of threads or on the memory; it has no name before the run has succeeded. Cost: one reading; the memory of
//! the sort, and what exceeds it once or twice on disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_core::engine::{Base, JobResult, Part as _};
use pgnmill_core::tasks::convert::{Output, Rewritten};
use pgnmill_core::tasks::select::{Copied, CopyGames, Edits, SortedGame};
use pgnmill_core::tasks::sorter::{Sorter, Spill};
use pgnmill_io::archive::BLOCK_BYTES;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Reservation, Sink, is_stopped};
use rayon::ThreadPool;

use crate::args::common::Common;
use crate::args::defaults::defaults;
use crate::args::options::options;
use crate::args::output_path::{self, is_directory};
use crate::args::summary::SummaryArgs;
use crate::args::values::{LEVELS, Size, level_of_texts, size_of_memory};
use crate::host::{self, Completion, Host};
use crate::journal::Continued;
use crate::plan::distinct::distinct;
use crate::plan::dry_run;
use crate::report::copied::print_ledger;
use crate::run::outlets::PartSink;
use crate::run::task::Work;

/// The least memory of a sort, in bytes.
const MEMORY_MIN: u64 = 1 << 20;

/// Writes games in the order of fields.
#[derive(Debug, clap::Args)]
pub struct Sort {
    /// What all runs have in common.
    #[command(flatten)]
    pub common: Common,
    /// How the counts are stated.
    #[command(flatten)]
    pub summary: SummaryArgs,
    /// What decides the order: fields, or expressions, of --where, the first one first; - before one: descending
    ///
    /// Games without a value come last. Texts are compared byte by byte, capital letters first.
    #[arg(long, value_name = "FIELDS", allow_hyphen_values = true)]
    pub by: String,
    /// The output: a file, or - for standard output
    ///
    /// It is compressed if its name ends in .zst.
    #[arg(long, short, value_name = "OUTPUT")]
    pub output: PathBuf,
    /// The compression level of an output that ends in .zst, 1 to 22 [default: 3]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(i32).range(LEVELS))]
    pub level: Option<i32>,
    /// The memory of the sort; games that exceed it are written to temporary files beside the output
    #[arg(long, value_name = "SIZE", default_value = "128MiB", value_parser = size_of_memory)]
    pub memory: Size,
}

/// The games that are sorted, and where they are written.
#[derive(Debug)]
struct SortedGames {
    sorter: Option<Sorter<SortedGame>>,
    count: u64,
    output: Option<Output>,
}

impl PartSink for SortedGames {
    type Part = Copied;

    fn part(
        &mut self,
        _: &str,
        _: Base,
        result: &mut JobResult<Copied>,
        _: &ThreadPool,
    ) -> Result<()> {
        let Some(sorter) = &mut self.sorter else { return Ok(()) };
        for index in 0..result.part.pieces.len() {
            if let Some(game) = result.part.sorted_game(index, self.count) {
                sorter.push(game)?;
                self.count += 1;
            }
        }
        Ok(())
    }

    fn close(&mut self, pool: &ThreadPool) -> Result<()> {
        let (Some(sorter), Some(output)) = (self.sorter.take(), &mut self.output) else {
            return Ok(());
        };
        let mut text = JobResult::<Rewritten>::default();
        for game in sorter.finish()? {
            if is_stopped() {
                return Err(Error::interrupted());
            }
            text.part.clear();
            game?.append_to(&mut text.part);
            // None was beside the one before it.
            output.archive_begins();
            output.add(Base::default(), &mut text, pool)?;
        }
        output.finish(pool)
    }

    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        Ok(self.output.take().map(Output::into_sink).into_iter().collect())
    }
}

impl Sort {
    /// Archives, what decides the order, and the output; the other fields have the defaults of the command line.
    pub fn new(
        inputs: impl IntoIterator<Item = impl Into<PathBuf>>,
        by: impl Into<String>,
        output: impl Into<PathBuf>,
    ) -> Sort {
        let mut request: Sort = defaults();
        request.common.inputs = inputs.into_iter().map(Into::into).collect();
        (request.by, request.output) = (by.into(), output.into());
        request
    }

    /// Runs it.
    ///
    /// # Errors
    /// What the request cannot have; what ends the run.
    pub fn run(mut self, host: &Arc<dyn Host>) -> Result<Completion> {
        self.common.summary_format = self.summary.format;
        self.check()?;
        let common = &self.common;
        let task = CopyGames { moves: false, text: true, edits: Edits::default() };
        let work = Work::new(common, task, BLOCK_BYTES, false)?;
        let selection = work.selection().with_order(&self.by);
        let selection = selection.map_err(|error| Error::usage(format!("--by: {error}")))?;
        let work = work.with_selection(selection);
        let outputs = [self.output.clone()];
        let level = level_of_texts(self.level, &outputs, &self.output)?;
        distinct(common, &outputs, &work.inputs, host)?;
        if dry_run::is_shown(common, &work.inputs, &outputs, "", &**host)? {
            return Ok(Completion::of(true));
        }
        let reserved = Reservation::all(&outputs, common.overwrite)?.pop();
        let open = |one| Output::open(host::output(&**host, one), level);
        let output = reserved.map(open).transpose()?;
        let target = SortedGames { sorter: Some(Sorter::new(&self.spill())), count: 0, output };
        let mut done = work.run("sort", |_| Ok(target), Continued::default(), host)?;
        done.publish(Vec::new())?;
        print_ledger(common, &done.outlets.totals.counted.counts, &**host);
        Ok(done.completion())
    }

    /// Refuses what does not go together.
    fn check(&self) -> Result<()> {
        let common = &self.common;
        common.refuse_splits("sort")?;
        if common.resume {
            let message = "sort writes nothing before it has read everything: it has no --resume";
            return Err(Error::usage(message));
        }
        if self.memory.0 < MEMORY_MIN {
            return Err(Error::usage(format!("--memory is 1MiB or more; not {}", self.memory)));
        }
        if is_directory(&self.output) {
            let output = self.output.shown();
            return Err(Error::usage(format!("sort writes one file; {output} is a directory")));
        }
        output_path::check("sort", &self.output, output_path::Written::OneFileOfGames)
    }

    /// The temporary files: beside the output, or among those of the system.
    fn spill(&self) -> Spill {
        let bytes_max = usize::try_from(self.memory.0).unwrap_or(usize::MAX);
        let beside = match self.output.parent() {
            Some(folder) if folder == Path::new("") => PathBuf::from("."),
            Some(folder) => folder.to_path_buf(),
            None => std::env::temp_dir(),
        };
        let is_stream = self.output == Path::new("-") || self.output.starts_with("/dev");
        let directory = if is_stream { std::env::temp_dir() } else { beside };
        let name = self.output.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Spill { directory, name, bytes_max }
    }
}

options!(Sort: common by output level; without summary memory; not);
