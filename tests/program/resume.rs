//! Runs that are ended at any moment and go on: what comes out is what an undisturbed run writes, byte for byte.
//!
//! The program ends itself, as a crash does, after a number of steps (a job, a sync, a rename, a record), so that every
//! one of them is the last one of some run; some runs are killed by a signal. `scripts/resume-trial` does the same with
//! large archives.

use pgnmill_needs::needs;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use crate::common::{
    Dice, Scratch, errors_of, pgnmill, run_in, sample_text, thinned, trials, vocabulary,
};

/// Many jobs in little text; a checkpoint after each.
pub(super) const SMALL: [&str; 7] =
    ["--range-bytes", "30000", "--block-bytes", "9000", "--checkpoint", "0", "--resume"];

/// Some text of the sample.
pub(super) fn sample(from: usize, len: usize) -> Vec<u8> {
    sample_text()[from..from + len].to_vec()
}

/// Games with two plies; every third is not legal, every fifth needs a repair.
pub(super) fn tiny(games: usize) -> Vec<u8> {
    let mut text = Vec::new();
    for number in 0..games {
        let moves = match number {
            _ if number % 3 == 0 => "1. e4 Ke2 *",
            _ if number % 5 == 0 => "1. e4 e5",
            _ => "1. e4 e5 *",
        };
        write!(text, "[Event \"{number}\"]\n\n{moves}\n\n").unwrap();
    }
    text
}

pub(super) fn frames(text: &[u8], len: usize) -> Vec<u8> {
    text.chunks(len).flat_map(|part| zstd::encode_all(part, 3).unwrap()).collect()
}

/// Archives of every kind: plain, frames that divide the text anywhere, one frame, small frames before a long one.
pub(super) fn archives(scratch: &Scratch) {
    archives_of(scratch, 150_000);
}

/// The same of a third of the text at the short depth, for runs whose state is large.
fn short_archives(scratch: &Scratch) {
    archives_of(scratch, trials(50_000, 150_000, 150_000));
}

/// Archives of so much text.
fn archives_of(scratch: &Scratch, len: usize) {
    scratch.write("in/a.pgn", &[sample(0, len), tiny(300)].concat());
    scratch.write("in/b.pgn.zst", &frames(&sample(200_000, len), 20_000));
    scratch.write("in/c.zst", &zstd::encode_all(&sample(400_000, len)[..], 3).unwrap());
    let small = frames(&sample(600_000, len / 5 * 2), 7_000);
    let mixed = [small, frames(&sample(660_000, len / 5 * 3), 90_000)];
    scratch.write("in/d.pgn.zst", &mixed.concat());
    scratch.write("in/e.pgn", b"");
    scratch.write("in/f.pgn", &tiny(50));
    scratch.write("in/v.tiktoken", vocabulary::file().as_bytes());
    #[cfg(feature = "containers")]
    scratch.write("in/h.pgn.gz", &crate::common::coded::gzip(&sample(750_000, len / 5 * 3)));
}

/// The files of a directory and their bytes, without journals.
pub(super) fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut pending) = (BTreeMap::new(), vec![root.to_path_buf()]);
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().display().to_string();
            if path.is_dir() {
                pending.push(path);
            } else if !name.ends_with(".pgnmill-run.jsonl") {
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn run(scratch: &Scratch, args: &[&str], more: &[&str]) -> Output {
    run_in(scratch.path(), &[args, more].concat(), b"")
}

/// The exit code; `None` if the program was ended.
pub(super) fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

/// Runs the program until it is done, each run ended after the next number of steps; returns the number of runs.
pub(super) fn until_done(
    scratch: &Scratch,
    args: &[&str],
    steps: &mut dyn FnMut() -> u64,
) -> usize {
    for runs in 1..2_000 {
        let steps = steps().to_string();
        let ran = run(scratch, args, &[&SMALL[..], &["--abort-after", &steps]].concat());
        match code(&ran) {
            None => {}
            Some(0 | 1) => return runs,
            // Inputs that could not be read to their ends.
            Some(2) if errors_of(&ran).contains("could not be read to the end") => return runs,
            Some(_) => panic!("{args:?} after {runs} runs: {}", errors_of(&ran)),
        }
    }
    panic!("{args:?}: no end")
}

pub(super) fn same(
    found: &BTreeMap<String, Vec<u8>>,
    expected: &BTreeMap<String, Vec<u8>>,
    what: &str,
) {
    let names = |tree: &BTreeMap<String, Vec<u8>>| tree.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(expected), "{what}");
    for (name, bytes) in expected {
        assert!(found[name] == *bytes, "{what}: {name} differs");
    }
}

/// Compares the outputs of ended runs with those of an undisturbed one: ended after each of the first steps, and
/// again and again after random numbers of steps.
fn law(prepare: fn(&Scratch), args: &[&str], seed: u64) {
    law_of(prepare, args, seed, 11);
}

/// The same; `steps_min`: what every run must have, to come to a checkpoint.
pub(super) fn law_of(prepare: fn(&Scratch), args: &[&str], seed: u64, steps_min: u64) {
    let undisturbed = Scratch::new();
    prepare(&undisturbed);
    let ran = run(&undisturbed, args, &[]);
    let is_expected = matches!(code(&ran), Some(0 | 1)) || args.contains(&"--keep-going");
    assert!(is_expected, "{args:?}: {}", errors_of(&ran));
    let expected = tree(undisturbed.path());
    let mut dice = Dice::new(seed);
    // At the short depth a law has one of the two kinds of chains, in turn.
    let chains = trials(seed % 2..seed % 2 + 1, seed % 2..seed % 2 + 1, 0..6);
    for chain in chains {
        let scratch = Scratch::new();
        prepare(&scratch);
        let (mut runs, first) = (0, 1 + dice.below(12) as u64);
        let mut steps = || {
            runs += 1;
            match (chain, runs) {
                // Every run ends early: as many as possible.
                (0, _) => steps_min + dice.below(4) as u64,
                (_, 1) => first + 40 * chain,
                _ => steps_min + 1 + dice.below(90) as u64,
            }
        };
        let runs = until_done(&scratch, args, &mut steps);
        same(&tree(scratch.path()), &expected, &format!("{args:?}, chain {chain}, {runs} runs"));
        let runs_min = if steps_min > 20 { 1 } else { 3 };
        assert!(chain > 0 || runs > runs_min, "{args:?}: {runs} runs");
    }
}

