//! What is shown while a run lasts: lines for people, lines of JSON for programs, and nothing if that is requested.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::common::{Scratch, errors_of, exit_code, pgnmill, run_in};

const GAMES: &[u8] = b"[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n\n1. e5 *\n";

/// Standard error of a run over archives of two games each.
fn shown(scratch: &Scratch, args: &str, names: &[&str]) -> String {
    let words: Vec<&str> = args.split_whitespace().chain(names.iter().copied()).collect();
    let output = run_in(scratch.path(), &words, b"");
    assert_eq!(exit_code(&output), 1, "{}", errors_of(&output));
    errors_of(&output)
}

#[test]
fn finished_inputs_have_a_line_each_where_there_is_no_terminal() {
    let scratch = Scratch::new();
    let names = ["x.pgn", "y \"z\".pgn", "w.pgn"];
    for name in names {
        scratch.write(name, GAMES);
    }
    let line = |number: usize, name: &str| {
        format!("[{number}/3] {name}: 2 games: 1 accepted + 0 repaired + 1 rejected\n")
    };
    let lines: String =
        names.iter().enumerate().map(|(index, name)| line(index + 1, name)).collect();
    for args in ["validate", "validate --progress lines", "validate --threads 1"] {
        let shown = shown(&scratch, args, &names);
        assert!(shown.starts_with(&lines), "{args}: {shown}");
    }
    let none = ["validate --no-progress", "validate --progress none", "validate --quiet"];
    for args in none {
        assert!(!shown(&scratch, args, &names).contains("[1/3]"), "{args}");
    }
    // An archive without rejected games has no line, unless that is requested.
    scratch.write("y \"z\".pgn", b"[Event \"a\"]\n\n1. e4 e5 *\n");
    let all = lines.replace(
        "z\".pgn: 2 games: 1 accepted + 0 repaired + 1",
        "z\".pgn: 1 game: 1 accepted + 0 repaired + 0",
    );
    for args in ["validate -v", "validate --progress lines", "validate --verbose -j 1"] {
        assert!(shown(&scratch, args, &names).starts_with(&all), "{args}");
    }
    let with_faults = [line(1, names[0]), line(3, names[2])].concat();
    assert!(shown(&scratch, "validate", &names).starts_with(&with_faults));
    // The summary says the same of a single input.
    assert!(!shown(&scratch, "validate", &names[..1]).contains("[1/1]"));
    // Only why it does not end with 0.
    let quiet = shown(&scratch, "validate --quiet", &names);
    assert!(quiet.ends_with(" games are rejected (exit code 1)\n") && quiet.lines().count() == 1);
}

#[test]
fn lines_of_json_name_each_input_and_the_end() {
    let scratch = Scratch::new();
    let names = ["x.pgn", "y \"z\".pgn"];
    for name in names {
        scratch.write(name, GAMES);
    }
    // Also without the summary.
    let shown = shown(&scratch, "validate --quiet --progress json", &names);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines.iter().all(|line| line.starts_with('{') && line.ends_with('}')), "{shown}");
    let of = |event: &str| {
        let event = format!("\"event\":\"{event}\"");
        lines.iter().filter(move |line| line.contains(&event)).collect::<Vec<_>>()
    };
    let inputs = of("input");
    assert_eq!(inputs.len(), 2);
    assert!(inputs[1].contains(r#""name":"y \"z\".pgn""#), "{shown}");
    assert!(inputs[1].contains(r#""games":2"#) && inputs[1].contains(r#""rejected":1"#), "{shown}");
    let ends = of("end");
    assert_eq!(ends.len(), 1);
    let stored_bytes = format!("\"stored_bytes\":{}", 2 * GAMES.len());
    assert!(ends[0].contains(r#""games":4"#) && ends[0].contains(&stored_bytes), "{shown}");
}

/// The pipe stays open until the line has been read: it does not depend on the end of a job.
#[test]
fn lines_of_json_continue_while_an_input_waits() {
    let mut run = pgnmill()
        .args(["validate", "--progress", "json", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = run.stdin.take().unwrap();
    pipe.write_all(GAMES).unwrap();
    let mut lines = BufReader::new(run.stderr.take().unwrap()).lines();
    for _ in 0..2 {
        let line = lines.next().unwrap().unwrap();
        assert!(line.contains(r#""event":"progress""#), "{line}");
        assert!(line.contains(r#""name":"standard input""#), "{line}");
    }
    drop(pipe);
    assert!(lines.any(|line| line.unwrap().contains(r#""event":"end""#)));
    assert_eq!(run.wait().unwrap().code(), Some(1));
}
