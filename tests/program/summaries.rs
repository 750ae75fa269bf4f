//! The counts of a run: one summary, which every form of it has, and one thing on standard output.
//!
//! In: the product of commands, selections and forms of the summary. Out: nothing. Laws: `--summary` as CSV and as
//! JSON,
//! `--format csv` and `--format json`, the table in a directory and the lines for people have the same counts; games
//! read = accepted + repaired + rejected + selected + not selected; what is written to standard output is one thing,
//! the bytes of one file, or the run is refused.

use std::collections::BTreeMap;
use std::fs;

use crate::common::{Scratch, errors_of, exit_code, run_in};

type Summary = BTreeMap<String, String>;

/// A command, whether it takes `--format` for its summary, and the table of the summary in its output.
struct Run {
    words: &'static str,
    has_format: bool,
    table: Option<&'static str>,
}

const fn run(words: &'static str, has_format: bool, table: Option<&'static str>) -> Run {
    Run { words, has_format, table }
}

const RUNS: [Run; 9] = [
    run("validate", true, None),
    run("convert --to uci -o out.pgn", true, None),
    run("select -o out.pgn", true, None),
    run("select --split-by Round -o by/", true, None),
    run("select --games-per-file 4 -o by/", true, None),
    run("duplicates --keep first --min-plies 2 --near no -o d", true, Some("d/summary.csv")),
    run("measure --notations main -o m", true, Some("m/summary.csv")),
    run("export --columns White,ply_count,WhiteElo -o out.csv", false, None),
    run("stats", false, None),
];

/// Selections, some of which select all games or none.
const SELECTIONS: [&[&str]; 8] = [
    &[],
    &["--where", "Round == \"1\""],
    &["--where", "Round == \"9\""],
    &["--where", "Round != \"9\""],
    &["--sample", "40%"],
    &["--sample", "5"],
    &["--sample", "500", "--seed", "7"],
    &["--sample", "3", "--where", "Round == \"1\""],
];

/// Games that are accepted, repaired, rejected, duplicates; two archives, one of them with an encoding of its own.
fn archives(scratch: &Scratch) -> [&'static str; 2] {
    let game = |number: usize, round: usize, movetext: &str| {
        format!(
            "[Event \"e\"]\n[White \"W{number}\"]\n[Round \"{round}\"]\n[WhiteElo \"?x\"]\n[Result \"*\"]\n\n{movetext}\n\n"
        )
    };
    let texts = ["1. e4 e5 *", "1. e4 {c} e5 2. Nf3 *", "1. e2-e4 c5 *", "1. Ke3 *", "1. d4 d5 *"];
    let all: String =
        (0..30).map(|number| game(number, 1 + number % 3, texts[number % texts.len()])).collect();
    scratch.write("a.pgn", all.as_bytes());
    let other = game(40, 2, "1. c4 e5 *").replace("W40", "J\u{fc}rgen");
    let latin: Vec<u8> = other.chars().map(|letter| letter as u8).collect();
    scratch.write("b.pgn", &[&all.as_bytes()[..all.len() / 2], b"\n\n", &latin[..]].concat());
    ["a.pgn", "b.pgn"]
}

/// The rows of a table.
fn of_csv(text: &[u8]) -> Summary {
    let rows = csv::Reader::from_reader(text).into_records().map(Result::unwrap);
    let mut found = Summary::new();
    for row in rows {
        assert_eq!(found.insert(row[0].to_string(), row[1].to_string()), None, "{row:?} is twice");
    }
    found
}

/// The rows of an object.
fn of_json(text: &[u8]) -> Summary {
    let object: serde_json::Value = serde_json::from_slice(text).unwrap();
    let text = |value: &serde_json::Value| {
        value.as_str().map_or_else(|| value.to_string(), str::to_string)
    };
    let mut found = Summary::new();
    for (key, value) in object.as_object().unwrap() {
        let listed = value.as_array().into_iter().flatten();
        match key.as_str() {
            "is_clean" | "failures" | "remarks" => {}
            "deviations" => found.extend(listed.map(|it| {
                let key = format!("{}:{}", text(&it["class"]), text(&it["name"]));
                (key, text(&it["count"]))
            })),
            "unreadable" => found.extend(
                listed.map(|it| (format!("null:{}", text(&it["name"])), text(&it["count"]))),
            ),
            _ => drop(found.insert(key.clone(), text(value))),
        }
    }
    found
}

