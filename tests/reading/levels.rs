//! The same bytes come out whatever of the processor is used: each level that this one has is tested in turn.
//!
//! Besides real archives, games are moved through the places of a vector byte by byte, as what differs between the
//! levels is how many bytes they look at together and what they do with those that are left.

use std::collections::BTreeMap;
use std::fs;

use crate::common::{SAMPLE, SOURCES, Scratch, corpus, here, pgnmill, run_in, text_of, trials};
use pgnmill_core::engine::Rejects;
use pgnmill_core::notation;
use pgnmill_io::archive::games::Games;
use pgnmill_laws::support::{Ledger, Task, ledger_of, run_of};
use pgnmill_needs::needs;
use pgnmill_simd::Level;

/// The tasks, as they are typed, without their input.
const TASKS: &[&str] = &[
    "validate --faults f.csv --rejects r.pgn --summary s.csv",
    "validate --strict --faults f.csv --summary s.csv",
    "convert --to economical-priority -o out.pgn --faults f.csv --rejects r.pgn",
    "convert --to descriptive -o out.pgn.zst --keep-rejects --summary s.csv",
    "convert --to uci -o -",
    "measure --per-game --by all --entropy --compress zstd:1 --codes -o . --faults f.csv",
];

/// Runs a task on a text and takes away what it wrote, by file name.
fn written(text: &[u8], task: &str, level: Level, threads: usize) -> BTreeMap<String, Vec<u8>> {
    let scratch = Scratch::new();
    scratch.write("games.pgn", text);
    let (machine, threads) =
        (format!("--machine={}", level.name()), format!("--threads={threads}"));
    let mut args: Vec<&str> = task.split(' ').collect();
    args.extend(["--quiet", &machine, &threads, "games.pgn"]);
    let output = run_in(scratch.path(), &args, b"");
    let errors = String::from_utf8_lossy(&output.stderr);
    // Nothing but why the run does not end with 0.
    let is_reason = errors.lines().count() == 1 && errors.ends_with("(exit code 1)\n");
    let is_expected = if output.status.code() == Some(1) { is_reason } else { errors.is_empty() };
    assert!(is_expected, "{args:?} errors {errors}");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{args:?}: {}", output.status);
    fs::remove_file(scratch.join("games.pgn")).unwrap();
    let mut written = BTreeMap::from([("stdout".to_string(), output.stdout)]);
    written.insert("code".to_string(), format!("{:?}", output.status.code()).into_bytes());
    // The journal contains the time of the input's modification.
    for name in scratch.names().into_iter().filter(|name| name != ".pgnmill-run.jsonl") {
        written.insert(name.clone(), fs::read(scratch.join(&name)).unwrap());
    }
    written
}

/// Every task with every level, the best with two threads.
fn check(what: &str, text: &[u8]) {
    for task in TASKS {
        let expected = written(text, task, Level::Scalar, 1);
        assert!(expected.values().any(|bytes| bytes.len() > 100), "{task} writes something");
        for level in Level::all() {
            let threads = 1 + usize::from(level == Level::best());
            let found = written(text, task, level, threads);
            assert!(found.keys().eq(expected.keys()), "{what}, {task}, {level:?}: files");
            for (name, bytes) in &found {
                let other = &expected[name];
                let at = bytes.iter().zip(other).position(|(a, b)| a != b);
                assert!(bytes == other, "{what}, {task}, {level:?}: {name} differs at {at:?}");
            }
        }
    }
}

/// The first games of the sample, some of them damaged.
fn games(count: usize) -> Vec<u8> {
    let sample = text_of(&here(SAMPLE));
    let mut text = Vec::new();
    for (number, (_, game)) in Games::new(&sample).take(count).enumerate() {
        let game = String::from_utf8(game.to_vec()).unwrap();
        let game = match number % 12 {
            1 => game.replacen(" 2. ", " 2. Zz9 ", 1),
            2 => game.replace('\n', "\r\n"),
            3 => game.replacen("} 1... ", "} (1. h4 (1. a4 a5) 1... h5 2. Ke2) 1... ", 1),
            4 => game.replacen("{ ", "{ { ", 1).replacen(" }", "", 3),
            5 => game.replacen("+ {", " {", 1),
            6 => format!("{game}words that belong to nobody\n\n"),
            7 => game.trim_end().to_string(),
            8 => game.replacen("[White \"", "[White \"\u{e9}\\\" \"", 1),
            9 => game.replace('\n', "\r"),
            10 => game.replacen("{ ", &format!("{{ {} ", "many words ".repeat(30)), 1),
            _ => game,
        };
        text.extend_from_slice(game.as_bytes());
    }
    text
}

#[test]
fn the_sources() {
    check(SOURCES, &text_of(&here(SOURCES)));
}

#[test]
fn games_of_the_sample_some_damaged() {
    check(SAMPLE, &games(trials(48, 300, 6_000)));
}

/// Small archives of all kinds, one after the other in one text.
#[needs("../shared/corpora")]
#[test]
fn games_of_the_corpora() {
    const BYTES_MAX: usize = 40_000;
    let mut text = Vec::new();
    for folder in ["pathological", "chess960/small", "localized", "annotated", "engine", "otb"] {
        for path in corpus(folder).into_iter().step_by(trials(11, 2, 1)) {
            let archive = text_of(&path);
            text.extend_from_slice(&archive[..archive.len().min(BYTES_MAX)]);
            text.extend_from_slice(b"\n\n");
        }
    }
    assert!(!text.is_empty());
    check("the shared corpora", &text);
}

/// Each byte of the games comes to lie in each place of a vector, and at the end of a block.
#[test]
fn games_at_every_place() {
    let games = games(12);
    let to = notation::find("economical-squares").unwrap();
    for shift in 0..64 {
        let text = [&b"% a line\n"[..], &b" ".repeat(shift), b"\n", &games].concat();
        let ledger = |level: Level| -> Ledger {
            let mut how = run_of(Task::convert(to), Rejects::Apart);
            how.level = level;
            how.options.block_bytes = 64 + shift;
            ledger_of(&how, &text)
        };
        let expected = ledger(Level::Scalar);
        expected.check(text.len(), "scalar");
        assert!(expected.counts.rejected > 0 && expected.counts.accepted > 0);
        for level in Level::all() {
            assert_eq!(ledger(level), expected, "{level:?}, moved by {shift}");
        }
    }
}

#[test]
fn a_level_that_is_not_there_is_refused() {
    let run = |level: &str| {
        let sources = here(SOURCES);
        pgnmill().args(["validate", "--machine", level]).arg(sources).output().unwrap()
    };
    let output = run("mmx");
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("scalar") && errors.contains("not mmx"), "{errors}");
    for level in ["best"].into_iter().chain(Level::all().map(Level::name)) {
        assert_eq!(run(level).status.code(), Some(0), "{level}");
    }
}
