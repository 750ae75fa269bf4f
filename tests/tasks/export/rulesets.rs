//! The product of rulesets, tables, formats and columns: every game of every ruleset is exported, alone and among games of
//! chess, and null is only where the documentation of a column has it.
//!
//! In: a game of each ruleset. Laws: the export succeeds; Parquet and Arrow have the values of JSON lines; a column whose
//! documentation says `never` has no null.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value as Json;

use super::table;
use crate::common::{Depth, Scratch, here};
use pgnmill_core::chess::rules::RulesKind;

/// A game of each ruleset, by its value of `Variant`.
const GAMES: [(&str, &str); 15] = [
    ("standard", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *"),
    ("Chess960", "1. e4 e5 *"),
    ("Crazyhouse", "1. e4 d5 2. exd5 Qxd5 3. Nc3 P@e4 4. Nxd5 *"),
    ("Atomic", "1. e4 e5 2. Nf3 d5 3. exd5 *"),
    ("Antichess", "1. e3 b5 2. Bxb5 *"),
    ("Giveaway", "1. e3 b5 2. Bxb5 *"),
    ("Suicide", "1. e3 b5 2. Bxb5 *"),
    ("King of the Hill", "1. e4 e5 2. Ke2 *"),
    ("Three-check", "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 *"),
    ("Racing Kings", "1. Nd4 *"),
    ("Horde", "1. e5 e6 *"),
    ("Chess 99", "1. b24 Nh9g7 2. i24 Nb9a7 *"),
    ("Chess 99", "*"),
    ("Gliński", "1. f6 e6 2. fxe6 Rh8 3. b3 d6 *"),
    ("Raumschach", "1. Bc3 Dc3 2. BDa3 Dc2 3. Cc3 *"),
];

fn game(variant: &str, movetext: &str) -> String {
    format!("[Event \"x\"]\n[Result \"*\"]\n[Variant \"{variant}\"]\n\n{movetext}\n\n")
}

/// The columns that are never null, by table, as the page has them.
fn never_null() -> BTreeMap<String, BTreeSet<String>> {
    let page = fs::read_to_string(here("docs/columns.md")).unwrap();
    let (mut never, mut table) = (BTreeMap::<String, BTreeSet<String>>::new(), String::new());
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("<!-- table ") {
            table = name.trim_end_matches(" -->").to_string();
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if let [name, _, _, _, "never", _, _] = cells[..] {
            never.entry(table.clone()).or_default().insert(name.trim_matches('`').to_string());
        }
    }
    assert!(never["games"].len() > 8 && never["plies"].len() > 5, "{never:?}");
    never
}

/// Exports a text in a format; the rows as JSON.
fn rows(text: &str, args: &str, format: &str) -> Vec<BTreeMap<String, Json>> {
    let scratch = Scratch::new();
    scratch.write("a.pgn", text.as_bytes());
    let file = format!("t.{format}");
    table::export(&scratch, &format!("{args} -q -o {file} a.pgn"), &[]);
    let lines = fs::read_to_string(scratch.join(&file)).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_ruleset_is_exported_in_every_format_alone_and_among_others() {
    let never = never_null();
    let rulesets: BTreeSet<&str> = GAMES.iter().map(|(variant, _)| *variant).collect();
    assert_eq!(rulesets.len(), RulesKind::COUNT, "a game of each ruleset");
    let mixed: String = GAMES.iter().map(|(variant, moves)| game(variant, moves)).collect();
    let single = GAMES.map(|(variant, moves)| game(variant, moves));
    for (number, text) in single.iter().chain([&mixed]).enumerate() {
        for (place, table) in ["games", "plies"].into_iter().enumerate() {
            // At the short depth a game alone has the columns of one kind, in turn; among others both.
            let is_one = Depth::current() == Depth::Short && number < GAMES.len();
            let turn = if is_one { 2 } else { 1 };
            let columns = ["default", "all"].into_iter().skip((number + place) % turn);
            for columns in columns.step_by(turn) {
                let args = format!("--table {table} --columns {columns}");
                let expected = rows(text, &args, "jsonl");
                for row in &expected {
                    for (name, value) in row {
                        let is_never = never[table].contains(name);
                        assert!(!(is_never && value.is_null()), "{table}.{name} is null: {text}");
                    }
                }
                check_formats(text, &args, expected.len());
            }
        }
    }
    assert_eq!(rows(&mixed, "--table games", "jsonl").len(), GAMES.len());
}

/// The other formats have as many rows, and the same nulls.
fn check_formats(text: &str, args: &str, rows_count: usize) {
    let scratch = Scratch::new();
    scratch.write("a.pgn", text.as_bytes());
    for format in ["parquet", "arrow", "csv"] {
        table::export(&scratch, &format!("{args} -q -o t.{format} a.pgn"), &[]);
    }
    let parquet = table::parquet(&scratch.join("t.parquet"));
    let arrow = table::arrow(&scratch.join("t.arrow"));
    assert_eq!(parquet.rows, arrow.rows, "{args}: {text}");
    assert_eq!(parquet.rows.len(), rows_count, "{args}: {text}");
    let csv = fs::read_to_string(scratch.join("t.csv")).unwrap();
    let records = csv::Reader::from_reader(csv.as_bytes()).records().count();
    assert_eq!(records, rows_count, "{args}: {text}");
}
