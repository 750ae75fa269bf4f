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
    ("pgnmill-core/src/chess/rules/variant_fen_text.rs", "a record that it has written"),
    ("pgnmill-core/src/engine/packed.rs", "rows that are unpacked"),
    ("pgnmill-core/src/engine/survey.rs", "makes no str: the positions of errors alone"),
    ("pgnmill-core/src/notation/text.rs", "a text of a notation, which has its own bytes"),
    ("pgnmill-core/src/pgn/copied.rs", "copies"),
    ("pgnmill-core/src/pgn/encoding.rs", "copies, or makes no str"),
    ("pgnmill-core/src/select/moves.rs", "a copy of the comment"),
    ("pgnmill-core/src/tables/se.rs", "names of tables, which are constants"),
    ("pgnmill-core/src/tasks/export/values.rs", "the buffer of a column"),
    ("pgnmill-core/src/tasks/measure/study/information.rs", "a text of a notation"),
    ("pgnmill-cli/src/manual.rs", "pages that it has written"),
    ("pgnmill-io/src/archive/blanks.rs", "makes no str: whether bytes are a character"),
    ("pgnmill-io/src/archive/odd_pairs.rs", "makes no str: whether a value is UTF-8"),
    ("pgnmill-io/src/archive/zipped.rs", "a directory that was read into a buffer"),
    ("pgnmill-run/src/columns.rs", "a copy of a line"),
    ("pgnmill-run/src/export.rs", "the name of a file"),
    ("pgnmill-run/src/expression.rs", "the file of an expression, which was read"),
    ("pgnmill-run/src/json.rs", "digits of a record, and what they encode"),
    ("pgnmill-run/src/records.rs", "a table that it has written"),
    ("pgnmill-run/src/stats.rs", "a table that it has written"),
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
