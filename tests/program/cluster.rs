//! Splits of archives, read one by one and merged, are one run over the archives, byte for byte; and what is not all
//! splits of all archives exactly once is refused by name.

#![allow(clippy::print_stdout, reason = "reports how much was compared")]

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use crate::common::{
    self, Depth, SAMPLE, SOURCES, Scratch, here, pgnmill, text_of, thinned, trials, vocabulary,
};
use pgnmill::{Input, Result};
use pgnmill_cli::run_in;
use pgnmill_io::archive::seekable::{Cutter, FrameEncoder, SeekTable};
use pgnmill_laws::dice::Dice;
use pgnmill_run::Host;

/// Keeps what a command shows and warns of.
#[derive(Debug, Default)]
struct Keeper {
    stop: AtomicBool,
    shown: Mutex<String>,
    warned: Mutex<Vec<String>>,
}

impl Host for Keeper {
    fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    fn print(&self, _: &str) {}

    fn warn(&self, message: fmt::Arguments<'_>) {
        self.warned.lock().unwrap().push(message.to_string());
    }

    fn show(&self, text: &str) -> Result<()> {
        self.shown.lock().unwrap().push_str(text);
        Ok(())
    }

    fn standard_output(&self) -> Box<dyn Write + Send> {
        Box::new(io::sink())
    }

    fn add_facts(&self, _: &[(String, String)]) {}
}

/// Runs a command; returns what it shows and its warnings.
fn run(words: &[&str]) -> std::result::Result<(String, Vec<String>), String> {
    let host = Arc::new(Keeper::default());
    let ran = run_in(words.iter().copied(), None::<Vec<Input>>, host.clone());
    ran.map_err(|error| error.to_string())?;
    let host = Arc::into_inner(host).expect("the run has ended");
    Ok((host.shown.into_inner().unwrap(), host.warned.into_inner().unwrap()))
}

/// The same, of a command that goes through.
fn done(words: &[&str]) -> String {
    run(words).unwrap_or_else(|error| panic!("{words:?}: {error}")).0
}

