//! The arguments of the commands that write lists, completions and the manual.
//!
//! In: the words of the command line. Out: [`ListArgs`], [`Notations`], [`Completions`], [`Manual`]. Invariant: the
//! documentation comments of this file are the help texts.

use std::path::PathBuf;

use clap_complete::Shell;

use pgnmill_run::ListFormat;
use pgnmill_run::names;

/// The argument of all lists.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ListArgs {
    /// The format on standard output: text, csv or json
    ///
    /// Text has aligned columns of the terminal's width on a terminal. csv and json have the same records: see
    /// docs/terminal.md.
    #[arg(
        long = "format",
        value_enum,
        default_value = "text",
        value_name = "FORMAT",
        hide_possible_values = true
    )]
    pub(super) format: ListFormat,
}

#[derive(Debug, clap::Args)]
pub(super) struct Notations {
    /// The notation to describe
    #[arg(value_name = "NAME", value_parser = names::a_notation(), hide_possible_values = true)]
    pub(super) name: Option<String>,
    /// Show a move in all notations: 'FEN|MOVE', or a MOVE from the starting position
    #[arg(long, value_name = "FEN|MOVE", conflicts_with = "name")]
    pub(super) compare: Option<String>,
    /// With --compare: the ruleset
    #[arg(
        long, value_name = "RULESET", default_value = "chess", requires = "compare",
        value_parser = names::a_ruleset(), hide_possible_values = true
    )]
    pub(super) rules: String,
    /// With --compare: the notation of MOVE; auto: the usual one of the ruleset, or UCI
    #[arg(
        long, value_name = "NOTATION", default_value = "auto", requires = "compare",
        value_parser = names::a_notation_or_auto(), hide_possible_values = true
    )]
    pub(super) from: String,
    #[command(flatten)]
    pub(super) list: ListArgs,
}

#[derive(Debug, clap::Args)]
pub(super) struct Completions {
    /// The shell: bash, zsh, fish, powershell or elvish
    #[arg(value_name = "SHELL", hide_possible_values = true)]
    pub(super) shell: Shell,
}

#[derive(Debug, clap::Args)]
pub(super) struct Manual {
    /// The command whose page is written; without it, that of the program
    #[arg(value_name = "COMMAND")]
    pub(super) command: Option<String>,
    /// Write all pages to this directory: pgnmill.1, and pgnmill-COMMAND.1 of each command
    #[arg(
        long, short, value_name = "DIR", conflicts_with = "command",
        value_hint = clap::ValueHint::DirPath
    )]
    pub(super) output: Option<PathBuf>,
    /// Replace existing pages
    #[arg(long, requires = "output")]
    pub(super) overwrite: bool,
}