#[test]
fn a_conversion_of_a_directory_goes_on() {
    let tables =
        ["--faults", "f.csv", "--notes", "n.csv", "--rejects", "r.pgn", "--summary", "s.csv"];
    let args = ["convert", "in", "-o", "out/", "--to", "uci"];
    law(archives, &[&args[..], &tables].concat(), 1);
}

#[test]
fn a_conversion_to_one_file_goes_on() {
    law(archives, &["convert", "in", "-o", "all.pgn", "--to", "iccf", "--keep-rejects"], 2);
    law(archives, &["convert", "in", "-o", "all.pgn.zst", "--to", "san", "--level", "1"], 3);
}

#[test]
fn a_measurement_goes_on() {
    let by = "all,side*role,source*phase*length";
    let args = ["measure", "in", "-o", "tables", "--per-game", "--by", by, "--notations", "main"];
    let studied = ["--entropy", "--compress", "zstd:1", "--codes", "--errors", "--writing"];
    let others = ["--order", "1", "--tokens", "in/v.tiktoken", "--cluster", "game,event,player"];
    law(short_archives, &[&args[..], &studied, &others].concat(), 4);
}

/// A vocabulary counts by what it contains, wherever it is.
#[test]
fn a_measurement_goes_on_with_the_same_vocabulary_alone() {
    let args =
        ["measure", "in", "-o", "tables", "--notations", "main", "--tokens", "in/v.tiktoken"];
    let scratch = ended(&args);
    let mut tokens = vocabulary::tokens();
    tokens.truncate(tokens.len() - 1);
    scratch.write("in/v.tiktoken", vocabulary::file_of(&tokens).as_bytes());
    let before = tree(scratch.path());
    let ran = run(&scratch, &args, &["--resume"]);
    let errors = errors_of(&ran);
    assert!(code(&ran) == Some(2) && errors.contains("--tokens"), "{errors}");
    same(&tree(scratch.path()), &before, "nothing was touched");
    scratch.write("other/v.tiktoken", vocabulary::file().as_bytes());
    let elsewhere = [&args[..7], &["other/v.tiktoken:cl100k"]].concat();
    let ran = run(&scratch, &elsewhere, &["--resume"]);
    assert_eq!(code(&ran), Some(1), "{}", errors_of(&ran));
}

/// Games of other rules, and on other boards, among those of chess.
fn variants(scratch: &Scratch) {
    let mut text = Vec::new();
    for number in 0..1_500 {
        let (rules, moves) = [
            ("Atomic", "1. e4 e5 2. Nf3"),
            ("Crazyhouse", "1. e4 e5 2. Nf3"),
            ("Glinski", "1. c4 b5 2. f6"),
            ("Chess960", "1. e4 e5 2. Nf3"),
            ("Raumschach", "1. BEa1 BCd5 2. QDa1 UCb4"),
        ][number % 5];
        write!(text, "[Event \"{number}\"]\n[Variant \"{rules}\"]\n\n{moves} *\n\n").unwrap();
    }
    scratch.write("in/a.pgn", &text);
    scratch.write("in/b.pgn.zst", &frames(&[tiny(200), text].concat(), 20_000));
}

#[test]
fn a_measurement_of_other_rules_goes_on() {
    let args = ["measure", "in", "-o", "tables", "--by", "rules", "--notations", "main"];
    law(variants, &args, 5);
    law(
        variants,
        &["convert", "in", "-o", "out/", "--to", "geographical", "--summary", "s.csv"],
        6,
    );
}

/// Lines of moves, one of them with a fault, plain and compressed.
fn game_lines(scratch: &Scratch) {
    let lines: String =
        (0..6_000).map(|line| ["e2e4 e7e5\n", "d2d4\n", "# c\n", "e2e5\n"][line % 4]).collect();
    scratch.write("a.txt", lines.as_bytes());
    scratch.write("b.txt.zst", &frames(lines.as_bytes(), 5_000));
}

#[test]
fn conversions_of_lines_and_to_lines_go_on() {
    let lines = ["a.txt", "b.txt.zst", "--from", "uci", "--game-per-line", "--summary", "s.csv"];
    let pgn = ["convert", "--to", "san", "-o", "all.pgn", "--faults", "f.csv"];
    law(game_lines, &[&pgn[..], &lines].concat(), 7);
    let tcn = ["convert", "--to", "tcn", "-o", "all.tcn.zst"];
    law(game_lines, &[&tcn[..], &lines].concat(), 8);
    let moves =
        ["convert", "in", "--to", "uci", "--moves-only", "-o", "out/", "--rejects", "r.pgn"];
    law(archives, &moves, 9);
}

/// Several groups of rows in little text.
fn many_games(scratch: &Scratch) {
    scratch.write("in/a.pgn", &tiny(16_000));
    scratch.write("in/b.pgn.zst", &frames(&tiny(16_000), 90_000));
}

/// Fewer jobs, for more text.
#[test]
fn an_export_goes_on_in_every_format() {
    for (seed, format) in thinned(2, ["parquet", "csv", "arrow", "jsonl"]).enumerate() {
        let file = format!("all.{format}");
        let tables = ["--faults", "f.parquet", "--notes", "n.parquet"];
        let args = ["export", "in", "-o", &file, "--columns", "all"];
        law(many_games, &[&args[..], &tables].concat(), 10 + seed as u64);
    }
}