/// The same, of a command that is refused.
fn refused(words: &[&str]) -> String {
    run(words).expect_err(&format!("{words:?}"))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn splits(archive: &Path, target: u64) -> Vec<String> {
    let shown = done(&["splits", "--quiet", "--target", &target.to_string(), text(archive)]);
    shown.lines().map(str::to_string).collect()
}

/// The words of a run that writes all its tables into a directory.
fn words(command: &str, options: &str, directory: &Path) -> Vec<String> {
    let mut words = vec![command.to_string(), "--quiet".to_string(), "--threads=1".to_string()];
    words.extend(options.split_whitespace().map(str::to_string));
    for table in ["faults", "notes"] {
        words.push(format!("--{table}={}", text(&directory.join(table).with_extension("csv"))));
    }
    match command {
        "measure" => words.push(format!("--output={}", text(directory))),
        _ => words.push(format!("--summary={}", text(&directory.join("summary.csv")))),
    }
    words
}

/// Runs a command over archives, or a split.
fn read(command: &str, options: &str, directory: &Path, input: &[&str]) {
    fs::create_dir_all(directory).unwrap();
    let mut words = words(command, options, directory);
    if input[0] == "--split" && command != "measure" {
        words.push(format!("--ledger={}", text(&directory.join("ledger.csv"))));
    }
    let words: Vec<&str> = words.iter().map(String::as_str).chain(input.iter().copied()).collect();
    done(&words);
}

/// The tables of a directory must be those of one run, but for the ledger.
fn assert_same(one: &Path, merged: &Path, name: &str) {
    let tables = |directory: &Path| {
        let paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
        let mut paths: Vec<PathBuf> = paths
            .filter(|path| path.extension().is_some_and(|ending| ending == "csv"))
            // The ledger, and the table that has its digest.
            .filter(|path| !path.ends_with("ledger.csv") && !path.ends_with("tables.csv"))
            .collect();
        paths.sort();
        paths
    };
    let (ones, others) = (tables(one), tables(merged));
    assert_eq!(ones.len(), others.len(), "{name}: {ones:?} {others:?}");
    for (one, other) in ones.iter().zip(&others) {
        assert_eq!(one.file_name(), other.file_name(), "{name}");
        let (one_bytes, other_bytes) = (fs::read(one).unwrap(), fs::read(other).unwrap());
        if one_bytes != other_bytes {
            let (left, right) =
                (String::from_utf8_lossy(&one_bytes), String::from_utf8_lossy(&other_bytes));
            let line = left.lines().zip(right.lines()).find(|(left, right)| left != right);
            panic!("{name}: {}: {line:?}", one.display());
        }
    }
}

/// The law, for one archive and one target. Returns the number of splits.
fn check(scratch: &Scratch, command: &str, options: &str, archive: &Path, target: u64) -> usize {
    let name = format!("{command} {options} {} by {target}", archive.display());
    let work = scratch.join("work");
    let _ = fs::remove_dir_all(&work);
    let one = scratch.join(&format!("one-{command}-{}", common::name_of(archive)));
    if !one.exists() {
        read(command, options, &one, &[text(archive)]);
    }
    let splits = splits(archive, target);
    let mut dice = Dice::new(target);
    let mut parts = Vec::new();
    for (number, split) in splits.iter().enumerate() {
        let part = work.join(number.to_string());
        read(command, options, &part, &["--split", split]);
        parts.push(part);
    }
    // In any order.
    for at in (1..parts.len()).rev() {
        parts.swap(at, dice.below(at + 1));
    }
    let merged = work.join("merged");
    let mut words = vec!["merge", "--quiet", "--output", text(&merged)];
    words.extend(parts.iter().map(|part| text(part)));
    done(&words);
    assert_same(&one, &merged, &name);
    let ledger = fs::read_to_string(merged.join("ledger.csv")).unwrap();
    assert_eq!(ledger.lines().count(), splits.len() + 1, "{name}");
    splits.len()
}

fn frame(text: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(text, 1).unwrap()
}

/// Frames of so many bytes of text: alone, after skippable frames with their sizes as pzstd writes them, and with the
/// table of the seekable format.
fn containers(scratch: &Scratch, name: &str, text: &[u8], frame_bytes: usize) -> Vec<PathBuf> {
    let frames: Vec<Vec<u8>> = text.chunks(frame_bytes).map(frame).collect();
    let pzstd = frames.iter().flat_map(|frame| {
        let mut stored = vec![0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0];
        stored.extend((frame.len() as u32).to_le_bytes());
        stored.extend(frame);
        stored
    });
    let (mut encoder, mut table, mut seekable) =
        (FrameEncoder::new(3).unwrap(), SeekTable::new(), Vec::new());
    let mut cutter = Cutter::with_sizes(frame_bytes, frame_bytes);
    let mut cuts = Vec::new();
    cutter.push(text.to_vec(), &[], &mut cuts);
    cuts.extend(cutter.finish());
    for slices in cuts {
        let frame = encoder.encode(&slices).unwrap();
        table.push(&frame);
        seekable.extend_from_slice(&frame.stored);
    }
    seekable.extend_from_slice(&table.to_bytes());
    let stored = [text.to_vec(), frames.concat(), pzstd.collect(), seekable, frame(text)];
    let kinds = ["plain", "frames", "pzstd", "seekable", "one"];
    let kinds = kinds.into_iter().zip(stored);
    #[cfg(feature = "containers")]
    let kinds = kinds.chain([("gzip", crate::common::coded::gzip(text))]);
    let path = |(kind, stored): (&str, Vec<u8>)| {
        let path = scratch.join(&format!("{name}-{kind}.pgn"));
        fs::write(&path, stored).unwrap();
        path
    };
    kinds.map(path).collect()
}

/// Rejected, repaired and odd games, text between them, all kinds of line ends, a byte order mark, an open comment.
const HOSTILE: &[u8] = b"\xEF\xBB\xBFprose before\n\n[Event \"a\"]\n[White \"x, \"\"y\"\"\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"bad\"]\r\n\r\n1. e5 *\r\n\r\n\
    between\n[Event \"b\"]\n\n1. d4 {a\n[b} d5 2.c4 1-0\n\n[Site \"c\"]\n\n1. 0-0 *\n\n\n[Event \"open\"]\n\n1. e4 {never closed\n\n[Event \"d\"]\n\
    1. e4 e5 2. Ke3 *\r\r[Event \"e\"]\r\r1. Nf3! d5 2. g3 (2. d4) Nf6 1/2-1/2\r\n[Event \"f\"]\n\n*\n[Event \"last\"]\n\n1. c4";

#[test]
fn every_cut_of_a_hostile_archive() {
    let scratch = Scratch::new();
    let mut runs = 0;
    let archives = containers(&scratch, "hostile", HOSTILE, 37);
    for target in thinned(5, 1..HOSTILE.len() as u64) {
        // From half of the archive on there are two splits, cut at each byte.
        if target > 60 || target % 7 == 0 {
            runs += check(&scratch, "validate", "", &archives[0], target);
        }
    }
    for archive in &archives[1..] {
        for target in [1, 50, 90, 200, 1000] {
            runs += check(&scratch, "validate", "", archive, target);
        }
    }
    println!("{runs} splits read");
}

#[test]
fn measurements_of_splits_are_those_of_one_run() {
    let scratch = Scratch::new();
    scratch.write("v.tiktoken", vocabulary::file().as_bytes());
    let options = "--by all --per-game --entropy --cluster=game,event,player --errors --writing";
    let options = &format!("{options} --tokens={}", text(&scratch.join("v.tiktoken")));
    // At the short depth a container has one of both texts, in turn.
    let turn = trials(2, 1, 1);
    for archive in containers(&scratch, "hostile", HOSTILE, 101).into_iter().step_by(turn) {
        check(&scratch, "measure", options, &archive, 150);
    }
    let sample = text_of(&here(SAMPLE));
    let archives =
        containers(&scratch, "sample", &sample[..trials(60_000, 200_000, 400_000)], 9_000);
    for archive in archives.into_iter().skip(turn - 1).step_by(turn) {
        let stored = fs::metadata(&archive).unwrap().len();
        check(&scratch, "measure", options, &archive, stored / trials(4, 7, 7) + 1);
    }
    check(&scratch, "measure", "--where=ply_count>20", &here(SOURCES), 3_000);
}

/// A real archive in about 7, 100 and 200 splits; at night larger ones too, in 1,000.
#[pgnmill_needs::needs("../shared/corpora/otb")]
#[test]
fn real_archives_in_random_splits() {
    let scratch = Scratch::new();
    let mut dice = Dice::new(19);
    let takes_all = Depth::current() == Depth::Night;
    let archives: &[(&str, &str)] = match takes_all {
        true => &[
            ("../shared/corpora/bench/masters.pgn.zst", "validate"),
            ("../shared/corpora/bench/lichess-clocks.pgn.zst", "validate"),
            ("../shared/corpora/annotated/chess_db.pgn.zst", "measure"),
            ("../shared/corpora/otb/assets__twic0920.pgn", "measure"),
        ],
        false => &[("../shared/corpora/otb/linares_2002.pgn", "measure")],
    };
    for (archive, command) in archives {
        let archive = here(archive);
        let stored = fs::metadata(&archive).unwrap().len();
        for &count in trials(&[7, 51][..], &[7, 100], &[7, 100, 1000]) {
            let command = if count > 100 { "validate" } else { command };
            let target = (stored / count).max(2);
            let target = target - dice.below(target as usize / 2) as u64;
            let options = if command == "measure" { "--by all --per-game" } else { "" };
            let splits = check(&scratch, command, options, &archive, target);
            println!("{}: {command} in {splits} splits", archive.display());
        }
    }
}

/// Two archives in ten splits, in a directory each.
fn ten_splits(scratch: &Scratch) -> Vec<PathBuf> {
    let sample = text_of(&here(SAMPLE));
    let mut parts = Vec::new();
    for (name, range) in [("a.pgn", 0..10_000), ("b.pgn", 10_000..20_000)] {
        let archive = scratch.join(name);
        fs::write(&archive, &sample[range]).unwrap();
        for (number, split) in splits(&archive, 2_000).iter().enumerate() {
            let part = scratch.join(&format!("{name}-{number}"));
            let output = text(&part).to_string();
            done(&["measure", "--quiet", "--output", &output, "--split", split]);
            parts.push(part);
        }
    }
    assert_eq!(parts.len(), 10);
    parts
}

fn merge<'a>(output: &'a Path, options: &[&'a str], parts: &'a [PathBuf]) -> Vec<&'a str> {
    let mut words = vec!["merge", "--quiet", "--overwrite", "--output", text(output)];
    words.extend(options);
    words.extend(parts.iter().map(|part| text(part)));
    words
}

