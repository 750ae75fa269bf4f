//! `--keep-going`: an input that fails is named, and the others are read as if it were not there.

use std::fs;

use pgnmill_needs::needs;

use crate::common::{Scratch, errors_of, exit_code, run_in};

const GOOD: &str = "[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n\n1. d4 *\n\n";

/// Three good archives, and between them one that is missing, one of another format, one whose last frame is damaged.
fn archives(scratch: &Scratch) -> [&'static str; 6] {
    for name in ["a.pgn", "c.pgn", "e.pgn"] {
        scratch.write(name, GOOD.as_bytes());
    }
    scratch.write("other.pgn", b"PK\x03\x04 of a zip archive");
    let text = GOOD.repeat(2_000);
    let frame = |text: &[u8]| zstd::encode_all(text, 3).unwrap();
    let mut stored = [frame(text.as_bytes()), frame(text.as_bytes())].concat();
    let len = stored.len();
    stored[len - 40..].fill(0xff);
    scratch.write("damaged.pgn.zst", &stored);
    ["a.pgn", "missing.pgn", "c.pgn", "damaged.pgn.zst", "other.pgn", "e.pgn"]
}

#[test]
fn the_first_failure_ends_a_run_without_the_option() {
    let scratch = Scratch::new();
    let names = archives(&scratch);
    let output = run_in(scratch.path(), &[&["validate"], &names[..]].concat(), b"");
    assert_eq!(exit_code(&output), 2);
    assert!(errors_of(&output).contains("cannot open missing.pgn"), "{}", errors_of(&output));
}

#[test]
fn inputs_that_fail_are_listed_and_the_others_are_read() {
    let scratch = Scratch::new();
    let names = archives(&scratch);
    for threads in ["1", "2", "5"] {
        let args = ["validate", "-v", "--keep-going", "--overwrite", "--threads", threads];
        let args = [&args[..], &["--summary", "s.csv"], &names].concat();
        let output = run_in(scratch.path(), &args, b"");
        let shown = errors_of(&output);
        assert_eq!(exit_code(&output), 2, "{shown}");
        for failed in ["missing.pgn", "damaged.pgn.zst", "other.pgn"] {
            let lines = shown.lines().filter(|line| line.starts_with("failed after"));
            assert_eq!(lines.filter(|line| line.contains(failed)).count(), 1, "{shown}");
        }
        // Without -v an input that failed has its line, and one without rejected games has none.
        let args: Vec<&str> = args.iter().copied().filter(|word| *word != "-v").collect();
        let few = errors_of(&run_in(scratch.path(), &args, b""));
        assert!(few.contains("[2/6] missing.pgn: 0 games") && !few.contains("[1/6]"), "{few}");
        assert!(shown.contains("[1/6] a.pgn: 2 games"), "{shown}");
        assert!(shown.contains("[2/6] missing.pgn: 0 games"), "{shown}");
        assert!(shown.contains("[6/6] e.pgn: 2 games"), "{shown}");
        assert!(
            shown.ends_with("pgnmill: 3 of 6 inputs could not be read to the end\n"),
            "{shown}"
        );
        let summary = fs::read_to_string(scratch.join("s.csv")).unwrap();
        assert!(summary.contains("failed:missing.pgn,0\n"), "{summary}");
        let games = |prefix: &str| -> u64 {
            let row = summary.lines().find_map(|line| line.strip_prefix(prefix));
            row.expect(prefix).parse().unwrap()
        };
        // Whole jobs before the damage were read, and are in the counts.
        let damaged = games("failed:damaged.pgn.zst,");
        assert_eq!(games("games,"), 6 + damaged);
        assert_eq!(games("games,"), games("accepted,") + games("repaired,") + games("rejected,"));
    }
}

