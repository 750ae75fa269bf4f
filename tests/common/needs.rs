//! What a test requires besides a clone, tested when it runs; the attribute `#[needs(…)]` (`tests/needs`) calls this.
//!
//! In: the test's name, and a path relative to the package, or a shell command that succeeds where the test can run.
//! Out: whether it is there; if not, the line `skipped: TEST: needs …` on standard error. The line is written to the
//! stream itself: the harness captures what `eprintln` prints, and shows it of a test that fails alone. A command runs
//! once per process, whatever the number of tests that require it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use super::here;

/// Whether a path exists.
pub(crate) fn has_path(test: &str, path: &str) -> bool {
    let is_there = here(path).exists();
    if !is_there {
        skipped(test, path);
    }
    is_there
}

/// Whether a command succeeds. `what`: the name of what it tests.
pub(crate) fn can_run(test: &str, what: &str, command: &str) -> bool {
    static KNOWN: Mutex<BTreeMap<String, bool>> = Mutex::new(BTreeMap::new());
    // Held while the command runs, so that a second test waits for its result.
    let mut known = KNOWN.lock().unwrap();
    let is_there = match known.get(command) {
        Some(&is_there) => is_there,
        None => {
            let is_there = succeeds(command);
            known.insert(command.to_string(), is_there);
            is_there
        }
    };
    if !is_there {
        skipped(test, what);
    }
    is_there
}

/// Reports a test, or a part of one, that does not run. `test`: its path, with or without the name of the program.
pub(crate) fn skipped(test: &str, what: &str) {
    let test = test.split_once("::").map_or(test, |(_, name)| name);
    // One call, so that lines of several threads do not mix.
    let line = format!("skipped: {test}: needs {what}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// Reports, once, a part of the test of this thread that does not run.
pub(crate) fn part_skipped(what: &str) {
    static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let thread = std::thread::current();
    // The harness names the thread of a test after it, unless it runs all on the first one.
    let test = thread.name().filter(|name| *name != "main").unwrap_or("a part of a test");
    if REPORTED.lock().unwrap().insert(format!("{test} {what}")) {
        skipped(&format!("::{test}"), what);
    }
}

fn succeeds(command: &str) -> bool {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    shell.status().is_ok_and(|status| status.success())
}