#[test]
fn sums_of_sums_are_those_of_one_run() {
    let scratch = Scratch::new();
    let parts = ten_splits(&scratch);
    let one = scratch.join("one");
    let [a, b] = ["a.pgn", "b.pgn"].map(|name| scratch.join(name));
    done(&["measure", "--quiet", "--output", text(&one), text(&a), text(&b)]);
    let (left, right, all) = (scratch.join("left"), scratch.join("right"), scratch.join("all"));
    let pick = |numbers: &[usize]| -> Vec<PathBuf> {
        numbers.iter().map(|&number| parts[number].clone()).collect()
    };
    done(&merge(&left, &["--partial"], &pick(&[0, 9, 4, 2])));
    done(&merge(&right, &["--partial"], &pick(&[5, 1, 3, 8, 7, 6])));
    done(&merge(&all, &[], &[left.clone(), right.clone()]));
    assert_same(&one, &all, "sums of sums");
    // Whole archives again.
    let again = scratch.join("again");
    done(&merge(&again, &[], std::slice::from_ref(&all)));
    assert_eq!(
        fs::read(all.join("ledger.csv")).unwrap(),
        fs::read(again.join("ledger.csv")).unwrap()
    );
    let error = refused(&merge(&again, &[], &[left]));
    assert!(error.contains("split 2 of 5 of") && error.contains("is missing"), "{error}");
    let error = refused(&merge(&again, &[], &[all, right]));
    assert!(error.contains("is there twice"), "{error}");
}

