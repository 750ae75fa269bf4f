//! `select --split-by` of more values than a process can have open files, and `select --games-per-file`.
//!
//! Laws: each file has the games of its value, in order, as `select --where` writes them, whichever files are open, for
//! any number of threads; a run that fails, is interrupted or is refused leaves the directory as it was; two runs write
//! one directory together if they write different files of it, and otherwise one is refused.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Scratch, errors_of, exit_code, pgnmill, run_in, thinned};

/// A frame that cannot be decoded.
const DAMAGED: &[u8] = b"\x28\xb5\x2f\xfd\x04\x00\xff\xff\xff\xff\xff";

/// All files of a directory; none if it is not there.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).into_iter().flatten().map(Result::unwrap);
    let name = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    entries.map(|entry| (name(&entry), fs::read(entry.path()).unwrap())).collect()
}

/// Runs the program in a shell that has set a limit before.
fn limited(scratch: &Scratch, limit: &str, line: &str) -> Output {
    let program = pgnmill().get_program().to_string_lossy().into_owned();
    let line = format!("{limit}; exec '{program}' {line}");
    Command::new("sh").args(["-c", &line]).current_dir(scratch.path()).output().unwrap()
}

fn run(scratch: &Scratch, line: &str) -> Output {
    run_in(scratch.path(), &line.split(' ').collect::<Vec<_>>(), b"")
}

/// A game with a value, whose text has a comment of this length.
fn game(value: usize, number: usize, comment: usize) -> String {
    let comment = "x".repeat(comment);
    format!("[Event \"{number}\"]\n[Round \"{value}\"]\n\n1. e4 {{{comment}}} e5 *\n\n")
}

/// Games of 500 values, one after the other. Those of each twelfth value are so long that each is written at once, so
/// that files are closed and opened again between the games of any of them.
fn interleaved() -> Vec<(usize, String)> {
    let long = |value: usize| if value.is_multiple_of(12) { 270_000 } else { value % 90 };
    let numbers = (0..3).flat_map(|round| (0..500).map(move |at| (round, at * (round + 1) % 500)));
    numbers.map(|(round, value)| (value, game(value, round, long(value)))).collect()
}

/// 500 values, and 14 files that can be open.
#[test]
fn files_are_closed_and_opened_again() {
    let scratch = Scratch::new();
    let games = interleaved();
    let mut expected: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (value, text) in &games {
        expected.entry(format!("{value}.pgn")).or_default().extend_from_slice(text.as_bytes());
    }
    let all: String = games.iter().map(|(_, text)| text.as_str()).collect();
    scratch.write("a.pgn", all.as_bytes());
    for threads in [1, 2, 7] {
        let line = format!("select -q --threads {threads} --split-by Round -o by{threads} a.pgn");
        let ran = limited(&scratch, "ulimit -n 64", &line);
        assert_eq!(exit_code(&ran), 0, "{}", errors_of(&ran));
        let written = files(&scratch.join(&format!("by{threads}")));
        assert!(written == expected, "{threads} threads: {:?}", written.keys());
    }
    for value in [0, 13, 480] {
        let line = format!("select -q --overwrite --where Round=='{value}' -o one.pgn a.pgn");
        let ran = run(&scratch, &line);
        assert_eq!(exit_code(&ran), 0, "{}", errors_of(&ran));
        assert!(fs::read(scratch.join("one.pgn")).unwrap() == expected[&format!("{value}.pgn")]);
    }
}

