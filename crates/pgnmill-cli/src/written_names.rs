//! The names of options as a person has written them.
//!
//! In: a message, the words of the command line. Out: the message with the name that the words have, where an option
//! has another one that its help does not list (`select --partition-by`). Invariant: a message about an option that is
//! written by its first name, or by both, is not changed. Cost: that of declaring the options of one command, only
//! after an error.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};

use super::{commands, spellings};

/// The first name of an option, and the one that was written.
type Written = (String, String);

/// The options that are written by another name than their first.
fn written(words: &[OsString]) -> Vec<Written> {
    let Some(command) = spellings::command_of(words).and_then(commands::find) else {
        return Vec::new();
    };
    let words = words.iter().take_while(|word| *word != "--").filter_map(|word| word.to_str());
    let names = words.filter_map(|word| word.strip_prefix("--")?.split('=').next());
    let names: Vec<&str> = names.collect();
    let of = |option: &clap::Arg| {
        let first = option.get_long().filter(|first| !names.contains(first))?;
        let others = option.get_all_aliases().unwrap_or_default();
        let other = others.into_iter().find(|other| names.contains(other))?;
        Some((first.to_string(), other.to_string()))
    };
    command.get_arguments().filter_map(of).collect()
}

/// The message with the names that the words have.
pub(super) fn as_written(message: String, words: &[OsString]) -> String {
    // Without an option there is none to look for.
    if !message.contains("--") {
        return message;
    }
    written(words).iter().fold(message, |message, names| replaced(&message, names))
}

/// The error of the parser with the names that the words have.
pub(super) fn error_as_written(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let names = written(words);
    for kind in [ContextKind::InvalidArg, ContextKind::PriorArg] {
        let of_text =
            |text: &String| names.iter().fold(text.clone(), |text, it| replaced(&text, it));
        let value = match error.get(kind) {
            Some(ContextValue::String(text)) => ContextValue::String(of_text(text)),
            Some(ContextValue::Strings(texts)) => {
                ContextValue::Strings(texts.iter().map(of_text).collect())
            }
            _ => continue,
        };
        error.insert(kind, value);
    }
    error
}

/// The text with one name of an option in place of another, where that is a whole word.
fn replaced(text: &str, (first, other): &Written) -> String {
    let option = format!("--{first}");
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(&option) {
        let (before, after) = (&rest[..at], &rest[at + option.len()..]);
        let is_whole = !before.ends_with(is_of_name) && !after.starts_with(is_of_name);
        out += before;
        out += "--";
        out += if is_whole { other } else { first };
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    /// Of every option with a name that its help does not list: a message names what was written, and nothing else.
    #[test]
    fn a_message_has_the_name_that_was_written() {
        let mut count = 0;
        for command in parser::command().get_subcommands() {
            for option in command.get_arguments() {
                let Some(first) = option.get_long() else { continue };
                for other in option.get_all_aliases().unwrap_or_default() {
                    count += 1;
                    let message =
                        || format!("--{first}: no x; `--{first}` and --{first}-y, a--{first}");
                    let of = |rest: &str| {
                        let line = format!("pgnmill {} {rest}", command.get_name());
                        as_written(message(), &words(&line))
                    };
                    let expected =
                        format!("--{other}: no x; `--{other}` and --{first}-y, a--{first}");
                    assert_eq!(of(&format!("--{other} x")), expected);
                    assert_eq!(of(&format!("a --{other}=x")), expected);
                    for same in [
                        format!("--{first} x"),
                        format!("--{other} x --{first} y"),
                        format!("-- --{other}"),
                        "a".to_string(),
                    ] {
                        assert_eq!(of(&same), message(), "{same}");
                    }
                }
            }
        }
        assert!(count >= 2, "{count}");
    }
}
