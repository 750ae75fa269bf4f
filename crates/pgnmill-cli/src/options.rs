//! An option that a command does not have: which one is meant.
//!
//! In: the option, the words of the command line. Out: the commands that have it; an option of the command of which
//! it is a slip; or what a word of another program is called here. Invariant: nothing is proposed that has some letters
//! in common and is no slip. Cost: the number of options.

use std::collections::BTreeSet;
use std::ffi::OsString;

use clap::Command;
use pgnmill_run::text::suggestion::slips_of;

use super::{commands, habits, parser, spellings};

/// Options that some commands do not have, these commands, and why.
const REASONS: [(&[&str], &[&str], &str); 5] = [
    (
        &["--moves", "--fen", "--position", "--epd"],
        &["explore"],
        "takes a position as words after the table, a FEN record or moves such as '1. e4 c5'",
    ),
    (
        &["--resume", "--verify", "--checkpoint"],
        &["validate", "stats"],
        "has no output that could be continued",
    ),
    (
        &["--resume", "--verify", "--checkpoint"],
        &["sort", "duplicates"],
        "writes nothing before it has read everything",
    ),
    (&["--split", "--ledger"], &["select", "sort", "duplicates"], "reads whole archives"),
    (&["--keep-going"], &["duplicates"], "reads the inputs several times"),
];

/// Why a command does not have an option that others have.
fn reason(option: &str, command: &str) -> Option<String> {
    let is_it = |(options, commands, _): &&(&[&str], &[&str], &str)| {
        options.contains(&option) && commands.contains(&command)
    };
    REASONS.iter().find(is_it).map(|(.., why)| format!("{command} {why}: it has no {option}"))
}

/// A word with one dash that is the long name of an option of the command, such as `-to`, where `--to` is meant: its
/// letters would be options, or the first of them with the others as its value.
pub(super) fn with_one_dash(all: &[OsString]) -> Option<&str> {
    fn name(word: &str) -> Option<&str> {
        word.strip_prefix('-').map(|it| it.split('=').next().unwrap_or(it))
    }
    let words = all.iter().map_while(|word| (word != "--").then(|| word.to_str().unwrap_or("")));
    let words: Vec<&str> = words.collect();
    let is_value = |at: usize| at.checked_sub(1).is_some_and(|before| words[before] == "--where");
    let named = (0..words.len()).filter(|&at| !is_value(at)).filter_map(|at| name(words[at]));
    // The options of a command are declared if there is such a word.
    let mut named = named.filter(|name| name.len() > 1 && !name.starts_with('-')).peekable();
    named.peek()?;
    let own = commands::find(spellings::command_of(all)?)?;
    let names = names(&own);
    named.find(|name| names.contains(name))
}

/// What is meant by an option.
pub(super) fn advice(option: &str, words: &[OsString]) -> Option<String> {
    let program = parser::command();
    let own = spellings::command_of(words).and_then(|name| program.find_subcommand(name));
    let name = option.split('=').next().unwrap_or(option);
    if spellings::command_of(words) == Some("explain") && name.parse::<u64>().is_ok() {
        return Some(format!("--game {name} shows the game of this number"));
    }
    if let Some(command) = own.filter(|own| is_before_command(name, words, own)) {
        let command = command.get_name();
        return Some(format!("options of {command} follow its name: pgnmill {command} {name} …"));
    }
    let near = match name.strip_prefix("--") {
        Some(name) => slips_of(name, own.into_iter().flat_map(names)),
        None => Vec::new(),
    };
    let has = |command: &&Command| {
        names(command).into_iter().any(|known| name.strip_prefix("--") == Some(known))
            || letter(name).is_some_and(|letter| letters(command).contains(&letter))
    };
    let others: Vec<String> = program
        .get_subcommands()
        .filter(has)
        .map(|command| format!("`{}`", command.get_name()))
        .collect();
    let why = own.and_then(|own| reason(name, own.get_name()));
    let why = why.map_or_else(String::new, |why| format!("{why}; "));
    // What another command has by just this name, or another program, is no slip.
    match (&others[..], habits::of_option(name)) {
        ([], _) if !why.is_empty() => Some(why.trim_end_matches("; ").to_string()),
        ([], Some(habit)) => Some(habit.to_string()),
        ([], None) => near.first().map(|near| format!("did you mean --{near}?")),
        ([one], _) => Some(format!("{why}{one} has it")),
        ([first @ .., last], _) => Some(format!("{why}{} and {last} have it", first.join(", "))),
    }
}

/// Is an option of the command written before its name?
fn is_before_command(option: &str, words: &[OsString], command: &Command) -> bool {
    let named = |word: &&OsString| {
        let names = std::iter::once(command.get_name()).chain(command.get_visible_aliases());
        names.into_iter().any(|name| *word == name)
    };
    let before: Vec<&OsString> = words.iter().take_while(|word| !named(word)).collect();
    let is_own = match option.strip_prefix("--") {
        Some(name) => names(command).contains(name),
        None => letter(option).is_some_and(|letter| letters(command).contains(&letter)),
    };
    is_own && before.iter().any(|word| word.to_str().is_some_and(|it| it.starts_with(option)))
}

