//! An archive that another program rewrites in place while it is read: any result, but an exit code.
//!
//! A file that is mapped can change between two reads of one byte. What was checked to be UTF-8 is then none: a `str`
//! of such bytes is undefined behaviour, which ended `export --one-line --columns movetext` by a signal.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::{Scratch, errors_of, pgnmill, trials};

/// The commands that read archives, each with what it does with the text of games.
const COMMANDS: &[&[&str]] = &[
    &["export", "--format", "csv", "--one-line", "--columns", "movetext"],
    &["export", "--format", "csv", "--columns", "default,movetext,tags"],
    &["export", "--format", "parquet", "--table", "plies", "--columns", "all"],
    &["validate", "-v"],
    &["stats", "--format", "json"],
    &["convert", "--to", "fan"],
    &["convert", "--from", "san", "--to", "uci", "--set", "Round=1", "--drop", "comments"],
    &["select", "--where", "White =~ \"A.\" and lower(Event) == \"e*\" and comment =~ \"w.rd\""],
    &[
        "select",
        "--where",
        "Black in (\"B\", \"C\") and contains(White, \"A\") and variant == \"standard\"",
    ],
    &["duplicates", "-o", "duplicates", "--overwrite"],
    &["measure", "-o", "tables", "--overwrite", "--notations", "san,uci"],
    &["explain", "--game", "7"],
    &["splits", "--target", "500kB"],
];

/// Games whose tag values, comments and last bytes are `*`, which change to `0xF0` and back.
fn archive() -> (Vec<u8>, Vec<u64>) {
    let comment = "word é\n".repeat(4000);
    let game = format!(
        "[Event \"e*\"]\n[White \"A*\"]\n[Black \"B\"]\n[Annotator \"x*\"]\n\n1. e4 {{ [%clk 0:01:00] {comment}*}} e5 $1 *\n\n"
    );
    let text = game.repeat(60).into_bytes();
    let places = (0..text.len()).filter(|&at| text[at] == b'*').map(|at| at as u64).collect();
    (text, places)
}

/// Runs a command while the bytes at these places change.
fn run_while_rewritten(directory: &Path, places: &[u64], args: &[&str], times: usize) {
    let file = fs::File::options().write(true).open(directory.join("a.pgn")).unwrap();
    let (is_ended, file) = (AtomicBool::new(false), &file);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for byte in [0xf0, b'*'].into_iter().cycle() {
                places.iter().for_each(|&place| file.write_all_at(&[byte], place).unwrap());
                if is_ended.load(Ordering::Relaxed) && byte == b'*' {
                    return;
                }
            }
        });
        let failed = (0..times).find_map(|_| {
            let output = pgnmill().current_dir(directory).args(args).arg("a.pgn").output().unwrap();
            let is_right = matches!(output.status.code(), Some(0..=2));
            (!is_right).then(|| format!("{args:?}: {}: {}", output.status, errors_of(&output)))
        });
        is_ended.store(true, Ordering::Relaxed);
        assert_eq!(failed, None);
    });
}

#[test]
fn no_command_ends_by_a_signal_while_its_archive_is_rewritten() {
    let scratch = Scratch::new();
    let (text, places) = archive();
    fs::write(scratch.join("a.pgn"), &text).unwrap();
    // The last bytes of the games alone: they change as often as possible.
    let last: Vec<u64> = places.iter().copied().skip(4).step_by(5).collect();
    run_while_rewritten(scratch.path(), &last, COMMANDS[0], trials(25, 25, 500));
    for args in COMMANDS {
        let read = pgnmill().current_dir(scratch.path()).args(*args).arg("a.pgn").output().unwrap();
        assert_ne!(read.status.code(), Some(2), "{args:?}: {}", errors_of(&read));
        run_while_rewritten(scratch.path(), &places, args, trials(2, 2, 100));
    }
}
