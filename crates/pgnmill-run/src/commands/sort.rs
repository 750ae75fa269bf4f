//! `sort`: a run that writes the games of archives in the order of fields.
//!
//! In: archives. Out: one file. Invariants: the games are those of the inputs, each once, with the bytes that `select`
//! writes of it; games that are equal in all fields keep the order of the inputs; the file does not depend on the
//! number of threads or on the memory; it has no name before the run has succeeded. Cost: one reading; the memory of
//! the sort, and what exceeds it once or twice on disk.

use std::path::PathBuf;
use std::sync::Arc;

use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{Base, JobResult, Part as _};
use pgnmill_core::tasks::convert::{Output, Rewritten};
use pgnmill_core::tasks::select::{Copied, CopyGames, Edits, SortedGame};
use pgnmill_core::tasks::sorter::{Sorter, Spill};
use pgnmill_io::archive::Input;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Sink, is_stopped};

use crate::args::capabilities::Capabilities;
use crate::args::files::RunFiles;
use crate::args::messages::{Messages, SummaryArgs};
use crate::args::options::{defaults, options};
use crate::args::output_path::{Written, is_directory};
use crate::args::reading::{Failures, Reading};
use crate::args::selecting::Selecting;
use crate::args::values::{Size, size_of_memory};
use crate::commands::rewriting::one_file;
use crate::host::{Completion, Host};
use crate::outputs::beside;
use crate::outputs::destination::Resumed;
use crate::plan::{Place, Plan, Purpose, Request, Selects};
use crate::report::copied::print_ledger;
use crate::run::{Executed, PartSink, execute};

/// The least memory of a sort, in bytes.
const MEMORY_MIN: u64 = 1 << 20;

/// Writes games in the order of fields.
#[derive(Debug, clap::Args)]
pub struct Sort {
    /// What is read, and how.
    #[command(flatten)]
    pub reading: Reading,
    /// Which games are read.
    #[command(flatten)]
    pub selecting: Selecting,
    /// What becomes of inputs that cannot be read.
    #[command(flatten)]
    pub failures: Failures,
    /// The tables of the run.
    #[command(flatten)]
    pub files: RunFiles,
    /// What is printed.
    #[command(flatten)]
    pub messages: Messages,
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
    #[arg(long, value_name = "LEVEL", allow_negative_numbers = true)]
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

    fn part(&mut self, _: &str, _: Base, result: &mut JobResult<Copied>, _: &Pool) -> Result<()> {
        let Some(sorter) = &mut self.sorter else { return Ok(()) };
        for index in 0..result.part.pieces.len() {
            if let Some(game) = result.part.sorted_game(index, self.count) {
                sorter.push(game)?;
                self.count += 1;
            }
        }
        Ok(())
    }

    fn close(&mut self, pool: &Pool) -> Result<()> {
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
    /// Examples of its help: what a command does, and the command.
    pub(crate) const EXAMPLES: &[(&str, &str)] = &[
        ("By date, then by White", "pgnmill sort --by date,White -o sorted.pgn games.pgn.zst"),
        (
            "The highest ratings first",
            "pgnmill sort --by '-rating_max' -o strongest.pgn games.pgn.zst",
        ),
    ];

    /// Archives, what decides the order, and the output; the other fields have the defaults of the command line.
    pub fn new(
        inputs: impl IntoIterator<Item = impl Into<PathBuf>>,
        by: impl Into<String>,
        output: impl Into<PathBuf>,
    ) -> Sort {
        let mut request: Sort = defaults();
        request.reading.inputs = inputs.into_iter().map(Into::into).collect();
        (request.by, request.output) = (by.into(), output.into());
        request
    }

    /// The temporary files: beside the output, or among those of the system.
    fn spill(&self) -> Spill {
        let bytes_max = usize::try_from(self.memory.0).unwrap_or(usize::MAX);
        let directory = beside(&self.output);
        let name = self.output.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Spill { directory, name, bytes_max }
    }
}

options!(Sort: reading selecting files by output level; without failures messages summary memory);

impl Request for Sort {
    const NAME: &'static str = "sort";
    type Task = CopyGames;

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            failures: self.failures,
            format: self.summary.format,
            ..Capabilities::of(&self.reading, &self.selecting, &self.files, &self.messages)
        }
    }

    fn inputs_mut(&mut self) -> &mut Vec<PathBuf> {
        &mut self.reading.inputs
    }

    fn check(&self) -> Result<()> {
        if self.memory.0 < MEMORY_MIN {
            return Err(Error::usage(format!("--memory is 1MiB or more; not {}", self.memory)));
        }
        if is_directory(&self.output) {
            let output = self.output.shown();
            return Err(Error::usage(format!("sort writes one file; {output} is a directory")));
        }
        Ok(())
    }

    fn purpose(&self, _: &[Input], _: &dyn Host) -> Result<(Purpose, CopyGames)> {
        let purpose = Purpose {
            place: Place::File(self.output.clone()),
            written: Some(Written::OneFileOfGames),
            is_text: true,
            level: self.level,
            selects: Selects::Order("--by", self.by.clone()),
            ..Purpose::default()
        };
        Ok((purpose, CopyGames { moves: false, text: true, edits: Edits::default() }))
    }

    fn execute(self, plan: Plan, task: CopyGames, host: &Arc<dyn Host>) -> Result<Completion> {
        let spill = self.spill();
        let sink = |plan: &Plan, _: Option<Resumed<'_, '_>>| {
            let output = one_file(plan, &**host)?;
            Ok(SortedGames { sorter: Some(Sorter::new(&spill)), count: 0, output })
        };
        let mut done = match execute(plan, &task, sink, host)? {
            Executed::Now(done) => done,
            Executed::Before(completion) => return Ok(completion),
        };
        done.publish()?;
        print_ledger(done.plan.prints_summary(), &done.counted().counts, &**host);
        Ok(done.completion())
    }
}
