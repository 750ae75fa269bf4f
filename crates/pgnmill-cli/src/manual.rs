//! `pgnmill man` and `pgnmill completions`: what a package installs beside the program.
//!
//! In: the name of a command, or a directory; a shell. Out: the page of the program or of a command, in roff, on
//! standard output, or a file per page, `pgnmill.1` and `pgnmill-COMMAND.1`; the script of the shell, on standard
//! output. Invariants: both are made from the declarations of the arguments, with the names of notations, languages,
//! rulesets, deviations, dimensions, columns and fields; the same program writes the same pages. Cost: constant.

use std::path::PathBuf;

use clap::{Arg, ArgGroup, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{NewDirectories, Reservation, Sink, publish_all};

use pgnmill_run::args::output_path;
use pgnmill_run::host::{Completion, Host};
use pgnmill_run::text::suggestion::{Known, unknown};

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

pub(super) fn completions(
    args: &Completions,
    program: fn() -> Command,
    host: &dyn Host,
) -> Result<Completion> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut listed(&program()), "pgnmill", &mut script);
    let script = String::from_utf8(script);
    let script = script.map_err(|_| Error::usage("the script of this shell is not UTF-8"))?;
    host.show(&script)?;
    Ok(Completion::of(true))
}

/// The command with what its help lists, as a script completes it: `clap_complete` completes what is for tests, too.
fn listed(command: &Command) -> Command {
    let is_listed = |option: &&Arg| !option.is_hide_set();
    let options: Vec<Arg> = command.get_arguments().filter(is_listed).cloned().collect();
    let groups = command.get_groups().map(|group| {
        let known = group.get_args().filter(|id| options.iter().any(|it| it.get_id() == *id));
        let (is_required, mut group) = (group.is_required_set(), group.clone());
        let is_multiple = group.is_multiple();
        ArgGroup::new(group.get_id().clone())
            .args(known.cloned().collect::<Vec<_>>())
            .required(is_required)
            .multiple(is_multiple)
    });
    let groups: Vec<ArgGroup> = groups.collect();
    let own = Command::new(command.get_name().to_string())
        .about(command.get_about().cloned().unwrap_or_default())
        .visible_aliases(command.get_visible_aliases().map(str::to_string).collect::<Vec<_>>())
        .args(options)
        .groups(groups)
        .subcommands(command.get_subcommands().map(listed));
    match command.get_version() {
        Some(version) => own.version(version.to_string()),
        None => own,
    }
}

pub(super) fn man(args: &Manual, program: fn() -> Command, host: &dyn Host) -> Result<Completion> {
    let program = whole(program);
    let Some(directory) = &args.output else {
        let page = match &args.command {
            None => page(&program)?,
            Some(name) => page(&find(&program, name)?)?,
        };
        let text = String::from_utf8(page);
        host.show(&text.map_err(|_| Error::usage("a page of the manual is not UTF-8"))?)?;
        return Ok(Completion::of(true));
    };
    output_path::check("man", directory, output_path::Written::Directory)?;
    // Removed if a page cannot be written.
    let new_directory = NewDirectories::create(directory)?;
    let commands: Vec<&Command> =
        std::iter::once(&program).chain(program.get_subcommands()).collect();
    let paths: Vec<PathBuf> =
        commands.iter().map(|command| directory.join(file_name(command))).collect();
    let mut sinks: Vec<Sink> = Vec::new();
    for (reserved, command) in Reservation::all(&paths, args.overwrite)?.into_iter().zip(commands) {
        let mut sink = reserved.open()?;
        sink.add(&page(command)?)?;
        sinks.push(sink);
    }
    publish_all(sinks)?;
    new_directory.keep();
    Ok(Completion::of(true))
}

/// The command with the full names of its commands, such as `pgnmill-validate`.
fn whole(program: fn() -> Command) -> Command {
    let mut program = program().disable_help_subcommand(true);
    program.build();
    program
}

/// The command of a name.
fn find(program: &Command, name: &str) -> Result<Command> {
    program.find_subcommand(name).cloned().ok_or_else(|| {
        let of = |command: &Command| {
            let about = command.get_about().map(ToString::to_string);
            (command.get_name().to_string(), about.unwrap_or_default())
        };
        let names: Vec<Known> = program.get_subcommands().map(of).collect();
        unknown("command", name, &names, "`pgnmill --help` lists them")
    })
}

/// The name of a page: that of the command with dashes.
fn file_name(command: &Command) -> String {
    format!("{}.1", full_name(command))
}

fn full_name(command: &Command) -> String {
    command.get_display_name().unwrap_or(command.get_name()).to_string()
}

/// How a page begins what the help has after the options.
const EXTRA: &str = ".SH EXTRA\nExamples:\n";

/// A page.
fn page(command: &Command) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    let man = Man::new(command.clone()).title(full_name(command)).manual("pgnmill");
    man.render(&mut text).map_err(|error| Error::io("write", "a page of the manual", error))?;
    let text = String::from_utf8_lossy(&text).replace(EXTRA, ".SH EXAMPLES\n");
    Ok(text.into_bytes())
}
