//! The arguments of the command line.
//!
//! In: the words of the command line. Out: [`Args`]. Invariant: the documentation comments of this file are the help
//! texts.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use pgnmill_io::archive::Input;
use pgnmill_io::error::Result;

use super::examples;
pub(super) use super::list_args::{Completions, ListArgs, Manual, Notations};
use super::screen::Colors;
#[cfg(feature = "columns")]
pub(super) use pgnmill_run::Export;
use pgnmill_run::names;
pub(super) use pgnmill_run::{
    Common, Convert, Duplicates, ListFormat, Measure, Merge, Report, Select, Splits, Validate,
};

/// Read archives of chess games, validate every move, rewrite the moves in another notation, measure notations.
///
/// INPUT is a file, a directory (searched for .pgn, .pgn.zst and .zst), or - for standard input; plain text or zstd,
/// which the first bytes decide. Exit code: 0 all games are valid; 1 some were rejected, or an archive contains text
/// without games, or prose; 2 the run failed; 130 interrupted.
#[derive(Debug, Parser)]
#[command(
    name = "pgnmill", version, max_term_width = 100,
    after_help = MORE, after_long_help = examples::PROGRAM
)]
pub(super) struct Args {
    /// Log level: messages on standard error besides the summary
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "warn",
        value_name = "LEVEL",
        help_heading = "Messages",
        hide_short_help = true
    )]
    pub(super) log: LogLevel,
    /// Colours: on a terminal, always, or never
    ///
    /// auto also respects the variables NO_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM=dumb.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        value_name = "WHEN",
        help_heading = "Messages",
        hide_short_help = true,
        hide_possible_values = true
    )]
    pub(super) color: Colors,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// The end of `-h`.
pub(super) const MORE: &str = "--help lists all options, with examples.";

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Validate every move of every game, variations included
    #[command(after_help = MORE, after_long_help = examples::VALIDATE)]
    Validate(Validate),
    /// Rewrite the moves in another notation; the rest is copied
    #[command(after_help = MORE, after_long_help = examples::CONVERT)]
    Convert(Convert),
    /// Copy games: those of --where, the first ones, a random sample, or one file per value
    #[command(after_help = MORE, after_long_help = examples::SELECT)]
    Select(Select),
    /// Write games or plies as columns: Parquet, Arrow, CSV, JSON lines
    #[cfg(feature = "columns")]
    #[command(after_help = MORE, after_long_help = examples::EXPORT)]
    Export(Export),
    /// Find duplicate games, also across archives, and write an archive without them
    #[command(after_help = MORE, after_long_help = examples::DUPLICATES)]
    Duplicates(Duplicates),
    /// Measure the length of each notation and write tables
    #[command(after_help = MORE, after_long_help = examples::MEASURE)]
    Measure(Measure),
    /// Add the tables of several measurements, or of the splits of archives
    #[command(after_help = MORE, after_long_help = examples::MERGE)]
    Merge(Merge),
    /// Divide archives into splits, which other processes or machines read alone
    #[command(after_help = MORE, after_long_help = examples::SPLITS)]
    Splits(Splits),
    /// Write a page with the tables of a measurement
    #[command(after_help = MORE, after_long_help = examples::REPORT)]
    Report(Report),
    /// Show a game of an archive: its fault, the position there, and the reason
    #[command(after_help = MORE, after_long_help = examples::EXPLAIN)]
    Explain(Explain),
    /// List the notations, describe one, or compare all of them on a move
    #[command(after_help = MORE, after_long_help = examples::NOTATIONS)]
    Notations(Notations),
    /// List all deviations from canonical PGN: class, example and source
    #[command(after_help = MORE, after_long_help = examples::DEVIATIONS)]
    Deviations(ListArgs),
    /// List the fields of `--where`: type and meaning
    #[command(after_help = MORE, after_long_help = examples::FIELDS)]
    Fields(ListArgs),
    /// List the columns of `export`: type, unit and meaning
    #[cfg(feature = "columns")]
    #[command(after_help = MORE, after_long_help = examples::COLUMNS)]
    Columns(ListArgs),
    /// Write the completions of a shell to standard output
    #[command(after_help = MORE, after_long_help = examples::COMPLETIONS)]
    Completions(Completions),
    /// Write the manual: a page to standard output, or all pages to a directory
    #[command(after_help = MORE, after_long_help = examples::MAN)]
    Man(Manual),
}

impl Command {
    /// The common arguments of a command that has them.
    pub(super) fn common_mut(&mut self) -> Option<&mut Common> {
        match self {
            Command::Validate(command) => Some(&mut command.common),
            Command::Convert(command) => Some(&mut command.common),
            Command::Select(command) => Some(&mut command.common),
            #[cfg(feature = "columns")]
            Command::Export(command) => Some(&mut command.common),
            Command::Duplicates(command) => Some(&mut command.common),
            Command::Measure(command) => Some(&mut command.common),
            _ => None,
        }
    }
}

#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("place").required(true).args(["at", "game"])))]
pub(super) struct Explain {
    /// The archive: a file, or - for standard input
    #[arg(value_name = "ARCHIVE")]
    pub(super) archive: PathBuf,
    /// Archives of a caller in the same process, of which there must be one.
    #[arg(skip)]
    pub(super) given: Option<Vec<Input>>,
    /// A byte offset in the archive's text, after decompression, as in the table of faults
    #[arg(long, value_name = "OFFSET")]
    pub(super) at: Option<u64>,
    /// The number of the game in the archive, from 1
    #[arg(long, value_name = "NUMBER")]
    pub(super) game: Option<u64>,
    /// With --game: the half-move to show, from 1
    #[arg(long, value_name = "NUMBER", requires = "game")]
    pub(super) ply: Option<u32>,
    /// Count offsets and games as a run that skips the damaged frames of a zstd archive
    #[arg(long, help_heading = "Games to read")]
    pub(super) skip_damaged: bool,
    /// The notation of games without a MoveNotation tag pair
    #[arg(
        long, value_name = "NOTATION", default_value = "auto", help_heading = "How moves are read",
        value_parser = names::a_notation_or_auto(), hide_possible_values = true
    )]
    pub(super) from: String,
    /// The ruleset of games without a Variant tag pair
    #[arg(
        long, value_name = "RULESET", default_value = "chess", help_heading = "How moves are read",
        value_parser = names::a_ruleset(), hide_possible_values = true
    )]
    pub(super) rules: String,
    /// Draw the pieces as figurines
    #[arg(long)]
    pub(super) figurines: bool,
    /// Reject games that are not canonical
    #[arg(long, help_heading = "How moves are read")]
    pub(super) strict: bool,
    /// Accept games with these deviations, which would be rejected (see `pgnmill deviations`)
    #[arg(
        long, value_name = "NAME,...", value_delimiter = ',', help_heading = "How moves are read",
        value_parser = names::an_allowable_deviation(), hide_possible_values = true
    )]
    pub(super) allow: Vec<String>,
    /// Reject games with these deviations
    #[arg(
        long, value_name = "NAME,...", value_delimiter = ',', help_heading = "How moves are read",
        value_parser = names::a_deniable_deviation(), hide_possible_values = true
    )]
    pub(super) deny: Vec<String>,
    #[command(flatten)]
    pub(super) list: ListArgs,
}

impl Explain {
    /// The archives that the arguments name.
    ///
    /// # Errors
    /// As [`Input::expand`].
    pub(super) fn archives(&self) -> Result<Vec<Input>> {
        match &self.given {
            Some(given) => Ok(given.clone()),
            None => Input::expand([&self.archive]),
        }
    }
}
