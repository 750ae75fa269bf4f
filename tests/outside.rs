//! The world outside: files that shrink, disks that are full, pipes, devices, paths that cannot be had.
//!
//! Each ends with a message that names the path, with the right exit code, and leaves no output behind.

#![allow(clippy::print_stdout, reason = "a test that cannot run says so")]
#![cfg(unix)]

mod common;

use std::fs::{self, OpenOptions};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};

use common::{SAMPLE, SOURCES, Scratch, here, pgnmill, run_in, text_of};
use pgnmill_needs::needs;

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code, not a signal")
}

/// The sample's text, several times.
fn long_text(times: usize) -> Vec<u8> {
    text_of(&here(SAMPLE)).repeat(times)
}

fn frames(text: &[u8], len: usize) -> Vec<u8> {
    text.chunks(len).flat_map(|piece| zstd::bulk::compress(piece, 1).unwrap()).collect()
}

/// A file that another program cuts while it is read: the run stands still behind a pipe that nobody empties, the file
/// is cut, the pipe is emptied.
#[test]
fn a_file_that_shrinks_ends_the_run_with_its_name() {
    let scratch = Scratch::new();
    let text = long_text(4);
    assert!(text.len() > 40 << 20, "more than is read ahead: {}", text.len());
    let one_frame = zstd::encode_all(&text[..], 1).unwrap();
    for (name, stored) in [
        ("plain.pgn", text.clone()),
        ("frames.pgn.zst", frames(&text, 1 << 20)),
        ("one.pgn.zst", one_frame),
    ] {
        for (left, flags) in [(0, &[][..]), (5_000, &["--skip-damaged"]), (stored.len() / 2, &[])] {
            let path = scratch.write(name, &stored);
            let mut child = pgnmill()
                .args(["convert", "--to", "uci", "--threads", "2", "--faults", "f.csv"])
                .args(flags)
                .args(["-o", "-", name])
                .current_dir(scratch.path())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut pipe = child.stdout.take().unwrap();
            pipe.read_exact(&mut [0; 1000]).unwrap();
            OpenOptions::new().write(true).open(&path).unwrap().set_len(left as u64).unwrap();
            let mut rest = Vec::new();
            pipe.read_to_end(&mut rest).unwrap();
            let output = child.wait_with_output().unwrap();
            let what = format!("{name} cut to {left}: {}", said(&output));
            assert_eq!(code(&output), 2, "{what}");
            let words = format!("pgnmill: {name} became shorter while it was read");
            assert!(said(&output).starts_with(&words), "{what}");
            assert_eq!(scratch.names(), [name], "{what}");
        }
        fs::remove_file(scratch.join(name)).unwrap();
    }
}

#[needs("/dev/full")]
#[test]
fn a_full_device_is_an_error() {
    let scratch = Scratch::new();
    let source = here(SOURCES).display().to_string();
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    let convert = ["convert", "--to", "uci", "-o", "-", &source];
    let output = pgnmill().args(convert).stdout(full()).output().unwrap();
    assert_eq!(code(&output), 2);
    assert!(said(&output).contains("cannot write -: No space left"), "{}", said(&output));
    // By name; a device is neither replaced nor does it exist already.
    for args in [
        &["convert", "--to", "uci", "-o", "/dev/full", &source][..],
        &["convert", "--to", "uci", "--overwrite", "-o", "/dev/full", &source],
        &["validate", "--summary", "/dev/full", &source],
    ] {
        let output = run_in(scratch.path(), args, b"");
        assert_eq!(code(&output), 2, "{args:?}");
        let words = said(&output);
        assert!(words.contains("/dev/full") && words.contains("No space left"), "{words}");
    }
    let nothing = ["convert", "--to", "uci", "--overwrite", "-o", "/dev/null", &source];
    assert_eq!(code(&run_in(scratch.path(), &nothing, b"")), 0);
    assert!(!fs::metadata("/dev/null").unwrap().is_file(), "/dev/null is still a device");
    let list = pgnmill().arg("notations").stdout(full()).output().unwrap();
    assert_eq!(code(&list), 2);
    assert!(said(&list).contains("standard output"), "{}", said(&list));
    assert_eq!(scratch.names(), [""; 0]);
}

/// A file may grow to 100 kB and no further: what a full disk is like. Whoever starts the program may have ignored the
/// signal that comes with it (SIGXFSZ), or not.
#[test]
fn a_disk_that_fills_up_leaves_no_output() {
    for before in ["trap '' XFSZ; ", ""] {
        fills_up(before);
    }
}

