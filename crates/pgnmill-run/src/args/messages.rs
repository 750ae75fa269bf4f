//! What a run prints: how much, what while it lasts, and the format of its summary.
//!
//! In: the words of the command line. Out: [`Messages`], [`SummaryArgs`]. Invariant: the documentation comments of this
//! file are the help texts.

use clap::ValueEnum;
use pgnmill_io::error::Result;

use crate::args::options::{named, options};
use crate::args::values::exclusive;

/// What is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Mode {
    /// A bar on a terminal, and a line per input with rejected games if there are several; with -v per input
    #[default]
    Auto,
    /// A line per finished input
    Lines,
    /// One JSON object per line: every second, and per finished input
    Json,
    /// Nothing
    None,
}

/// The format of what a command prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ListFormat {
    /// For people
    #[default]
    Text,
    /// Comma-separated values, with a header: one record per thing
    Csv,
    /// JSON: one object per thing
    Json,
}

named!(Mode, ListFormat);

/// What a run prints.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Messages {
    /// Print errors only, and why the exit code is 1
    #[arg(long, short, help_heading = "Messages")]
    pub quiet: bool,
    /// Print more: every note, every archive, where each byte is
    #[arg(long, short, help_heading = "Messages")]
    pub verbose: bool,
    /// What is shown on standard error while the run lasts
    #[arg(
        long,
        value_enum,
        default_value = "auto",
        value_name = "MODE",
        help_heading = "Messages",
        hide_short_help = true
    )]
    pub progress: Mode,
    /// Short for --progress none
    #[arg(long, help_heading = "Messages", hide_short_help = true)]
    pub no_progress: bool,
}

options!(Messages: ; without quiet verbose progress no_progress);

impl Messages {
    /// # Errors
    /// Options that contradict each other.
    pub(crate) fn check(&self) -> Result<()> {
        exclusive(&[("--quiet", self.quiet), ("--verbose", self.verbose)])
    }

    /// What is shown while the run lasts.
    pub(crate) fn mode(&self) -> Mode {
        match self.progress {
            Mode::Json => Mode::Json,
            _ if self.quiet || self.no_progress => Mode::None,
            mode => mode,
        }
    }
}

/// The argument that decides how a run states its counts.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct SummaryArgs {
    /// The format of the summary: text on standard error; csv or json on standard output
    ///
    /// csv has the rows of --summary. json is one object: docs/reference/terminal.md. Both are data, which --quiet does
    /// not affect; no other output of the run can then be standard output.
    #[arg(
        long = "format",
        value_enum,
        default_value = "text",
        value_name = "FORMAT",
        hide_possible_values = true,
        help_heading = "Messages"
    )]
    pub format: ListFormat,
}

options!(SummaryArgs: ; without format);
