//! The world outside: files that shrink, disks that are full, pipes, devices, paths that cannot be had.
//!
//! Each ends with a message that names the path, with the right exit code, and leaves no output behind.

#![allow(clippy::print_stdout, reason = "reports what was not tested")]
#![cfg(unix)]

use std::fs::{self, OpenOptions};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use crate::common::{
    SAMPLE, SOURCES, Scratch, errors_of, exit_code, here, pgnmill, run_in, text_of, thinned, trials,
};
use pgnmill_needs::needs;

/// The sample's text, several times.
fn long_text(times: usize) -> Vec<u8> {
    text_of(&here(SAMPLE)).repeat(times)
}

fn frames(text: &[u8], len: usize) -> Vec<u8> {
    text.chunks(len).flat_map(|piece| zstd::bulk::compress(piece, 1).unwrap()).collect()
}

/// A file that another program cuts while it is read: the run waits for a pipe that is not read, the file
/// is cut, the pipe is emptied.
#[test]
fn a_file_that_shrinks_ends_the_run_with_its_name() {
    let scratch = Scratch::new();
    let text = long_text(4);
    assert!(text.len() > 40 << 20, "more than is read ahead: {}", text.len());
    let one_frame = zstd::encode_all(&text[..], 1).unwrap();
    for (kind, (name, stored)) in [
        ("plain.pgn", text.clone()),
        ("frames.pgn.zst", frames(&text, 1 << 20)),
        ("one.pgn.zst", one_frame),
    ]
    .into_iter()
    .enumerate()
    {
        let cuts = [(0, &[][..]), (5_000, &["--skip-damaged"]), (stored.len() / 2, &[])];
        // At the short depth each kind has one cut, and each cut one kind.
        for (left, flags) in cuts.into_iter().skip(trials(kind, 0, 0)).take(trials(1, 3, 3)) {
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
            let what = format!("{name} cut to {left}: {}", errors_of(&output));
            assert_eq!(exit_code(&output), 2, "{what}");
            let words = format!("pgnmill: {name} became shorter while it was read");
            assert!(errors_of(&output).starts_with(&words), "{what}");
            assert_eq!(scratch.names(), [name], "{what}");
        }
        fs::remove_file(scratch.join(name)).unwrap();
    }
}

#[needs("/dev/full")]
#[needs("a null device", command = "test -c /dev/null")]
#[test]
fn a_full_device_is_an_error() {
    let scratch = Scratch::new();
    let source = here(SOURCES).display().to_string();
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    let convert = ["convert", "--to", "uci", "-o", "-", &source];
    let output = pgnmill().args(convert).stdout(full()).output().unwrap();
    assert_eq!(exit_code(&output), 2);
    assert!(errors_of(&output).contains("cannot write -: No space left"), "{}", errors_of(&output));
    // By name; a device is neither replaced nor does it exist already.
    for args in [
        &["convert", "--to", "uci", "-o", "/dev/full", &source][..],
        &["convert", "--to", "uci", "--overwrite", "-o", "/dev/full", &source],
        &["validate", "--summary", "/dev/full", &source],
        #[cfg(feature = "export")]
        &["export", "--format", "parquet", "-o", "/dev/full", &source],
        #[cfg(feature = "export")]
        &["export", "--format", "arrow", "-o", "/dev/full", &source],
    ] {
        let output = run_in(scratch.path(), args, b"");
        assert_eq!(exit_code(&output), 2, "{args:?}");
        let words = errors_of(&output);
        assert!(words.contains("/dev/full") && words.contains("No space left"), "{words}");
    }
    let nothing = ["convert", "--to", "uci", "--overwrite", "-o", "/dev/null", &source];
    assert_eq!(exit_code(&run_in(scratch.path(), &nothing, b"")), 0);
    assert!(!fs::metadata("/dev/null").unwrap().is_file(), "/dev/null is still a device");
    let list = pgnmill().arg("notations").stdout(full()).output().unwrap();
    assert_eq!(exit_code(&list), 2);
    assert!(errors_of(&list).contains("standard output"), "{}", errors_of(&list));
    assert_eq!(scratch.names(), [""; 0]);
}

