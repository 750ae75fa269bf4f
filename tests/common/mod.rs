//! What the tests of the whole program share: the program itself, places to write, archives to read.

#![allow(dead_code, reason = "each test takes what it needs")]
#![allow(clippy::print_stdout, reason = "a test that cannot run says so")]

pub(crate) mod aloud;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The archive of generated games.
pub(crate) const SAMPLE: &str = "data/lichess-sample.pgn.zst";
/// The games of the source documents.
pub(crate) const SOURCES: &str = "data/sources.pgn";

/// A path in this repository.
pub(crate) fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The program, without what would change its output.
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

/// A directory that is gone when it is dropped.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// An empty directory.
    pub(crate) fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("pgnmill-{}-{count}", std::process::id()));
        drop(fs::remove_dir_all(&path));
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// A path in it.
    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file in it, and the directories above it.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// The names of what is in it, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// The text of an archive, plain or zstd.
pub(crate) fn text_of(path: &Path) -> Vec<u8> {
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

/// The archives in a folder of the shared corpora and in the folders below it, in order; none where it is absent.
pub(crate) fn corpus(folder: &str) -> Vec<PathBuf> {
    let root = here("../shared/corpora").join(folder);
    if !root.is_dir() {
        aloud::skipped(format_args!("../shared/corpora/{folder} is not there"));
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

/// How often a line begins so.
pub(crate) fn lines_that_begin(text: &[u8], beginning: &[u8]) -> u64 {
    let begins = |at: &usize| *at == 0 || matches!(text[at - 1], b'\n' | b'\r');
    memchr::memmem::find_iter(text, beginning).filter(begins).count() as u64
}
