//! An independent recount: python-chess, with the notations and the dimensions implemented again from their
//! descriptions, counts what the tables hold, to the character. Skipped if python-chess is absent.

#![allow(clippy::print_stdout, reason = "reports what was not tested")]

use std::collections::HashMap;
use std::fs;
use std::process::Command;

use crate::common::{
    SAMPLE, SOURCES, Scratch, corpus, first_games, here, name_of, run_in, text_of, trials,
};
use pgnmill_needs::needs;

/// The tables as counts: table, keys, column; and the table of games as if it had one row a game and notation.
fn counts_of(scratch: &Scratch) -> HashMap<String, u64> {
    let mut counts = HashMap::new();
    for name in scratch.names().iter().filter(|name| name.ends_with(".csv")) {
        let table = name.trim_end_matches(".csv");
        let mut reader = csv::Reader::from_path(scratch.join(name)).unwrap();
        let header = reader.headers().unwrap().clone();
        for (number, record) in reader.records().map(Result::unwrap).enumerate() {
            let is_key = |column: &&str| {
                ["key", "notation", "part", "role", "said", "fact"].contains(column)
                    || table == "lengths" && *column == "characters"
            };
            let keys: Vec<&str> = header
                .iter()
                .zip(&record)
                .filter(|(column, _)| is_key(column))
                .map(|pair| pair.1)
                .collect();
            for (column, value) in header.iter().zip(&record).filter(|(column, _)| !is_key(column))
            {
                let Ok(value) = value.parse() else { continue };
                let key = match column.strip_prefix("characters_") {
                    Some(notation) if table == "games" => {
                        format!("games\t{}\t{}\tcharacters", number + 1, notation.replace('_', "-"))
                    }
                    _ => [&[table], &keys[..], &[column]].concat().join("\t"),
                };
                counts.insert(key, value);
            }
        }
    }
    counts
}

#[needs("python-chess", command = "python3 -c 'import chess.pgn'")]
#[test]
fn python_chess_counts_the_same() {
    let scratch = Scratch::new();
    scratch.write("sources.pgn", &text_of(&here(SOURCES)));
    scratch.write("sample.pgn", &first_games(&text_of(&here(SAMPLE)), trials(40, 60, 600)));
    let mut archives = vec!["sources.pgn".to_string(), "sample.pgn".to_string()];
    // Real games, where they are there.
    let real =
        ["lichess-org-database_2017-05.pgn", "lichess_elite_2014-12.pgn", "assets__twic0920.pgn"];
    for path in ["lichess", "otb"].into_iter().flat_map(corpus) {
        if real.contains(&name_of(&path).as_str()) {
            scratch.write(&name_of(&path), &first_games(&text_of(&path), trials(15, 60, 400)));
            archives.push(name_of(&path));
        }
    }
    let archives: Vec<&str> = archives.iter().map(String::as_str).collect();
    let measure = [&["measure", "--per-game", "--by", "all", "-o", "."], &archives[..]].concat();
    let output = run_in(scratch.path(), &measure, b"");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let script = here("scripts/recount.py");
    let recount = Command::new("python3")
        .arg(script)
        .args(&archives)
        .current_dir(scratch.path())
        .output()
        .unwrap();
    assert!(recount.status.success(), "{}", String::from_utf8_lossy(&recount.stderr));
    let ours = counts_of(&scratch);
    let theirs = String::from_utf8(recount.stdout).unwrap();
    let (mut compared, mut games, mut differences) = (0, 0, Vec::new());
    for (key, count) in theirs.lines().filter_map(|line| line.rsplit_once('\t')) {
        let count: u64 = count.parse().unwrap();
        let mine = ours.get(key).copied().unwrap_or(0);
        if mine != count {
            differences.push(format!("{key}: {mine}, python-chess {count}"));
        }
        compared += 1;
        games += u32::from(key.starts_with("games\t") && key.contains("\tsan\t"));
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
    assert!(
        games >= trials(40, 60, 600) && compared > trials(5_000, 10_000, 10_000),
        "{games} games, {compared} counts"
    );
    // Nothing of ours lacks in theirs, for the notations that they write.
    for name in ["by_role", "by_eco", "by_opening_name", "by_phase", "by_speed", "disambiguation"] {
        let text = fs::read_to_string(scratch.join(&format!("{name}.csv"))).unwrap();
        let mine = ours.iter().filter(|(key, _)| {
            key.starts_with(&format!("{name}\t"))
                && (key.contains("\tsan\t") || name == "disambiguation")
                && key.ends_with("\tplies")
        });
        let lines = |key: &str| theirs.lines().any(|line| line.starts_with(&format!("{key}\t")));
        // Groups of games without a move are ours alone.
        assert!(mine.into_iter().all(|(key, count)| *count == 0 || lines(key)), "{text}");
    }
    println!("{games} games, {compared} counts are the same");
}
