//! The command of the arguments is run.
//!
//! In: parsed arguments, a host. Out: how the run ended. Cost: that of the run.

use std::sync::Arc;

use pgnmill_io::error::Result;

use super::args::{Args, Command, ListFormat};
#[cfg(feature = "columns")]
use super::export;
use super::host::{Completion, Host};
use super::{
    convert, duplicates, explain, listing, manual, measure, merge, page, select, splits, task,
};

/// Runs the command.
///
/// # Errors
/// What ends the run.
pub(super) fn run(mut args: Args, host: &Arc<dyn Host>) -> Result<Completion> {
    let format = summary_format_of(&args.command);
    if let (Some(common), Some(format)) = (args.command.common_mut(), format) {
        common.summary_format = format;
    }
    match args.command {
        Command::Validate(command) => task::validate(command, host),
        Command::Convert(command) => convert::convert(command, host),
        Command::Select(command) => select::select(command, host),
        #[cfg(feature = "columns")]
        Command::Export(command) => export::export(command, host),
        Command::Duplicates(command) => duplicates::duplicates(&command, host),
        Command::Measure(command) => measure::measure(command, host),
        Command::Merge(command) => merge::merge(&command, host),
        Command::Splits(command) => splits::splits(&command, &**host),
        Command::Report(command) => page::report(&command, &**host),
        Command::Explain(command) => explain::explain(&command, &**host),
        Command::Notations(command) => listing::notations(&command, &**host),
        Command::Deviations(list) => listing::deviations(list, &**host),
        Command::Fields(list) => listing::fields(list, &**host),
        #[cfg(feature = "columns")]
        Command::Columns(list) => listing::columns(list, &**host),
        Command::Completions(command) => manual::completions(&command, &**host),
        Command::Man(command) => manual::man(&command, &**host),
    }
}

/// The format of the summary of a command that has one. That of `export` is the format of its table.
fn summary_format_of(command: &Command) -> Option<ListFormat> {
    let summary = match command {
        Command::Validate(command) => command.summary,
        Command::Convert(command) => command.summary,
        Command::Select(command) => command.summary,
        Command::Duplicates(command) => command.summary,
        Command::Measure(command) => command.summary,
        _ => return None,
    };
    Some(summary.format)
}
