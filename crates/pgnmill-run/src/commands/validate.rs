//! `validate`: a run that reads every game and writes no archive.
//!
//! In: archives. Out: counts, and the tables that all runs can write. Cost: that of
//! [`pgnmill_core::tasks::Validate`].

use std::path::PathBuf;
use std::sync::Arc;

use pgnmill_core::tasks;
use pgnmill_io::archive::{Input, RANGE_BYTES};
use pgnmill_io::error::Result;

use crate::args::capabilities::Capabilities;
use crate::args::files::RunFiles;
use crate::args::messages::{Messages, SummaryArgs};
use crate::args::options::{defaults, options};
use crate::args::reading::{Failures, GameLines, Reading};
use crate::args::selecting::Selecting;
use crate::args::splitting::Splitting;
use crate::commands::first_faults::{FAULTS_MAX, FirstFaults};
use crate::host::{Completion, Host};
use crate::outputs::destination::Resumed;
use crate::plan::{Plan, Purpose, Request};
use crate::run::{Executed, execute};

/// Validates every move of every game.
#[derive(Debug, clap::Args)]
pub struct Validate {
    /// What is read, and how.
    #[command(flatten)]
    pub reading: Reading,
    /// Whether each line is a game.
    #[command(flatten)]
    pub game_lines: GameLines,
    /// Which games are read.
    #[command(flatten)]
    pub selecting: Selecting,
    /// What becomes of inputs that cannot be read.
    #[command(flatten)]
    pub failures: Failures,
    /// The split that is read.
    #[command(flatten)]
    pub splitting: Splitting,
    /// The tables of the run.
    #[command(flatten)]
    pub files: RunFiles,
    /// What is printed.
    #[command(flatten)]
    pub messages: Messages,
    /// How the counts are stated.
    #[command(flatten)]
    pub summary: SummaryArgs,
}

options!(Validate: reading game_lines selecting files; without failures splitting messages summary);

impl Validate {
    /// Examples of its help: what a command does, and the command.
    pub(crate) const EXAMPLES: &[(&str, &str)] = &[
        ("Validate all archives of a directory", "pgnmill validate archives/"),
        (
            "List the faults, and keep the text of these games",
            "pgnmill validate --faults faults.csv --rejects rejected.pgn games.pgn.zst",
        ),
        (
            "Accept or reject some deviations",
            "pgnmill validate --allow promotion-piece-missing --deny castling-zeros games.pgn",
        ),
        ("The counts, for a program", "pgnmill validate --format json games.pgn.zst"),
        ("Check a file of positions", "pgnmill validate suite.epd"),
        ("From a pipe", "cat games.pgn | pgnmill validate -"),
    ];

    /// Archives; the other fields have the defaults of the command line.
    pub fn new(inputs: impl IntoIterator<Item = impl Into<PathBuf>>) -> Validate {
        let mut request: Validate = defaults();
        request.reading.inputs = inputs.into_iter().map(Into::into).collect();
        request
    }
}

impl Request for Validate {
    const NAME: &'static str = "validate";
    type Task = tasks::Validate;

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            failures: self.failures,
            game_lines: Some(self.game_lines),
            splitting: Some(&self.splitting),
            format: self.summary.format,
            ..Capabilities::of(&self.reading, &self.selecting, &self.files, &self.messages)
        }
    }

    fn check_positions(&self) -> Option<Result<()>> {
        Some(Ok(()))
    }

    fn inputs_mut(&mut self) -> &mut Vec<PathBuf> {
        &mut self.reading.inputs
    }

    fn purpose(&self, _: &[Input], _: &dyn Host) -> Result<(Purpose, tasks::Validate)> {
        let purpose = Purpose {
            range_bytes: RANGE_BYTES,
            faults_shown: Some(FAULTS_MAX),
            ..Purpose::default()
        };
        Ok((purpose, tasks::Validate))
    }

    fn execute(
        self,
        plan: Plan,
        task: tasks::Validate,
        host: &Arc<dyn Host>,
    ) -> Result<Completion> {
        // The lines and games of a split are counted from its beginning, which a person cannot look up.
        let prints = plan.prints_summary() && plan.inputs.split.is_none();
        let faults = |_: &Plan, _: Option<Resumed<'_, '_>>| Ok(FirstFaults::default());
        let mut done = match execute(plan, &task, faults, host)? {
            Executed::Now(done) => done,
            Executed::Before(completion) => return Ok(completion),
        };
        if prints {
            let counts = &done.counted().counts;
            done.sink().print(counts, &self.reading, self.game_lines, &**host);
        }
        done.publish()?;
        Ok(done.completion())
    }
}