fn fills_up(before: &str) {
    let scratch = Scratch::new();
    let sample = here(SAMPLE).display().to_string();
    let program = env!("CARGO_BIN_EXE_pgnmill");
    for (command, named) in [
        ("convert --to uci -o out.pgn", "out.pgn"),
        ("convert --to uci -o out.pgn.zst", "out.pgn.zst"),
        ("convert --to uci -o dir/", "dir/lichess-sample.pgn.zst"),
        ("measure --per-game -o dir", "dir/games.csv"),
        ("validate --from uci --faults f.csv", "f.csv"),
        ("validate --from uci --rejects r.pgn", "r.pgn"),
    ] {
        let script = format!("{before}ulimit -f 100; exec {program} {command} {sample}");
        let output =
            Command::new("sh").args(["-c", &script]).current_dir(scratch.path()).output().unwrap();
        let words = said(&output);
        assert_eq!(code(&output), 2, "{command}: {words}");
        assert!(words.contains(named) && words.contains("File too large"), "{command}: {words}");
        for name in scratch.names() {
            assert_eq!(name, "dir", "{command}");
            assert_eq!(fs::read_dir(scratch.join("dir")).unwrap().count(), 0, "{command}");
        }
    }
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let scratch = Scratch::new();
    let text = fs::read(here(SOURCES)).unwrap();
    scratch.write("in/x.pgn", &text);
    std::os::unix::fs::symlink("in/x.pgn", scratch.join("link.pgn")).unwrap();
    for args in [
        &["convert", "--to", "uci", "--overwrite", "-o", "in/x.pgn", "in/x.pgn"][..],
        &["convert", "--to", "uci", "--overwrite", "-o", "in/x.pgn", "in"],
        &["convert", "--to", "uci", "--overwrite", "-o", "in/", "in/x.pgn"],
        &["convert", "--to", "uci", "--overwrite", "-o", "./in/../in/x.pgn", "link.pgn"],
        &["validate", "--overwrite", "--rejects", "link.pgn", "in/x.pgn"],
        &["validate", "--overwrite", "--faults", "in/x.pgn", "in/x.pgn"],
    ] {
        let output = run_in(scratch.path(), args, b"");
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(said(&output).contains("is an input"), "{args:?}: {}", said(&output));
        assert_eq!(fs::read(scratch.join("in/x.pgn")).unwrap(), text, "{args:?}");
        assert_eq!(scratch.names(), ["in", "link.pgn"], "{args:?}");
    }
}

// The permissions of files do not restrict root.
#[needs(command = "test $(id -u) != 0")]
#[test]
fn what_may_not_be_read_or_written_is_named() {
    let scratch = Scratch::new();
    let source = here(SOURCES).display().to_string();
    let path = scratch.write("secret.pgn", b"[Event \"x\"]\n\n*\n");
    fs::create_dir(scratch.join("locked")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(scratch.join("locked"), fs::Permissions::from_mode(0o555)).unwrap();
    for (args, named) in [
        (&["validate", "secret.pgn"][..], "cannot open secret.pgn: Permission denied"),
        (&["validate", "."], "cannot open ./secret.pgn: Permission denied"),
        (&["convert", "--to", "uci", "-o", "locked/x.pgn", &source], "locked/x.pgn"),
    ] {
        let output = run_in(scratch.path(), args, b"");
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(said(&output).contains(named), "{args:?}: {}", said(&output));
    }
    assert_eq!(scratch.names(), ["locked", "secret.pgn"]);
}

/// Damage that is skipped is told, listed and counted, and ends with code 1.
#[test]
fn skipped_damage_is_told_listed_and_counted() {
    let scratch = Scratch::new();
    let text = text_of(&here(SAMPLE));
    let text = &text[..1 << 20];
    let pieces: Vec<Vec<u8>> =
        text.chunks(100_000).map(|piece| zstd::bulk::compress(piece, 1).unwrap()).collect();
    let begin: usize = pieces[..4].iter().map(Vec::len).sum();
    let mut stored = pieces.concat();
    stored[begin..begin + 400].fill(0xEE);
    scratch.write("x.pgn.zst", &stored);
    let refused = run_in(scratch.path(), &["validate", "x.pgn.zst"], b"");
    assert_eq!(code(&refused), 2);
    let words = format!("x.pgn.zst: zstd frame 5, which begins at stored byte {begin}, is damaged");
    assert!(said(&refused).contains(&words), "{}", said(&refused));
    assert!(said(&refused).contains("--skip-damaged"), "{}", said(&refused));
    let args = ["validate", "--skip-damaged", "--faults", "f.csv", "--summary", "s.csv"];
    let output = run_in(scratch.path(), &[&args[..], &["x.pgn.zst"]].concat(), b"");
    assert_eq!(code(&output), 1, "{}", said(&output));
    let faults = fs::read_to_string(scratch.join("f.csv")).unwrap();
    let kinds: Vec<&str> =
        faults.lines().skip(1).map(|row| row.split(',').nth(6).unwrap()).collect();
    assert_eq!(kinds[..3], ["game-cut", "frame-damaged", "game-cut"], "{faults}");
    let len = pieces[4].len();
    let extent = format!("zstd frame 5, stored bytes {begin} to {} ({len}): ", begin + len);
    assert!(faults.contains(&extent), "{faults}");
    let summary = fs::read_to_string(scratch.join("s.csv")).unwrap();
    for row in [format!("damaged_bytes,{len}\n"), "fault:frame-damaged,1\n".to_string()] {
        assert!(summary.contains(&row), "{row} in {summary}");
    }
    assert!(said(&output).contains(" damaged\n"), "{}", said(&output));
    assert!(said(&output).contains("frame-damaged"), "{}", said(&output));
}