/// Games of more plies than a part of the rows of a game has, among games of two; one is rejected at its end.
fn long_games(scratch: &Scratch) {
    let long =
        |last: &str| format!("[Event \"x\"]\n\n{}{last}\n\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(8_300));
    let text = [tiny(900), (long("Ke4 *") + &long("*")).into(), tiny(900)].concat();
    scratch.write("in/a.pgn", &text);
    scratch.write("in/b.pgn.zst", &frames(&text, 9_000));
}

#[test]
fn an_export_of_long_games_goes_on() {
    for (seed, format) in thinned(2, ["parquet", "jsonl", "arrow", "csv"]).enumerate() {
        let file = format!("all.{format}");
        let args =
            ["export", "in", "-o", &file, "--table", "plies", "--columns", "game,ply,uci,mover"];
        law(long_games, &[&args[..], &["--faults", "f.csv"]].concat(), 30 + seed as u64);
    }
}

#[test]
fn an_export_of_a_directory_goes_on() {
    law(archives, &["export", "in", "-o", "out/", "--table", "plies", "--notation", "uci"], 20);
    law(archives, &["export", "in", "-o", "out/", "--columns", "all", "--format", "csv"], 21);
    // The index of a game in the file, and which plies are drawn, are the same in the run that goes on.
    let drawn =
        "export in -o p.csv --table plies --columns all --plies 1..1 --sample-plies 60% --seed 4";
    law(archives, &drawn.split(' ').collect::<Vec<_>>(), 25);
}

/// The counts of an input are not saved: a run goes on after the last one whose table is complete.
#[test]
fn tables_of_positions_go_on_after_the_last_input() {
    let inputs = |scratch: &Scratch| {
        for (at, name) in ["a.pgn", "b.pgn.zst", "more/c.pgn", "d.pgn", "e.pgn"].iter().enumerate()
        {
            let text = sample(at * 100_000, 50_000);
            let text = if name.ends_with("zst") { frames(&text, 20_000) } else { text };
            scratch.write(&format!("in/{name}"), &text);
        }
        scratch.write("in/f.pgn", b"");
    };
    let tables = ["--faults", "f.csv", "--summary", "s.csv"];
    let args = ["positions", "in", "-o", "out/", "--max-ply", "12", "--sums"];
    law_of(inputs, &[&args[..], &tables].concat(), 40, 30);
    law_of(inputs, &["positions", "in", "-o", "out/", "--format", "bin", "--flat"], 41, 30);
}

/// A signal, at any time, not only between two steps.
/// The process can end after its last output has its name, before anybody knows of it.
#[test]
fn a_run_that_is_complete_is_complete_when_it_is_continued() {
    let exported = ["export", "in", "-o", "games.csv", "--format", "csv"];
    let converted = ["convert", "in", "-o", "all.pgn", "--to", "uci"];
    for args in [exported, converted] {
        let scratch = Scratch::new();
        archives(&scratch);
        let first = run(&scratch, &args, &["--resume"]);
        let expected = tree(scratch.path());
        for _ in 0..2 {
            let again = run(&scratch, &args, &["--resume"]);
            assert_eq!(code(&again), code(&first), "{}", errors_of(&again));
            assert!(errors_of(&again).contains("the run is complete"), "{}", errors_of(&again));
            same(&tree(scratch.path()), &expected, "continued after its end");
        }
        let name = format!(".{}.pgnmill-run.jsonl", args[3]);
        assert!(scratch.join(&name).exists());
        // Another run writes the file: the journal is not of it, and goes.
        let other = run(&scratch, &args, &["--overwrite"]);
        assert_eq!(code(&other), code(&first), "{}", errors_of(&other));
        assert!(!scratch.join(&name).exists(), "{name}");
        let refused = run(&scratch, &args, &["--resume"]);
        assert_eq!(code(&refused), Some(2));
        assert!(errors_of(&refused).contains("exists already"), "{}", errors_of(&refused));
        same(&tree(scratch.path()), &expected, "written again");
    }
}

/// A journal can be anybody's: nothing is renamed, written or removed that is not of the run.
#[test]
fn a_journal_that_names_other_files_is_refused() {
    let scratch = ended(&CONVERT);
    let journal = scratch.join("out/.pgnmill-run.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let run_record = text.lines().next().unwrap();
    scratch.write("victim.txt", b"text");
    scratch.write("out/moved.pgnmill-0123456789abcdef.part", b"text");
    let parts = ["victim.txt", "out/../victim.txt", "out/moved.pgnmill-0123456789abcdef.part"];
    for part in parts {
        for output in ["moved.txt", "out/moved", "out/a.pgn", "in/a.pgn"] {
            let record = format!(
                "{run_record}\n{{\"record\":\"publish\",\"clean\":true,\"failed_inputs\":0,\"outputs\":[{{\"part\":\"{part}\",\
                 \"output\":\"{output}\",\"bytes\":4,\"digest\":\"\"}}]}}\n"
            );
            fs::write(&journal, record).unwrap();
            let before = tree(scratch.path());
            let ran = run(&scratch, &CONVERT, &["--resume", "--overwrite"]);
            assert_eq!(code(&ran), Some(2), "{part} {output}: {}", errors_of(&ran));
            let errors = errors_of(&ran);
            let why = ["is no output of this run", "is not a temporary file of"];
            assert!(why.iter().any(|why| errors.contains(why)), "{part} {output}: {errors}");
            same(&tree(scratch.path()), &before, part);
        }
    }
    // What is no journal is not removed.
    fs::write(&journal, "my notes\n").unwrap();
    let ran = run(&scratch, &CONVERT, &["--overwrite"]);
    assert_eq!(code(&ran), Some(2));
    assert!(errors_of(&ran).contains("it is no journal"), "{}", errors_of(&ran));
    assert_eq!(fs::read(&journal).unwrap(), b"my notes\n");
}

/// Temporary files are continued where they are, not where links lead; files of others stay.
#[cfg(unix)]
#[test]
fn links_are_not_followed_and_files_of_others_stay() {
    let scratch = ended(&["convert", "in", "-o", "all.pgn", "--to", "uci"]);
    let names: Vec<String> = tree(scratch.path()).into_keys().collect();
    let part = names.iter().find(|name| name.ends_with(".part")).unwrap();
    let text = fs::read(scratch.join(part)).unwrap();
    fs::write(scratch.join("victim"), &text).unwrap();
    fs::remove_file(scratch.join(part)).unwrap();
    std::os::unix::fs::symlink("victim", scratch.join(part)).unwrap();
    let ran = run(&scratch, &["convert", "in", "-o", "all.pgn", "--to", "uci"], &["--resume"]);
    assert_eq!(code(&ran), Some(2), "{}", errors_of(&ran));
    assert_eq!(fs::read(scratch.join("victim")).unwrap(), text);
    // The directory looks like a temporary file, the file in it does not.
    let scratch = Scratch::new();
    archives(&scratch);
    scratch.write("a.pgnmill-0123456789abcdef.part/all.pgn.part", b"text");
    let output = "a.pgnmill-0123456789abcdef.part/all.pgn";
    let ran = run(&scratch, &["convert", "in", "-o", output, "--to", "uci"], &["--resume"]);
    assert_ne!(code(&ran), Some(2), "{}", errors_of(&ran));
    assert!(scratch.join(&format!("{output}.part")).exists());
}

/// The last state is damaged, and the run that goes on is ended again, and again: one state is always whole.
#[test]
fn the_state_that_is_used_is_not_the_one_that_is_replaced() {
    let undisturbed = Scratch::new();
    archives(&undisturbed);
    let args = ["convert", "in", "-o", "all.pgn", "--to", "uci"];
    run(&undisturbed, &args, &[]);
    for steps in (1..40_u64).step_by(trials(6, 6, 3)) {
        let scratch = ended(&args);
        let state = |number: u32| scratch.join(&format!(".all.pgn.pgnmill-run.state-{number}"));
        let journal = fs::read_to_string(scratch.join(".all.pgn.pgnmill-run.jsonl")).unwrap();
        let last = journal.lines().rfind(|line| line.contains("\"checkpoint\"")).unwrap();
        let last = if last.contains("state-0") { state(0) } else { state(1) };
        fs::write(last, b"damaged").unwrap();
        let ran =
            run(&scratch, &args, &[&SMALL[..], &["--abort-after", &steps.to_string()]].concat());
        assert_eq!(code(&ran), None, "{}", errors_of(&ran));
        let ran = run(&scratch, &args, &["--resume"]);
        assert!(!errors_of(&ran).contains("begins again"), "{steps}: {}", errors_of(&ran));
        same(&tree(scratch.path()), &tree(undisturbed.path()), &format!("{steps} steps"));
    }
}

#[test]
fn a_killed_run_goes_on() {
    let args = ["convert", "in", "-o", "out/", "--to", "uci", "--summary", "s.csv"];
    let undisturbed = Scratch::new();
    archives(&undisturbed);
    run(&undisturbed, &args, &[]);
    let (scratch, mut dice) = (Scratch::new(), Dice::new(5));
    archives(&scratch);
    let mut kills = 0;
    loop {
        let interval = ["0", "0.01", "0.1"][dice.below(3)];
        let mut child = pgnmill()
            .args(args)
            .args(["--range-bytes", "30000", "--resume", "--checkpoint", interval])
            .current_dir(scratch.path())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(5 + dice.below(60) as u64 + kills * 4));
        drop(child.kill());
        kills += 1;
        if child.wait().unwrap().code().is_some() {
            break;
        }
    }
    same(&tree(scratch.path()), &tree(undisturbed.path()), &format!("{kills} kills"));
}

/// A run that was ended in the middle, with a complete output.
fn ended(args: &[&str]) -> Scratch {
    let scratch = Scratch::new();
    archives(&scratch);
    let ran = run(&scratch, args, &[&SMALL[..], &["--abort-after", "75"]].concat());
    assert_eq!(code(&ran), None, "{}", errors_of(&ran));
    scratch
}

/// An output that a run may replace, and the run that goes on may not, is refused before anything is read.
#[test]
fn an_output_that_exists_is_refused_before_the_run_goes_on() {
    for args in [
        &["convert", "in", "-o", "all.pgn", "--to", "uci"][..],
        &["export", "in", "-o", "all.parquet"],
    ] {
        let undisturbed = Scratch::new();
        archives(&undisturbed);
        run(&undisturbed, args, &[]);
        let (scratch, output) = (Scratch::new(), args[3]);
        archives(&scratch);
        scratch.write(output, b"older");
        let ended = ["--overwrite", "--abort-after", "75"];
        let ran = run(&scratch, args, &[&SMALL[..], &ended].concat());
        assert_eq!(code(&ran), None, "{args:?}: {}", errors_of(&ran));
        let before = tree(scratch.path());
        let ran = run(&scratch, args, &["--resume"]);
        let errors = errors_of(&ran);
        assert_eq!(code(&ran), Some(2), "{args:?}: {errors}");
        let is_said =
            errors.contains(output) && errors.contains("exists") && errors.contains("--overwrite");
        assert!(is_said && !errors.contains("games read"), "{args:?}: {errors}");
        same(&tree(scratch.path()), &before, "refused");
        let ran = run(&scratch, args, &["--resume", "--overwrite"]);
        assert!(matches!(code(&ran), Some(0 | 1)), "{args:?}: {}", errors_of(&ran));
        same(&tree(scratch.path()), &tree(undisturbed.path()), "went on");
    }
}

const CONVERT: [&str; 6] = ["convert", "in", "-o", "out/", "--to", "uci"];

#[test]
fn a_run_that_goes_on_has_the_same_options_and_inputs() {
    type Change = fn(&Scratch);
    let refused: [(&[&str], Change, &str); 8] = [
        (&["convert", "in", "-o", "out/", "--to", "iccf"], |_| (), "--to was uci, is iccf"),
        (
            &["convert", "in", "-o", "out/", "--to", "uci", "--strict"],
            |_| (),
            "--strict was false, is true",
        ),
        (
            &["convert", "in", "-o", "out/", "--to", "uci", "--faults", "f.csv"],
            |_| (),
            "--faults was not given, is f.csv",
        ),
        (&CONVERT, |s| drop(s.write("in/c.zst", b"*\n")), "the input in/c.zst had"),
        (
            &CONVERT,
            |s| {
                let file = OpenOptions::new().write(true).open(s.join("in/f.pgn")).unwrap();
                file.set_modified(std::time::UNIX_EPOCH).unwrap();
            },
            "the input in/f.pgn was modified",
        ),
        (&CONVERT, |s| fs::remove_file(s.join("in/d.pgn.zst")).unwrap(), "in/d.pgn.zst is missing"),
        (&CONVERT, |s| drop(s.write("in/g.pgn", b"*\n")), "the input in/g.pgn was added"),
        (
            &["convert", "in/b.pgn.zst", "in/a.pgn", "-o", "out/", "--to", "uci"],
            |_| (),
            "is missing",
        ),
    ];
    for (args, change, why) in refused {
        let scratch = ended(&CONVERT);
        change(&scratch);
        let before = tree(scratch.path());
        let ran = run(&scratch, args, &SMALL);
        assert_eq!(code(&ran), Some(2), "{args:?}");
        assert!(errors_of(&ran).contains(why), "{why}: {}", errors_of(&ran));
        same(&tree(scratch.path()), &before, why);
    }
    // Threads and sizes of jobs may differ.
    let scratch = ended(&CONVERT);
    let ran = run(&scratch, &CONVERT, &["--resume", "--threads", "1", "--range-bytes", "7000"]);
    assert_eq!(code(&ran), Some(1), "{}", errors_of(&ran));
}

#[test]
fn complete_outputs_are_verified() {
    let scratch = ended(&CONVERT);
    let path = scratch.join("out/a.pgn");
    let mut bytes = fs::read(&path).expect("a complete output");
    bytes[1_000] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let ran = run(&scratch, &CONVERT, &["--resume", "--verify"]);
    assert!(code(&ran) == Some(2) && errors_of(&ran).contains("its digest"), "{}", errors_of(&ran));
    fs::write(&path, b"").unwrap();
    let ran = run(&scratch, &CONVERT, &["--resume"]);
    assert!(code(&ran) == Some(2) && errors_of(&ran).contains("has 0"), "{}", errors_of(&ran));
    bytes[1_000] ^= 1;
    fs::write(&path, &bytes).unwrap();
    assert_eq!(code(&run(&scratch, &CONVERT, &["--resume", "--verify"])), Some(1));
    // Nothing is left to do, and the same is so once more.
    for more in [&["--resume"][..], &["--resume", "--verify"]] {
        let before = tree(scratch.path());
        let ran = run(&scratch, &CONVERT, more);
        assert_eq!(code(&ran), Some(1), "{}", errors_of(&ran));
        same(&tree(scratch.path()), &before, "done");
    }
    let ran = run(&scratch, &CONVERT, &[]);
    assert!(errors_of(&ran).contains("exists already"), "{}", errors_of(&ran));
}

/// A temporary file whose bytes are others, though as many.
#[test]
fn unfinished_outputs_are_verified() {
    let args = ["convert", "in", "-o", "all.pgn", "--to", "uci"];
    let scratch = ended(&args);
    let is_part = |name: &String| name.contains("all.pgn") && name.contains(".part");
    let part = tree(scratch.path()).into_keys().find(is_part);
    let path = scratch.join(&part.unwrap_or_else(|| panic!("{:?}", scratch.names())));
    let mut bytes = fs::read(&path).unwrap();
    bytes[1_000] ^= 1;
    fs::write(&path, &bytes).unwrap();
    for more in [&["--resume"][..], &["--resume", "--verify"]] {
        let ran = run(&scratch, &args, more);
        let is_named = errors_of(&ran).contains("not those that were written");
        assert!(code(&ran) == Some(2) && is_named, "{}", errors_of(&ran));
    }
    bytes[1_000] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let ran = run(&scratch, &args, &["--resume", "--verify"]);
    assert_eq!(code(&ran), Some(1), "{}", errors_of(&ran));
}

/// The state of another version has other bytes: nothing is read of it.
#[test]
fn a_journal_of_another_format_is_refused_by_name_and_replaced() {
    let scratch = ended(&CONVERT);
    let journal = scratch.join("out/.pgnmill-run.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    assert!(text.contains("\"journal\":7"));
    fs::write(&journal, text.replacen("\"journal\":7", "\"journal\":1", 1)).unwrap();
    let before = tree(scratch.path());
    let ran = run(&scratch, &CONVERT, &["--resume"]);
    let errors = errors_of(&ran);
    let why = "the run of out/.pgnmill-run.jsonl cannot be continued: its journal has format 1";
    assert!(code(&ran) == Some(2) && errors.contains(why), "{errors}");
    same(&tree(scratch.path()), &before, "nothing was touched");
    let ran = run(&scratch, &CONVERT, &["--overwrite"]);
    assert_eq!(code(&ran), Some(1), "{}", errors_of(&ran));
    let undisturbed = Scratch::new();
    archives(&undisturbed);
    run(&undisturbed, &CONVERT, &[]);
    same(&tree(scratch.path()), &tree(undisturbed.path()), "--overwrite");
}

