//! The command of the arguments is run.
//!
//! In: parsed arguments, a host. Out: how the run ended. Cost: that of the run.

use std::sync::Arc;

use crate::error::Result;

use super::args::{Args, Command, Common};
#[cfg(feature = "export")]
use super::export;
use super::host::{Completion, Host};
use super::{convert, duplicates, explain, listing, measure, merge, page, select, splits, task};

/// Runs the command.
///
/// # Errors
/// What ends the run.
pub(super) fn run(args: Args, host: &Arc<dyn Host>) -> Result<Completion> {
    match args.command {
        Command::Validate(command) => task::validate(command, host),
        Command::Convert(command) => convert::convert(command, host),
        Command::Select(command) => select::select(command, host),
        #[cfg(feature = "export")]
        Command::Export(command) => export::export(command, host),
        Command::Duplicates(command) => duplicates::duplicates(&command, host),
        Command::Measure(command) => measure::measure(command, host),
        Command::Merge(command) => merge::merge(&command, host),
        Command::Splits(command) => splits::splits(&command, &**host),
        Command::Report(command) => page::report(&command, &**host),
        Command::Explain(command) => explain::explain(&command, &**host),
        Command::Notations { name } => listing::notations(name.as_deref(), &**host),
        Command::Deviations => listing::deviations(&**host),
        Command::Fields => listing::fields(&**host),
        #[cfg(feature = "export")]
        Command::Columns => listing::columns(&**host),
    }
}

/// The common arguments of a command that has them.
pub(super) fn common_of(command: &mut Command) -> Option<&mut Common> {
    match command {
        Command::Validate(command) => Some(&mut command.common),
        Command::Convert(command) => Some(&mut command.common),
        Command::Select(command) => Some(&mut command.common),
        #[cfg(feature = "export")]
        Command::Export(command) => Some(&mut command.common),
        Command::Duplicates(command) => Some(&mut command.common),
        Command::Measure(command) => Some(&mut command.common),
        _ => None,
    }
}
