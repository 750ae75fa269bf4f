//! The commands of the program: those that are runs, which pgnmill-run registers, and those of one table here.
//!
//! In: a request. Out: how the run ended; the help texts of the commands, in groups. Invariant: a command is a row,
//! there or here: its help, its name, its arguments, what runs it. Cost: that of the run.

use std::path::Path;
use std::sync::Arc;

use clap::{ArgMatches, FromArgMatches, Subcommand};
use pgnmill_io::archive::Input;
use pgnmill_io::error::Result;
use pgnmill_run::commands::registry::{Row, rows};
use pgnmill_run::{Completion, Host, NamedRequest};

use super::explain::Explain;
use super::listing::{ListArgs, Notations};
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

        /// The names of these commands, but for their first letters: no options are declared to list them.
        const OWN: &[&str] = &[$($(#[cfg(feature = $feature)])? stringify!($name),)+];

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

/// The group of `explain`, which is among the commands over games.
const GAMES: &str = "Games";
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
    let own = OWN.iter().map(|name| name.to_lowercase());
    let (of_games, lists): (Vec<String>, Vec<String>) = own.partition(|name| name == "explain");
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
        let own = Own::augment_subcommands(clap::Command::new("own"));
        let command = |name: &String| match Row::find(name) {
            Some(row) => Some(declared(row)),
            None => own.find_subcommand(name).cloned(),
        };
        let names = groups().into_iter().flat_map(|(_, names)| names);
        let commands: Vec<clap::Command> = names.filter_map(|name| command(&name)).collect();
        let program = program.subcommand_required(true).arg_required_else_help(true);
        program.subcommands(commands)
    }

    fn augment_subcommands_for_update(program: clap::Command) -> clap::Command {
        Command::augment_subcommands(program)
    }

    fn has_subcommand(name: &str) -> bool {
        Row::find(name).is_some() || Own::has_subcommand(name)
    }
}

/// The declarations of a command that is a run.
fn declared(row: &Row) -> clap::Command {
    let command = row.declare(clap::Command::new(row.name)).about(row.help).long_about(None);
    let command = command.after_help(MORE).after_long_help(examples::of(row.examples));
    command.visible_aliases(row.aliases.iter().copied())
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
