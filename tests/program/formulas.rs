//! `--csv-safe`: no text of a game is a formula of a spreadsheet, and each can be read back.

use std::fs;

use crate::common::{Scratch, errors_of, exit_code, run_in};

/// First characters of texts; those that make a formula, or text after an apostrophe, are marked.
const FIRST: [(&str, bool); 14] = [
    ("=", true),
    ("+", true),
    ("-", true),
    ("@", true),
    ("\t", true),
    ("'", true),
    ("＝", true),
    ("＋", true),
    ("－", true),
    ("＠", true),
    ("a", false),
    (" =", false),
    ("1-0", false),
    ("é=", false),
];

/// The fields of a CSV file of games, without its header.
fn rows(text: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(text);
    reader.records().map(|row| row.unwrap().iter().map(ToString::to_string).collect()).collect()
}

#[test]
fn texts_of_games_are_no_formulas() {
    let scratch = Scratch::new();
    let value = |first: &str| format!("{first}HYPERLINK(1)");
    let game = |(first, _): &(&str, bool)| {
        let value = value(first);
        format!(
            "[Event \"{value}\"]\n[White \"{value}\"]\n[WhiteElo \"-3\"]\n[Odd \"{value}\"]\n\n1. e4 {{-1}} *\n\n"
        )
    };
    let text: String = FIRST.iter().map(game).collect();
    scratch.write("a.pgn", text.as_bytes());
    let columns = [
        "--columns",
        "Event,White,WhiteElo,outcome,movetext,tags",
        "a.pgn",
        "--format",
        "csv",
        "-o",
        "-",
    ];
    let export = |more: &[&str]| {
        let ran = run_in(scratch.path(), &[&["export"], &columns[..], more].concat(), b"");
        assert_eq!(exit_code(&ran), 0, "{}", errors_of(&ran));
        rows(&ran.stdout)
    };
    let (plain, safe) = (export(&[]), export(&["--csv-safe"]));
    assert_eq!((plain.len(), safe.len()), (FIRST.len(), FIRST.len()));
    for (((first, is_marked), plain), safe) in FIRST.iter().zip(&plain).zip(&safe) {
        for (column, (plain, safe)) in plain.iter().zip(safe).enumerate() {
            let is_text = column < 2;
            let expected = if is_text && *is_marked { format!("'{plain}") } else { plain.clone() };
            assert_eq!(*safe, expected, "{first:?}");
            assert!(!is_text || *plain == value(first), "{first:?}: {plain}");
        }
    }
    // In plies, too, and for no other format.
    let plies = [
        "export",
        "--table",
        "plies",
        "--columns",
        "ply,comment,eval_cp",
        "--csv-safe",
        "a.pgn",
        "-o",
        "p.csv",
    ];
    let ran = run_in(scratch.path(), &plies, b"");
    assert_eq!(exit_code(&ran), 0, "{}", errors_of(&ran));
    assert!(rows(&fs::read(scratch.join("p.csv")).unwrap()).iter().all(|row| row[1] == "'-1"));
    for format in ["parquet", "arrow", "jsonl"] {
        let ran = run_in(
            scratch.path(),
            &["export", "--csv-safe", "--format", format, "a.pgn", "-o", "-"],
            b"",
        );
        assert_eq!(exit_code(&ran), 2, "{format}");
        assert!(errors_of(&ran).contains("--csv-safe is for CSV"), "{}", errors_of(&ran));
    }
}
