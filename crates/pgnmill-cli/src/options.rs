//! An option that a command does not have: which one is meant.
//!
//! In: the option, the words of the command line. Out: the commands that have it; an option of the command of which
//! it
//! is a slip; or what a word of another program is called here. Invariant: nothing is proposed that has some letters
//! in common and is no slip. Cost: the number of options.

use std::collections::BTreeSet;
use std::ffi::OsString;

use clap::Command;
use pgnmill_run::suggestion::slips_of;

use super::{habits, parser, spellings};

/// What is meant by an option.
pub(super) fn advice(option: &str, words: &[OsString]) -> Option<String> {
    let program = parser::command();
    let own = spellings::command_of(words).and_then(|name| program.find_subcommand(name));
    let name = option.split('=').next().unwrap_or(option);
    let near = match name.strip_prefix("--") {
        Some(name) => slips_of(name, own.into_iter().flat_map(names)),
        None => Vec::new(),
    };
    let has = |command: &&Command| {
        names(command).into_iter().any(|known| name.strip_prefix("--") == Some(known))
    };
    let others: Vec<String> = program
        .get_subcommands()
        .filter(has)
        .map(|command| format!("`{}`", command.get_name()))
        .collect();
    // What another command has by just this name, or another program, is no slip.
    match (&others[..], habits::of_option(name)) {
        ([], Some(habit)) => Some(habit.to_string()),
        ([], None) => near.first().map(|near| format!("did you mean --{near}?")),
        ([one], _) => Some(format!("{one} has it")),
        ([first @ .., last], _) => Some(format!("{} and {last} have it", first.join(", "))),
    }
}

/// The long names of the options of a command.
fn names(command: &Command) -> BTreeSet<&str> {
    let options = command.get_arguments();
    let all = options.filter_map(clap::Arg::get_long_and_visible_aliases).flatten();
    all.chain(command.get_arguments().filter_map(clap::Arg::get_long)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_one_of_the_command_or_of_another_or_nothing() {
        for (line, expected) in [
            ("validate --head", Some("`select` has it")),
            ("export --head", Some("`select` has it")),
            ("convert --top", Some("pgnmill stats")),
            ("convert --game", Some("`explain` has it")),
            ("convert --overwite", Some("did you mean --overwrite?")),
            ("select --wher", Some("did you mean --where?")),
            ("validate --limit", Some("select --head N")),
            ("validate --count", Some("pgnmill stats")),
            ("export --sort", Some("DuckDB")),
            ("export --qqqq", None),
        ] {
            let words: Vec<OsString> =
                ["pgnmill"].into_iter().chain(line.split(' ')).map(OsString::from).collect();
            let option = line.split(' ').next_back().unwrap();
            let advice = advice(option, &words);
            match expected {
                Some(expected) => {
                    let text = advice.unwrap_or_default();
                    assert!(text.contains(expected), "{line}: {text}");
                }
                None => assert_eq!(advice, None, "{line}"),
            }
        }
    }

    /// An option that one command has and another has not leads to the first, or to a slip of its own.
    #[test]
    fn options_of_other_commands_are_found() {
        let program = parser::command();
        let commands: Vec<&Command> = program.get_subcommands().collect();
        for command in &commands {
            for other in &commands {
                for option in names(other).difference(&names(command)) {
                    let words = ["pgnmill", command.get_name()].map(OsString::from);
                    let advice = advice(&format!("--{option}"), &words);
                    let text = advice.unwrap_or_default();
                    let leads = text.contains(&format!("`{}`", other.get_name()));
                    assert!(leads || text.starts_with("did you mean"), "{option}: {text}");
                }
            }
        }
    }
}
