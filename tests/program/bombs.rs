//! Bombs: some kilobytes that decode to a gigabyte. Memory stays bounded, and the run ends with a clear result.
//!
//! The program runs with an address space of [`SPACE_KILOBYTES`]: asking for more ends it with an error or a signal.

#![cfg(unix)]
#![allow(clippy::print_stdout, reason = "a test says what it saw")]

use std::fs;
use std::io::Write;
use std::process::{Command, Output};

use crate::common::coded::seven_zip;
use crate::common::{Scratch, trials};

/// How much text the longest bombs hold: more than there is memory.
fn text_bytes_max() -> usize {
    trials(80 << 20, 256 << 20, 1 << 30)
}

/// How much text the others hold: more than a game may have.
fn text_bytes_short() -> usize {
    (text_bytes_max() / 8).max(18 << 20)
}

/// All memory, the program itself and the stacks of its threads included: twice what it needs.
const SPACE_KILOBYTES: usize = 160_000;

/// `beginning`, then `unit` again and again to `text_bytes`; in one frame.
fn bomb(beginning: &str, unit: &str, text_bytes: usize) -> Vec<u8> {
    let piece = unit.repeat((1 << 20) / unit.len());
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), 1).unwrap();
    encoder.write_all(beginning.as_bytes()).unwrap();
    let mut left = text_bytes;
    while left > 0 {
        encoder.write_all(piece.as_bytes()).unwrap();
        left = left.saturating_sub(piece.len());
    }
    encoder.finish().unwrap()
}

fn limited(scratch: &Scratch, args: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_pgnmill");
    let script = format!("ulimit -v {SPACE_KILOBYTES}; exec \"$0\" {args}");
    let mut shell = Command::new("sh");
    // Otherwise glibc reserves 64 to 128 megabytes of addresses for each thread, as many threads as run at once.
    shell.env("MALLOC_ARENA_MAX", "1");
    shell.args(["-c", &script, program]).current_dir(scratch.path()).output().unwrap()
}

fn summary(scratch: &Scratch, key: &str) -> u64 {
    let table = fs::read_to_string(scratch.join("s.csv")).unwrap();
    let row = table.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(','));
    row.map_or(0, |value| value.parse().unwrap())
}

#[test]
fn a_gigabyte_of_anything_is_read_in_bounded_memory() {
    const TAGS: &str = "[Event \"bomb\"]\n[Result \"*\"]\n\n";
    let scratch = Scratch::new();
    for (name, beginning, unit, code, rejected) in [
        ("zeros", "", "\0", 1, 1),
        ("blanks", "", " ", 1, 1),
        ("line ends", "", "\n", 1, 1),
        ("a line", "", "e4 ", 1, 1),
        ("a game", TAGS, "1. Nf3 Nf6 2. Ng1 Ng8\n", 1, 1),
        ("a comment", "[Event \"x\"]\n\n1. e4 {", "endless ", 1, 1),
        ("tag pairs", "", "[Event \"x\"]\n", 1, 1),
        ("braces", TAGS, "(", 1, 1),
    ] {
        // Three of a gigabyte; the others are long enough for what grows to show.
        let whole = ["zeros", "blanks", "a game"].contains(&name);
        let text_bytes = if whole { text_bytes_max() } else { text_bytes_short() };
        let one = bomb(beginning, unit, text_bytes);
        // Behind another frame, so that a worker of its own meets it.
        let two = [zstd::encode_all(&b"[Event \"a\"]\n\n*\n\n"[..], 1).unwrap(), one.clone()];
        let two = two.concat();
        for (frames, stored) in [(1, &one), (2, &two)] {
            if frames == 2 && !["zeros", "a game"].contains(&name) {
                continue;
            }
            scratch.write("bomb.zst", stored);
            for flags in ["", "--skip-damaged"] {
                if !flags.is_empty() && name != "a game" {
                    continue;
                }
                let args = "validate --threads 2 --overwrite --summary s.csv";
                let output = limited(&scratch, &format!("{args} {flags} bomb.zst"));
                let words = String::from_utf8_lossy(&output.stderr);
                println!("{name}, {} bytes, {frames} frames: {words}", stored.len());
                let what = format!("{name}, {frames} frames: {words}");
                assert_eq!(output.status.code(), Some(code), "{what}");
                assert!(summary(&scratch, "text_bytes") as usize >= text_bytes, "{what}");
                assert_eq!(summary(&scratch, "rejected"), rejected, "{what}");
            }
        }
    }
}

/// Frames whose headers declare more content, or a larger window, than there is.
#[test]
fn sizes_that_lie_cost_no_memory() {
    let scratch = Scratch::new();
    // RFC 8878, 3.1.1.1: one segment, eight bytes of content size; or a window of two gibibytes.
    let content = [b"\x28\xB5\x2F\xFD\xE0".as_slice(), &(1u64 << 60).to_le_bytes()].concat();
    let window = b"\x28\xB5\x2F\xFD\x00\xA8".to_vec();
    let beyond = b"\x28\xB5\x2F\xFD\x00\xB0".to_vec();
    for (name, header) in [("content", content), ("window", window), ("beyond", beyond)] {
        let stored = [header.as_slice(), b"\x29\0\0hello"].concat();
        scratch.write("lie.zst", &stored);
        let output = limited(&scratch, "validate --overwrite --summary s.csv lie.zst");
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        println!("{name}: {words}");
        assert_eq!(output.status.code(), Some(2), "{name}: {words}");
        assert!(words.contains("lie.zst") && words.contains("damaged"), "{name}: {words}");
        let output =
            limited(&scratch, "validate --skip-damaged --overwrite --summary s.csv lie.zst");
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert_eq!(summary(&scratch, "damaged_bytes"), stored.len() as u64, "{name}");
    }
}

/// A member is decoded in pieces, and the others of its block, which are not read, too.
#[test]
fn a_bomb_in_a_7_zip_file_is_read_in_bounded_memory() {
    let scratch = Scratch::new();
    let text = "1. Nf3 Nf6 2. Ng1 Ng8\n".repeat(text_bytes_short() / 22);
    let stored = seven_zip(&[
        ("notes.txt", text.as_bytes()),
        ("a.pgn", text.as_bytes()),
        ("b.pgn", b"1. e4 *\n"),
    ]);
    assert!(stored.len() < text.len() / 1_000, "{}", stored.len());
    scratch.write("x.7z", &stored);
    drop(text);
    let output = limited(&scratch, "validate --threads 2 --summary s.csv x.7z");
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{words}");
    assert_eq!((summary(&scratch, "accepted"), summary(&scratch, "rejected")), (1, 1), "{words}");
}