/// Several archives, without a line end at their ends, with games that have no result, rejected games, games on one
/// line and damage: what is put between two games depends on what was between them, not on when a file is written.
#[test]
fn files_are_those_of_selections_of_several_archives() {
    let scratch = Scratch::new();
    let texts = |archive: usize| -> Vec<String> {
        let body = ["1. e4 e5 *", "1. e4 {a } b", "1. Zz {open", "1. d4", "1. c4 1-0 ; c"];
        let end = ["\n\n", "\n", " ", "\r\n\r\n", ""];
        let numbers = (0..150).map(|at| (at * 7 + archive * 5, at * 3 + archive));
        numbers
            .map(|(a, b)| {
                let (value, body, end) = (a % 9, body[a % 5], end[b % 5]);
                format!("[Event \"{b}\"]\n[Round \"{value}\"]\n\n{body}{end}")
            })
            .collect()
    };
    let frame = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
    for archive in 0..6 {
        scratch.write(&format!("in/{archive}.pgn"), texts(archive).concat().as_bytes());
        let texts = texts(archive + 6);
        let [one, two, three] = [0..50, 50..100, 100..150].map(|part| frame(&texts[part].concat()));
        let damaged = [&one[..], DAMAGED, &two, DAMAGED, DAMAGED, &three].concat();
        scratch.write(&format!("in/{archive}.pgn.zst"), &damaged);
    }
    let ran = run(&scratch, "select -q --skip-damaged --split-by Round -o by in");
    assert!(exit_code(&ran) < 2, "{}", errors_of(&ran));
    let written = files(&scratch.join("by"));
    assert!(written.len() >= 9, "{:?}", written.keys());
    for (name, text) in &written {
        let condition = match name.strip_suffix(".pgn").unwrap() {
            "missing" => "Round is missing".to_string(),
            value => format!("Round == '{value}'"),
        };
        let words = ["select", "-q", "--skip-damaged", "--overwrite", "-o", "one.pgn", "in"];
        let words = [&words[..], &["--where", &condition]].concat();
        let ran = run_in(scratch.path(), &words, b"");
        assert!(exit_code(&ran) < 2, "{}", errors_of(&ran));
        let one = fs::read(scratch.join("one.pgn")).unwrap();
        assert!(one == *text, "{name}: {} and {} bytes", one.len(), text.len());
    }
}

/// Ends of texts, and beginnings that could be read together with them.
const ENDS: &[&str] = &[
    "1. e4 e5",
    "1. e4 e5 {c}\n",
    "[Event \"e\"]\n[Round \"3\"]\n",
    "[Round \"3\"]\n\n1. e4 e5",
    "[Round \"3\"]\n\n1. Zz {open\n",
    "[Round \"3\"]\n\n1. e4 } e5 *",
    "[Round \"3\"]\n[Site \"x\"]\n\n1. e4 e5 (1. d4\n[Site \"q\"]\n",
];
const BEGINNINGS: &[&str] = &[
    "1. c4 c5 *\n",
    "[Round \"3\"]\n\n1. c4 *\n\n",
    "[Round \"3\"]\n{a { b} 1. c4 *\n",
    "\n[Round \"3\"]\n\n1. c4 *\n\n",
];

/// Two games of a value between which an archive ended, or was damaged, where the second one begins as far from the
/// beginning of its archive as the first one ended: they are not adjacent.
#[test]
fn what_an_archive_or_damage_divided_stays_divided() {
    let scratch = Scratch::new();
    let cases = ENDS.iter().flat_map(|end| BEGINNINGS.iter().map(move |begin| (*end, *begin)));
    for (end, begin) in thinned(2, cases.collect::<Vec<_>>()) {
        let frame = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
        let damaged = [&frame(end)[..], DAMAGED, &frame(begin)].concat();
        scratch.write("damaged/a.pgn.zst", &damaged);
        scratch.write("two/a.pgn", end.as_bytes());
        let before = "[Round \"9\"]\n*";
        let between = " ".repeat(end.len().saturating_sub(before.len()));
        scratch.write("two/b.pgn", format!("{before}{between}{begin}").as_bytes());
        for archives in ["damaged", "two"] {
            drop(fs::remove_dir_all(scratch.join("by")));
            let line = format!("select -q --skip-damaged --split-by Round -o by {archives}");
            let ran = run(&scratch, &line);
            assert!(exit_code(&ran) < 2, "{}", errors_of(&ran));
            for (name, condition) in [("3", "Round == '3'"), ("missing", "Round is missing")] {
                let Ok(text) = fs::read(scratch.join(&format!("by/{name}.pgn"))) else { continue };
                let words = ["select", "-q", "--skip-damaged", "--where", condition, "-o", "-"];
                let one = run_in(scratch.path(), &[&words[..], &[archives]].concat(), b"");
                let shown = [&text, &one.stdout].map(|text| String::from_utf8_lossy(text));
                assert!(text == one.stdout, "{archives}, {end:?}, {begin:?}: {shown:?}");
            }
        }
    }
}