#[test]
fn a_run_that_did_not_end_is_continued_or_replaced_by_choice() {
    let scratch = ended(&CONVERT);
    let ran = run(&scratch, &CONVERT, &[]);
    assert_eq!(code(&ran), Some(2));
    let why = "out/.pgnmill-run.jsonl is the journal of a run that did not end";
    assert!(errors_of(&ran).contains(why), "{}", errors_of(&ran));
    // Another run continues it.
    let journal = File::open(scratch.join("out/.pgnmill-run.jsonl")).unwrap();
    journal.lock().unwrap();
    let ran = run(&scratch, &CONVERT, &["--resume"]);
    assert_eq!(code(&ran), Some(2));
    assert!(errors_of(&ran).contains("being written by another run"), "{}", errors_of(&ran));
    drop(journal);
    let ran = run(&scratch, &CONVERT, &["--overwrite"]);
    assert_eq!(code(&ran), Some(1), "{}", errors_of(&ran));
    assert!(errors_of(&ran).contains(".part is what a run that was ended left; it is removed"));
    let undisturbed = Scratch::new();
    archives(&undisturbed);
    run(&undisturbed, &CONVERT, &[]);
    same(&tree(scratch.path()), &tree(undisturbed.path()), "--overwrite");
}

#[test]
fn damage_of_the_journal_is_named_and_a_line_that_was_cut_short_is_none() {
    let undisturbed = Scratch::new();
    archives(&undisturbed);
    let one = ["convert", "in", "-o", "all.pgn", "--to", "uci"];
    run(&undisturbed, &one, &[]);
    let name = ".all.pgn.pgnmill-run.jsonl";
    for what in ["cut", "line", "state", "states", "part"] {
        let scratch = ended(&one);
        let (path, text) = (scratch.join(name), fs::read_to_string(scratch.join(name)).unwrap());
        let last = text.lines().last().unwrap();
        let state = |place: usize| {
            let states: Vec<&str> =
                text.lines().rev().filter(|l| l.contains("\"state\"")).collect();
            let from = states[place].find("\"state\":\"").unwrap() + 9;
            let end = states[place][from..].find('"').unwrap();
            scratch.join(&states[place][from..from + end])
        };
        let expected = match what {
            "cut" => {
                fs::write(&path, &text[..text.len() - last.len() / 2]).unwrap();
                None
            }
            "line" => {
                fs::write(&path, text.replacen("\"checkpoint\"", "\"chackpoint\"", 1)).unwrap();
                Some("line 2 is no record")
            }
            "state" => {
                fs::write(state(0), b"x").unwrap();
                None
            }
            "states" => {
                fs::write(state(0), b"x").unwrap();
                fs::remove_file(state(1)).unwrap();
                None
            }
            _ => {
                let parts =
                    fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().path());
                let part = parts.filter(|path| path.extension().is_some_and(|e| e == "part"));
                part.for_each(|path| fs::write(path, b"short").unwrap());
                Some("it has 5 bytes")
            }
        };
        let ran = run(&scratch, &one, &["--resume"]);
        match expected {
            Some(why) => {
                assert_eq!(code(&ran), Some(2), "{what}");
                assert!(errors_of(&ran).contains(why), "{what}: {}", errors_of(&ran));
            }
            None => {
                assert_eq!(code(&ran), Some(1), "{what}: {}", errors_of(&ran));
                same(&tree(scratch.path()), &tree(undisturbed.path()), what);
            }
        }
    }
}

