//! What the standard streams of the program show: their width, and whether they show colours.
//!
//! In: `--color`, the environment, the streams. Out: [`Screen`]s. Invariant: a stream that is no terminal has no
//! width, and has colours only if they are requested. Cost: some system calls per command.
//!
//! Sources: no-color.org for `NO_COLOR`, bixense.com/clicolors for `CLICOLOR` and `CLICOLOR_FORCE`, POSIX for
//! `COLUMNS`.

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use clap::ValueEnum;

use pgnmill_run::{Screen, Stream};

/// A terminal whose width is not known has so many columns.
const COLUMNS_DEFAULT: usize = 80;

/// A value of `--color`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(super) enum Colors {
    /// On a terminal, unless the environment refuses them
    #[default]
    Auto,
    /// Also in files and pipes
    Always,
    /// Nowhere
    Never,
}

/// A stream of this process.
pub(super) fn screen_of(stream: Stream, colors: Colors) -> Screen {
    let is_terminal = match stream {
        Stream::Output => io::stdout().is_terminal(),
        Stream::Errors => io::stderr().is_terminal(),
    };
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let is_colored = has_colors(colors, is_terminal, set);
    Screen { columns: is_terminal.then(|| columns(stream)), is_colored }
}

/// Are colours written? `set` returns the value of a variable that is set and not empty.
fn has_colors(colors: Colors, is_terminal: bool, set: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_zero = |name: &str| set(name).is_some_and(|value| value == "0");
    match colors {
        Colors::Always => true,
        Colors::Never => false,
        Colors::Auto if set("NO_COLOR").is_some() => false,
        Colors::Auto if set("CLICOLOR_FORCE").is_some() && !is_zero("CLICOLOR_FORCE") => true,
        Colors::Auto if is_zero("CLICOLOR") => false,
        Colors::Auto => is_terminal && set("TERM").is_none_or(|value| value != "dumb"),
    }
}

/// The width of a terminal: `COLUMNS`, or what the terminal reports.
fn columns(stream: Stream) -> usize {
    let set = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let reported = || match stream {
        Stream::Output => terminal_size::terminal_size_of(io::stdout()),
        Stream::Errors => terminal_size::terminal_size_of(io::stderr()),
    };
    let reported = || reported().map(|(width, _)| usize::from(width.0));
    let is_width = |columns: &usize| *columns > 0;
    set.filter(is_width).or_else(reported).filter(is_width).unwrap_or(COLUMNS_DEFAULT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_follow_the_option_then_the_environment_then_the_terminal() {
        let with = |colors, is_terminal, variables: &'static [(&str, &str)]| {
            has_colors(colors, is_terminal, |name| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| OsString::from(value))
            })
        };
        assert!(with(Colors::Auto, true, &[]));
        assert!(!with(Colors::Auto, false, &[]));
        assert!(with(Colors::Always, false, &[("NO_COLOR", "1")]));
        assert!(!with(Colors::Never, true, &[("CLICOLOR_FORCE", "1")]));
        assert!(!with(Colors::Auto, true, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]));
        assert!(with(Colors::Auto, false, &[("CLICOLOR_FORCE", "1")]));
        assert!(!with(Colors::Auto, false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!with(Colors::Auto, true, &[("CLICOLOR", "0")]));
        assert!(!with(Colors::Auto, true, &[("TERM", "dumb")]));
    }
}