/// The letter of an option that has one.
fn letter(option: &str) -> Option<char> {
    let mut letters = option.strip_prefix('-')?.chars();
    let letter = letters.next().filter(|letter| letter.is_alphanumeric())?;
    letters.next().is_none().then_some(letter)
}

/// The letters of the options of a command.
fn letters(command: &Command) -> BTreeSet<char> {
    command.get_arguments().filter_map(clap::Arg::get_short).collect()
}

/// The long names of the options of a command that its help lists: what is for tests alone is never proposed.
fn names(command: &Command) -> BTreeSet<&str> {
    let options = || command.get_arguments().filter(|option| !option.is_hide_set());
    let all = options().filter_map(clap::Arg::get_long_and_visible_aliases).flatten();
    all.chain(options().filter_map(clap::Arg::get_long)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_one_of_the_command_or_of_another_or_nothing() {
        for (line, expected) in [
            ("validate --head", Some("`select` has it")),
            ("export --head", Some("`select` has it")),
            ("convert --top", Some("`stats` has it")),
            ("convert --game", Some("`explain` has it")),
            ("convert --overwite", Some("did you mean --overwrite?")),
            ("select --wher", Some("did you mean --where?")),
            ("validate --limit", Some("select --head N")),
            ("validate --count", Some("pgnmill stats")),
            ("export --sort", Some("pgnmill sort --by")),
            ("export --qqqq", None),
            ("validate -o", Some("`select`, `sort`, `duplicates`")),
            ("-q validate -q", Some("options of validate follow its name: pgnmill validate -q")),
            ("--strict info --strict", Some("options of stats follow its name")),
            ("export -Q", None),
            (
                "validate --resume",
                Some(
                    "validate has no output that could be continued: it has no --resume; `convert`",
                ),
            ),
            ("stats --checkpoint", Some("`convert`, `select`")),
            ("sort --verify", Some("sort writes nothing before it has read everything")),
            ("duplicates --resume", Some("`convert`, `select`")),
            ("duplicates --keep-going", Some("reads the inputs several times")),
            (
                "select --split",
                Some(
                    "select reads whole archives: it has no --split; `validate`, `stats`, `convert`",
                ),
            ),
            ("sort --ledger", Some("sort reads whole archives")),
            #[cfg(feature = "columns")]
            ("explore --moves", Some("explore takes a position as words after the table")),
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

    /// Of every command, every long option; and no option of one letter, alone or with others.
    #[test]
    fn long_options_with_one_dash_are_found_and_letters_are_not() {
        let program = parser::command();
        for command in program.get_subcommands() {
            let found = |word: &str| {
                let words = ["pgnmill", command.get_name(), "a.pgn", word].map(OsString::from);
                with_one_dash(&words).map(str::to_string)
            };
            for name in names(command) {
                assert_eq!(found(&format!("-{name}")).as_deref(), Some(name));
                assert_eq!(found(&format!("-{name}=x")).as_deref(), Some(name));
                assert_eq!(found(&format!("--{name}")), None);
            }
            let letters: Vec<char> =
                command.get_arguments().filter_map(clap::Arg::get_short).collect();
            for one in &letters {
                assert_eq!(found(&format!("-{one}")), None);
                letters.iter().for_each(|two| assert_eq!(found(&format!("-{one}{two}")), None));
            }
        }
        let words = ["pgnmill", "select", "--where", "-head", "--", "-to"].map(OsString::from);
        assert_eq!(with_one_dash(&words), None);
    }

    /// No slip of an option that the help does not list leads to it, with any command.
    #[test]
    fn what_is_for_tests_is_not_proposed() {
        let program = parser::command();
        let is_hidden = |option: &&clap::Arg| option.is_hide_set();
        let hidden: BTreeSet<&str> = program
            .get_subcommands()
            .flat_map(|it| it.get_arguments().filter(is_hidden).filter_map(clap::Arg::get_long))
            .collect();
        assert!(hidden.contains("abort-after"), "{hidden:?}");
        for name in hidden {
            let letters = 0..name.len();
            let slips = letters.map(|at| format!("--{}{}", &name[..at], &name[at + 1..]));
            for slip in slips.chain([format!("--{name}"), format!("--{}", &name[..4])]) {
                for command in program.get_subcommands() {
                    let words = ["pgnmill", command.get_name(), &slip].map(OsString::from);
                    let text = advice(&slip, &words).unwrap_or_default();
                    assert!(!text.contains(name) && !text.contains("has it"), "{slip}: {text}");
                    assert_eq!(with_one_dash(&[&words[..2], &[slip[1..].into()]].concat()), None);
                }
            }
        }
    }

    /// An option that one command has and another has not leads to the first, or to a slip of its own.
    #[test]
    fn options_of_other_commands_are_found() {
        let program = parser::command();
        let commands: Vec<&Command> = program.get_subcommands().collect();
        let all: BTreeSet<&str> = commands.iter().flat_map(|command| names(command)).collect();
        for command in &commands {
            for option in all.difference(&names(command)) {
                let words = ["pgnmill", command.get_name()].map(OsString::from);
                let text = advice(&format!("--{option}"), &words).unwrap_or_default();
                for other in commands.iter().filter(|other| names(other).contains(option)) {
                    let leads = text.contains(&format!("`{}`", other.get_name()));
                    assert!(leads || text.starts_with("did you mean"), "{option}: {text}");
                }
            }
        }
    }
}
