//! The options of a run that decide about its outputs, as names and values.
//!
//! In: what was parsed. Out: pairs for the journal, which compares them with those of the run that it continues; words
//! for tables and metadata. Invariant: an option counts for the journal unless it is listed here as without effect.
//! Cost: their bytes.

use std::path::Path;

use clap::{Arg, ArgMatches, Command};

use super::args::Common;
use super::expression::Expression;
use super::journal::path_text;

/// The arguments that the bytes of the outputs do not depend on; the journal compares inputs on its own.
const WITHOUT_EFFECT: &[&str] = &[
    "inputs",
    "split",
    "ledger",
    "threads",
    "keep_going",
    "overwrite",
    "resume",
    "verify",
    "checkpoint",
    "quiet",
    "progress",
    "no_progress",
    "block_bytes",
    "range_bytes",
    "machine",
    "abort_after",
    "format",
    "log",
    "color",
    "help",
];

/// The options of a command that decide about the bytes of its outputs, and their values; empty if it is not given.
pub(super) fn options_of_outputs(command: &Command, matches: &ArgMatches) -> Vec<(String, String)> {
    let counts = |arg: &&Arg| !WITHOUT_EFFECT.contains(&arg.get_id().as_str());
    let pair = |arg: &Arg| {
        let name =
            arg.get_long().map_or_else(|| arg.get_id().to_string(), |name| format!("--{name}"));
        (name, value_of(arg, matches))
    };
    command.get_arguments().filter(counts).map(pair).collect()
}

/// The value of an argument: the text of an expression that was read from a file; the words of other arguments.
fn value_of(arg: &Arg, matches: &ArgMatches) -> String {
    let id = arg.get_id().as_str();
    if let Ok(Some(expression)) = matches.try_get_one::<Expression>(id) {
        return expression.text().to_string();
    }
    let words = matches.get_raw(id).into_iter().flatten();
    let mut words: Vec<String> = words.map(|word| path_text(Path::new(word))).collect();
    // Sets: their order is of no matter.
    if matches!(id, "allow" | "deny" | "by") {
        words.sort_unstable();
        words.dedup();
    }
    words.join(if arg.get_value_delimiter().is_some() { "," } else { "\n" })
}

/// The options that decide which games are read, and which of them are rejected, in a canonical form.
pub(super) fn options_of_games(common: &Common) -> Vec<String> {
    let mut options = Vec::new();
    options.extend((common.from != "auto").then(|| format!("--from {}", common.from)));
    options.extend((common.rules != "chess").then(|| format!("--rules {}", common.rules)));
    options.extend(common.strict.then(|| "--strict".to_string()));
    options.extend(common.condition.iter().map(|condition| {
        format!("--where {}", condition.text().split_whitespace().collect::<Vec<_>>().join(" "))
    }));
    options.extend(common.skip_damaged.then(|| "--skip-damaged".to_string()));
    for (option, names) in [("--allow", &common.allow), ("--deny", &common.deny)] {
        options.extend(sorted(names).iter().map(|name| format!("{option} {name}")));
    }
    options
}

/// Different names, in order.
fn sorted(names: &[String]) -> Vec<&str> {
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser;
    use std::collections::BTreeMap;
    use std::ffi::OsString;

    fn counting(line: &str) -> BTreeMap<String, String> {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let mut args = parser::parse(parser::command(), &words).unwrap();
        args.command.common_mut().unwrap().counting.iter().cloned().collect()
    }

    #[test]
    fn every_option_counts_that_is_not_listed_and_those_that_are_exist() {
        let mut command = parser::command();
        command.build();
        let runs = ["convert", "select", "measure"];
        let runs = runs.iter().filter_map(|name| command.find_subcommand(name));
        let ids: Vec<&str> =
            runs.flat_map(Command::get_arguments).map(|arg| arg.get_id().as_str()).collect();
        for listed in WITHOUT_EFFECT {
            assert!(ids.contains(listed), "{listed} is no argument");
        }
        let base = counting("pgnmill convert a.pgn -o b.pgn --to uci");
        for more in [
            "--level 4",
            "--keep-rejects",
            "--to-utf8",
            "--set-eco",
            "--drop nags",
            "--set Site=x",
            "--remove Site",
            "--strict",
            "--allow tag-quote",
            "--deny tag-quote",
            "--rules atomic",
            "--from uci",
            "--where ply_count>3",
            "--skip-damaged",
            "--faults f.csv",
            "--notes n.csv",
            "--summary s.csv",
        ] {
            let other = counting(&format!("pgnmill convert a.pgn -o b.pgn --to uci {more}"));
            let option = more.split(' ').next().unwrap();
            let differ: Vec<&str> = base
                .keys()
                .filter(|name| base[*name] != other[*name])
                .map(String::as_str)
                .collect();
            assert_eq!(differ, [option]);
        }
        let threads = "pgnmill convert --threads 3 b.pgn -o b.pgn --to uci --resume --quiet";
        assert_eq!(counting(threads), base);
        let order = ["tag-quote,move-number-wrong", "move-number-wrong,tag-quote"]
            .map(|names| counting(&format!("pgnmill measure a.pgn -o t --deny {names}")));
        assert_eq!(order[0], order[1]);
    }
}