#[test]
fn an_input_that_fails_has_no_output_of_its_own() {
    let scratch = Scratch::new();
    let names = archives(&scratch);
    let good: Vec<&str> = [names[0], names[2], names[5]].to_vec();
    let convert = |options: &[&str], names: &[&str]| {
        let args = [&["convert", "--to", "uci"], options, names].concat();
        exit_code(&run_in(scratch.path(), &args, b""))
    };
    assert_eq!(convert(&["-o", "expected/"], &good), 0);
    assert_eq!(convert(&["--keep-going", "-o", "found/"], &names), 2);
    // The journal records that the run is complete, and that inputs failed.
    assert_eq!(convert(&["--keep-going", "--resume", "-o", "found/"], &names), 2);
    let listed = |directory: &str| {
        let entries = fs::read_dir(scratch.join(directory)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
        names.sort();
        names
    };
    assert_eq!(listed("found"), ["a.pgn", "c.pgn", "e.pgn"]);
    for name in listed("expected") {
        let read =
            |directory: &str| fs::read(scratch.join(&format!("{directory}/{name}"))).unwrap();
        assert_eq!(read("found"), read("expected"), "{name}");
    }
}

#[test]
fn one_output_has_the_games_that_were_read() {
    let scratch = Scratch::new();
    let names = archives(&scratch);
    let args = ["convert", "--to", "san", "--keep-going", "--no-progress", "-o", "all.pgn"];
    let output = run_in(scratch.path(), &[&args[..], &names].concat(), b"");
    assert_eq!(exit_code(&output), 2, "{}", errors_of(&output));
    let games = fs::read_to_string(scratch.join("all.pgn")).unwrap().matches("[Event ").count();
    let shown = errors_of(&output).replace(',', "");
    assert!(shown.starts_with("pgnmill: warn: "), "{shown}");
    assert!(shown.contains(&format!("\n{games} games read")), "{games}: {shown}");
    // What ends a run that is no fault of an input still does.
    scratch.write("x/all.pgn", b"");
    let output = run_in(scratch.path(), &[&args[..], &names].concat(), b"");
    assert!(errors_of(&output).contains("all.pgn exists already"), "{}", errors_of(&output));
}

/// With checkpoints, the temporary file of an input that failed is kept for a while, for a run that goes on.
#[test]
fn nothing_is_left_of_inputs_that_fail_after_a_checkpoint() {
    let scratch = Scratch::new();
    let names = archives(&scratch);
    let sizes = ["--range-bytes", "3000", "--block-bytes", "2000"];
    for command in [&["convert", "--to", "uci"][..], &["export", "--format", "csv"]] {
        let options = ["--keep-going", "--checkpoint", "0", "-o", "out/", "--overwrite"];
        let args = [command, &options, &sizes, &names].concat();
        let output = run_in(scratch.path(), &args, b"");
        assert_eq!(exit_code(&output), 2, "{}", errors_of(&output));
        let files = fs::read_dir(scratch.join("out")).unwrap();
        let mut files: Vec<String> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        let ending = if command[0] == "convert" { "pgn" } else { "games.csv" };
        let outputs = ["a", "c", "e"].map(|name| format!("{name}.{ending}"));
        assert_eq!(files[0], ".pgnmill-run.jsonl");
        assert_eq!(files[1..], outputs, "{command:?}");
        fs::remove_dir_all(scratch.join("out")).unwrap();
    }
}

/// An output that cannot be written is no fault of the input that is read: the run ends, whenever that is found out.
#[needs("/dev/full")]
#[test]
fn an_output_that_fails_ends_the_run() {
    let scratch = Scratch::new();
    for repetitions in [1, 30_000] {
        for name in ["a.pgn", "b.pgn"] {
            scratch.write(name, GOOD.repeat(repetitions).as_bytes());
        }
        for command in [
            "convert --to uci -o /dev/full",
            "select -o /dev/full",
            "validate --strict --notes /dev/full",
            #[cfg(feature = "export")]
            "export --format csv -o /dev/full",
        ] {
            let options =
                ["--keep-going", "--overwrite", "--range-bytes", "60000", "a.pgn", "b.pgn"];
            let words: Vec<&str> = command.split(' ').chain(options).collect();
            let ran = run_in(scratch.path(), &words, b"");
            let errors = errors_of(&ran);
            assert_eq!(exit_code(&ran), 2, "{command}: {errors}");
            assert!(errors.contains("/dev/full"), "{command}: {errors}");
            assert!(!errors.contains("this input is left"), "{command}: {errors}");
        }
    }
}
