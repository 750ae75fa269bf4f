//! A command as a function (`cli::run_in`): it writes what the program writes, prints nothing, and is ended by its
//! host.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use pgnmill::{Error, ErrorKind, Input, Result};
use pgnmill_cli::{columns_of, options_of, run_in};
use pgnmill_run::{Completion, Event, Host};

use crate::common::Scratch;

/// Keeps what a run reports.
#[derive(Debug, Default)]
struct Keeper {
    stop: AtomicBool,
    lines: Mutex<Vec<String>>,
    facts: Mutex<Vec<(String, String)>>,
    output: Arc<Mutex<Vec<u8>>>,
}

struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Keeper {
    fn add(&self, line: String) {
        self.lines.lock().unwrap().push(line);
    }
}

impl Host for Keeper {
    fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    fn print(&self, text: &str) {
        self.add(format!("print {text}"));
    }

    fn warn(&self, message: fmt::Arguments<'_>) {
        self.add(format!("warn {message}"));
    }

    fn show(&self, text: &str) -> Result<()> {
        self.add(format!("show {text}"));
        Ok(())
    }

    fn standard_output(&self) -> Box<dyn Write + Send> {
        Box::new(Memory(Arc::clone(&self.output)))
    }

    fn add_facts(&self, rows: &[(String, String)]) {
        self.facts.lock().unwrap().extend_from_slice(rows);
    }

    fn add_event(&self, event: &Event<'_>) {
        self.add(format!("{event:?}"));
    }
}

const GAMES: &str = "[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n\n1. e5 *\n";

fn archive(scratch: &Scratch) -> Option<Vec<Input>> {
    let path = scratch.join("games.pgn");
    std::fs::write(&path, GAMES).unwrap();
    Some(vec![Input::Path(path)])
}

fn run(words: &[&str], inputs: Option<Vec<Input>>) -> (Result<Completion>, Arc<Keeper>) {
    let keeper = Arc::new(Keeper::default());
    (run_in(words, inputs, Arc::clone(&keeper) as Arc<dyn Host>), keeper)
}

fn refused(words: &[&str], inputs: Option<Vec<Input>>) -> Error {
    run(words, inputs).0.unwrap_err()
}

#[test]
fn the_host_takes_the_summary_and_the_output() {
    let scratch = Scratch::new();
    let words = ["convert", "--to=uci", "--output=-", "--progress=json"];
    let (ended, keeper) = run(&words, archive(&scratch));
    let ended = ended.unwrap();
    assert_eq!((ended.is_clean, ended.failed_inputs, ended.inputs), (false, 0, 1));
    let output = keeper.output.lock().unwrap().clone();
    assert_eq!(String::from_utf8(output).unwrap().matches("e2e4 e7e5").count(), 1);
    let facts = keeper.facts.lock().unwrap();
    for (key, value) in [("accepted", "1"), ("rejected", "1"), ("fault:move-illegal", "1")] {
        let found = facts.iter().find(|(found, _)| found == key);
        assert_eq!(found.map(|(_, value)| value.as_str()), Some(value), "{key}: {facts:?}");
    }
    let lines = keeper.lines.lock().unwrap();
    for begin in ["print 2 games read", "warn 1 rejected game is", "InputEnd", "End", "Progress"] {
        assert!(lines.iter().any(|line| line.starts_with(begin)), "{begin}: {lines:?}");
    }
}

#[test]
fn a_run_that_is_stopped_leaves_nothing() {
    let scratch = Scratch::new();
    let inputs = archive(&scratch);
    let output = scratch.join("new/out.pgn");
    let words = ["convert".into(), "--to=uci".into(), format!("--output={}/", output.display())];
    let keeper = Arc::new(Keeper::default());
    keeper.stop.store(true, Ordering::Relaxed);
    let ended = run_in(words, inputs, Arc::clone(&keeper) as Arc<dyn Host>);
    assert!(matches!(ended.unwrap_err().kind(), ErrorKind::Interrupted));
    let left: Vec<PathBuf> =
        std::fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, [scratch.join("games.pgn")]);
}

#[test]
fn a_run_without_resume_keeps_no_journal() {
    let scratch = Scratch::new();
    let output = scratch.join("out");
    let word = format!("--output={}/", output.display());
    run(&["convert", "--to=uci", &word, "--checkpoint=0"], archive(&scratch)).0.unwrap();
    assert_eq!(std::fs::read_dir(output).unwrap().count(), 1);
}

#[test]
fn wrong_arguments_are_errors() {
    let scratch = Scratch::new();
    let error = refused(&["convert"], archive(&scratch)).to_string();
    assert!(error.starts_with("the following required arguments") && !error.contains("Usage"));
    let error = refused(&["validate", "--faults=-"], archive(&scratch)).to_string();
    assert_eq!(error, "a table of the run is written to a file, not to standard output");
    let error = refused(&["explain", "--game=9"], archive(&scratch)).to_string();
    assert!(error.contains("games.pgn"), "{error}");
    assert!(refused(&["--help"], None).to_string().contains("validate"));
    assert!(refused(&["no-command"], None).to_string().contains("no-command"));
}

#[test]
fn texts_are_shown_to_the_host() {
    let scratch = Scratch::new();
    let (ended, keeper) = run(&["explain", "--game=2"], archive(&scratch));
    assert!(!ended.unwrap().is_clean);
    let lines = keeper.lines.lock().unwrap();
    assert!(lines[0].starts_with("show ") && lines[0].contains("move-illegal"), "{lines:?}");
}

#[test]
fn options_and_columns_are_listed() {
    let options = options_of("convert").unwrap();
    let from = options.iter().find(|option| option.name == "from").unwrap();
    assert_eq!((from.takes_value, from.default.as_deref()), (true, Some("auto")));
    let to = options.iter().find(|option| option.name == "to").unwrap();
    assert!(to.is_required && !to.is_list && to.default.is_none());
    assert!(options.iter().any(|option| option.name == "block-bytes" && option.is_hidden));
    assert!(options_of("no-command").is_none());
    assert_eq!(columns_of("summary.csv").unwrap(), [("key", "text"), ("value", "text")]);
    assert_eq!(columns_of("faults").unwrap()[1], ("byte_offset", "count"));
}