#[test]
fn splits_that_do_not_fit_are_refused_by_name() {
    let scratch = Scratch::new();
    let parts = ten_splits(&scratch);
    let output = scratch.join("output");
    let check = |parts: &[PathBuf], options: &[&str], expected: &[&str]| {
        let error = refused(&merge(&output, options, parts));
        for expected in expected {
            assert!(error.contains(expected), "{expected:?} is not in {error:?}");
        }
        assert!(!output.exists());
    };
    for missing in 0..10 {
        let mut others = parts.clone();
        others.remove(missing);
        let name = format!("split {} of 5 of", missing % 5 + 1);
        check(&others, &[], &[&name, "is missing"]);
    }
    let doubled = [parts.clone(), vec![parts[3].clone()]].concat();
    check(&doubled, &[], &["a.pgn-3", "are the same directory", "twice"]);
    let copied = scratch.join("copied");
    fs::create_dir(&copied).unwrap();
    for entry in fs::read_dir(&parts[3]).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copied.join(path.file_name().unwrap())).unwrap();
    }
    let doubled = [parts.clone(), vec![copied]].concat();
    check(&doubled, &[], &["split 4 of 5 of", "is there twice", "copied"]);
    // The archive is divided in another way, or has changed, or the options are others.
    let archive = scratch.join("a.pgn");
    let other = scratch.join("other");
    let measured = |split: &str, options: &[&str]| {
        let _ = fs::remove_dir_all(&other);
        let mut words = vec!["measure", "--quiet", "--output", text(&other), "--split", split];
        words.extend(options);
        done(&words);
        let mut parts = parts.clone();
        parts[1] = other.clone();
        parts
    };
    let split = splits(&archive, 2_000)[1].clone();
    check(&measured(&split, &["--strict"]), &[], &["split 2 of 5 of", "options", "--strict"]);
    check(
        &measured(&splits(&archive, 2_500)[1], &[]),
        &[],
        &["do not belong together", "two ways"],
    );
    let text_before = fs::read(&archive).unwrap();
    fs::write(&archive, [&text_before[..], b"\n"].concat()).unwrap();
    let changed = measured(&splits(&archive, 2_000)[1], &[]);
    check(&changed, &[], &["do not belong together", "10001 bytes"]);
    // A split of the archive as it was.
    let error = refused(&["validate", "--split", &split]);
    assert!(
        error.contains("split 2 of 5 of") && error.contains("had 10000 bytes, has 10001"),
        "{error}"
    );
    fs::write(&archive, text_before).unwrap();
    let error = refused(&["validate", "--split", &split]);
    assert!(error.contains("it was modified"), "{error}");
    // A ledger beside the tables of another split.
    let (own, others) = (parts[2].join("ledger.csv"), parts[8].join("ledger.csv"));
    let ledgers = [fs::read(&own).unwrap(), fs::read(&others).unwrap()];
    fs::write(&own, &ledgers[1]).unwrap();
    fs::write(&others, &ledgers[0]).unwrap();
    check(&parts, &[], &["is of other tables", "in summary.csv"]);
    fs::write(&own, &ledgers[0]).unwrap();
    fs::write(&others, &ledgers[1]).unwrap();
    // Every count that a ledger and a summary both have.
    let summary = parts[2].join("summary.csv");
    let before = fs::read_to_string(&summary).unwrap();
    for key in ["text_bytes", "games", "accepted", "rejected", "plies", "variation_plies"] {
        let row = before.lines().find(|line| line.starts_with(&format!("{key},"))).unwrap();
        fs::write(&summary, before.replace(&format!("\n{row}\n"), &format!("\n{row}1\n"))).unwrap();
        check(&parts, &[], &["is of other tables", &format!(": {key} is ")]);
    }
    fs::write(&summary, before).unwrap();
    fs::rename(parts[2].join("summary.csv"), scratch.join("summary.csv")).unwrap();
    check(&parts, &[], &["summary.csv", "is not"]);
    fs::rename(scratch.join("summary.csv"), parts[2].join("summary.csv")).unwrap();
    // Altered splits, ledgers, and tables.
    let error =
        refused(&["validate", "--split", &split.replace("\"begin\":2000", "\"begin\":2001")]);
    assert!(error.contains("split 2 of 5 of") && error.contains("was altered"), "{error}");
    let ledger = parts[2].join("ledger.csv");
    let before = fs::read_to_string(&ledger).unwrap();
    fs::write(&ledger, before.replace(",6000,", ",6001,")).unwrap();
    check(&parts, &[], &["a.pgn-2", "split 3 of 5 of", "was altered"]);
    fs::remove_file(&ledger).unwrap();
    check(&parts, &[], &["ledger.csv", "is not"]);
    fs::write(&ledger, before).unwrap();
    done(&merge(&output, &[], &parts));
}

