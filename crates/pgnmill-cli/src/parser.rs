//! The parser of the command line, as the program, completions and the manual use it.
//!
//! In: the declarations of `args.rs`, words. Out: [`parse`]; [`command`], whose help lists the commands in groups; the
//! value of `--color` before anything is parsed, for the colours of help and of refusals. Invariant: each command is in
//! one group; a test checks this. Cost: that of building the command.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Effects, Styles};
use clap::{ColorChoice, Command, CommandFactory, FromArgMatches, ValueEnum};

use super::args::Args;
use super::screen::{Colors, screen_of};
use pgnmill_run::columns::lines_of;
use pgnmill_run::host::Stream;

/// The commands in groups, in the order in which the help lists them.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Games", &["validate", "convert", "select", "duplicates", "export", "explain"]),
    ("Measurements", &["measure", "merge", "report"]),
    ("Splits, for several machines", &["splits"]),
    (
        "Lists and help",
        &["notations", "deviations", "fields", "columns", "completions", "man", "help"],
    ),
];

/// The widest help.
const COLUMNS_MAX: usize = 100;

/// The colours of the help.
const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().effects(Effects::BOLD))
    .usage(AnsiColor::Yellow.on_default().effects(Effects::BOLD))
    .literal(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .placeholder(AnsiColor::Cyan.on_default());

/// The command with all of its commands.
pub(super) fn command() -> Command {
    let command = Args::command().styles(STYLES);
    let (groups, header) = (groups(&command), STYLES.get_header());
    command.help_template(format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{groups}\n\
         {header}Options:{header:#}\n{{options}}{{after-help}}"
    ))
}

/// The same, whose texts have the colours that these words request.
pub(super) fn command_of(words: &[OsString]) -> Command {
    command().color(match colors_of(words) {
        Colors::Auto => ColorChoice::Auto,
        Colors::Always => ColorChoice::Always,
        Colors::Never => ColorChoice::Never,
    })
}

/// Parses the words of a command line, of which the first one is the name of the program.
///
/// # Errors
/// Help, and what is refused.
pub(super) fn parse(mut command: Command, words: &[OsString]) -> Result<Args, clap::Error> {
    Args::from_arg_matches(&command.try_get_matches_from_mut(words)?)
}

/// The value of `--color` among the words of a command line.
fn colors_of(words: &[OsString]) -> Colors {
    let read = |value: &OsStr| Colors::from_str(value.to_str()?, false).ok();
    let words = words.iter().map(OsString::as_os_str).take_while(|word| *word != "--");
    let (mut colors, mut is_value) = (Colors::Auto, false);
    for word in words {
        let joined = word.to_str().and_then(|word| word.strip_prefix("--color=")).map(OsStr::new);
        let value = if is_value { Some(word) } else { joined };
        colors = value.and_then(read).unwrap_or(colors);
        is_value = word == "--color";
    }
    colors
}

/// The commands and what they do, in groups, in lines of the terminal.
fn groups(command: &Command) -> String {
    let columns = screen_of(Stream::Output, Colors::Never).columns.unwrap_or(COLUMNS_MAX);
    let columns = columns.min(COLUMNS_MAX);
    let (header, literal) = (STYLES.get_header(), STYLES.get_literal());
    let name_columns =
        command.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or(0);
    let indent = name_columns + 4;
    let mut text = String::new();
    for (group, names) in GROUPS {
        let _ = writeln!(text, "\n{header}{group}:{header:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = match (about, *name) {
                (Some(about), _) => about.to_string(),
                (None, "help") => "Print the help of a command".to_string(),
                // A command that this program is built without.
                (None, _) => continue,
            };
            let space = " ".repeat(name_columns - name.len() + 2);
            let lines = lines_of(&about, columns.saturating_sub(indent).max(20));
            let lines = lines.join(&format!("\n{}", " ".repeat(indent)));
            let _ = writeln!(text, "  {literal}{name}{literal:#}{space}{lines}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_is_in_one_group() {
        let command = command();
        let mut listed: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        listed.retain(|name| *name != "help");
        for command in command.get_subcommands() {
            let times = listed.iter().filter(|name| **name == command.get_name()).count();
            assert_eq!(times, 1, "{}", command.get_name());
        }
        if cfg!(feature = "columns") {
            assert_eq!(listed.len(), command.get_subcommands().count());
        }
        command.debug_assert();
    }

    #[test]
    fn colours_are_read_before_the_rest() {
        let of = |line: &str| colors_of(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of("pgnmill --color always x"), Colors::Always);
        assert_eq!(of("pgnmill x --color=never --help"), Colors::Never);
        assert_eq!(of("pgnmill x -- --color always"), Colors::Auto);
        assert_eq!(of("pgnmill --color"), Colors::Auto);
        assert_eq!(of("pgnmill --color purple"), Colors::Auto);
    }
}
