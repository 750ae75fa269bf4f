//! The command of the arguments is run.
//!
//! In: parsed arguments, a host. Out: how the run ended. Cost: that of the run.

use std::sync::Arc;

use pgnmill_io::error::Result;

use super::args::{Args, Command};
use super::{explain, listing, manual};
use pgnmill_run::host::{Completion, Host};

/// Runs the command.
///
/// # Errors
/// What ends the run.
pub(super) fn run(args: Args, host: &Arc<dyn Host>) -> Result<Completion> {
    match args.command {
        Command::Validate(request) => request.run(host),
        Command::Convert(request) => request.run(host),
        Command::Select(request) => request.run(host),
        #[cfg(feature = "columns")]
        Command::Export(request) => request.run(host),
        Command::Duplicates(request) => request.run(host),
        Command::Measure(request) => request.run(host),
        Command::Merge(request) => request.run(host),
        Command::Splits(request) => request.run(host),
        Command::Report(request) => request.run(host),
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
