//! The commands that are runs: one row each, from which the command line, Rust and Python have them.
//!
//! In: the name of a command; then options by their names, with texts. Out: a request, and its run. Invariants: a row
//! is all that declares a command besides its own file; by names no words of a command line are made or parsed. Cost:
//! that of the run.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use pgnmill_io::archive::Input;
use pgnmill_io::error::{Error, Result};

use crate::args::options::{Options, defaults, set_option};
use crate::host::{Completion, Host};
use crate::plan::Request;
use crate::run::run;

use super::convert::Convert;
use super::duplicates::args::Duplicates;
#[cfg(feature = "columns")]
use super::export::args::Export;
use super::measure::args::Measure;
use super::merge::args::Merge;
#[cfg(feature = "columns")]
use super::positions::args::Positions;
use super::report::Report;
use super::select::Select;
use super::sort::Sort;
use super::splits::Splits;
use super::stats::Stats;
use super::validate::Validate;

/// A request of any command.
trait AnyRequest: Options + fmt::Debug {
    /// What is read.
    fn inputs_mut(&mut self) -> Option<&mut Vec<PathBuf>>;

    /// Does it read archives?
    fn reads_archives(&self) -> bool {
        false
    }

    /// Are errors only requested?
    fn is_quiet(&self) -> bool {
        false
    }

    /// Is it to go on with an earlier run?
    fn resumes(&self) -> bool {
        false
    }

    /// Standard output is this file: the name of a page requests its format there too.
    fn set_stdout_name(&mut self, name: &Path) {
        let _ = name;
    }

    /// Runs it; `given`: archives of a caller, in place of those that it names.
    fn run(self: Box<Self>, given: Option<Vec<Input>>, host: &Arc<dyn Host>) -> Result<Completion>;
}

impl<R: Request> AnyRequest for R {
    fn inputs_mut(&mut self) -> Option<&mut Vec<PathBuf>> {
        Some(Request::inputs_mut(self))
    }

    fn reads_archives(&self) -> bool {
        true
    }

    fn is_quiet(&self) -> bool {
        self.capabilities().messages.quiet
    }

    fn resumes(&self) -> bool {
        self.capabilities().resumes()
    }

    fn run(self: Box<Self>, given: Option<Vec<Input>>, host: &Arc<dyn Host>) -> Result<Completion> {
        run(*self, given, host)
    }
}

/// The same for requests that read no archives game by game.
macro_rules! other_request {
    ($type:ident, $inputs:expr, $quiet:expr) => {
        impl AnyRequest for $type {
            fn inputs_mut(&mut self) -> Option<&mut Vec<PathBuf>> {
                let inputs: fn(&mut $type) -> Option<&mut Vec<PathBuf>> = $inputs;
                inputs(self)
            }

            fn is_quiet(&self) -> bool {
                let quiet: fn(&$type) -> bool = $quiet;
                quiet(self)
            }

            fn run(
                self: Box<Self>,
                _: Option<Vec<Input>>,
                host: &Arc<dyn Host>,
            ) -> Result<Completion> {
                $type::run(*self, host)
            }
        }
    };
}
other_request!(Merge, |it| Some(&mut it.inputs), |it| it.quiet);
other_request!(Splits, |it| Some(&mut it.inputs), |it| it.quiet);

impl AnyRequest for Report {
    fn inputs_mut(&mut self) -> Option<&mut Vec<PathBuf>> {
        None
    }

    fn set_stdout_name(&mut self, name: &Path) {
        self.stdout_name = Some(name.to_path_buf());
    }

    fn run(self: Box<Self>, _: Option<Vec<Input>>, host: &Arc<dyn Host>) -> Result<Completion> {
        Report::run(*self, host)
    }
}

/// A command.
#[derive(Debug)]
pub struct Row {
    /// The heading below which the help lists it.
    pub group: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Other names of it.
    pub aliases: &'static [&'static str],
    /// What it does, in one line.
    pub help: &'static str,
    /// Pairs of what a command does, and the command.
    pub examples: &'static [(&'static str, &'static str)],
    declare: fn(Command) -> Command,
    parse: fn(&mut ArgMatches) -> Result<Box<dyn AnyRequest>, clap::Error>,
    defaults: fn() -> Box<dyn AnyRequest>,
}

fn parse<R: FromArgMatches + AnyRequest + 'static>(
    matches: &mut ArgMatches,
) -> Result<Box<dyn AnyRequest>, clap::Error> {
    Ok(Box::new(R::from_arg_matches_mut(matches)?))
}

fn with_defaults<R: Args + AnyRequest + 'static>() -> Box<dyn AnyRequest> {
    Box::new(defaults::<R>())
}

