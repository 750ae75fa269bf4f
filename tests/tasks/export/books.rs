//! The ledger: the rows of `games` and the rejected games are the games that were read; the rows of `plies` are the
//! plies of the accepted and repaired ones. Rows are joined with those of `measure --per-game` by archive and offset.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pgnmill_needs::needs;
use serde_json::Value as Json;

use super::formats::RICH;
use super::table::{self, Table, Value};
use crate::common::{
    SAMPLE, SOURCES, Scratch, corpus, exit_code, here, run_in, sample_text, trials,
};

/// Longer archives are for other tests.
const STORED_BYTES_MAX: u64 = 1 << 20;

/// The counts of a summary.
fn summary(path: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter_map(|row| row.split_once(','));
    rows.map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

/// Two tables of the same archives: their ledgers balance, by archive and in all.
fn check(scratch: &Scratch, inputs: &[&str], what: &str) -> (u64, u64) {
    let run = |table: &str, columns: &str| {
        let args = format!(
            "--overwrite --table {table} --columns {columns} --skip-damaged -o {table}.parquet --summary s.csv"
        );
        let printed = table::export(scratch, &args, inputs);
        let table = table::parquet(&scratch.join(&format!("{table}.parquet")));
        (printed, table, summary(&scratch.join("s.csv")))
    };
    let (printed, games, counts) = run("games", "archive,ply_count,verdict,game,byte_offset");
    let (plies_printed, plies, plies_counts) = run("plies", "archive,byte_offset,ply,game");
    let count = |key: &str| counts[key].parse::<u64>().unwrap();
    let (rows, rejected) = (games.rows.len() as u64, count("rejected"));
    assert_eq!(rows + rejected, count("games"), "{what}");
    assert_eq!(rows, count("accepted") + count("repaired"), "{what}");
    let is_repaired = |value: &&&Value| value.text() == Some("repaired");
    let repaired = games.column("verdict").iter().filter(is_repaired).count();
    assert_eq!(repaired as u64, count("repaired"), "{what}");
    let line = |rows: &str| {
        let (written, read) = (count("games") - rejected, count("games"));
        let games = |number| if number == 1 { "game" } else { "games" };
        let (of_written, of_read) = (games(written), games(read));
        format!(
            "{rows}{written} {of_written} written + {rejected} rejected = {read} {of_read} read"
        )
    };
    let has_line =
        |printed: &str, line: &str| printed.lines().any(|printed| printed.replace(',', "") == line);
    assert!(has_line(&printed, &line("")), "{what}: {printed}");
    let plies_rows = plies.rows.len();
    let noun = if plies_rows == 1 { "row" } else { "rows" };
    let of_plies = line(&format!("{plies_rows} {noun} of "));
    assert!(has_line(&plies_printed, &of_plies), "{what}: {plies_printed}");
    // Plies of the main line, without those of rejected games.
    let main_line = count("plies");
    assert_eq!(plies.rows.len() as u64, main_line, "{what}");
    let ply_counts = games.column("ply_count").into_iter().map(|value| value.number().unwrap());
    assert_eq!(ply_counts.sum::<i64>() as u64, main_line, "{what}");
    let mut differing = counts.clone();
    differing.remove("command");
    let mut others = plies_counts.clone();
    others.remove("command");
    assert_eq!(differing, others, "{what}");
    for table in [&games, &plies] {
        check_metadata(table, &counts, inputs.len(), what);
    }
    check_archives(&games, what);
    // Every game of the table of plies is one of the table of games, with as many rows as it has plies.
    let mut expected: BTreeMap<[&Value; 3], i64> = BTreeMap::new();
    for row in &games.rows {
        let plies = row[1].number().unwrap();
        if plies > 0 {
            assert!(
                expected.insert([&row[0], &row[4], &row[3]], plies).is_none(),
                "{what}: {row:?}"
            );
        }
    }
    let mut found: BTreeMap<[&Value; 3], i64> = BTreeMap::new();
    plies.rows.iter().for_each(|row| *found.entry([&row[0], &row[1], &row[3]]).or_default() += 1);
    assert!(found == expected, "{what}");
    (rows, plies.rows.len() as u64)
}

fn check_metadata(table: &Table, counts: &BTreeMap<String, String>, archives: usize, what: &str) {
    for (fact, count) in [
        ("games_read", "games"),
        ("accepted", "accepted"),
        ("repaired", "repaired"),
        ("rejected", "rejected"),
    ] {
        assert_eq!(table.fact(fact).to_string(), counts[count], "{what}: {fact}");
    }
    assert_eq!(table.fact("rows"), table.rows.len() as u64, "{what}");
    let unreadable: BTreeMap<String, u64> =
        serde_json::from_str(&table.metadata["pgnmill.unreadable"]).unwrap();
    let listed = counts.iter().filter_map(|(key, count)| {
        Some((key.strip_prefix("null:")?.to_string(), count.parse().unwrap()))
    });
    // A table reports what its own columns cannot read.
    if table.names.contains(&"WhiteElo".to_string()) {
        assert_eq!(unreadable, listed.collect(), "{what}");
    }
    let of_archives: Json = serde_json::from_str(&table.metadata["pgnmill.archives"]).unwrap();
    assert_eq!(of_archives.as_array().unwrap().len(), archives, "{what}");
}

/// The counts of each archive are those of its rows.
fn check_archives(games: &Table, what: &str) {
    let of_archives: Json = serde_json::from_str(&games.metadata["pgnmill.archives"]).unwrap();
    let mut sums = [0; 4];
    for archive in of_archives.as_array().unwrap() {
        let count = |key: &str| archive[key].as_u64().unwrap();
        let rows_with = |verdict: &str| {
            let is = |row: &&Vec<Value>| {
                row[0].text() == archive["name"].as_str() && row[2].text() == Some(verdict)
            };
            games.rows.iter().filter(is).count() as u64
        };
        let counts = ["games", "accepted", "repaired", "rejected"].map(count);
        assert_eq!(counts[0], counts[1] + counts[2] + counts[3], "{what}: {archive}");
        assert_eq!(
            [rows_with("accepted"), rows_with("repaired")],
            counts[1..3],
            "{what}: {archive}"
        );
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    let facts = ["games_read", "accepted", "repaired", "rejected"].map(|key| games.fact(key));
    assert_eq!(sums, facts, "{what}");
}

#[test]
fn rows_and_rejected_games_are_the_games_read() {
    let scratch = Scratch::new();
    scratch.write("rich.pgn", RICH.as_bytes());
    scratch.write("none.pgn", b"");
    scratch.write("rejects.pgn", "[Event \"x\"]\n\n1. Ke4 *\n\n".repeat(20_000).as_bytes());
    let sources = here(SOURCES).display().to_string();
    for inputs in [
        &["rich.pgn"][..],
        &["none.pgn"],
        &["rejects.pgn"],
        &["none.pgn", "rich.pgn", "rejects.pgn", &sources],
    ] {
        check(&scratch, inputs, &format!("{inputs:?}"));
    }
    // At the short depth a fifth of it.
    let text = sample_text();
    let part = scratch.write("part.pgn", &text[..text.len() / 5]);
    let sample = trials(part, here(SAMPLE), here(SAMPLE)).display().to_string();
    let (games, plies) = check(&scratch, &["rich.pgn", &sample], "the sample");
    println!("{games} games, {plies} plies");
    assert!(games > trials(1_500, 10_000, 10_000) && plies > trials(100_000, 500_000, 500_000));
}

/// All archives that can be read, one by one, so that each ledger is compared.
#[needs("../shared/corpora")]
#[test]
fn rows_and_rejected_games_are_the_games_read_of_archives() {
    let scratch = Scratch::new();
    let is_small = |path: &PathBuf| fs::metadata(path).unwrap().len() <= STORED_BYTES_MAX;
    let (mut archives, mut games, mut plies) = (Vec::new(), 0, 0);
    for path in corpus("").into_iter().filter(is_small).step_by(trials(13, 5, 1)) {
        let name = path.display().to_string();
        let valid = run_in(scratch.path(), &["validate", "-q", "--skip-damaged", &name], b"");
        if exit_code(&valid) > 1 {
            continue;
        }
        let counts = check(&scratch, &[&name], &name);
        (games, plies) = (games + counts.0, plies + counts.1);
        archives.push(name);
    }
    println!("{} archives, {games} games, {plies} plies", archives.len());
    let times: u64 = trials(10, 4, 1);
    assert!(
        archives.len() as u64 * times > 100 && games * times > 10_000 && plies * times > 300_000
    );
    // All at once: the sum.
    let all: Vec<&str> = archives.iter().map(String::as_str).collect();
    assert_eq!(check(&scratch, &all, "all archives"), (games, plies));
}

/// `games.csv` and the table of games have the same key, the same numbers of games and of plies.
fn check_join(scratch: &Scratch, inputs: &[&str]) -> usize {
    let measure = ["measure", "-q", "--overwrite", "--per-game", "--notations", "san", "-o", "m"];
    let ran = run_in(scratch.path(), &[&measure[..], inputs].concat(), b"");
    assert!(exit_code(&ran) < 2);
    let columns = "--columns archive,byte_offset,game,ply_count -q --overwrite -o g.parquet";
    table::export(scratch, columns, inputs);
    let games = table::parquet(&scratch.join("g.parquet"));
    let mut measured = csv::Reader::from_path(scratch.join("m/games.csv")).unwrap();
    let number = |text: &str| Value::Number(text.parse().unwrap());
    let measured: Vec<Vec<Value>> = measured
        .records()
        .map(|row| {
            let row = row.unwrap();
            let archive = Value::Text(row[0].to_string());
            vec![archive, number(&row[1]), number(&row[2]), number(&row[3])]
        })
        .collect();
    assert!(games.rows == measured, "{inputs:?}");
    games.rows.len()
}

#[test]
fn rows_can_be_joined_with_those_of_measurements() {
    let scratch = Scratch::new();
    scratch.write("rich.pgn", RICH.as_bytes());
    let (sample, sources) =
        (here(SAMPLE).display().to_string(), here(SOURCES).display().to_string());
    assert_eq!(check_join(&scratch, &["rich.pgn"]), 6);
    assert!(check_join(&scratch, &["rich.pgn", &sources, &sample]) > 10_000);
}

#[needs("../shared/corpora")]
#[test]
fn rows_of_archives_can_be_joined_with_those_of_measurements() {
    let scratch = Scratch::new();
    let found = ["otb", "annotated", "localized", "engine"].into_iter().flat_map(corpus);
    let is_small = |path: &PathBuf| fs::metadata(path).unwrap().len() <= STORED_BYTES_MAX / 4;
    let inputs: Vec<String> =
        found.filter(is_small).map(|path| path.display().to_string()).collect();
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    assert!(check_join(&scratch, &inputs) > 1_000);
}
