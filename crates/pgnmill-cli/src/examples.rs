//! The examples of the help texts.
//!
//! Out: the end of the output of `--help`. Invariant: `tests/program/help.rs` runs every line that begins with
//! `pgnmill`, in a directory with the archives that the examples name.

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

pub(super) const VALIDATE: &str = examples!(
    "Validate all archives of a directory" "pgnmill validate archives/"
    "List the faults, and keep the text of these games" "pgnmill validate --faults faults.csv --rejects rejected.pgn games.pgn.zst"
    "Accept or reject some deviations" "pgnmill validate --allow promotion-piece-missing --deny castling-zeros games.pgn"
    "The counts, for a program" "pgnmill validate --format json games.pgn.zst"
    "From a pipe" "cat games.pgn | pgnmill validate -"
);

pub(super) const STATS: &str = examples!(
    "What is in an archive" "pgnmill stats games.pgn.zst"
    "The same for a program" "pgnmill stats --format json games.pgn.zst"
    "The fifty players with the most games" "pgnmill stats --top 50 games.pgn.zst"
    "All players, events and openings with their games" "pgnmill stats -o tables/ archives/"
    "Of some games" "pgnmill stats --where 'rating_min >= 2500' archives/"
);

pub(super) const CONVERT: &str = examples!(
    "The moves in UCI, compressed" "pgnmill convert --to uci -o uci.pgn.zst games.pgn.zst"
    "German piece letters, to standard output" "pgnmill convert --to san --language de -o - games.pgn"
    "One output per input" "pgnmill convert --to long -o converted/ archives/"
    "Without comments and clocks, with the opening" "pgnmill convert --to san --drop comments,nags --set-eco -o clean.pgn games.pgn"
);

pub(super) const SELECT: &str = examples!(
    "The games of an expression" "pgnmill select --where 'rating_min >= 2000 and ply_count <= 80' -o short.pgn games.pgn.zst"
    "The first ten games" "pgnmill select --head 10 -o - games.pgn.zst"
    "A random sample, the same each time" "pgnmill select --sample 100 --seed 1 -o sample.pgn games.pgn.zst"
    "One file per year" "pgnmill select --split-by year -o years/ games.pgn.zst"
);

pub(super) const SORT: &str = examples!(
    "By date, then by White" "pgnmill sort --by date,White -o sorted.pgn games.pgn.zst"
    "The highest ratings first" "pgnmill sort --by '-rating_max' -o strongest.pgn games.pgn.zst"
);

#[cfg(feature = "columns")]
pub(super) const EXPORT: &str = examples!(
    "One row per game, as Parquet" "pgnmill export -o games.parquet games.pgn.zst"
    "One row per ply, some columns" "pgnmill export --table plies --columns archive,ply,san,fen -o plies.csv games.pgn.zst"
    "JSON lines, to standard output" "pgnmill export --format jsonl --columns White,Black,Result -o - games.pgn"
    "One folder per year and month" "pgnmill export --partition-by Year,Month -o lake/ games.pgn.zst"
);

pub(super) const DUPLICATES: &str = examples!(
    "A table of the duplicates" "pgnmill duplicates -o found/ january.pgn february.pgn"
    "Also an archive without them" "pgnmill duplicates --keep longest --removed -o unique/ january.pgn february.pgn"
);

pub(super) const MEASURE: &str = examples!(
    "The length of every notation" "pgnmill measure -o tables/ games.pgn.zst"
    "The main notations, by year and opening" "pgnmill measure --notations main --by year,eco -o by-year/ games.pgn.zst"
    "Compressed sizes of two levels" "pgnmill measure --compress zstd:3,zstd:19:main -o sizes/ games.pgn.zst"
);

pub(super) const MERGE: &str = examples!(
    "The tables of two months" "pgnmill merge -o year/ january/ february/"
);

pub(super) const SPLITS: &str = examples!(
    "One line per split" "pgnmill splits --target 64MiB games.pgn.zst"
    "Validate the first one" "pgnmill splits games.pgn.zst | head -n 1 > first.json; pgnmill validate --split @first.json"
);

pub(super) const REPORT: &str = examples!(
    "A page for a browser" "pgnmill report january/ -o report.html"
    "Markdown, with figures beside it" "pgnmill report january/ --figures figures/ -o page.md"
);

pub(super) const EXPLAIN: &str = examples!(
    "The game that contains a byte, such as one of the table of faults" "pgnmill explain games.pgn.zst --at 300"
    "A move of a game" "pgnmill explain games.pgn --game 2 --ply 31"
    "For a program" "pgnmill explain --format json games.pgn --game 2"
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
    "As JSON" "pgnmill deviations --format json"
);

pub(super) const FIELDS: &str = examples!("All fields" "pgnmill fields");

#[cfg(feature = "columns")]
pub(super) const COLUMNS: &str = examples!(
    "All columns" "pgnmill columns"
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
