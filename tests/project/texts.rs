//! Text of archives is bytes, or a checked copy: no `str` is made of bytes that may be those of a map.
//!
//! A mapped file can change after its bytes were checked (pgnmill-io, `archive/map.rs`). So each file that checks UTF-8
//! is listed here, with the reason why what it checks is memory of its own, or why it makes no `str`.

use std::collections::BTreeMap;

use crate::tidy::{shown, sources, without_tests};

/// Functions of the standard library that make a `str` of bytes, or report whether they could.
const CHECKS: [&str; 5] =
    ["from_utf8", "from_utf8_lossy", "from_utf8_unchecked", "utf8_chunks", "from_utf8_mut"];

/// Files that call one of them, and why that is sound.
const CHECKED: &[(&str, &str)] = &[
    ("pgnmill-columns/src/file/slices.rs", "the buffer of a column"),
    ("pgnmill-columns/src/positions/arrow.rs", "a piece of a table, which was read"),
    ("pgnmill-columns/src/positions/page_values.rs", "a page, which was read and decompressed"),
    ("pgnmill-columns/src/positions/parquet.rs", "a page, which was read and decompressed"),
    ("pgnmill-columns/src/positions/text.rs", "a row, which was read"),
    ("pgnmill-core/src/chess/rules/variant_fen_text.rs", "a record that it has written"),
    ("pgnmill-core/src/engine/packed.rs", "rows that are unpacked"),
    ("pgnmill-core/src/engine/survey.rs", "makes no str: the positions of errors alone"),
    ("pgnmill-core/src/notation/text.rs", "a text of a notation, which has its own bytes"),
    ("pgnmill-core/src/pgn/copied.rs", "copies"),
    ("pgnmill-core/src/pgn/encoding.rs", "copies, or makes no str"),
    ("pgnmill-core/src/select/moves.rs", "a copy of the comment"),
    ("pgnmill-core/src/tables/se.rs", "names of tables, which are constants"),
    ("pgnmill-core/src/tasks/export/values.rs", "the buffer of a column"),
    ("pgnmill-core/src/tasks/measure/study/bpe/ranks.rs", "a vocabulary, which was read"),
    ("pgnmill-core/src/tasks/measure/study/bpe/units.rs", "a text of a notation"),
    ("pgnmill-core/src/tasks/measure/study/information.rs", "a text of a notation"),
    ("pgnmill-cli/src/manual.rs", "pages that it has written"),
    ("pgnmill-core/src/tasks/positions/stored_row.rs", "a row of a table, which was read"),
    ("pgnmill-io/src/archive/blanks.rs", "makes no str: whether bytes are a character"),
    ("pgnmill-io/src/archive/odd_pairs.rs", "makes no str: whether a value is UTF-8"),
    ("pgnmill-io/src/archive/zipped.rs", "a directory that was read into a buffer"),
    ("pgnmill-run/src/text/terminal.rs", "a copy of a line"),
    ("pgnmill-run/src/plan/names.rs", "the name of a file"),
    ("pgnmill-run/src/args/selecting.rs", "the file of an expression, which was read"),
    ("pgnmill-run/src/text/json.rs", "digits of a record, and what they encode"),
    ("pgnmill-run/src/text/records.rs", "a table that it has written"),
    ("pgnmill-run/src/commands/stats.rs", "a table that it has written"),
    ("pgnmill-state/src/lib.rs", "copies of a saved state"),
];

#[test]
fn utf_8_is_checked_in_copies_alone() {
    let mut found: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for path in sources() {
        let Some(code) = without_tests(&path) else { continue };
        let words: Vec<&str> = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let called = CHECKS.into_iter().filter(|name| words.contains(name)).collect::<Vec<_>>();
        let name = shown(&path).trim_start_matches("crates/").to_string();
        if !called.is_empty() {
            found.insert(name, called);
        }
    }
    assert!(found.len() > 5, "the law reads the sources: {found:?}");
    for (name, _) in CHECKED {
        assert!(found.remove(*name).is_some(), "{name} checks no UTF-8 any more");
    }
    assert!(found.is_empty(), "str of bytes that may be mapped, see pgn/encoding.rs: {found:?}");
}

/// Files of the library with descriptions of tables, columns, fields and deviations, which name options as the
/// documents do. They contain no error.
const DESCRIPTIONS: &[&str] = &[
    "pgnmill-core/src/facts/rows.rs",
    "pgnmill-core/src/pgn/deviation.rs",
    "pgnmill-core/src/tables/",
    "pgnmill-core/src/tasks/export/games.rs",
    "pgnmill-core/src/tasks/export/plies.rs",
    "pgnmill-core/src/tasks/positions/row.rs",
    "pgnmill-core/src/tasks/stats.rs",
];

/// The long options in the code of a file, without its comments.
fn options_of(code: &str) -> Vec<String> {
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut found = Vec::new();
    for line in lines {
        for (at, _) in line.match_indices("--") {
            let is_first = !line[..at].ends_with('-');
            let name: String =
                line[at + 2..].chars().take_while(|c| c.is_ascii_lowercase()).collect();
            if is_first && !name.is_empty() {
                found.push(format!("--{name}"));
            }
        }
    }
    found
}

/// A caller of the library has types, fields and features; the program adds its options where it catches an error.
#[test]
fn errors_of_the_library_name_no_options() {
    let mut read = 0;
    let mut described = 0;
    for path in sources() {
        let name = shown(&path).trim_start_matches("crates/").to_string();
        let of_library = ["pgnmill-core/", "pgnmill-io/", "pgnmill-columns/", "src/"];
        if !of_library.iter().any(|begin| name.starts_with(begin)) || name == "src/main.rs" {
            continue;
        }
        if without_tests(&path).is_none() {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        read += 1;
        let options = options_of(code);
        if DESCRIPTIONS.iter().any(|begin| name.starts_with(begin)) {
            described += options.len();
        } else {
            assert_eq!(options, Vec::<String>::new(), "{name}");
        }
    }
    assert!(read > 150 && described > 20, "the law reads the sources: {read}, {described}");
}