/// More files than the usual limit on open files, written anew, refused, and replaced.
#[test]
fn fifteen_hundred_files_are_written_and_replaced() {
    let scratch = Scratch::new();
    let text: String = (0..3_000).map(|at| game(at % 1_500, at, at % 40)).collect();
    scratch.write("a.pgn", text.as_bytes());
    let split = |options: &str| {
        run(&scratch, &format!("select -q {options}--split-by Round -o new/by a.pgn"))
    };
    assert_eq!(exit_code(&split("--dry-run ")), 0);
    assert_eq!(scratch.names(), ["a.pgn"]);
    assert_eq!(exit_code(&split("")), 0);
    let written = files(&scratch.join("new/by"));
    assert_eq!(written.len(), 1_500);
    for (name, bytes) in &written {
        let value: usize = name.strip_suffix(".pgn").unwrap().parse().unwrap();
        let expected = [0, 1_500].map(|more| game(value, value + more, (value + more) % 40));
        assert_eq!(bytes, expected.concat().as_bytes(), "{name}");
    }
    let again = split("");
    assert_eq!(exit_code(&again), 2);
    assert!(errors_of(&again).contains("exists"), "{}", errors_of(&again));
    assert!(files(&scratch.join("new/by")) == written);
    fs::write(scratch.join("new/by/7.pgn"), "old").unwrap();
    let again = split("--overwrite ");
    assert_eq!(exit_code(&again), 0, "{}", errors_of(&again));
    assert!(files(&scratch.join("new/by")) == written);
}

/// The last input cannot be read; a file becomes larger than the system allows; a file is there already.
#[test]
fn a_run_that_fails_leaves_the_directory_as_it_was() {
    let scratch = Scratch::new();
    let text: String = interleaved().into_iter().map(|(_, text)| text).collect();
    scratch.write("a.pgn", text.as_bytes());
    scratch.write("b.pgn.zst", DAMAGED);
    scratch.write("c.pgn", game(499, 0, 0).as_bytes());
    for (limit, inputs, directory) in [
        ("ulimit -n 64", "a.pgn b.pgn.zst", "by"),
        ("ulimit -n 64", "a.pgn b.pgn.zst", "new/er"),
        ("ulimit -n 64; ulimit -f 1000", "a.pgn", "by"),
        ("ulimit -n 64; ulimit -f 1000", "a.pgn", "new/er"),
        ("ulimit -n 64", "a.pgn", "there"),
    ] {
        scratch.write("by/mine", b"mine");
        scratch.write("there/499.pgn", b"mine");
        let before = [files(&scratch.join("by")), files(&scratch.join("there"))];
        let line = format!("select -q --split-by Round -o {directory} {inputs}");
        let ran = limited(&scratch, limit, &line);
        assert_eq!(exit_code(&ran), 2, "{limit}; {line}: {}", errors_of(&ran));
        assert!(before == [files(&scratch.join("by")), files(&scratch.join("there"))], "{line}");
        assert!(!scratch.join("new").exists(), "{line}");
    }
}