#[test]
fn what_splits_cannot_do_is_refused_before_any_work() {
    let scratch = Scratch::new();
    let archive = scratch.join("a.pgn");
    fs::write(&archive, HOSTILE).unwrap();
    let split = &splits(&archive, 200)[1];
    let output = scratch.join("output.pgn");
    let output = text(&output);
    for (words, expected) in [
        (&["measure", "--compress", "zstd:3", "-o", output][..], "--compress"),
        (&["measure", "--codes", "-o", output], "--codes"),
        (&["measure", "--resume", "-o", output], "--resume"),
        (&["validate", "--skip-damaged"], "--skip-damaged"),
        (&["validate", "--rejects", output], "--rejects"),
        (&["convert", "--to", "uci", "-o", output], "--keep-rejects"),
        (
            &["convert", "--keep-rejects", "--where", "ply_count > 1", "--to", "uci", "-o", output],
            "--where",
        ),
        (&["convert", "--keep-rejects", "--to", "uci", "-o", "./"], "is written to a file"),
        (&["export", "-o", "./"], "is written to a file"),
        (&["select", "-o", output], "whole archives"),
        (&["duplicates", "-o", output], "whole archives"),
    ] {
        let words = [words, &["--split", split]].concat();
        let error = refused(&words);
        assert!(error.contains(expected), "{error}");
        assert!(!Path::new(output).exists(), "{words:?}");
    }
    let error = refused(&["validate", "--ledger", output, text(&archive)]);
    assert!(error.contains("--ledger"), "{error}");
    let positions = scratch.join("suite.epd");
    fs::write(&positions, "4k3/8/8/8/8/8/8/4K3 w - -\n").unwrap();
    let error = refused(&["splits", text(&positions)]);
    assert!(error.contains("is read as positions"), "{error}");
    // One frame is one split, and the remedy is named.
    let one = scratch.join("one.pgn.zst");
    fs::write(&one, frame(&HOSTILE.repeat(9))).unwrap();
    let (shown, warned) = run(&["splits", "--target", "100", text(&one)]).unwrap();
    assert_eq!(shown.lines().count(), 1);
    assert!(warned.concat().contains("pgnmill select -o NEW.pgn.zst"), "{warned:?}");
}

