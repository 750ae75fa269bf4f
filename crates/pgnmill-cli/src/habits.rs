//! Words of other programs in the place of ours: what is meant by them here.
//!
//! In: a command or an option that there is none of. Out: a sentence with what does it. Invariant: a test checks that
//! every command that is named exists, and that no word is one of ours. Cost: the length of the lists.

/// Commands of other programs, and what does the same.
const COMMANDS: [(&[&str], &str); 13] = [
    (
        &["fix", "clean", "cleanup"],
        "`pgnmill convert --to san` writes the games with what was repaired; also as `repair`",
    ),
    (
        &["split", "partition", "chunk"],
        "`pgnmill select --split-by FIELD -o DIR/` writes a file per value; `pgnmill splits` divides an archive for a \
         cluster",
    ),
    (
        &["grep", "search", "find", "query", "extract", "match", "where"],
        "`pgnmill select --where EXPR -o FILE` copies the games for which it is true",
    ),
    (
        &[
            "count", "summary", "describe", "wc", "analyze", "analyse", "ls", "players",
            "openings", "events",
        ],
        "`pgnmill stats` counts what is in an archive",
    ),
    (&["head", "tail", "first", "take"], "`pgnmill select --head N` copies the first games"),
    (&["sample", "random", "shuffle"], "`pgnmill select --sample N` copies games at random"),
    (
        &["cat", "join", "concat", "combine"],
        "`pgnmill select -o all.pgn a.pgn b.pgn` writes several archives into one",
    ),
    (
        &["uci", "san", "lan", "long", "transcode", "reencode", "format"],
        "`pgnmill convert --to NOTATION` writes another notation",
    ),
    (
        &["fen", "epd"],
        "`pgnmill export --table plies -o FILE.epd` writes positions, `--table games` the last of each game",
    ),
    (
        &["csv", "json", "parquet", "arrow", "jsonl", "table", "dump"],
        "`pgnmill export -o games.csv` writes a table; also .parquet, .arrow, .jsonl",
    ),
    (&["unique", "uniq", "dups", "duplicate"], "`pgnmill duplicates` finds games that occur twice"),
    (&["verify", "lint", "test", "parse", "read"], "`pgnmill validate` checks every game"),
    (
        &["show", "view", "print", "why", "debug"],
        "`pgnmill explain` shows a game and what is wrong",
    ),
];

/// Options of other programs, and what does the same.
const OPTIONS: [(&[&str], &str); 24] = [
    (&["--force", "--replace", "--clobber"], "--overwrite replaces files that are there"),
    (
        &["--jobs", "-T", "--parallel", "--cores"],
        "--threads N sets the number of threads; all processors work without it",
    ),
    (&["--fields", "--cols", "--column"], "`export --columns NAME,…` selects columns"),
    (
        &["--checkmate", "--since", "--until", "--eco", "--player", "--year", "--date"],
        "--where EXPR selects games: mate, year >= 2000, ECO like \"B9%\", player == \"Tal, Mihail\"",
    ),
    (
        &["--sort", "--order", "--order-by", "--sort-by"],
        "`pgnmill sort --by FIELDS` writes games in another order; `export` makes a table that DuckDB or Polars sorts",
    ),
    (
        &["--reverse", "--desc", "--descending"],
        "`sort --by -FIELD` begins with the largest value of a field",
    ),
    (
        &["--count", "--stats", "--totals"],
        "`pgnmill stats` counts; the last lines have the numbers",
    ),
    (&["-D", "-d", "-U"], "duplicates are found by `pgnmill duplicates`"),
    (
        &["--limit", "--max", "--max-games", "--first", "--stopafter", "--number"],
        "`select --head N` stops there",
    ),
    (
        &["-C", "--nocomments", "--no-comments"],
        "`--drop comments` of convert and select leaves them out",
    ),
    (&["-W", "-Wuci", "-Wlalg", "-Wsan"], "`convert --to NOTATION` writes another notation"),
    (&["-r", "-R", "--recursive"], "directories are read with all that is in them"),
    (&["-s", "--silent"], "--quiet prints errors only"),
    (&["--filter", "--query", "-t"], "--where EXPR selects games"),
    (&["--in", "--input", "-i", "-f", "--file"], "archives are named without an option"),
    (&["--stdout", "-c"], "`-o -` writes to standard output"),
    (
        &["--csv", "--json", "--jsonl", "--parquet", "--arrow"],
        "--format NAME, or the ending of the output's name, such as games.csv, decides the format",
    ),
    (
        &["--white", "--black", "--result", "--event", "--elo", "--rating", "--opening"],
        "--where EXPR selects games: White == \"Tal, Mihail\", outcome == \"0-1\", WhiteElo >= 2600",
    ),
    (
        &["--uci", "--san", "--lan", "--german", "--language", "--lang", "--notation"],
        "`convert --to NOTATION` writes another notation, such as uci or san-de",
    ),
    (&["--random", "--seed"], "`select --sample N` takes games at random"),
    (&["--in-place", "--inplace"], "an input is not changed: name the output with -o"),
    (&["--players", "--openings", "--years"], "`pgnmill stats` counts them"),
    (&["--pgn"], "archives are named without an option"),
    (&["--help-all", "--usage", "--man"], "--help has all options of a command"),
];

/// What a command is called here.
pub(super) fn of_command(word: &str) -> Option<&'static str> {
    find(&COMMANDS, word)
}

/// What an option is called here.
pub(super) fn of_option(word: &str) -> Option<&'static str> {
    find(&OPTIONS, word.split('=').next()?)
}

fn find(lists: &[(&'static [&str], &'static str)], word: &str) -> Option<&'static str> {
    lists.iter().find(|(words, _)| words.contains(&word)).map(|(_, advice)| *advice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser;

    #[test]
    fn words_are_not_ours_and_commands_that_are_named_are() {
        let command = parser::command();
        let is_ours = |word: &str| {
            command.get_subcommands().any(|known| {
                known.get_name() == word || known.get_all_aliases().any(|other| other == word)
            })
        };
        for (words, advice) in COMMANDS.iter().chain(&OPTIONS) {
            assert!(!words.iter().any(|word| is_ours(word)), "{words:?}");
            let named = advice.split("`pgnmill ").skip(1);
            for name in named.map(|text| text.split([' ', '`']).next().unwrap_or_default()) {
                let is_left_out = name == "export" && !cfg!(feature = "columns");
                assert!(is_ours(name) || is_left_out, "{name}: {advice}");
            }
        }
    }
}
