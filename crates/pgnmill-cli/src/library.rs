//! A command as a function: for a caller in the same process.
//!
//! In: arguments as of the command line, archives that have no path, a host. Out: what the program writes, and how the
//! run ended. Invariants: nothing is printed or logged; no signal is handled; the process does not end. Cost: that of
//! the run.
//!
//! ```text
//! let completion = run_in(["validate", "--strict"], Some(vec![Input::Path("a.pgn".into())]), host)?;
//! ```

use std::ffi::OsString;
use std::sync::Arc;

use pgnmill_core::tables::{self, Kind};
use pgnmill_io::archive::Input;
use pgnmill_io::error::{Error, Result};

use super::program::advised;
use super::{commands, parser};
use pgnmill_run::host::{Completion, Host};

/// Runs a command. `arguments` begin with its name. With `inputs` they name no archives, and these are read.
///
/// # Errors
/// Arguments that the program refuses, with the message of the parser; what ends the run. The text of `--help` is
/// returned as an error too.
pub fn run_in<S: Into<OsString>>(
    arguments: impl IntoIterator<Item = S>,
    inputs: Option<Vec<Input>>,
    host: Arc<dyn Host>,
) -> Result<Completion> {
    let mut words = vec![OsString::from("pgnmill")];
    words.extend(arguments.into_iter().map(Into::into));
    if inputs.is_some() {
        // The parser requires an archive.
        words.extend(["--", "-"].map(OsString::from));
    }
    let mut args = parser::parse(parser::command_of(&words), &words).map_err(|error| {
        refusal(&match error.kind() {
            clap::error::ErrorKind::UnknownArgument => advised(error, &words),
            _ => error,
        })
    })?;
    if let Some(inputs) = inputs {
        args.command.set_archives(inputs)?;
    }
    args.command.run(&host, parser::command)
}

/// The message of the parser, without its usage.
fn refusal(error: &clap::Error) -> Error {
    let text = error.render().to_string();
    let message = text.strip_prefix("error: ").unwrap_or(&text);
    let message = message.split("\n\nUsage:").next().unwrap_or(message);
    Error::usage(message.split("\n\nFor more information").next().unwrap_or(message).trim_end())
}

/// An option of a command, as the help lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandOption {
    /// Its name, without dashes.
    pub name: String,
    /// Does it take a value?
    pub takes_value: bool,
    /// Can it be given more than once, or a list?
    pub is_list: bool,
    /// Must it be given?
    pub is_required: bool,
    /// Is it left out of the help?
    pub is_hidden: bool,
    /// The value if it is not given.
    pub default: Option<String>,
    /// The values that it takes, if they can be listed.
    pub choices: Vec<String>,
    /// What it does.
    pub help: String,
}

/// The options of a command, without its archives; `None` if there is no such command.
pub fn options_of(command: &str) -> Option<Vec<CommandOption>> {
    let command = commands::find(command)?;
    let option = |arg: &clap::Arg| {
        let action = arg.get_action();
        let takes_value = action.takes_values();
        let defaults = arg.get_default_values().iter().filter(|_| takes_value);
        let defaults: Vec<String> = defaults.map(|it| it.to_string_lossy().into_owned()).collect();
        let choices = arg.get_possible_values();
        let choices = choices.iter().filter(|_| takes_value);
        Some(CommandOption {
            name: arg.get_long()?.to_string(),
            takes_value,
            is_list: matches!(action, clap::ArgAction::Append),
            is_required: arg.is_required_set(),
            is_hidden: arg.is_hide_set(),
            default: (!defaults.is_empty()).then(|| defaults.join(",")),
            choices: choices.map(|value| value.get_name().to_string()).collect(),
            help: arg.get_help().map(ToString::to_string).unwrap_or_default(),
        })
    };
    Some(command.get_arguments().filter_map(option).collect())
}

/// The columns of a table that runs write, with `text`, `count` or `decimal`. `file` is the name of the table, such as
/// `faults`, `notes`, or that of its file, such as `plies.csv`; a column that ends in `NAME` stands for several.
pub fn columns_of(file: &str) -> Option<Vec<(&'static str, &'static str)>> {
    let schema = match file {
        "faults" => &tables::faults::SCHEMA,
        "notes" => &tables::notes::SCHEMA,
        file => tables::all().find(|schema| schema.file == file)?,
    };
    let kind = |kind: &Kind| match kind {
        Kind::Text => "text",
        Kind::Count => "count",
        Kind::Decimal(_) => "decimal",
    };
    Some(schema.columns.iter().map(|column| (column.name, kind(&column.kind))).collect())
}