fn number(summary: &Summary, key: &str) -> u64 {
    summary.get(key).map_or(0, |number| number.parse().unwrap())
}

/// What the lines for people say of these counts.
fn lines(command: &str, summary: &Summary) -> Vec<String> {
    let of = |key: &str| number(summary, key);
    let games = |key: &str| {
        let number = of(key);
        format!("{number} {}", if number == 1 { "game" } else { "games" })
    };
    let not_selected = |words: &str| match summary.get("not_selected") {
        Some(number) => format!(" + {number} {words}"),
        None => String::new(),
    };
    let read = format!(" = {} read\n", games("games"));
    if command == "select" {
        return vec![format!(
            "{} selected{}",
            games("selected"),
            not_selected("not selected") + &read
        )];
    }
    let verdicts = format!(
        "{} accepted + {} repaired + {} rejected{}, in ",
        of("accepted"),
        of("repaired"),
        of("rejected"),
        not_selected("not selected")
    );
    let mut lines = vec![format!("{} read (", games("games")), verdicts];
    if command == "duplicates" {
        let duplicates = of("duplicates");
        let word = if duplicates == 1 { "duplicate" } else { "duplicates" };
        let rejected = of("rejected");
        let kept = games("kept");
        let others = match of("not_selected") {
            0 => String::new(),
            number => format!(" + {number} not selected"),
        };
        let parts = format!("{kept} kept + {duplicates} {word} + {rejected} rejected{others}");
        lines.push(parts + &read);
    }
    lines
}

/// Runs a command over the archives; what it writes to standard output, and for people.
fn ran(scratch: &Scratch, words: &str, selection: &[&str], form: &[&str]) -> (Vec<u8>, String) {
    let words: Vec<&str> = words.split(' ').collect();
    let args = [&words[..], selection, form, &["--overwrite", "a.pgn", "b.pgn"]].concat();
    // Files of another selection are not left beside those of this one.
    drop(fs::remove_dir_all(scratch.join("by")));
    let output = run_in(scratch.path(), &args, b"");
    assert!(exit_code(&output) < 2, "{args:?}: {}", errors_of(&output));
    (output.stdout.clone(), errors_of(&output))
}

/// Commands × selections × forms.
#[test]
fn every_form_of_a_summary_has_the_counts_of_the_run() {
    let scratch = Scratch::new();
    archives(&scratch);
    let mut runs_count = 0;
    for Run { words, has_format, table } in RUNS {
        let command = words.split(' ').next().unwrap();
        for selection in SELECTIONS {
            let takes_sample = !matches!(command, "validate" | "convert" | "duplicates");
            let is_number = selection.iter().any(|word| word.parse::<u64>().is_ok());
            let splits_number = words.contains("--split-by") && is_number;
            if selection.contains(&"--sample") && (!takes_sample || splits_number) {
                continue;
            }
            let name = format!("{words} {selection:?}");
            let (shown, people) = ran(&scratch, words, selection, &["--summary", "s.csv"]);
            let summary = of_csv(&fs::read(scratch.join("s.csv")).unwrap());
            assert_eq!(summary["command"], command, "{name}");
            let parts = ["accepted", "repaired", "rejected", "selected", "not_selected"];
            let sum: u64 = parts.iter().map(|key| number(&summary, key)).sum();
            assert_eq!(number(&summary, "games"), sum, "{name}: {summary:?}");
            let selects = command == "select" || !selection.is_empty();
            assert_eq!(summary.contains_key("not_selected"), selects, "{name}");
            let bytes = number(&summary, "game_bytes") + number(&summary, "between_bytes");
            assert_eq!(number(&summary, "text_bytes"), bytes, "{name}");
            for line in lines(command, &summary) {
                assert!(people.contains(&line), "{name}: {line:?} is not in\n{people}");
            }
            ran(&scratch, words, selection, &["--summary", "s.json"]);
            let json = of_json(&fs::read(scratch.join("s.json")).unwrap());
            assert_eq!(json, summary, "{name}: --summary s.json");
            if has_format {
                let csv = ran(&scratch, words, selection, &["--format", "csv"]).0;
                assert_eq!(of_csv(&csv), summary, "{name}: --format csv");
                let json = ran(&scratch, words, selection, &["--format", "json"]).0;
                assert_eq!(of_json(&json), summary, "{name}: --format json");
            }
            if let Some(table) = table {
                let table = of_csv(&fs::read(scratch.join(table)).unwrap());
                assert_eq!(table, summary, "{name}: the table of the directory");
            }
            match command {
                "select" => selected(&scratch, &summary, words.contains("by/"), &name),
                "stats" => counted(&scratch, &summary, selection, &shown, &name),
                _ => {}
            }
            runs_count += 1;
        }
    }
    assert!(runs_count > 40, "{runs_count}");
}