#[needs("a null device", command = "test -c /dev/null")]
#[test]
fn what_cannot_be_continued_is_refused_by_name() {
    let scratch = Scratch::new();
    archives(&scratch);
    let refused: [(&[&str], &str); 5] = [
        (&["validate", "in"], "validate has no output"),
        (&["convert", "-", "-o", "x.pgn", "--to", "uci"], "standard input cannot be read again"),
        (&["convert", "in", "-o", "-", "--to", "uci"], "- is no file"),
        (
            &["convert", "in", "-o", "x.pgn", "--to", "uci", "--faults", "/dev/null"],
            "/dev/null is no file",
        ),
        (&["export", "in", "-o", "parts", "--partition-by", "Year"], "writes partitions"),
    ];
    for (args, why) in refused {
        let ran = run(&scratch, args, &["--resume"]);
        assert_eq!(code(&ran), Some(2), "{args:?}");
        assert!(errors_of(&ran).contains(why), "{args:?}: {}", errors_of(&ran));
    }
}

/// What is complete stays, with advice; a run that has done nothing leaves nothing.
#[test]
fn a_run_that_fails_keeps_what_is_done() {
    let scratch = Scratch::new();
    archives(&scratch);
    let good = fs::read(scratch.join("in/d.pgn.zst")).unwrap();
    let mut bad = good.clone();
    let middle = bad.len() * 3 / 4;
    bad[middle..middle + 40].fill(0xff);
    scratch.write("in/d.pgn.zst", &bad);
    let before = tree(scratch.path());
    let ran = run(&scratch, &CONVERT, &["--quiet"]);
    assert_eq!(code(&ran), Some(2), "{}", errors_of(&ran));
    same(&tree(scratch.path()), &before, "nothing is left");
    let ran = run(&scratch, &CONVERT, &SMALL);
    assert!(errors_of(&ran).contains("go on with --resume"), "{}", errors_of(&ran));
    assert!(scratch.join("out/c.zst").exists() && !scratch.join("out/d.pgn.zst").exists());
    let again = run(&scratch, &CONVERT, &SMALL);
    assert_eq!(code(&again), Some(2));
    assert!(errors_of(&again).contains("is damaged"), "{}", errors_of(&again));
}

