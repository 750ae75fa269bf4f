//! What is shown while a run lasts and at its end adds up: events of progress, lines, summaries in both formats.
//!
//! In: archives of accepted, repaired and rejected games, inputs that fail, runs that are ended and go on. Out:
//! nothing.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pgnmill::{Input, Result};
use pgnmill_run::{Event, Host};
use serde_json::Value;

use super::resume::{SMALL, code, frames, tiny};
use crate::common::{Scratch, errors_of, exit_code, run_in, thinned};

const INPUTS: [&str; 4] = ["in/a.pgn", "in/b.pgn.zst", "in/c.pgn", "in/d.pgn"];

fn archives(scratch: &Scratch) {
    scratch.write(INPUTS[0], &tiny(2_000));
    scratch.write(INPUTS[1], &frames(&tiny(600), 7_000));
    scratch.write(INPUTS[2], &tiny(40));
    scratch.write(INPUTS[3], &tiny(900));
}

/// The JSON objects among the lines of standard error.
fn events(errors: &str) -> Vec<Value> {
    let lines = errors.lines().filter(|line| line.starts_with('{'));
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

/// The rows of a summary, as numbers where they are.
fn summary(scratch: &Scratch, file: &str) -> Vec<(String, String)> {
    let mut reader = csv::Reader::from_path(scratch.join(file)).unwrap();
    let row = |row: csv::StringRecord| (row[0].to_string(), row[1].to_string());
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn number(rows: &[(String, String)], key: &str) -> u64 {
    rows.iter().find(|row| row.0 == key).map_or(0, |row| row.1.parse().unwrap())
}

const COUNTS: [&str; 4] = ["games", "accepted", "repaired", "rejected"];

/// The events of the inputs sum to the summary and to the last event, in one run and in one that was ended and went
/// on.
#[test]
fn events_of_inputs_sum_to_the_summary() {
    for steps in [None, Some(6), Some(12), Some(20), Some(27)] {
        let scratch = Scratch::new();
        archives(&scratch);
        let args = [
            "convert",
            "in",
            "-o",
            "out/",
            "--to",
            "uci",
            "--summary",
            "s.csv",
            "--progress",
            "json",
        ];
        let mut shown = Vec::new();
        if let Some(steps) = steps {
            let steps = steps.to_string();
            let ended = run_in(
                scratch.path(),
                &[&args[..], &SMALL, &["--abort-after", &steps]].concat(),
                b"",
            );
            assert_eq!(code(&ended), None, "{}", errors_of(&ended));
            shown.extend(events(&errors_of(&ended)));
        }
        let before = shown.len();
        let ran = run_in(scratch.path(), &[&args[..], &SMALL].concat(), b"");
        assert_eq!(code(&ran), Some(1), "{}", errors_of(&ran));
        shown.extend(events(&errors_of(&ran)));
        let rows = summary(&scratch, "s.csv");
        let end = shown.iter().rfind(|event| event["event"] == "end").expect("an end");
        for key in ["games", "rejected"] {
            assert_eq!(end[key], number(&rows, key), "{steps:?}: {key}");
        }
        assert_eq!((&end["input"], &end["inputs"]), (&4.into(), &4.into()), "{end}");
        let of_inputs = |events: &[Value]| -> Vec<Value> {
            events.iter().filter(|event| event["event"] == "input").cloned().collect()
        };
        // An input that had ended may end again: the last event of each counts.
        let mut last: Vec<Option<Value>> = vec![None; INPUTS.len()];
        for event in of_inputs(&shown) {
            let index = event["input"].as_u64().unwrap() as usize - 1;
            assert_eq!(event["name"], INPUTS[index], "{steps:?}");
            last[index] = Some(event);
        }
        for key in COUNTS {
            let sum: u64 = last
                .iter()
                .map(|event| event.as_ref().expect("all ended")[key].as_u64().unwrap())
                .sum();
            assert_eq!(sum, number(&rows, key), "{steps:?}: {key}: {last:?}");
        }
        // Those of the run that went on follow each other up to the last.
        let numbers: Vec<u64> = of_inputs(&shown[before..])
            .iter()
            .map(|event| event["input"].as_u64().unwrap())
            .collect();
        let first = numbers.first().copied().unwrap_or(5);
        assert_eq!(numbers, (first..=4).collect::<Vec<_>>(), "{steps:?}");
        for event in of_inputs(&shown) {
            let sum: u64 = COUNTS[1..].iter().map(|key| event[*key].as_u64().unwrap()).sum();
            assert_eq!(event["games"], sum, "{event}");
        }
    }
}

/// Keeps the events of a run, waits once, and stops it at the end of an input.
#[derive(Debug, Default)]
struct Watcher {
    stop: AtomicBool,
    stops_after: usize,
    waits: AtomicBool,
    events: Mutex<Vec<Seen>>,
}

/// An event: seconds, input, stored bytes, games, rate, rest; of the end of an input its games alone.
#[derive(Debug, Clone)]
struct Seen {
    kind: &'static str,
    seconds: f64,
    input: usize,
    stored_bytes: u64,
    stored_bytes_total: u64,
    games: u64,
    rate: u64,
    remaining: Option<u64>,
}

impl Host for Watcher {
    fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    fn print(&self, _: &str) {}

    fn warn(&self, _: fmt::Arguments<'_>) {}

    fn show(&self, _: &str) -> Result<()> {
        Ok(())
    }

    fn standard_output(&self) -> Box<dyn Write + Send> {
        Box::new(io::sink())
    }

    fn add_facts(&self, _: &[(String, String)]) {}

    fn add_event(&self, event: &Event<'_>) {
        let (kind, now) = match event {
            Event::Progress(now) => ("progress", now),
            Event::End(now) => ("end", now),
            Event::InputEnd(end) => {
                if end.input == self.stops_after {
                    self.stop.store(true, Ordering::Relaxed);
                }
                return;
            }
        };
        self.events.lock().unwrap().push(Seen {
            kind,
            seconds: now.seconds,
            input: now.input,
            stored_bytes: now.stored_bytes,
            stored_bytes_total: now.stored_bytes_total.expect("files"),
            games: now.games,
            rate: now.games_per_second,
            remaining: now.remaining_seconds,
        });
        // Seconds pass, so that what is estimated is not 0.
        if self.waits.swap(false, Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(600));
        }
    }
}

fn watched(scratch: &Scratch, stops_after: usize) -> (bool, Vec<Seen>) {
    let watcher = Watcher { stops_after, waits: AtomicBool::new(true), ..Watcher::default() };
    let watcher = Arc::new(watcher);
    let path = |name: &str| Input::Path(scratch.join(name));
    let output = format!("--output={}/", scratch.join("out").display());
    let words =
        ["convert", "--to=uci", &output, "--resume", "--checkpoint=0", "--range-bytes=20000"];
    let inputs = Some(INPUTS.map(path).to_vec());
    let ended = pgnmill_cli::run_in(words, inputs, Arc::clone(&watcher) as Arc<dyn Host>);
    let events = watcher.events.lock().unwrap().clone();
    (ended.is_ok(), events)
}

/// Rates and estimates are of what this run has read and of what is left to it, also of a run that goes on.
#[test]
fn rates_and_estimates_are_of_this_run_and_of_the_rest() {
    for stops_after in thinned(2, [0, 1, 2]) {
        let scratch = Scratch::new();
        archives(&scratch);
        if stops_after > 0 {
            let (is_done, _) = watched(&scratch, stops_after);
            assert!(!is_done, "it was stopped");
        }
        let (is_done, events) = watched(&scratch, 0);
        assert!(is_done);
        let first = &events[0];
        assert!(first.input > stops_after, "{first:?} after input {stops_after}");
        // What was read before is at most what the first event has.
        let sizes = INPUTS.map(|name| fs::metadata(scratch.join(name)).unwrap().len());
        let stored_before: u64 = sizes[..stops_after].iter().sum();
        let games_before = [0, 2_000, 2_600][stops_after];
        for seen in &events {
            assert!(seen.games >= games_before && seen.stored_bytes >= stored_before, "{seen:?}");
            let seconds = seen.seconds.max(0.001);
            let rate_max = (seen.games - games_before) as f64 / seconds + 1.0;
            assert!(seen.rate as f64 <= rate_max, "{seen:?} is faster than {rate_max}");
            let now = seen.stored_bytes - stored_before;
            let left = seen.stored_bytes_total - seen.stored_bytes;
            if let (Some(remaining), true) = (seen.remaining, now > 0) {
                let expected = (seen.seconds + 0.5) * left as f64 / now as f64;
                assert!(remaining as f64 <= expected + 0.1, "{seen:?}: {expected}");
            }
        }
        let end = events.last().unwrap();
        assert_eq!((end.kind, end.games, end.remaining), ("end", 3_540, Some(0)), "{end:?}");
        assert!(end.seconds > 0.5, "{end:?}");
    }
}

/// The numbers of a line of progress sum to its games, whatever of them was selected, rejected, or not read.
#[test]
fn numbers_of_lines_sum_to_the_games() {
    let scratch = Scratch::new();
    archives(&scratch);
    let mut damaged = frames(&tiny(600), 3_000);
    let middle = damaged.len() / 2;
    damaged[middle..middle + 30].fill(0x55);
    scratch.write("in/e.pgn.zst", &damaged);
    let mut both = 0;
    for args in [
        "validate in",
        "validate --where ply_count>0 in",
        "select -o o.pgn in",
        "select -o o.pgn --where Event>\"3\" in",
        "select -o o.pgn --where ply_count>0 in",
        "convert --to uci -o o.pgn --where Event>\"3\" in",
    ] {
        let words = args.split(' ').chain(["--progress", "lines", "--skip-damaged", "--overwrite"]);
        let output = run_in(scratch.path(), &words.collect::<Vec<_>>(), b"");
        let errors = errors_of(&output);
        let lines = errors.lines().filter(|line| line.starts_with('['));
        let mut count = 0;
        for line in lines {
            count += 1;
            let (_, counts) = line.split_once(": ").unwrap();
            let numbers = counts.replace(',', "").replace(';', " ");
            let numbers: Vec<u64> =
                numbers.split(' ').filter_map(|word| word.parse().ok()).collect();
            assert_eq!(numbers[0], numbers[1..].iter().sum::<u64>(), "{args}: {line}");
            both += usize::from(line.contains("rejected") && line.contains(" selected"));
        }
        assert_eq!(count, 5, "{args}: {errors}");
    }
    assert!(both > 3, "{both} lines with rejected games beside others");
}

/// Both formats of the summary have the same facts, with failed inputs, damage and values that cannot be read.
#[test]
fn both_formats_of_the_summary_have_the_same_facts() {
    let scratch = Scratch::new();
    archives(&scratch);
    let odd = "[Event \"a\"]\n[WhiteElo \"many\"]\n[Date \"x\"]\n\n1. e4 e5 2. Ke3 *\n\n{no tags} 1. e4 *\n";
    scratch.write("odd.pgn", odd.as_bytes());
    let inputs = ["in/a.pgn", "missing.pgn", "odd.pgn", "fault:x.pgn"];
    for command in [
        &["validate"][..],
        &["convert", "--to", "uci", "-o", "o.pgn"],
        &["export", "--columns", "all", "-o", "o.csv"],
        &["select", "--where", "ply_count > 1", "-o", "o.pgn"],
    ] {
        let more =
            ["--keep-going", "--overwrite", "--summary", "s.csv", "--format", "json", "--quiet"];
        // Some commands have another option of that name.
        let more = if command[0] == "export" {
            [&more[..4], &["--quiet"]].concat()
        } else {
            more.to_vec()
        };
        let output = run_in(scratch.path(), &[command, &more, &inputs].concat(), b"");
        assert_eq!(exit_code(&output), 2, "{}", errors_of(&output));
        let shown = String::from_utf8_lossy(&output.stdout).into_owned() + &errors_of(&output);
        let Some(json) = events(&shown).into_iter().find(|object| !object["games"].is_null())
        else {
            assert_eq!(command[0], "export", "{shown}");
            continue;
        };
        let rows = summary(&scratch, "s.csv");
        check_formats(&rows, &json);
    }
}

fn check_formats(rows: &[(String, String)], json: &Value) {
    let list =
        |name: &str| json[name].as_array().unwrap_or_else(|| panic!("{name}: {json}")).clone();
    let (mut deviations, mut unreadable, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for (key, value) in rows {
        match key.split_once(':') {
            None => {
                let found = &json[key.as_str()];
                let shown = found.as_str().map_or_else(|| found.to_string(), str::to_string);
                assert_eq!(shown, *value, "{key}");
            }
            Some(("null", name)) => unreadable.push((name.to_string(), value.clone())),
            Some(("failed", name)) => failures.push((name.to_string(), value.clone())),
            Some((class, name)) => deviations.push((format!("{class}:{name}"), value.clone())),
        }
    }
    let pairs =
        |name: &str, key: &dyn Fn(&Value) -> String, count: &str| -> Vec<(String, String)> {
            list(name).iter().map(|row| (key(row), row[count].to_string())).collect()
        };
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_string();
    let sorted = |mut pairs: Vec<(String, String)>| {
        pairs.sort();
        pairs
    };
    let of_class = |row: &Value| format!("{}:{}", text(row, "class"), text(row, "name"));
    assert_eq!(sorted(pairs("deviations", &of_class, "count")), sorted(deviations));
    assert_eq!(sorted(pairs("unreadable", &|row| text(row, "name"), "count")), sorted(unreadable));
    let failed = sorted(pairs("failures", &|row| text(row, "input"), "games"));
    assert_eq!(failed, sorted(failures));
    assert_eq!(failed.len(), 2, "{json}");
}
