//! The format of the summary of a run.
//!
//! In: the words of the command line. Out: [`SummaryArgs`].

use clap::ValueEnum;

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

/// The argument that decides how a run states its counts.
#[derive(Clone, Copy, Debug, clap::Args)]
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
