//! The commands of the program: one table.
//!
//! In: a request. Out: how the run ended; the help texts of the commands, in groups. Invariant: a command is a row: its
//! help, its name, its arguments, what runs it. Cost: that of the run.

use std::path::Path;
use std::sync::Arc;

use clap::Subcommand;
use pgnmill_io::error::Result;
#[cfg(feature = "columns")]
use pgnmill_run::Export;
use pgnmill_run::{
    Common, Completion, Convert, Duplicates, Host, Measure, Merge, Report, Select, Sort, Splits,
    Stats, Validate,
};

use super::explain::Explain;
use super::listing::{ListArgs, Notations};
use super::manual::{Completions, Manual};
use super::{examples, explain, listing, manual};

/// The end of `-h`.
pub(super) const MORE: &str = "--help lists all options, with examples.";

/// Declares the commands: rows of help, name, arguments, feature, another name, examples, and the expression that
/// runs it.
macro_rules! commands {
    (
        fn($host:ident, $program:ident);
        $($group:literal: $(
            $(#[doc = $help:literal])+
            $name:ident($request:ty) $(with $feature:literal)? $(also $alias:literal)?, $examples:ident,
            $bound:ident => $run:expr;
        )+)+
    ) => {
        #[derive(Debug, Subcommand)]
        pub(super) enum Command {
            $($(
                $(#[doc = $help])+
                $(#[cfg(feature = $feature)])?
                #[command(after_help = MORE, after_long_help = examples::$examples)]
                $(#[command(visible_alias = $alias)])?
                $name($request),
            )+)+
        }

        /// The commands in groups, in the order in which the help lists them; a name is written in small letters.
        pub(super) const GROUPS: &[(&str, &[&str])] =
            &[$(($group, &[$($(#[cfg(feature = $feature)])? stringify!($name)),+])),+];

        impl Command {
            /// Runs the command. `program`: the declarations of all commands.
            ///
            /// # Errors
            /// What ends the run.
            pub(super) fn run(
                self,
                $host: &Arc<dyn Host>,
                $program: fn() -> clap::Command,
            ) -> Result<Completion> {
                match self {
                    $($($(#[cfg(feature = $feature)])? Command::$name($bound) => $run,)+)+
                }
            }
        }
    };
}

commands! {
    fn(host, program);
    "Games":
    /// Validate every move of every game, variations included
    Validate(Validate) also "check", VALIDATE, request => request.run(host);
    /// Count what is in archives: results, players, ratings, openings, clocks
    Stats(Stats) also "info", STATS, request => request.run(host);
    /// Rewrite the moves in another notation; the rest is copied (repair: to SAN)
    Convert(Convert), CONVERT, request => request.run(host);
    /// Copy games: those of --where, the first ones, a random sample, or one file per value
    Select(Select) also "filter", SELECT, request => request.run(host);
    /// Write games in the order of fields: by date, player, rating, opening, length
    Sort(Sort) also "order", SORT, request => request.run(host);
    /// Find duplicate games, also across archives, and write an archive without them
    Duplicates(Duplicates) also "dedup", DUPLICATES, request => request.run(host);
    /// Write games or plies as columns: Parquet, Arrow, CSV, JSON lines
    Export(Export) with "columns", EXPORT, request => request.run(host);
    /// Show a game of an archive: its fault, the position there, and the reason
    Explain(Explain), EXPLAIN, request => explain::explain(&request, &**host);
    "Measurements":
    /// Measure the length of each notation and write tables
    Measure(Measure), MEASURE, request => request.run(host);
    /// Add the tables of several measurements, or of the splits of archives
    Merge(Merge), MERGE, request => request.run(host);
    /// Write a page with the tables of a measurement
    Report(Report), REPORT, request => request.run(host);
    "Splits, for several machines":
    /// Divide archives into splits, which other processes or machines read alone
    Splits(Splits), SPLITS, request => request.run(host);
    "Lists and help":
    /// List the notations, describe one, or compare all of them on a move
    Notations(Notations), NOTATIONS, request => listing::notations(&request, &**host);
    /// List all deviations from canonical PGN: class, example and source
    Deviations(ListArgs), DEVIATIONS, request => listing::deviations(request, &**host);
    /// List the fields of `--where`: type and meaning
    Fields(ListArgs), FIELDS, request => listing::fields(request, &**host);
    /// List the columns of `export`: type, unit and meaning
    Columns(ListArgs) with "columns", COLUMNS, request => listing::columns(request, &**host);
    /// Write the completions of a shell to standard output
    Completions(Completions), COMPLETIONS, request => manual::completions(&request, program, &**host);
    /// Write the manual: a page to standard output, or all pages to a directory
    Man(Manual), MAN, request => manual::man(&request, program, &**host);
}

impl Command {
    /// `stdout`: the file to which a shell redirects standard output. The name of a page requests its format there too.
    pub(super) fn written_to(&mut self, stdout: Option<&Path>) {
        if let (Command::Report(report), Some(stdout)) = (self, stdout) {
            report.stdout_name = Some(stdout.to_path_buf());
        }
    }

    /// Are errors only requested?
    pub(super) fn is_quiet(&mut self) -> bool {
        match self {
            Command::Merge(command) => command.quiet,
            Command::Splits(command) => command.quiet,
            _ => self.common_mut().is_some_and(|common| common.quiet),
        }
    }

    /// The common arguments of a command that has them.
    pub(super) fn common_mut(&mut self) -> Option<&mut Common> {
        match self {
            Command::Validate(command) => Some(&mut command.common),
            Command::Stats(command) => Some(&mut command.common),
            Command::Convert(command) => Some(&mut command.common),
            Command::Select(command) => Some(&mut command.common),
            Command::Sort(command) => Some(&mut command.common),
            #[cfg(feature = "columns")]
            Command::Export(command) => Some(&mut command.common),
            Command::Duplicates(command) => Some(&mut command.common),
            Command::Measure(command) => Some(&mut command.common),
            _ => None,
        }
    }
}
