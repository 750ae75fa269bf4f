//! The format of the summary of a run.
//!
//! In: the words of the command line. Out: [`SummaryArgs`].

use super::list_args::ListFormat;

/// The argument that decides how a run states its counts.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct SummaryArgs {
    /// The format of the summary: text on standard error; csv or json on standard output
    ///
    /// csv has the rows of --summary. json is one object: docs/terminal.md. Both are data, which --quiet does not
    /// affect; no other output of the run can then be standard output.
    #[arg(
        long = "format",
        value_enum,
        default_value = "text",
        value_name = "FORMAT",
        hide_possible_values = true,
        help_heading = "Messages"
    )]
    pub(super) format: ListFormat,
}
