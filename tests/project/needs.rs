//! `#[needs(…)]`: whether a test is skipped is decided when it runs, and what is skipped is printed.
//!
//! The tests of this module that have the attribute are run again by one that has none, in a process of their own: in a
//! clone and in an empty directory, with a command that succeeds and one that fails.

use std::path::Path;
use std::process::Command;

use pgnmill_needs::needs;

use crate::common::Scratch;

/// Set in the process in which the bodies of the two tests must be noticed.
const RAN: &str = "PGNMILL_NEEDS_RAN";

fn run_body() {
    assert!(std::env::var_os(RAN).is_none(), "the body ran");
}

#[needs("data/sources.pgn")]
#[test]
fn a_test_with_a_path() {
    run_body();
}

#[needs("nothing", command = "test -z \"$PGNMILL_NEEDS_LACKS\"")]
#[needs("data")]
#[test]
fn a_test_with_a_command() {
    run_body();
}

/// Runs one test of this program; returns whether its body ran, and the lines that name what was skipped.
fn run_again(test: &str, variables: &[(&str, &Path)]) -> (bool, Vec<String>) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test]).env(RAN, "1").envs(variables.iter().copied());
    let output = command.output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("running 1 test"), "{printed}");
    assert!(printed.contains(" 0 ignored"), "{printed}");
    let errors = String::from_utf8(output.stderr).unwrap();
    let skipped = errors.lines().filter(|line| line.starts_with("skipped: "));
    (!output.status.success(), skipped.map(str::to_string).collect())
}

#[test]
fn a_test_is_skipped_aloud_when_what_it_needs_is_absent_while_it_runs() {
    let empty = Scratch::new();
    let elsewhere = [("CARGO_MANIFEST_DIR", empty.path())];
    let fails = [("PGNMILL_NEEDS_LACKS", Path::new("x"))];
    let (path, command) = ("needs::a_test_with_a_path", "needs::a_test_with_a_command");
    assert_eq!(run_again(path, &[]), (true, vec![]));
    assert_eq!(run_again(command, &[]), (true, vec![]));
    let skipped = |test: &str, what: &str| (false, vec![format!("skipped: {test}: needs {what}")]);
    assert_eq!(run_again(path, &elsewhere), skipped(path, "data/sources.pgn"));
    assert_eq!(run_again(command, &fails), skipped(command, "nothing"));
    assert_eq!(run_again(command, &elsewhere), skipped(command, "data"));
}