#[test]
fn conversions_of_splits_join_to_that_of_the_archive() {
    let scratch = Scratch::new();
    for (name, text_of_archive) in
        [("hostile", HOSTILE.to_vec()), ("sample", text_of(&here(SAMPLE))[..60_000].to_vec())]
    {
        for archive in containers(&scratch, name, &text_of_archive, 5_000) {
            let one = scratch.join("one.pgn");
            let words =
                ["convert", "--quiet", "--overwrite", "--keep-rejects", "--to", "uci", "-o"];
            done(&[&words[..], &[text(&one), text(&archive)]].concat());
            let mut joined = Vec::new();
            for split in splits(&archive, 4_001) {
                let part = scratch.join("part.pgn");
                done(&[&words[..], &[text(&part), "--split", &split]].concat());
                joined.extend(fs::read(&part).unwrap());
            }
            let one = fs::read(&one).unwrap();
            assert!(one == joined, "{}", archive.display());
        }
    }
}

/// With a ledger, splits know what is before them.
#[test]
fn rows_of_splits_with_a_base_are_those_of_one_run() {
    let scratch = Scratch::new();
    for archive in containers(&scratch, "hostile", HOSTILE, 37) {
        let (one, ledgers) = (scratch.join("one.csv"), scratch.join("ledgers"));
        let _ = fs::remove_dir_all(&ledgers);
        done(&["validate", "--quiet", "--overwrite", "--faults", text(&one), text(&archive)]);
        let mut rows = Vec::new();
        let mut parts = Vec::new();
        fs::create_dir_all(&ledgers).unwrap();
        for (number, split) in splits(&archive, 200).iter().enumerate() {
            let ledger = ledgers.join(format!("{number}.csv"));
            done(&["validate", "--quiet", "--ledger", text(&ledger), "--split", split]);
            parts.push(ledger);
        }
        let merged = ledgers.join("merged");
        done(&merge(&merged, &[], &parts));
        let ledger = merged.join("ledger.csv");
        let shown = done(&[
            "splits",
            "--quiet",
            "--target",
            "200",
            "--ledger",
            text(&ledger),
            text(&archive),
        ]);
        for split in shown.lines() {
            let part = scratch.join("part.csv");
            done(&[
                "validate",
                "--quiet",
                "--overwrite",
                "--faults",
                text(&part),
                "--split",
                split,
            ]);
            let text = fs::read_to_string(&part).unwrap();
            rows.extend(text.lines().skip(usize::from(!rows.is_empty())).map(str::to_string));
        }
        assert_eq!(fs::read_to_string(&one).unwrap().lines().collect::<Vec<_>>(), rows);
    }
}

/// Beside a ledger of another command: whatever happened to a table of one split, it is refused by name.
#[test]
fn tables_beside_a_ledger_are_those_of_its_run() {
    let scratch = Scratch::new();
    let archive = scratch.join("a.pgn");
    fs::write(
        &archive,
        "[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"y\"]\n\n1. e4\n\n".repeat(40),
    )
    .unwrap();
    let mut parts = Vec::new();
    for (number, split) in splits(&archive, 900).iter().enumerate() {
        let part = scratch.join(&format!("part {number}"));
        fs::create_dir(&part).unwrap();
        let mut words = vec!["validate".to_string(), "-q".into(), "--split".into(), split.clone()];
        for table in ["faults", "notes", "summary", "ledger"] {
            words.extend([
                format!("--{table}"),
                text(&part.join(table).with_extension("csv")).into(),
            ]);
        }
        let output = pgnmill().args(&words).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        parts.push(part);
    }
    let output = scratch.join("output");
    done(&merge(&output, &[], &parts));
    // The merged tables are sealed again.
    done(&merge(&scratch.join("again"), &[], std::slice::from_ref(&output)));
    for (part, other) in [(&parts[0], &parts[1]), (&output, &parts[0])] {
        for name in ["faults.csv", "notes.csv", "summary.csv"] {
            let path = part.join(name);
            let bytes = fs::read(&path).unwrap();
            let last =
                bytes[..bytes.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
            let changed = [
                bytes[..last].to_vec(),
                bytes[..bytes.len() - 1].to_vec(),
                [&bytes[..], &bytes[last..]].concat(),
                fs::read(other.join(name)).unwrap(),
            ];
            for changed in changed {
                fs::write(&path, changed).unwrap();
                let inputs = if *part == output { vec![output.clone()] } else { parts.clone() };
                let error = refused(&merge(&scratch.join("none"), &[], &inputs));
                assert!(error.contains(name), "{name}: {error}");
            }
            fs::write(&path, bytes).unwrap();
        }
    }
}