/// Archives of every kind, damaged in every way, between whole ones.
fn damaged_archives(scratch: &Scratch) {
    scratch.write("in/a.pgn", &tiny(60));
    let one = zstd::encode_all(&sample(0, 150_000)[..], 3).unwrap();
    scratch.write("in/b.pgn.zst", &one[..one.len() * 2 / 3]);
    let mut flipped = one;
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0x5a;
    scratch.write("in/c.pgn.zst", &flipped);
    let mut many = frames(&sample(200_000, 150_000), 20_000);
    let middle = many.len() / 2;
    many[middle] ^= 0x5a;
    scratch.write("in/d.pgn.zst", &many);
    scratch.write("in/e.pgn.zst", &many[..many.len() - 700]);
    #[cfg(feature = "containers")]
    {
        let stored = crate::common::coded::gzip(&sample(400_000, 90_000));
        scratch.write("in/g.pgn.gz", &stored[..stored.len() - 5_000]);
    }
    scratch.write("in/f.pgn", &tiny(50));
}

/// Archives whose lines end with this byte or these two.
fn archives_with_line_end<const END: usize>(scratch: &Scratch) {
    let end = ["\n", "\r\n", "\r"][END];
    for name in ["a", "b", "c", "d", "e", "f"].map(|name| format!("in/{name}.pgn")) {
        let text = String::from_utf8(tiny(40)).unwrap().replace('\n', end);
        scratch.write(&name, text.as_bytes());
    }
}