/// As many games are written as are selected.
fn selected(scratch: &Scratch, summary: &Summary, splits: bool, name: &str) {
    let files: Vec<_> = match splits {
        false => vec![scratch.join("out.pgn")],
        // Files of a run before are not removed.
        true => return,
    };
    let texts = files.iter().map(|path| {
        fs::read_to_string(path).unwrap_or_else(|error| {
            String::from_utf8_lossy(&fs::read(path).unwrap_or_else(|_| panic!("{error}")))
                .into_owned()
        })
    });
    let games: u64 = texts.map(|text| text.matches("[Event \"").count() as u64).sum();
    assert_eq!(games, number(summary, "selected"), "{name}");
}

/// The three formats of `stats` have the counts of its summary.
fn counted(scratch: &Scratch, summary: &Summary, selection: &[&str], text: &[u8], name: &str) {
    let keys = ["accepted", "repaired", "rejected", "not_selected"];
    let parts = keys.iter().filter_map(|key| {
        summary.get(*key).map(|number| format!("{number} {}", key.replace('_', " ")))
    });
    let line =
        format!("games         {}: {}", summary["games"], parts.collect::<Vec<_>>().join(", "));
    assert_eq!(String::from_utf8_lossy(text).lines().next().unwrap(), line, "{name}");
    let json = ran(scratch, "stats --format json", selection, &[]).0;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    for key in keys.iter().chain(&["games"]) {
        let of_json = json.get(*key).map(ToString::to_string);
        assert_eq!(of_json.as_ref(), summary.get(*key), "{name}: {key} of --format json");
    }
    let csv = ran(scratch, "stats --format csv", selection, &[]).0;
    let mut rows = Summary::new();
    for row in csv::Reader::from_reader(&csv[..]).into_records().map(Result::unwrap) {
        if row[0] == *"verdict" {
            rows.insert(row[1].replace('-', "_"), row[2].to_string());
        }
    }
    for key in keys {
        assert_eq!(number(&rows, key), number(summary, key), "{name}: {key} of --format csv");
    }
}

/// Standard output, by its names.
const STANDARD_OUTPUTS: [&str; 2] = ["-", "/dev/stdout"];

/// Commands × tables × names of standard output × formats: the bytes of one file, or nothing and exit code 2.
#[cfg(unix)]
#[test]
fn standard_output_has_one_thing() {
    let scratch = Scratch::new();
    archives(&scratch);
    let tables = [
        ("--faults", "t.csv"),
        ("--notes", "t.csv"),
        ("--rejects", "t.pgn"),
        ("--summary", "t.csv"),
    ];
    let mut refused_count = 0;
    for Run { words, has_format, .. } in RUNS {
        for (option, file) in tables {
            ran(&scratch, words, &[], &["--quiet", option, file]);
            let expected = fs::read(scratch.join(file)).unwrap();
            let formats: &[&[&str]] = match (has_format, words) {
                (true, _) | (_, "stats") => &[&[], &["--format", "csv"], &["--format", "json"]],
                _ => &[&[]],
            };
            for (output, format) in STANDARD_OUTPUTS
                .iter()
                .flat_map(|it| formats.iter().map(move |format| (it, format)))
            {
                let words: Vec<&str> = words.split(' ').collect();
                let args =
                    [&words[..], format, &["-q", "--overwrite", option, output, "a.pgn", "b.pgn"]]
                        .concat();
                let ran = run_in(scratch.path(), &args, b"");
                let shows = !format.is_empty() || words[0] == "stats";
                if shows {
                    assert_eq!(exit_code(&ran), 2, "{args:?}: {}", errors_of(&ran));
                    assert!(ran.stdout.is_empty(), "{args:?}");
                    assert!(errors_of(&ran).contains("standard output"), "{}", errors_of(&ran));
                    refused_count += 1;
                } else {
                    assert!(exit_code(&ran) < 2, "{args:?}: {}", errors_of(&ran));
                    assert!(ran.stdout == expected, "{args:?} writes more than {option}");
                }
            }
        }
    }
    assert_eq!(refused_count, (7 * 2 + 3) * 4 * 2, "no combination is missing");
}
