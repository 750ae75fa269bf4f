//! Code shared by the test programs: the program, archives, a temporary directory, random numbers; `games` has
//! positions and random games, `mutations` archives that are mutated at random, `needs` what a test requires besides a
//! clone, `boards` games on boards that are given by a table, `reader` the directory of a reader of the documents,
//! `variants` positions of other rules, `vocabulary` one of a byte-pair encoder.

#![allow(dead_code, unused_imports, reason = "each test program uses a part of it")]

pub(crate) mod boards;
#[cfg(feature = "containers")]
pub(crate) mod coded;
pub(crate) mod games;
pub(crate) mod mutations;
pub(crate) mod needs;
pub(crate) mod reader;
pub(crate) mod variants;
pub(crate) mod vocabulary;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use pgnmill_io::archive::games::Games;

pub(crate) use pgnmill_laws::dice::{Depth, Dice, thinned, trials};
pub(crate) use pgnmill_laws::scratch::Scratch;

/// The archive of generated games.
pub(crate) const SAMPLE: &str = "tests/generated/lichess-sample.pgn.zst";
/// The games of the source documents.
pub(crate) const SOURCES: &str = "data/sources.pgn";

/// A path in this repository: in the clone that cargo runs the tests of, which need not be where they were compiled.
pub(crate) fn here(path: &str) -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR");
    package.map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from).join(path)
}

/// Seals the tables of a directory that a test has written or removed, as the run that wrote them would have.
pub(crate) fn reseal(directory: &Path) {
    let mut text = "table,bytes,digest\n".to_string();
    let mut paths: Vec<PathBuf> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "csv"));
    paths.retain(|path| !path.ends_with("tables.csv"));
    paths.sort();
    let digest = pgnmill_io::sink::Digest::of;
    for path in paths {
        let bytes = fs::read(&path).unwrap();
        text += &format!("{},{},{}\n", name_of(&path), bytes.len(), digest(&bytes));
    }
    let own = format!("tables.csv,{},{}\n", text.len(), digest(text.as_bytes()));
    fs::write(directory.join("tables.csv"), text + &own).unwrap();
}

/// Another directory with the files of one, by links: its tables are the same, and are added as if they were others.
pub(crate) fn twin(directory: &Path, other: &Path) {
    drop(fs::remove_dir_all(other));
    fs::create_dir(other).unwrap();
    for file in fs::read_dir(directory).unwrap().map(Result::unwrap) {
        fs::hard_link(file.path(), other.join(file.file_name())).unwrap();
    }
}

/// The program, without settings that would change its output.
pub(crate) fn pgnmill() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgnmill"));
    command.stdin(Stdio::null());
    // The date of a measurement is part of its summary.
    command.env("SOURCE_DATE_EPOCH", "0");
    command
}

/// Runs the program in a directory, with this standard input.
pub(crate) fn run_in(directory: &Path, args: &[&str], stdin: &[u8]) -> Output {
    let mut child = pgnmill()
        .args(args)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.to_vec();
    // A program that fails early does not read it.
    let feeder = std::thread::spawn(move || drop(pipe.write_all(&stdin)));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    output
}

/// What the program printed on standard error.
pub(crate) fn errors_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The exit code of the program.
///
/// # Panics
/// If a signal ended it.
pub(crate) fn exit_code(output: &Output) -> i32 {
    output.status.code().expect("an exit code, not a signal")
}

/// The text of the archive of generated games, decoded once in a test program.
pub(crate) fn sample_text() -> &'static [u8] {
    static TEXT: OnceLock<Vec<u8>> = OnceLock::new();
    TEXT.get_or_init(|| unpacked(&fs::read(here(SAMPLE)).unwrap()))
}

/// The text of an archive, plain or zstd.
pub(crate) fn text_of(path: &Path) -> Vec<u8> {
    if path == here(SAMPLE) {
        return sample_text().to_vec();
    }
    let stored = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    unpacked(&stored)
}

/// Decodes what is zstd, in any framing.
pub(crate) fn unpacked(stored: &[u8]) -> Vec<u8> {
    let skippable =
        stored.len() > 4 && stored[0] & 0xf0 == 0x50 && stored[1..4] == *b"\x2a\x4d\x18";
    if !skippable && !stored.starts_with(b"\x28\xb5\x2f\xfd") {
        return stored.to_vec();
    }
    let mut decoder = zstd::stream::Decoder::new(stored).unwrap();
    decoder.window_log_max(31).unwrap();
    let mut text = Vec::new();
    std::io::copy(&mut decoder, &mut text).unwrap();
    text
}

/// The first games of a text.
pub(crate) fn first_games(text: &[u8], games_count: usize) -> Vec<u8> {
    let last = Games::new(text).take(games_count).last();
    text[..last.map_or(0, |(start, game)| start + game.len())].to_vec()
}

/// The archives in a folder of `../shared/corpora` and in the folders below it, in order; none if it is absent, which
/// is reported. A test that reads nothing else has the attribute `#[needs("../shared/corpora")]`.
pub(crate) fn corpus(folder: &str) -> Vec<PathBuf> {
    let all = here("../shared/corpora");
    let root = all.join(folder);
    if !root.is_dir() {
        let folder = if all.is_dir() { folder } else { "" };
        needs::part_skipped(&format!("../shared/corpora/{folder}"));
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut pending = vec![root];
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|end| end == "pgn" || end == "zst") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The name of a file, for messages.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// How many lines begin with these bytes.
pub(crate) fn lines_that_begin(text: &[u8], beginning: &[u8]) -> u64 {
    let begins = |at: &usize| *at == 0 || matches!(text[at - 1], b'\n' | b'\r');
    memchr::memmem::find_iter(text, beginning).filter(begins).count() as u64
}