/// Declares the commands, in groups, in the order in which the help lists them.
macro_rules! commands {
    ($(group $group:literal: $(
        $(#[$feature:meta])? $name:literal $(also $alias:literal)?, $type:ident, $help:literal;
    )+)+) => {
        static ROWS: &[Row] = &[$($($(#[$feature])? Row {
            group: $group,
            name: $name,
            aliases: &[$($alias)?],
            help: $help,
            examples: $type::EXAMPLES,
            declare: <$type as Args>::augment_args,
            parse: parse::<$type>,
            defaults: with_defaults::<$type>,
        },)+)+];
    };
}

commands! {
    group "Games":
    "validate" also "check", Validate, "Validate every move of every game, variations included";
    "stats" also "info", Stats, "Count what is in archives: results, players, ratings, openings, clocks";
    "convert", Convert, "Rewrite the moves in another notation; the rest is copied (repair: to SAN)";
    "select" also "filter", Select,
        "Copy games: those of --where, the first ones, a random sample, or one file per value";
    "sort" also "order", Sort, "Write games in the order of fields: by date, player, rating, opening, length";
    "duplicates" also "dedup", Duplicates,
        "Find duplicate games, also across archives, and write an archive without them";
    #[cfg(feature = "columns")]
    "export", Export, "Write games or plies as columns: Parquet, Arrow, CSV, JSON lines";
    #[cfg(feature = "columns")]
    "positions" also "tree", Positions,
        "Count what was played in each position, and how it ended: a table, or a Polyglot book";
    group "Measurements":
    "measure", Measure, "Measure the length of each notation and write tables";
    "merge", Merge, "Add the tables of several measurements, or of the splits of archives";
    "report", Report, "Write a page with the tables of a measurement, or of a table of positions";
    group "Splits, for several machines":
    "splits", Splits, "Divide archives into splits, which other processes or machines read alone";
}

/// All commands that are runs.
pub fn rows() -> &'static [Row] {
    ROWS
}

impl Row {
    /// The command of this name.
    pub fn find(name: &str) -> Option<&'static Row> {
        ROWS.iter().find(|row| row.name == name)
    }

    /// Adds its options to a command of a parser.
    pub fn declare(&self, command: Command) -> Command {
        (self.declare)(command)
    }

    /// The request of words that a parser has read.
    ///
    /// # Errors
    /// What the parser refuses.
    pub fn request(&self, matches: &mut ArgMatches) -> Result<NamedRequest, clap::Error> {
        let request = (self.parse)(matches)?;
        Ok(NamedRequest { request, missing: Vec::new(), archives: None })
    }

    /// The options that must be given.
    fn required(&self) -> Vec<String> {
        let command = self.declare(Command::new("required"));
        let options = command.get_arguments().filter(|arg| arg.is_required_set());
        options.filter_map(|arg| arg.get_long().map(str::to_string)).collect()
    }
}

/// A request whose type is known when the program runs.
#[derive(Debug)]
pub struct NamedRequest {
    request: Box<dyn AnyRequest>,
    /// The options that must be given and are not yet.
    missing: Vec<String>,
    /// Archives of a caller, in place of those that are named.
    archives: Option<Vec<Input>>,
}

impl NamedRequest {
    /// The request of a command, with the defaults of the command line; `None` if there is none.
    pub fn of(command: &str) -> Option<NamedRequest> {
        let row = Row::find(command)?;
        let (mut request, mut missing) = ((row.defaults)(), row.required());
        // The defaults have something in the place of what is read.
        match request.inputs_mut() {
            Some(inputs) => inputs.clear(),
            None => missing.push("tables".to_string()),
        }
        Some(NamedRequest { request, missing, archives: None })
    }

    /// Sets an option by its name on the command line, such as `keep-rejects`, whose value is then `true`. What is read
    /// has the name `inputs`; of a report `tables`.
    ///
    /// # Errors
    /// An option that the request does not have, or texts that are no value of it.
    pub fn set(&mut self, name: &str, texts: &[OsString]) -> Result<()> {
        self.missing.retain(|missing| missing != name);
        set_option(&mut *self.request, name, texts)
    }

    /// Sets the archives that are read, in place of those that `inputs` names.
    ///
    /// # Errors
    /// A request that reads no archives.
    pub fn set_archives(&mut self, archives: Vec<Input>) -> Result<()> {
        if !self.request.reads_archives() {
            return Err(Error::usage("the tables of measurements are read, not archives"));
        }
        self.archives = Some(archives);
        Ok(())
    }

    /// Standard output is this file: the name of a page requests its format there too.
    pub fn set_stdout_name(&mut self, name: &Path) {
        self.request.set_stdout_name(name);
    }

    /// Are errors only requested?
    pub fn is_quiet(&self) -> bool {
        self.request.is_quiet()
    }

    /// Is it to go on with an earlier run?
    pub fn resumes(&self) -> bool {
        self.request.resumes()
    }

    /// Runs it.
    ///
    /// # Errors
    /// An option that must be given and is not; what the request cannot have; what ends the run.
    pub fn run(self, host: &Arc<dyn Host>) -> Result<Completion> {
        if let Some(name) = self.missing.first() {
            return Err(Error::usage(format!("--{name} must be given")));
        }
        self.request.run(self.archives, host)
    }
}

/// The runs of requests as methods of their types.
macro_rules! runs {
    ($($(#[$feature:meta])? $type:ident)*) => {$(
        $(#[$feature])?
        impl $type {
            /// Runs it.
            ///
            /// # Errors
            /// What the request cannot have; what ends the run.
            pub fn run(self, host: &Arc<dyn Host>) -> Result<Completion> {
                run(self, None, host)
            }

            /// Runs it over archives of the caller, in place of those that it names.
            ///
            /// # Errors
            /// As [`Self::run`]; a table of the run on standard output, which is that of the process.
            pub fn run_over(
                self,
                archives: Vec<Input>,
                host: &Arc<dyn Host>,
            ) -> Result<Completion> {
                run(self, Some(archives), host)
            }
        }
    )*};
}
runs!(Validate Stats Convert Select Sort #[cfg(feature = "columns")] Export #[cfg(feature = "columns")] Positions
    Duplicates Measure);
