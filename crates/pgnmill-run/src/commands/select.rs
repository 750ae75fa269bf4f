//! `select`: a run that copies games: all of a selection, the first of them, a random sample, or each to the file of a
//! value, or so many to a file.
//!
//! In: archives. Out: a file, one per input, one per value of a field, or one per so many games. Invariants: games are
//! copied in the order of the archives, the same for any number of threads; no file has its name before the run has
//! succeeded. Cost: that of [`pgnmill_core::tasks::select`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_core::tasks::select::{CopyGames, Select as CopyAll};
use pgnmill_io::archive::Input;
use pgnmill_io::error::{Error, Result, Shown as _};

use crate::args::capabilities::Capabilities;
use crate::args::edits::EditArgs;
use crate::args::files::RunFiles;
use crate::args::messages::{ListFormat, Messages, SummaryArgs};
use crate::args::names;
use crate::args::options::{defaults, options};
use crate::args::output_path::{self, Written, is_directory};
use crate::args::reading::{Failures, Reading};
use crate::args::resuming::Resuming;
use crate::args::sample::SampleArgs;
use crate::args::selecting::{Expression, Selecting};
use crate::args::values::{exclusive, from_one};
use crate::args::writing::Writing;
use crate::commands::rewriting::{Target, place_of_games};
use crate::commands::select_head;
use crate::commands::select_split;
use crate::host::{Completion, Host};
use crate::outputs::destination::Resumed;
use crate::plan::{Place, Plan, Purpose, Request, Selects};
use crate::report::copied::print_ledger;
use crate::run::{Executed, execute};
use crate::text::numbers::count;

/// Copies games.
#[derive(Debug, clap::Args)]
pub struct Select {
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
    /// How the state of the run is saved.
    #[command(flatten)]
    pub resuming: Resuming,
    /// What is printed.
    #[command(flatten)]
    pub messages: Messages,
    /// How the counts are stated.
    #[command(flatten)]
    pub summary: SummaryArgs,
    /// Stop after so many selected games
    #[arg(long, short = 'n', value_name = "N")]
    pub head: Option<u64>,
    /// Which of the selected games are copied.
    #[command(flatten)]
    pub sample: SampleArgs,
    /// Write one file per value of this field, such as ECO or speed, or of fields such as year,month, to the directory
    /// OUTPUT; at most 100,000
    #[arg(
        long, alias = "partition-by", value_name = "FIELD",
        value_parser = names::a_field(), hide_possible_values = true
    )]
    pub split_by: Option<String>,
    /// Write files of so many games, 000001.pgn and so on, to the directory OUTPUT; at most 100,000
    #[arg(long, value_name = "N")]
    pub games_per_file: Option<u64>,
    /// What is changed besides the moves.
    #[command(flatten)]
    pub edits: EditArgs,
    /// Where the games are written.
    #[command(flatten)]
    pub writing: Writing,
}

options!(Select:
    reading selecting files head sample split_by games_per_file edits writing;
    without failures resuming messages summary);

/// How games are copied.
#[derive(Debug)]
pub(crate) enum Copies {
    /// All of them.
    All(CopyAll),
    /// The first ones, so many.
    Head(CopyGames, u64),
    /// Each to the file of its values, or so many to a file.
    Split(CopyGames, Option<u64>),
}

impl Select {
    /// Examples of its help: what a command does, and the command.
    pub(crate) const EXAMPLES: &[(&str, &str)] = &[
        (
            "The games of an expression",
            "pgnmill select --where 'rating_min >= 2000 and ply_count <= 80' -o short.pgn games.pgn.zst",
        ),
        ("The first ten games", "pgnmill select --head 10 -o - games.pgn.zst"),
        (
            "A random sample, the same each time",
            "pgnmill select --sample 100 --seed 1 -o sample.pgn games.pgn.zst",
        ),
        ("One file per year", "pgnmill select --split-by year -o years/ games.pgn.zst"),
        ("Files of 10,000 games", "pgnmill select --games-per-file 10000 -o parts/ games.pgn.zst"),
    ];

    /// Archives, and the output; the other fields have the defaults of the command line.
    pub fn new(
        inputs: impl IntoIterator<Item = impl Into<PathBuf>>,
        output: impl Into<PathBuf>,
    ) -> Select {
        let mut request: Select = defaults();
        request.reading.inputs = inputs.into_iter().map(Into::into).collect();
        request.writing.output = output.into();
        request
    }

    /// The directory for the files of an option that divides games.
    fn divided(&self, option: &str) -> Result<PathBuf> {
        let directory = self.writing.output.clone();
        if directory == Path::new("-") || directory.is_file() {
            let shown = directory.shown();
            return Err(Error::usage(format!("{option} writes a directory; {shown} is none")));
        }
        output_path::check(&format!("select {option}"), &directory, Written::Directory)?;
        select_split::refuse_names_of_files(option, &self.files, &directory)?;
        Ok(directory)
    }

