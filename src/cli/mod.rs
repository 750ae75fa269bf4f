//! The command line.
//!
//! In: arguments. Out: a run, messages, an exit code. Invariant: no other module prints; data is written to files or
//! standard output, everything else to standard error. Cost: that of the run.

mod arg_values;
mod args;
mod columns;
mod common_args;
mod convert;
mod disk;
mod distinct;
mod duplicates;
mod duplicates_values;
mod edit_args;
mod explain;
#[cfg(feature = "export")]
mod export;
#[cfg(feature = "export")]
mod export_args;
#[cfg(feature = "export")]
mod export_target;
mod game_view;
mod headline;
mod journal;
mod listing;
mod measure;
mod merge;
mod messages;
mod outlets;
mod page;
mod progress;
mod readings;
mod remarks;
mod select;
mod select_ledger;
mod select_split;
mod study;
mod summary;
mod table_sink;
mod task;
mod totals;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Parser;

use crate::error::{Error, ErrorKind, Result};
use args::{Args, Command};

/// All games are valid.
const EXIT_CLEAN: u8 = 0;
/// The run succeeded, and some games were rejected.
const EXIT_FAULTS: u8 = 1;
/// The run failed.
const EXIT_ERROR: u8 = 2;
/// The run was interrupted: 128 + SIGINT.
const EXIT_INTERRUPTED: u8 = 130;

/// Runs the command that this process was started with.
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help is printed on standard output and is not an error; neither is a broken pipe.
            let code = if error.use_stderr() { EXIT_ERROR } else { EXIT_CLEAN };
            drop(error.print());
            return ExitCode::from(code);
        }
    };
    match run(args) {
        Ok(clean) => ExitCode::from(if clean { EXIT_CLEAN } else { EXIT_FAULTS }),
        Err(error) => match error.kind() {
            ErrorKind::PipeClosed => ExitCode::from(EXIT_CLEAN),
            kind => {
                drop(writeln!(std::io::stderr(), "pgnmill: {error}{}", advice(kind)));
                let interrupted = matches!(kind, ErrorKind::Interrupted);
                ExitCode::from(if interrupted { EXIT_INTERRUPTED } else { EXIT_ERROR })
            }
        },
    }
}

/// The option that helps with an error; follows its message.
fn advice(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Damaged { .. } => "; --skip-damaged reads the others",
        ErrorKind::Exists(_) => "; give --overwrite to replace it",
        _ => "",
    }
}

/// Returns whether all games are valid.
fn run(args: Args) -> Result<bool> {
    messages::set_log_level(args.log);
    if !crate::sink::fail_writes() {
        log::debug!("a limit on the size of files will end the program");
    }
    if !crate::archive::install_truncation_guard() {
        log::debug!("a mapped file that becomes shorter will end the program");
    }
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::clone(&stop);
    ctrlc::set_handler(move || interrupted.store(true, Ordering::Relaxed))
        .map_err(|error| Error::usage(format!("cannot listen for Ctrl-C: {error}")))?;
    match args.command {
        Command::Validate(command) => task::validate(command, &stop),
        Command::Convert(command) => convert::convert(command, &stop),
        Command::Select(command) => select::select(command, &stop),
        #[cfg(feature = "export")]
        Command::Export(command) => export::export(command, &stop),
        Command::Duplicates(command) => duplicates::duplicates(&command, &stop),
        Command::Measure(command) => measure::measure(command, &stop),
        Command::Merge(command) => merge::merge(&command, &stop),
        Command::Report(command) => page::report(&command),
        Command::Explain(command) => explain::explain(&command),
        Command::Notations { name } => listing::notations(name.as_deref()),
        Command::Deviations => listing::deviations(),
        Command::Fields => listing::fields(),
        #[cfg(feature = "export")]
        Command::Columns => listing::columns(),
    }
}
