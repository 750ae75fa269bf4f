//! The commands of the program: those that are runs, which pgnmill-run registers, and those of one table here.
//!
//! In: a request. Out: how the run ended; the help texts of the commands, in groups. Invariant: a command is a row,
//! there or here: its help, its name, its arguments, what runs it. Cost: that of the run; the options of a command are
//! declared when it is parsed, because those of all commands are half of what a short run takes.

use std::path::Path;
use std::sync::Arc;

use clap::{ArgMatches, FromArgMatches, Subcommand};
use pgnmill_io::archive::Input;
use pgnmill_io::error::Result;
use pgnmill_run::commands::registry::{Row, rows};
use pgnmill_run::{Completion, Host, NamedRequest};

use super::explain::Explain;
#[cfg(feature = "columns")]
use super::explore::{self, ExploreArgs};
use super::listing::{Notations, Rows};
use super::manual::{Completions, Manual};
use super::{examples, explain, listing, manual};

/// The end of `-h`.
pub(super) const MORE: &str = "--help lists all options, with examples.";

/// Declares the commands that are no runs: rows of help, name, arguments, feature, examples, and the expression that
/// runs it.
macro_rules! commands {
    (
        fn($host:ident, $program:ident);
        $(
            $(#[doc = $help:literal])+
            $name:ident($request:ty) $(with $feature:literal)?, $examples:ident, $bound:ident => $run:expr;
        )+
    ) => {
        #[derive(Debug, Subcommand)]
        pub(super) enum Own {
            $(
                $(#[doc = $help])+
                $(#[cfg(feature = $feature)])?
                #[command(after_help = MORE, after_long_help = examples::$examples)]
                $name($request),
            )+
        }

        /// These commands.
        const OWN: &[OwnRow] = &[$($(#[cfg(feature = $feature)])? OwnRow {
            variant: stringify!($name),
            help: concat!($($help),+),
            examples: examples::$examples,
            declare: <$request as clap::Args>::augment_args,
        },)+];

        impl Own {
            fn run(self, $host: &Arc<dyn Host>, $program: fn() -> clap::Command) -> Result<Completion> {
                match self {
                    $($(#[cfg(feature = $feature)])? Own::$name($bound) => $run,)+
                }
            }
        }
    };
}

commands! {
    fn(host, program);
    /// Show a game of an archive: its fault, the position there, and the reason
    Explain(Explain), EXPLAIN, request => explain::explain(&request, &**host);
    /// Show what was played in a position, of a table that `positions` has written
    Explore(ExploreArgs) with "columns", EXPLORE, request => explore::explore(&request, &**host);
    /// List the notations, describe one, or compare all of them on a move
    Notations(Notations), NOTATIONS, request => listing::notations(&request, &**host);
    /// List all deviations from canonical PGN, or some: class, example and source
    Deviations(Rows), DEVIATIONS, request => listing::deviations(&request, &**host);
    /// List the fields of `--where`, or some: type and meaning
    Fields(Rows), FIELDS, request => listing::fields(&request, &**host);
    /// List the columns of `export`, or some: type, unit and meaning
    Columns(Rows) with "columns", COLUMNS, request => listing::columns(&request, &**host);
    /// Write the completions of a shell to standard output
    Completions(Completions), COMPLETIONS, request => manual::completions(&request, program, &**host);
    /// Write the manual: a page to standard output, or all pages to a directory
    Man(Manual), MAN, request => manual::man(&request, program, &**host);
}

/// A command that is no run.
struct OwnRow {
    /// Its name, but for the first letter, which is a capital.
    variant: &'static str,
    /// What it does, in one line.
    help: &'static str,
    /// The end of `--help`.
    examples: &'static str,
    declare: fn(clap::Command) -> clap::Command,
}

impl OwnRow {
    fn name(&self) -> String {
        self.variant.to_lowercase()
    }
}

/// The group of `explain` and `explore`, which are among the commands over games.
const GAMES: &str = "Games";
const OF_GAMES: [&str; 2] = ["explain", "explore"];
/// The group that has the command `help` too.
pub(super) const LAST_GROUP: &str = "Lists and help";

/// The commands in groups, in the order in which the help lists them.
pub(super) fn groups() -> Vec<(&'static str, Vec<String>)> {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for row in rows() {
        match groups.last_mut().filter(|(group, _)| *group == row.group) {
            Some((_, names)) => names.push(row.name.to_string()),
            None => groups.push((row.group, vec![row.name.to_string()])),
        }
    }
    let own = OWN.iter().map(OwnRow::name);
    let (of_games, lists): (Vec<String>, Vec<String>) =
        own.partition(|name| OF_GAMES.contains(&name.as_str()));
    groups
        .iter_mut()
        .filter(|(group, _)| *group == GAMES)
        .for_each(|it| it.1.extend(of_games.clone()));
    groups.push((LAST_GROUP, lists));
    groups
}

/// A command of the program.
#[derive(Debug)]
pub(super) enum Command {
    /// A run.
    Run(NamedRequest),
    /// Another one.
    Own(Own),
}

impl FromArgMatches for Command {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Command, clap::Error> {
        Command::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Command, clap::Error> {
        if let Some(row) = matches.subcommand_name().and_then(Row::find)
            && let Some((_, mut own)) = matches.remove_subcommand()
        {
            return row.request(&mut own).map(Command::Run);
        }
        Own::from_arg_matches_mut(matches).map(Command::Own)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Command::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Command {
    fn augment_subcommands(program: clap::Command) -> clap::Command {
        let names = groups().into_iter().flat_map(|(_, names)| names);
        let program = program.subcommand_required(true).arg_required_else_help(true);
        program.subcommands(names.map(|name| named(name).defer(with_options)))
    }

    fn augment_subcommands_for_update(program: clap::Command) -> clap::Command {
        Command::augment_subcommands(program)
    }

    fn has_subcommand(name: &str) -> bool {
        Row::find(name).is_some() || Own::has_subcommand(name)
    }
}

/// A command of this name without its options: what the list of all commands has of it.
fn named(name: String) -> clap::Command {
    let (about, aliases) = match Row::find(&name) {
        Some(row) => (row.help, row.aliases),
        None => (own(&name).map_or("", |row| row.help.trim()), &[][..]),
    };
    clap::Command::new(name).about(about).visible_aliases(aliases.iter().copied())
}

/// Adds the options of a command to it, and the end of its help.
fn with_options(command: clap::Command) -> clap::Command {
    let about = command.get_about().cloned();
    let (command, examples) = match (Row::find(command.get_name()), own(command.get_name())) {
        (Some(row), _) => (row.declare(command), examples::of(row.examples)),
        (None, Some(row)) => ((row.declare)(command), row.examples.to_string()),
        (None, None) => return command,
    };
    // What declares the options has a description of its own.
    let command = command.about(about.unwrap_or_default()).long_about(None);
    command.after_help(MORE).after_long_help(examples)
}

fn own(name: &str) -> Option<&'static OwnRow> {
    OWN.iter().find(|row| row.name() == name)
}

/// The program with the options of all its commands.
pub(super) fn with_all_options(program: clap::Command) -> clap::Command {
    let mut index = 0;
    program.mut_subcommands(|command| {
        index += 1;
        with_options(named(command.get_name().to_string())).display_order(index)
    })
}

/// A command by its name or another name of it, with its options.
pub(super) fn find(name: &str) -> Option<clap::Command> {
    let row = rows().iter().find(|row| row.name == name || row.aliases.contains(&name));
    let name = row.map(|row| row.name).or(own(name).map(|_| name))?;
    Some(with_options(named(name.to_string())))
}

impl Command {
    /// Runs the command. `program`: the declarations of all commands.
    ///
    /// # Errors
    /// What ends the run.
    pub(super) fn run(
        self,
        host: &Arc<dyn Host>,
        program: fn() -> clap::Command,
    ) -> Result<Completion> {
        match self {
            Command::Run(request) => request.run(host),
            Command::Own(command) => command.run(host, program),
        }
    }

    /// `stdout`: the file to which a shell redirects standard output. The name of a page requests its format there too.
    pub(super) fn written_to(&mut self, stdout: Option<&Path>) {
        if let (Command::Run(request), Some(stdout)) = (self, stdout) {
            request.set_stdout_name(stdout);
        }
    }

    /// Sets the archives that are read, of a caller in the same process.
    ///
    /// # Errors
    /// A command that reads no archives.
    pub(super) fn set_archives(&mut self, archives: Vec<Input>) -> Result<()> {
        match self {
            Command::Run(request) => request.set_archives(archives),
            Command::Own(Own::Explain(explain)) => {
                explain.given = Some(archives);
                Ok(())
            }
            Command::Own(_) => Ok(()),
        }
    }

    /// Are errors only requested?
    pub(super) fn is_quiet(&self) -> bool {
        matches!(self, Command::Run(request) if request.is_quiet())
    }

    /// Is it to go on with an earlier run?
    pub(super) fn resumes(&self) -> bool {
        matches!(self, Command::Run(request) if request.resumes())
    }
}
