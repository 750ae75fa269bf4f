//! What the file system has besides files: broken links, named pipes, names that are hidden or have control characters,
//! limits on open files.
//!
//! Laws: whatever has the name of an archive is read, or named with the reason; a run that waits for a pipe can be
//! interrupted; nothing in a name reaches the terminal raw.

use std::fs;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Scratch, errors_of, exit_code, pgnmill, run_in, thinned};

const GAME: &str = "[Event \"x\"]\n\n1. e4 e5 *\n\n";

fn pipe(scratch: &Scratch, name: &str) {
    assert!(Command::new("mkfifo").arg(scratch.join(name)).status().unwrap().success());
}

#[test]
fn what_is_not_read_of_a_directory_is_named() {
    let scratch = Scratch::new();
    for name in ["in/a.pgn", "in/.pgn", "in/.zst", "in/notes.txt", "other/b.pgn"] {
        scratch.write(name, GAME.as_bytes());
    }
    pipe(&scratch, "in/pipe.pgn");
    std::os::unix::fs::symlink("../other", scratch.join("in/link.pgn")).unwrap();
    let output = run_in(scratch.path(), &["validate", "in"], b"");
    let words = errors_of(&output);
    assert_eq!(exit_code(&output), 0, "{words}");
    for name in ["in/.pgn", "in/.zst", "in/pipe.pgn", "in/link.pgn"] {
        assert!(words.contains(&format!("{name} is not read: ")), "{name}: {words}");
    }
    assert!(!words.contains("notes.txt") && words.contains("1 game read"), "{words}");
}

#[test]
fn a_broken_link_is_an_input_that_cannot_be_opened() {
    let scratch = Scratch::new();
    scratch.write("in/a.pgn", GAME.as_bytes());
    scratch.write("in/c.pgn", GAME.as_bytes());
    std::os::unix::fs::symlink("nowhere.pgn", scratch.join("in/b.pgn")).unwrap();
    let ended = run_in(scratch.path(), &["validate", "in"], b"");
    assert_eq!(exit_code(&ended), 2);
    assert!(errors_of(&ended).contains("cannot open in/b.pgn"), "{}", errors_of(&ended));
    let went_on = run_in(scratch.path(), &["validate", "--keep-going", "in"], b"");
    let words = errors_of(&went_on);
    assert!(words.contains("2 games read") && words.contains("1 of 3 inputs"), "{words}");
}

/// A run whose output has no reader, or one that has stopped reading, ends when it is interrupted.
#[test]
fn a_run_that_waits_for_a_pipe_can_be_interrupted() {
    for is_read in [false, true] {
        let scratch = Scratch::new();
        scratch.write("a.pgn", GAME.repeat(20_000).as_bytes());
        pipe(&scratch, "out.pgn");
        let mut run = pgnmill()
            .args(["convert", "--to", "uci", "-o", "out.pgn", "a.pgn", "-q"])
            .current_dir(scratch.path())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let reader = is_read.then(|| {
            let mut reader = fs::File::open(scratch.join("out.pgn")).unwrap();
            let mut first = [0; 100];
            reader.read_exact(&mut first).unwrap();
            reader
        });
        std::thread::sleep(Duration::from_millis(300));
        assert!(run.try_wait().unwrap().is_none(), "it waits");
        let id = run.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let begun = Instant::now();
        let status = loop {
            match run.try_wait().unwrap() {
                Some(status) => break status,
                None if begun.elapsed() > Duration::from_secs(20) => {
                    drop(run.kill());
                    panic!("it cannot be interrupted; read: {is_read}");
                }
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        assert_eq!(status.code(), Some(130), "read: {is_read}");
        drop(reader);
    }
}

/// All that is written to a pipe arrives.
#[test]
fn a_pipe_has_the_bytes_of_a_file() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", GAME.repeat(30_000).as_bytes());
    pipe(&scratch, "pipe.pgn");
    let path = scratch.join("pipe.pgn");
    let reader = std::thread::spawn(move || fs::read(path).unwrap());
    for output in ["pipe.pgn", "file.pgn"] {
        let ran =
            run_in(scratch.path(), &["convert", "-q", "--to", "uci", "-o", output, "a.pgn"], b"");
        assert_eq!(exit_code(&ran), 0, "{}", errors_of(&ran));
    }
    assert!(reader.join().unwrap() == fs::read(scratch.join("file.pgn")).unwrap());
}

#[test]
fn names_have_no_control_characters_on_the_terminal() {
    let scratch = Scratch::new();
    let odd = "a\nb\u{1b}[2J\u{7}.pgn";
    scratch.write(&format!("in/{odd}"), b"[Event \"x\"]\n\n1. Ke4 *\n\n");
    scratch.write("in/c.pgn", GAME.as_bytes());
    let inside = format!("in/{odd}");
    let gone = format!("in/{odd}x");
    for args in [
        &["validate", "in"][..],
        &["validate", &gone],
        &["validate", &inside, &inside],
        &["convert", "in", "-o", "out/", "--to", "uci"],
        &["convert", "in", "-o", "out/", "--to", "uci"],
        &["explain", "--game", "1", &inside],
        &["merge", "-o", "sum", &inside],
        &["report", "-o", "p.html", &inside],
        &["measure", "-o", &inside, "in"],
        &["validate", "--keep-going", &gone, "in"],
    ] {
        let output = run_in(scratch.path(), args, b"");
        let shown = [&output.stdout[..], &output.stderr].concat();
        let is_raw = |&byte: &u8| byte < b' ' && byte != b'\n';
        let shown = String::from_utf8_lossy(&shown).into_owned();
        assert!(!shown.bytes().any(|byte| is_raw(&byte)), "{args:?}: {}", shown.escape_debug());
        assert!(!shown.contains("a\nb"), "{args:?}: {shown}");
    }
}

/// As many files as are promised, under the usual limit on open files.
#[test]
fn six_hundred_files_are_written_under_the_usual_limit() {
    let scratch = Scratch::new();
    let games: String =
        (0..600).map(|n| format!("[Event \"{n}\"]\n[Round \"{n}\"]\n\n1. e4 *\n\n")).collect();
    scratch.write("a.pgn", games.as_bytes());
    let program = env!("CARGO_BIN_EXE_pgnmill");
    for command in ["select --split-by Round -o by", "export --partition-by Round -o lake"] {
        // The second limit cannot be raised: an output has one descriptor.
        for limit in thinned(2, ["ulimit -n 660", "ulimit -S -n 500"]) {
            let line = format!("{limit}; exec '{program}' {command} --overwrite -q a.pgn");
            for directory in ["by", "lake"] {
                drop(fs::remove_dir_all(scratch.join(directory)));
            }
            let mut shell = Command::new("sh");
            let output = shell.args(["-c", &line]).current_dir(scratch.path()).output().unwrap();
            let words = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{limit}; {command}: {words}");
        }
    }
    assert_eq!(fs::read_dir(scratch.join("lake")).unwrap().count(), 600);
    let line =
        format!("ulimit -n 100; exec '{program}' export --partition-by Round -o few -q a.pgn");
    let output =
        Command::new("sh").args(["-c", &line]).current_dir(scratch.path()).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && words.contains("ulimit -n"), "{words}");
}