/// The line end of what was written is part of a state.
#[test]
fn runs_over_archives_of_any_line_ends_go_on() {
    let prepare =
        [archives_with_line_end::<0>, archives_with_line_end::<1>, archives_with_line_end::<2>];
    for (prepare, seed) in prepare.into_iter().zip((170..).step_by(2)) {
        law(prepare, &["select", "in", "-o", "all.pgn"], seed);
    }
}

/// The product of commands, damage, `--keep-going`, `--skip-damaged` and kinds of outputs: every table and the summary
/// are those of an undisturbed run.
#[test]
fn runs_over_damaged_archives_go_on() {
    let tables = "--faults f.csv --notes n.csv --summary s.csv";
    let commands = [
        "convert in -o out/ --to uci --rejects r.pgn",
        "convert in -o all.pgn --to uci",
        "measure in -o tables",
        "export in -o out/ --format csv",
        "export in -o all.csv --format csv",
        "select in -o out/ --where White>\"K\"",
    ];
    let mut seed = 100;
    for command in commands {
        for damage in thinned(2, ["--keep-going", "--keep-going --skip-damaged", "--skip-damaged"])
        {
            let line = match command.starts_with("measure") {
                true => format!("{command} {damage} --faults f.csv --notes n.csv"),
                false => format!("{command} {damage} {tables}"),
            };
            seed += 1;
            // Text after damage has no place where the reading can go on: an archive is one step to a checkpoint.
            law_of(damaged_archives, &line.split(' ').collect::<Vec<_>>(), seed, 60);
        }
    }
}

/// All bytes of an input that is left count as stored ones: how far its decoder had read ahead is of no matter.
#[test]
fn the_stored_bytes_of_damaged_archives_are_those_of_the_files() {
    let scratch = Scratch::new();
    damaged_archives(&scratch);
    let files: usize = tree(scratch.path()).values().map(Vec::len).sum();
    for more in [&[][..], &SMALL[..6], &["--skip-damaged"]] {
        let args = ["convert", "in", "-o", "all.pgn", "--to", "uci", "--overwrite", "--keep-going"];
        run(&scratch, &args, &[&["--summary", "s.csv"], more].concat());
        let summary = fs::read_to_string(scratch.join("s.csv")).unwrap();
        assert!(summary.contains(&format!("\nstored_bytes,{files}\n")), "{more:?}: {summary}");
    }
}

/// A run that is interrupted saves its state at once, states how to go on, and goes on to the same bytes.
#[cfg(unix)]
#[test]
fn an_interrupted_run_goes_on_where_it_was() {
    use std::io::Read as _;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let scratch = Scratch::new();
    let text = sample_text();
    fs::write(scratch.join("in.pgn"), text.repeat(2)).unwrap();
    let commands = [
        ("convert --to economical-priority", "one.pgn.zst"),
        ("convert --to economical-priority", "many/"),
        #[cfg(feature = "export")]
        ("export --table plies", "plies.csv"),
        ("select --where ply_count>20", "some.pgn"),
        ("measure --by eco", "measured/"),
    ];
    for (command, output) in commands.into_iter().step_by(trials(4, 2, 1)) {
        let words: Vec<&str> = command.split(' ').chain(["-j", "1"]).collect();
        let run = |output: &str, more: &[&str]| {
            let mut run = crate::common::pgnmill();
            run.args(&words)
                .args(["-o", output])
                .args(more)
                .arg("in.pgn")
                .current_dir(scratch.path());
            run
        };
        let whole = format!("whole-{output}");
        assert!(run(&whole, &["-q"]).status().unwrap().success());
        // However early: the earlier ones have nothing to save, the later ones may have ended.
        let mut saved = 0;
        let waits_ms = trials(&[60, 150, 300][..], &[5, 60, 120, 200], &[5, 20, 60, 90, 120, 200]);
        // How soon a run writes, and how long, is known to no test: there are more turns until one run was interrupted.
        let more_ms = [30, 90, 20, 160, 45, 75, 250, 10];
        for (turn, &wait_ms) in waits_ms.iter().chain(&more_ms).enumerate() {
            // At the short depth one is enough.
            if saved > 0 && turn >= trials(1, waits_ms.len(), waits_ms.len()) {
                break;
            }
            let there = scratch.join(output);
            drop(if output.ends_with('/') {
                fs::remove_dir_all(&there)
            } else {
                fs::remove_file(&there)
            });
            // The journal of an earlier run that ended would be named with the files of this one.
            for name in files_of(scratch.path()) {
                if name.contains("pgnmill-run") && !name.contains("whole-") {
                    fs::remove_file(scratch.join(&name)).unwrap();
                }
            }
            let before = scratch.names();
            let files_before = files_of(scratch.path());
            let mut child = run(output, &["--overwrite"]).stderr(Stdio::piped()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(wait_ms));
            let pid = child.id().to_string();
            let begun = Instant::now();
            drop(std::process::Command::new("kill").args(["-INT", &pid]).status());
            let mut words = String::new();
            child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
            let code = child.wait().unwrap().code();
            assert!(begun.elapsed() < Duration::from_secs(20), "{command}");
            if code == Some(130) && words.contains("go on with --resume") {
                saved += 1;
                let mut new = files_of(scratch.path());
                new.retain(|name| !files_before.contains(name));
                assert_eq!(named_files(&words), Vec::from_iter(new), "{words}");
                let on = run(output, &["--resume"]).output().unwrap();
                let errors = String::from_utf8_lossy(&on.stderr);
                assert_eq!(on.status.code(), Some(0), "{command}: {errors}");
                assert!(errors.contains("goes on with input"), "{command}: {errors}");
            } else if code.is_none() {
                // Before it listens to signals.
                continue;
            } else if code == Some(130) {
                assert_eq!(words, "pgnmill: interrupted; this run leaves no file\n");
                assert_eq!(scratch.names(), before, "{command}");
                continue;
            } else {
                assert_eq!(code, Some(0), "{words}");
            }
            let read = |path: &str| -> Vec<u8> {
                let path = scratch.join(path);
                match path.is_dir() {
                    true => fs::read(path.join(if command.starts_with("measure") {
                        "by_eco.csv"
                    } else {
                        "in.pgn"
                    }))
                    .unwrap(),
                    false => fs::read(path).unwrap(),
                }
            };
            assert!(read(output) == read(&whole), "{command} {output} after {wait_ms} ms");
        }
        assert!(saved > 0, "{command}: no run was interrupted while it wrote");
    }
}

