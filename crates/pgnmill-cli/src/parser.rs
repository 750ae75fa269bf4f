//! The parser of the command line, as the program, completions and the manual use it.
//!
//! In: the declarations of `args.rs`, words. Out: [`parse`]; [`command`], whose help lists the commands in groups; the
//! value of `--color` before anything is parsed, for the colours of help and of refusals. Invariant: each command is in
//! one group; a test checks this. Cost: that of building the command.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use clap::builder::styling::{AnsiColor, Effects, Styles};
use clap::{ColorChoice, Command, CommandFactory, FromArgMatches, ValueEnum};

use super::args::Args;
use super::commands::{self, LAST_GROUP};
use super::screen::{Colors, screen_of};
use super::spellings::{self, Destination};
use pgnmill_io::sink::stdout_is_kept;
use pgnmill_run::host::Stream;
use pgnmill_run::text::terminal::lines_of;

/// The widest help.
const COLUMNS_MAX: usize = 100;

/// The colours of the help.
const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().effects(Effects::BOLD))
    .usage(AnsiColor::Yellow.on_default().effects(Effects::BOLD))
    .literal(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .placeholder(AnsiColor::Cyan.on_default());

/// The command with all of its commands and their options.
pub(super) fn command() -> Command {
    let command = commands::with_all_options(deferred());
    let (groups, header) = (groups(&command), STYLES.get_header());
    command.help_template(format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{groups}\n\
         {header}Options:{header:#}\n{{options}}{{after-help}}"
    ))
}

/// The command to parse these words with, whose texts have the colours that they request. The options of a command are
/// declared if the words have it, unless they may ask for help: it lists what all commands have in common last only if
/// a command has its own options by then.
pub(super) fn command_of(words: &[OsString]) -> Command {
    let asks = |word: &OsString| match word.as_encoded_bytes() {
        [b'-', b'-', name @ ..] => name == b"help",
        [b'-', letters @ ..] => letters.contains(&b'h'),
        word => word == b"help",
    };
    let may_ask = spellings::command_of(words).is_none() || words.iter().any(asks);
    let command = if may_ask { command() } else { deferred() };
    command.color(match colors_of(words) {
        Colors::Auto => ColorChoice::Auto,
        Colors::Always => ColorChoice::Always,
        Colors::Never => ColorChoice::Never,
    })
}

/// The command, whose commands declare their options when they are parsed.
fn deferred() -> Command {
    Args::command().styles(STYLES)
}

/// Parses the words of a command line, of which the first one is the name of the program.
///
/// # Errors
/// Help, and what is refused.
pub(super) fn parse(mut command: Command, words: &[OsString]) -> Result<Args, clap::Error> {
    let words = spellings::with_streams(words.to_vec());
    let stdout = match () {
        () if io::stdout().is_terminal() => Destination::Terminal,
        () if stdout_is_kept() => Destination::Kept,
        () => Destination::Device,
    };
    let words = spellings::meant(&words, stdout);
    // Where the system says which file it is.
    let target = std::fs::read_link("/proc/self/fd/1").ok();
    let words = spellings::with_format(words, target.as_deref());
    let mut args = Args::from_arg_matches(&command.try_get_matches_from_mut(words)?)?;
    args.command.written_to(target.as_deref());
    Ok(args)
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
    for (group, names) in commands::groups() {
        let _ = writeln!(text, "\n{header}{group}:{header:#}");
        let help = (group == LAST_GROUP).then_some("help".to_string());
        for name in names.into_iter().chain(help) {
            let about = command.find_subcommand(&name).and_then(Command::get_about);
            let about =
                about.map_or("Print the help of a command".to_string(), ToString::to_string);
            let aliases = command.find_subcommand(&name).into_iter();
            let aliases = aliases.flat_map(Command::get_visible_aliases);
            let about = aliases.fold(about, |about, alias| format!("{about}; also {alias}"));
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
    fn the_declarations_are_sound_and_the_last_group_exists() {
        command().debug_assert();
        assert!(commands::groups().last().is_some_and(|(group, _)| *group == LAST_GROUP));
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
