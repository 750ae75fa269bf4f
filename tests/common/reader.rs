//! A directory as a reader of the documents has it, and the commands of a document in bash.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use super::{SOURCES, Scratch, here, run_in};

/// The blocks of shell commands, line by line.
pub(crate) fn blocks(text: &str) -> Vec<Vec<&str>> {
    let (mut found, mut open) = (Vec::new(), None::<Vec<&str>>);
    for line in text.lines() {
        match &mut open {
            None if line == "```sh" => open = Some(Vec::new()),
            Some(_) if line == "```" => found.extend(open.take()),
            Some(lines) => lines.push(line),
            None => {}
        }
    }
    found
}

/// What a test does not do again: `cargo run` is the program itself, the rest is recognised by its exact words.
pub(crate) const CARGO: &str = r#"#!/bin/sh
case "$*" in
  "run --release -- "*) shift 3; exec pgnmill "$@" ;;
  "test --release" | "install --path .") exit 0 ;;
esac
echo "cargo $*: not a command that the documents may print" >&2
exit 99
"#;

/// A directory like a clone after its first build, with the archives that the README names.
pub(crate) fn clone_of_a_reader() -> Scratch {
    let scratch = Scratch::new();
    fs::create_dir(scratch.join("bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_pgnmill"), scratch.join("bin/pgnmill")).unwrap();
    let cargo = scratch.write("bin/cargo", CARGO.as_bytes());
    fs::set_permissions(cargo, fs::Permissions::from_mode(0o755)).unwrap();
    symlink(here("scripts"), scratch.join("scripts")).unwrap();
    symlink(here("data"), scratch.join("data")).unwrap();
    symlink(here("examples"), scratch.join("examples")).unwrap();
    let text = fs::read(here(SOURCES)).unwrap();
    let packed = zstd::encode_all(&text[..], 3).unwrap();
    scratch.write("games.pgn", &text);
    scratch.write("games.pgn.zst", &packed);
    // Cut within its second frame.
    let half = [&packed[..], &packed[..packed.len() / 2]].concat();
    scratch.write("half-a-download.pgn.zst", &half);
    for (name, bytes) in WRITTEN.get_or_init(|| written_by_the_program(&scratch)) {
        scratch.write(name, bytes);
    }
    scratch
}

/// What the program writes into such a directory, by name: the same in each, and so written once in a test program.
static WRITTEN: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();

/// Games in another notation, and two measurements.
fn written_by_the_program(scratch: &Scratch) -> Vec<(String, Vec<u8>)> {
    let uci =
        run_in(scratch.path(), &["convert", "--quiet", "--to", "uci", "-o", "-", "games.pgn"], b"");
    let uci = String::from_utf8(uci.stdout).unwrap();
    let bare: Vec<&str> = uci.lines().filter(|line| !line.starts_with("[MoveNotation")).collect();
    let mut files =
        vec![("moves-in-uci.pgn".to_string(), format!("{}\n", bare.join("\n")).into_bytes())];
    for (month, archive) in [("january", "games.pgn"), ("february", "games.pgn.zst")] {
        let done = run_in(scratch.path(), &["measure", "--quiet", "-o", month, archive], b"");
        assert!(done.status.success());
        for file in fs::read_dir(scratch.join(month)).unwrap().map(Result::unwrap) {
            let name = format!("{month}/{}", file.file_name().to_str().unwrap());
            files.push((name, fs::read(file.path()).unwrap()));
        }
    }
    files
}

/// A line of the README, in bash.
pub(crate) fn shell(directory: &Path, line: &str) -> Output {
    let path = format!("{}:{}", directory.join("bin").display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.args(["-o", "pipefail", "-c", line]).current_dir(directory).stdin(Stdio::null());
    command.env("PATH", path).env("PGNMILL", env!("CARGO_BIN_EXE_pgnmill"));
    command.output().unwrap()
}

/// The tools besides pgnmill and cargo that a line uses and that this machine lacks.
pub(crate) fn lacking(line: &str) -> Option<&'static str> {
    let tools = [
        ("zstdcat", "zstdcat"),
        ("sha256sum", "sha256sum"),
        ("whole-archives", "zstd"),
        ("whole-archives", "python3"),
    ];
    let absent = |tool: &str| {
        !Command::new("sh")
            .args(["-c", &format!("command -v {tool}")])
            .output()
            .unwrap()
            .status
            .success()
    };
    tools.into_iter().find(|(word, tool)| line.contains(word) && absent(tool)).map(|(_, tool)| tool)
}

/// The documents below `docs/`, in order.
pub(crate) fn documents() -> Vec<PathBuf> {
    let (mut found, mut pending) = (Vec::new(), vec![here("docs")]);
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