/// The names of all files below a directory, journals included.
#[cfg(unix)]
fn files_of(root: &Path) -> BTreeSet<String> {
    let (mut found, mut pending) = (BTreeSet::new(), vec![root.to_path_buf()]);
    while let Some(directory) = pending.pop() {
        for path in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => pending.push(path),
                false => {
                    found.insert(path.strip_prefix(root).unwrap().display().to_string());
                }
            }
        }
    }
    found
}

/// The files that the message of a run names which was interrupted, in the order of their names.
#[cfg(unix)]
fn named_files(words: &str) -> Vec<String> {
    let kept = words.lines().filter_map(|line| line.strip_prefix("    "));
    let complete = words.lines().filter_map(|line| line.strip_prefix("complete: "));
    let complete = complete.flat_map(|names| names.split(", "));
    let mut named: Vec<String> = kept.chain(complete).map(str::to_string).collect();
    named.sort();
    named
}

/// Frames that are being compressed at a slow level are given up when the run is interrupted; it goes on with their
/// text, as often as it is interrupted, to the same bytes.
#[cfg(unix)]
#[test]
fn slow_frames_that_are_given_up_are_compressed_again() {
    use std::process::{Command, Stdio};

    let scratch = Scratch::new();
    // Four frames of output, each of which takes its time.
    let level = trials("13", "13", "15");
    scratch.write("in.pgn.zst", &frames(&sample(0, 7 << 20), 1 << 20));
    for output in thinned(2, ["one.pgn.zst", "many/"]) {
        let start = |output: &str, more: &[&str]| {
            let mut run = crate::common::pgnmill();
            run.args(["convert", "--to", "uci", "--level", level, "-j", "1", "in.pgn.zst", "-o"]);
            run.arg(output).args(more).current_dir(scratch.path()).stderr(Stdio::piped());
            run.spawn().unwrap()
        };
        let whole = format!("whole-{output}");
        // The last game of the text is cut short.
        assert_eq!(start(&whole, &["-q"]).wait().unwrap().code(), Some(1));
        let mut saved = 0;
        // Before a frame is done, after one, and while those that were given up are compressed again.
        let waits = [Some(150), None, Some(300), Some(1_900), None];
        for wait_ms in &waits[..trials(3, 5, 5)] {
            let before = part_bytes(&scratch);
            let mut run = start(output, if saved == 0 { &["--overwrite"] } else { &["--resume"] });
            match wait_ms {
                Some(wait_ms) => std::thread::sleep(Duration::from_millis(*wait_ms)),
                None => {
                    // Or until it has ended.
                    let mut goes_on =
                        || part_bytes(&scratch) <= before && run.try_wait().unwrap().is_none();
                    let waits = (0..6_000).take_while(|_| goes_on());
                    waits.for_each(|_| std::thread::sleep(Duration::from_millis(5)));
                }
            }
            drop(Command::new("kill").args(["-INT", &run.id().to_string()]).status());
            let ended = run.wait_with_output().unwrap();
            let errors = errors_of(&ended);
            match code(&ended) {
                Some(1) => break,
                Some(130) => saved += usize::from(errors.contains("go on with --resume")),
                code => panic!("{code:?}: {errors}"),
            }
        }
        assert!(saved > 0, "{output}: no run was interrupted while it wrote");
        let ended = start(output, &["--resume"]).wait_with_output().unwrap();
        assert_eq!(code(&ended), Some(1), "{}", errors_of(&ended));
        let read = |path: &str| tree(&scratch.join(path)).into_values().next();
        let read = |path: &str| match scratch.join(path).is_dir() {
            true => read(path).unwrap(),
            false => fs::read(scratch.join(path)).unwrap(),
        };
        assert!(read(output) == read(&whole), "{output}");
    }
}

/// The bytes of the unfinished outputs of a directory and of those in it.
#[cfg(unix)]
fn part_bytes(scratch: &Scratch) -> u64 {
    let names = files_of(scratch.path());
    let parts = names.iter().filter(|name| name.ends_with(".part") && name.contains(".zst"));
    // One that was renamed meanwhile has none.
    parts.map(|name| fs::metadata(scratch.join(name)).map_or(0, |file| file.len())).sum()
}

/// Temporary files that are removed are named, or counted: both together are all.
#[test]
fn what_is_removed_is_named_or_counted() {
    for count in 1..=trials(8, 12, 12) {
        let scratch = Scratch::new();
        for number in 0..count {
            scratch.write(&format!("in/{number}.pgn"), b"[Event \"a\"]\n\n1. e4 *\n");
            scratch.write(&format!("out/{number}.pgn.pgnmill-0123456789abcdef.part"), b"");
        }
        let words = ["convert", "--to", "uci", "-o", "out/", "--resume", "in"];
        let ran = run_in(scratch.path(), &words, b"");
        assert_eq!(code(&ran), Some(0), "{}", errors_of(&ran));
        let errors = errors_of(&ran);
        let named = errors.matches("is what a run that was ended left").count();
        let more = errors.split("so are ").nth(1).and_then(|rest| rest.split(' ').next());
        let more: usize = more.map_or(0, |number| number.parse().unwrap());
        assert_eq!(named + more, count, "{errors}");
        assert!(!scratch.names().iter().any(|name| name.ends_with(".part")), "{errors}");
    }
}