/// A run that waits for more of its standard input, after it has created this many files.
fn waiting(scratch: &Scratch, text: &str, count: usize) -> Child {
    let mut child = pgnmill()
        .args(["select", "-q", "--split-by", "Round", "-o", "by", "-"])
        .current_dir(scratch.path())
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(text.as_bytes()).unwrap();
    let begun = Instant::now();
    let is_part = |entry: &fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name.ends_with(".part") && name.contains(".pgn.")
    };
    let parts = || {
        let entries = fs::read_dir(scratch.join("by")).into_iter().flatten();
        entries.filter(|entry| entry.as_ref().is_ok_and(is_part)).count()
    };
    while parts() < count {
        assert!(begun.elapsed() < Duration::from_secs(60), "{} files", parts());
        assert!(child.try_wait().unwrap().is_none(), "it ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.stdin = Some(stdin);
    child
}

/// Files of so many games have them in order, all but the last one as many, whatever is read and by how many threads;
/// one after the other they are what one file has.
#[test]
fn files_of_so_many_games_follow_each_other() {
    let scratch = Scratch::new();
    let texts = |first: usize, count: usize| -> String {
        (first..first + count).map(|at| game(at % 3, at, at * 37 % 400)).collect()
    };
    scratch.write("a.pgn", texts(0, 61).as_bytes());
    scratch.write("b.pgn", texts(100, 9).as_bytes());
    let selections = ["", "--where Round=='1' ", "--sample 50% ", "--where Round=='9' "];
    for (at, (selection, per_file)) in
        selections.iter().flat_map(|it| [1, 2, 7, 10, 70, 71].map(|games| (it, games))).enumerate()
    {
        let threads = [1, 2, 7][at % 3];
        let small = ["", "--range-bytes 900 --block-bytes 300 "][at % 2];
        let options = format!("-q {selection}{small}--threads {threads}");
        let one = run(&scratch, &format!("select {options} --overwrite -o one.pgn a.pgn b.pgn"));
        let parts = format!("select {options} --games-per-file {per_file} -o p{at} a.pgn b.pgn");
        let ran = run(&scratch, &parts);
        assert_eq!(exit_code(&ran), exit_code(&one), "{parts}: {}", errors_of(&ran));
        let one = fs::read(scratch.join("one.pgn")).unwrap();
        let written = files(&scratch.join(&format!("p{at}")));
        assert!(written.values().flatten().eq(one.iter()), "{parts}");
        let games = |text: &[u8]| String::from_utf8_lossy(text).matches("[Event ").count();
        let count = games(&one).div_ceil(per_file);
        let names: Vec<String> = (1..=count).map(|number| format!("{number:06}.pgn")).collect();
        assert_eq!(written.keys().cloned().collect::<Vec<_>>(), names, "{parts}");
        for name in names.iter().rev().skip(1) {
            assert_eq!(games(&written[name]), per_file, "{parts}: {name}");
        }
    }
}

#[test]
fn an_interrupted_run_leaves_nothing() {
    let scratch = Scratch::new();
    // The last job is not read before the next one comes.
    let text: String = (0..1_000).map(|at| game(at, at, 6_000)).collect();
    let child = waiting(&scratch, &text, 700);
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    assert_eq!(scratch.names(), [] as [&str; 0]);
}

/// A file at rest is as much the file of its run as an open one.
#[test]
fn of_two_runs_on_one_file_one_is_refused() {
    let scratch = Scratch::new();
    let text: String = (0..1_000).map(|at| game(at, at, 6_000)).collect();
    let mut child = waiting(&scratch, &text, 700);
    scratch.write("same.pgn", game(3, 0, 0).as_bytes());
    scratch.write("other.pgn", game(5_000, 0, 0).as_bytes());
    for line in ["select -q --split-by Round -o by same.pgn", "select -q -o by/3.pgn same.pgn"] {
        let refused = run(&scratch, line);
        assert_eq!(exit_code(&refused), 2, "{line}");
        assert!(errors_of(&refused).contains("another run"), "{}", errors_of(&refused));
    }
    let other = run(&scratch, "select -q --split-by Round -o by other.pgn");
    assert_eq!(exit_code(&other), 0, "{}", errors_of(&other));
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let written = files(&scratch.join("by"));
    assert_eq!(written.len(), 1_001, "{:?}", written.keys().filter(|name| name.contains("part")));
    assert!(written["3.pgn"] == game(3, 3, 6_000).as_bytes());
}

/// The other run has the file first: the one that creates its file later is refused, before it replaces anything.
#[test]
fn a_run_that_comes_later_is_refused_for_each_of_its_files() {
    let scratch = Scratch::new();
    let text: String = (0..1_000).map(|at| game(at, at, 6_000)).collect();
    let mut child = waiting(&scratch, &text, 700);
    for value in [1, 2, 3] {
        // The value of the other run is not among the first ones.
        let games: String =
            (0..4 * value).map(|at| game(9_000 + at, at, 0)).chain([game(3, 0, 0)]).collect();
        scratch.write("late.pgn", games.as_bytes());
        let refused = run(&scratch, "select -q --overwrite --split-by Round -o by late.pgn");
        assert_eq!(exit_code(&refused), 2);
        assert!(errors_of(&refused).contains("another run"), "{}", errors_of(&refused));
    }
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(files(&scratch.join("by")).len(), 1_000);
}
