//! The examples of the help texts.
//!
//! In: pairs of what a command does, and the command. Out: the end of the output of `--help`. Invariant:
//! `tests/program/help.rs` runs every line that begins with `pgnmill`, in a directory with the archives that the
//! examples name.

/// Lines of examples below their heading: what a command does, and the command.
macro_rules! examples {
    ($($what:literal $command:literal)+) => {
        concat!("\u{1b}[1;4mExamples:\u{1b}[0m", $("\n  ", $what, ":\n    ", $command),+)
    };
}

pub(super) const PROGRAM: &str = examples!(
    "Which games are not valid, and where" "pgnmill validate --faults faults.csv games.pgn.zst"
    "The moves in UCI" "pgnmill convert --to uci -o uci.pgn.zst games.pgn.zst"
    "The games of strong players" "pgnmill select --where 'rating_min >= 2400' -o strong.pgn games.pgn.zst"
    "The games as a table" "pgnmill export -o games.parquet games.pgn.zst"
    "The completions of this shell" "pgnmill completions bash > pgnmill.bash"
);

pub(super) const EXPLAIN: &str = examples!(
    "The game that contains a byte, such as one of the table of faults" "pgnmill explain games.pgn.zst --at 300"
    "A move of a game" "pgnmill explain games.pgn --game 2 --ply 31"
    "For a program" "pgnmill explain --format json games.pgn --game 2"
);

#[cfg(feature = "columns")]
pub(super) const EXPLORE: &str = examples!(
    "What was played after some moves" "pgnmill explore explorer.parquet '1. e4 c5 2. Nf3'"
    "A tree of the moves that one game in ten plays" "pgnmill explore explorer.parquet --depth 6 --share 10"
    "A position of a book, for a program" "pgnmill explore --format json book.bin"
);

pub(super) const NOTATIONS: &str = examples!(
    "All notations" "pgnmill notations"
    "One of them" "pgnmill notations economical-priority"
    "A move in all of them" "pgnmill notations --compare Nf3"
    "A move of a position" "pgnmill notations --compare '7k/4P3/8/8/8/8/8/4K3 w - - 0 1|e8=Q+'"
    "Their names" "pgnmill notations --format csv | cut -d, -f1"
);

pub(super) const DEVIATIONS: &str = examples!(
    "All deviations" "pgnmill deviations"
    "One of them" "pgnmill deviations castling-zeros"
    "Those of tag pairs" "pgnmill deviations tag"
    "As JSON" "pgnmill deviations --format json"
);

pub(super) const FIELDS: &str = examples!(
    "All fields" "pgnmill fields"
    "Those with a word in their name" "pgnmill fields rating"
);

#[cfg(feature = "columns")]
pub(super) const COLUMNS: &str = examples!(
    "All columns" "pgnmill columns"
    "One of them" "pgnmill columns spent_ms"
    "As a table" "pgnmill columns --format csv"
);

pub(super) const COMPLETIONS: &str = examples!(
    "bash, for this user" "pgnmill completions bash > ~/.local/share/bash-completion/completions/pgnmill"
    "zsh, in a directory of $fpath" "pgnmill completions zsh > ~/.zfunc/_pgnmill"
    "fish" "pgnmill completions fish > ~/.config/fish/completions/pgnmill.fish"
);

pub(super) const MAN: &str = examples!(
    "Read the page of a command" "pgnmill man validate | man -l -"
    "All pages, for a package" "pgnmill man -o man1/"
);

/// The examples of a command that is a run.
pub(super) fn of(pairs: &[(&str, &str)]) -> String {
    let lines = pairs.iter().map(|(what, command)| format!("\n  {what}:\n    {command}"));
    format!("\u{1b}[1;4mExamples:\u{1b}[0m{}", lines.collect::<String>())
}