/// A file may grow to 100 kB and no further: what a full disk is like. Whoever starts the program may have ignored the
/// signal that comes with it (SIGXFSZ), or not.
#[test]
fn a_disk_that_fills_up_leaves_no_output() {
    for (turn, before) in ["trap '' XFSZ; ", ""].into_iter().enumerate() {
        fills_up(before, turn);
    }
}

fn fills_up(before: &str, turn: usize) {
    let scratch = Scratch::new();
    let sample = here(SAMPLE).display().to_string();
    let program = env!("CARGO_BIN_EXE_pgnmill");
    let commands = [
        ("convert --to uci -o out.pgn", "out.pgn"),
        ("convert --to uci -o out.pgn.zst", "out.pgn.zst"),
        ("convert --to uci -o dir/", "dir/lichess-sample.pgn.zst"),
        ("measure --per-game -o dir", "dir/games.csv"),
        ("validate --from uci --faults f.csv", "f.csv"),
        ("validate --from uci --rejects r.pgn", "r.pgn"),
        #[cfg(feature = "export")]
        ("export -o out.parquet", "out.parquet"),
        #[cfg(feature = "export")]
        ("export --table plies -o out.arrow", "out.arrow"),
        #[cfg(feature = "export")]
        ("export -o out.csv", "out.csv"),
        #[cfg(feature = "export")]
        ("export --format jsonl -o dir/", "dir/lichess-sample.games.jsonl"),
        #[cfg(feature = "export")]
        ("export --partition-by outcome -o dir", "/games.parquet"),
    ];
    // At the short depth half of them with each kind of signal.
    for (command, named) in thinned(4, commands.into_iter().skip(trials(2 * turn, 0, 0))) {
        let script = format!("{before}ulimit -f 100; exec \"$0\" {command} \"$1\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, program, &sample]).current_dir(scratch.path());
        let output = shell.output().unwrap();
        let words = errors_of(&output);
        assert_eq!(exit_code(&output), 2, "{command}: {words}");
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
        assert_eq!(exit_code(&output), 2, "{args:?}");
        assert!(errors_of(&output).contains("is an input"), "{args:?}: {}", errors_of(&output));
        assert_eq!(fs::read(scratch.join("in/x.pgn")).unwrap(), text, "{args:?}");
        assert_eq!(scratch.names(), ["in", "link.pgn"], "{args:?}");
    }
}

// The permissions of files do not restrict root.
#[needs("a user other than root", command = "test $(id -u) != 0")]
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
        assert_eq!(exit_code(&output), 2, "{args:?}");
        assert!(errors_of(&output).contains(named), "{args:?}: {}", errors_of(&output));
    }
    assert_eq!(scratch.names(), ["locked", "secret.pgn"]);
}

/// Damage that is skipped is reported, listed and counted, and ends with code 1.
#[test]
fn skipped_damage_is_reported_listed_and_counted() {
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
    assert_eq!(exit_code(&refused), 2);
    let words = format!("x.pgn.zst: zstd frame 5, which begins at stored byte {begin}, is damaged");
    assert!(errors_of(&refused).contains(&words), "{}", errors_of(&refused));
    assert!(errors_of(&refused).contains("--skip-damaged"), "{}", errors_of(&refused));
    let args = ["validate", "--skip-damaged", "--faults", "f.csv", "--summary", "s.csv"];
    let output = run_in(scratch.path(), &[&args[..], &["x.pgn.zst"]].concat(), b"");
    assert_eq!(exit_code(&output), 1, "{}", errors_of(&output));
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
    assert!(errors_of(&output).contains(" damaged\n"), "{}", errors_of(&output));
    assert!(errors_of(&output).contains("frame-damaged"), "{}", errors_of(&output));
}