    /// So many games per file, in a directory.
    fn per_file(&self, games: u64) -> Result<Purpose> {
        let directory = self.divided("--games-per-file")?;
        let games = count(games, "game", "games");
        let files = format!("one per {games} in {}", directory.shown());
        Ok(Purpose {
            place: Place::ByValue { directory, files },
            refusal: Some(select_split::REFUSAL_OF_COUNT),
            ..Purpose::default()
        })
    }

    /// One file per value of `key`, in a directory.
    fn split_by(&self, key: &str) -> Result<Purpose> {
        let directory = self.divided("--split-by")?;
        let shown = directory.shown();
        let key = Expression::read("--split-by", key)?;
        let files = format!("one per value of {} in {shown}", key.text());
        Ok(Purpose {
            place: Place::ByValue { directory: directory.clone(), files },
            selects: Selects::Keys("--split-by", key),
            refusal: Some(select_split::REFUSAL),
            ..Purpose::default()
        })
    }

    /// Copies all games of the selection.
    fn copy_all(&self, plan: Plan, task: &CopyAll, host: &Arc<dyn Host>) -> Result<Completion> {
        let target =
            |plan: &Plan, resumed: Option<Resumed<'_, '_>>| Target::begin(plan, resumed, &**host);
        let mut done = match execute(plan, task, target, host)? {
            Executed::Now(done) => done,
            Executed::Before(completion) => return Ok(completion),
        };
        done.publish()?;
        print_ledger(done.plan.prints_summary(), &done.counted().counts, &**host);
        // Of a run that was continued, the first part is not known.
        if !self.messages.quiet && !done.plan.resumes() {
            self.edits.warn_of_unmet(&task.edits, &**host);
        }
        Ok(done.completion())
    }

    /// The first games, in one file.
    fn head(&self) -> Result<Purpose> {
        let Writing { output, .. } = &self.writing;
        if is_directory(output) {
            let output = output.shown();
            return Err(Error::usage(format!("--head writes one file; {output} is a directory")));
        }
        Ok(Purpose {
            place: Place::File(output.clone()),
            written: Some(Written::OneFileOfGames),
            refusal: Some(select_head::REFUSAL),
            ..Purpose::default()
        })
    }
}

impl Request for Select {
    const NAME: &'static str = "select";
    type Task = Copies;

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            failures: self.failures,
            sample: self.sample,
            resuming: Some(&self.resuming),
            format: self.summary.format,
            ..Capabilities::of(&self.reading, &self.selecting, &self.files, &self.messages)
        }
    }

    fn inputs_mut(&mut self) -> &mut Vec<PathBuf> {
        &mut self.reading.inputs
    }

    fn apart(&self) -> Option<&Path> {
        let output = &self.writing.output;
        let is_divided = self.split_by.is_some() || self.games_per_file.is_some();
        (is_divided || is_directory(output)).then_some(output)
    }

    fn check(&self) -> Result<()> {
        from_one("--head", self.head)?;
        from_one("--games-per-file", self.games_per_file)?;
        exclusive(&[
            ("--head", self.head.is_some()),
            ("--split-by", self.split_by.is_some()),
            ("--games-per-file", self.games_per_file.is_some()),
        ])?;
        let has_summary = self.files.summary.is_some() || self.summary.format != ListFormat::Text;
        if self.head.is_some() && has_summary {
            let message = "--summary and --format count whole archives, which --head does not read";
            return Err(Error::usage(message));
        }
        Ok(())
    }

    fn purpose(&self, _: &[Input], _: &dyn Host) -> Result<(Purpose, Copies)> {
        let edits = self.edits.edits()?;
        let some = |edits| CopyGames { moves: false, text: true, edits };
        let (purpose, copies) = match (&self.split_by, self.games_per_file, self.head) {
            (Some(key), ..) => (self.split_by(key)?, Copies::Split(some(edits), None)),
            (None, Some(games), _) => {
                (self.per_file(games)?, Copies::Split(some(edits), Some(games)))
            }
            (None, None, Some(games)) => (self.head()?, Copies::Head(some(edits), games)),
            (None, None, None) => {
                let (place, written) = (place_of_games(&self.writing), Some(Written::Games));
                let selects = Selects::Each;
                let purpose = Purpose { place, written, selects, ..Purpose::default() };
                (purpose, Copies::All(CopyAll { edits }))
            }
        };
        let selects = match purpose.selects {
            Selects::AsGiven => Selects::Each,
            selects => selects,
        };
        Ok((Purpose { selects, is_text: true, level: self.writing.level, ..purpose }, copies))
    }

    fn execute(self, plan: Plan, copies: Copies, host: &Arc<dyn Host>) -> Result<Completion> {
        match copies {
            Copies::Split(task, games) => {
                let completion = select_split::split(plan, &task, games, host)?;
                if !self.messages.quiet {
                    self.edits.warn_of_unmet(&task.edits, &**host);
                }
                Ok(completion)
            }
            Copies::Head(task, games) => select_head::head(plan, &task, games, &self.edits, host),
            Copies::All(task) => self.copy_all(plan, &task, host),
        }
    }
}
