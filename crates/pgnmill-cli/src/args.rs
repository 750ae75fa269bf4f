//! The arguments of the command line.
//!
//! In: the words of the command line. Out: [`Args`]. Invariant: the documentation comments of this file are the help
//! texts.

use clap::{Parser, ValueEnum};

use super::commands::{Command, MORE};
use super::examples;
use super::screen::Colors;

/// Read archives of chess games, validate every move, rewrite the moves in another notation, measure notations.
///
/// INPUT is a file, a directory (searched for .pgn, .zst, .pgn.gz, .pgn.bz2, .pgn.xz, .zip and .7z), or - for standard
/// input; plain text, zstd, gzip, bzip2, xz, zip or 7-Zip, which the first bytes decide.
/// Exit code: 0 all games are valid; 1 some
/// were rejected, or an archive contains text without games, or prose; 2 the run failed; 130 interrupted.
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

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}
