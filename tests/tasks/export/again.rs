//! Tag pairs and movetext of each row, written back as PGN and exported again, are the same rows.

use std::path::PathBuf;

use pgnmill_needs::needs;

use super::formats::RICH;
use super::table::{self, Table, Value};
use crate::common::{SAMPLE, SOURCES, Scratch, corpus, here, name_of, text_of, trials};

/// The columns of tag pairs.
const TAGS: [&str; 21] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "WhiteTitle",
    "BlackTitle",
    "WhiteElo",
    "BlackElo",
    "WhiteRatingDiff",
    "BlackRatingDiff",
    "UTCDate",
    "UTCTime",
    "ECO",
    "Opening",
    "Termination",
    "TimeControl",
    "Variant",
    "FEN",
];
/// A row's position in an archive is another one; so are repairs of tag pairs, which are written without faults.
const POSITION: [&str; 4] = ["archive", "byte_offset", "game", "verdict"];

/// A value of a tag pair.
fn tag_value(name: &str, value: &Value) -> Option<String> {
    let text = match value {
        Value::Null => return None,
        Value::Text(text) => text.clone(),
        Value::Number(number) if name == "UTCDate" => {
            let days = |year: i64, month: i64| table::days(&format!("{year}-{month}-1"));
            let year = (1..10_000).rev().find(|&year| days(year, 1) <= *number).unwrap();
            let month = (1..13).rev().find(|&month| days(year, month) <= *number).unwrap();
            let day = number - days(year, month) + 1;
            format!("{year:04}.{month:02}.{day:02}")
        }
        Value::Number(number) if name == "UTCTime" => {
            let seconds = number / 1_000_000;
            format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
        }
        Value::Number(number) => number.to_string(),
        other => panic!("{name}: {other:?}"),
    };
    Some(text)
}

fn pair(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The rows as PGN. A game without tag pairs begins a text of its own.
fn written(table: &Table) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let tags = TAGS.map(|name| (name, table.index(name)));
    let (others, movetext) = (table.index("tags"), table.index("movetext"));
    for row in &table.rows {
        let mut game = String::new();
        for (name, index) in tags {
            let value = tag_value(name, &row[index]);
            game.extend(value.map(|value| pair(name, &value)));
        }
        let Value::Map(entries) = &row[others] else { panic!("a map") };
        game.extend(entries.iter().map(|(name, value)| pair(name, value)));
        if game.is_empty() || texts.is_empty() {
            texts.push(String::new());
        }
        game.push_str(&format!("\n{}\n\n", row[movetext].text().unwrap()));
        texts.last_mut().unwrap().push_str(&game);
    }
    texts
}

fn check(text: &[u8], what: &str) -> usize {
    let scratch = Scratch::new();
    scratch.write("a.pgn", text);
    let columns = "--columns all --notation san,descriptive -q";
    table::export(&scratch, &format!("{columns} -o one.parquet a.pgn"), &[]);
    let one = table::parquet(&scratch.join("one.parquet"));
    let texts = written(&one);
    let names: Vec<String> = (0..texts.len()).map(|number| format!("in/{number:06}.pgn")).collect();
    for (name, text) in names.iter().zip(&texts) {
        scratch.write(name, text.as_bytes());
    }
    let inputs: Vec<&str> = names.iter().map(String::as_str).collect();
    if inputs.is_empty() {
        return 0;
    }
    table::export(&scratch, &format!("{columns} -o two.parquet"), &inputs);
    let two = table::parquet(&scratch.join("two.parquet"));
    let (left, right) = (one.without(&POSITION), two.without(&POSITION));
    let names: Vec<&String> =
        one.names.iter().filter(|name| !POSITION.contains(&name.as_str())).collect();
    let dates = ["Date", "UTCDate"].map(|name| one.column(name));
    let is_null = |number: usize| dates.iter().all(|date| *date[number] == Value::Null);
    let dated: Vec<bool> = (0..left.len()).map(|number| !is_null(number)).collect();
    for (number, (one, two)) in left.iter().zip(&right).enumerate() {
        // `UTCDate` can have a year, and yet be no date.
        let is_dated = |name: &str| !matches!(name, "year" | "month") || dated[number];
        for (name, (one, two)) in names.iter().zip(one.iter().zip(two)) {
            if !is_dated(name) {
                continue;
            }
            assert_eq!(one, two, "{what}: row {number}, {name}\n{}", texts.concat());
        }
    }
    assert_eq!(left.len(), right.len(), "{what}");
    left.len()
}

#[test]
fn rows_written_back_as_pgn_are_the_same_rows() {
    assert_eq!(check(RICH.as_bytes(), "rich"), 6);
    check(&std::fs::read(here(SOURCES)).unwrap(), SOURCES);
    let sample = text_of(&here(SAMPLE));
    let bytes = trials(500_000, 500_000, 2_000_000);
    assert!(check(&sample[..bytes], SAMPLE) > bytes / 4_000);
}

#[needs("../shared/corpora")]
#[test]
fn rows_of_archives_written_back_as_pgn_are_the_same_rows() {
    let folders = ["otb", "lichess", "chess960", "annotated", "engine", "localized", "openings"];
    let mut rows = 0;
    for path in folders.into_iter().flat_map(corpus) {
        let is_small = |path: &PathBuf| std::fs::metadata(path).unwrap().len() < 300_000;
        if is_small(&path) {
            let text = text_of(&path);
            rows += check(&text[..text.len().min(400_000)], &name_of(&path));
        }
    }
    println!("{rows} rows");
    assert!(rows > 4_000);
}
