//! `select --sample` and `--split-by`: samples of equal archives differ; every value has a file of its own.
//!
//! In: archives of equally many games; tag pairs with hostile values, `missing` among them. Out: nothing; each game is
//! in the file of its value, and in no other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::common::{Scratch, errors_of, exit_code, name_of, run_in, trials};

fn select(scratch: &Scratch, args: &[&str]) -> Vec<u8> {
    let args = [&["select", "--quiet", "--overwrite"], args].concat();
    let output = run_in(scratch.path(), &args, b"");
    assert_eq!(exit_code(&output), 0, "{args:?}: {}", errors_of(&output));
    output.stdout
}

/// The numbers that are sampled of one archive do not decide those of another one.
#[test]
fn samples_of_equal_archives_are_of_different_games() {
    let scratch = Scratch::new();
    let games = |archive: &str| -> String {
        (0..600).map(|number| format!("[Event \"{archive} {number}\"]\n\n1. e4 *\n\n")).collect()
    };
    let names = ["a", "b", "c"];
    for name in names {
        scratch.write(&format!("{name}.pgn"), games(name).as_bytes());
    }
    for seed in 0..trials(4, 4, 30) {
        let seed = seed.to_string();
        let args = ["--sample", "450", "--seed", &seed, "-o", "-", "a.pgn", "b.pgn", "c.pgn"];
        let text = String::from_utf8(select(&scratch, &args)).unwrap();
        let mut numbers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for value in text.lines().filter_map(|line| line.strip_prefix("[Event \"")) {
            let (archive, number) = value.trim_end_matches("\"]").split_once(' ').unwrap();
            numbers.entry(archive).or_default().insert(number);
        }
        assert_eq!(numbers.values().map(BTreeSet::len).sum::<usize>(), 450);
        // About a quarter of the games: of two samples that are independent a quarter is common, in 150 games a third at
        // most, as good as certainly.
        let of = |name: &str| numbers.get(name).cloned().unwrap_or_default();
        for (one, other) in [("a", "b"), ("b", "c"), ("a", "c")] {
            let common = of(one).intersection(&of(other)).count();
            assert!(3 * common < of(one).len() + 15, "{one} {other}, seed {seed}: {numbers:?}");
        }
    }
}

#[test]
fn every_value_has_a_file_of_its_own() {
    let scratch = Scratch::new();
    let values = [
        "missing",
        "Missing",
        "%6Dissing",
        "MISSING",
        "missing.pgn",
        "a/b",
        "a%2Fb",
        "..",
        "%2E%2E",
        ".",
        "\u{e9}",
        "a b",
        "a_b",
        "con",
        "x:y",
    ];
    let mut text = String::new();
    for (number, value) in values.iter().enumerate() {
        for half in ["first", "second"] {
            text += &format!("[Event \"{number} {half}\"]\n[Site \"{value}\"]\n\n1. e4 *\n\n");
        }
        // Without a value.
        let none = ["", "[Site \"?\"]\n", "[Site \"\"]\n"][number % 3];
        text += &format!("[Event \"none\"]\n{none}\n1. e4 *\n\n");
    }
    scratch.write("a.pgn", text.as_bytes());
    select(&scratch, &["--split-by", "Site", "-o", "out", "a.pgn"]);
    let mut seen = BTreeMap::new();
    for entry in fs::read_dir(scratch.join("out")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let events = text.lines().filter_map(|line| line.strip_prefix("[Event \""));
        let mut of_file: Vec<&str> = events.map(|event| event.trim_end_matches("\"]")).collect();
        let all = of_file.len();
        of_file.dedup_by_key(|event| event.split(' ').next());
        assert_eq!(of_file.len(), 1, "{}: {of_file:?}", path.display());
        let number = of_file[0].split(' ').next().unwrap().to_string();
        assert!(seen.insert(number.clone(), all).is_none(), "{number} is in two files");
        assert_eq!(number == "none", name_of(&path) == "missing.pgn", "{}", path.display());
    }
    let expected = (0..values.len()).map(|number| (number.to_string(), 2));
    let expected = expected.chain([("none".to_string(), values.len())]);
    assert_eq!(seen, expected.collect());
}

/// `--split-by` several fields: every combination of values has a file of its own, whatever is in the values.
#[test]
fn every_combination_of_values_has_its_file() {
    let scratch = Scratch::new();
    let long = "x".repeat(120);
    let values = ["a", "-", "a-", "-a", "a-a", "%2D", "missing", "-missing", "a,b", &long, ""];
    let mut text = String::new();
    for half in ["first", "second"] {
        for (site, round) in values.iter().flat_map(|site| values.map(|round| (site, round))) {
            text += &format!(
                "[Event \"{half}\"]\n[Site \"{site}\"]\n[Round \"{round}\"]\n\n1. e4 *\n\n"
            );
        }
    }
    scratch.write("a.pgn", text.as_bytes());
    select(&scratch, &["--split-by", "Site, Round", "-o", "out", "a.pgn"]);
    let files: Vec<_> = fs::read_dir(scratch.join("out")).unwrap().collect();
    assert_eq!(files.len(), values.len() * values.len());
    for entry in files {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let (first, second) = text.split_at(text.len() / 2 - 1);
        let keys = |text: &str| {
            text.lines()
                .filter(|it| it.starts_with("[Site") || it.starts_with("[Round"))
                .map(String::from)
                .collect::<Vec<_>>()
        };
        assert_eq!(keys(first), keys(second), "{text}");
        assert_eq!(text.matches("1. e4").count(), 2, "{text}");
    }
    let dates = ["2024.05.01", "2024.05.31", "2024.12.01", "2024.??.??", "????.??.??"];
    let games = dates.map(|date| format!("[Date \"{date}\"]\n\n1. d4 *\n\n")).concat();
    scratch.write("b.pgn", games.as_bytes());
    select(&scratch, &["--split-by", "year,month", "-o", "months", "b.pgn"]);
    let mut names: Vec<String> = fs::read_dir(scratch.join("months"))
        .unwrap()
        .map(|entry| name_of(&entry.unwrap().path()))
        .collect();
    names.sort();
    assert_eq!(names, ["2024-05.pgn", "2024-12.pgn", "2024-missing.pgn", "missing-missing.pgn"]);
}
