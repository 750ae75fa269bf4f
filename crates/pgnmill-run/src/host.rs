//! The host of a run: what takes its texts, warnings, progress and figures, and what ends it.
//!
//! In: what a command reports while it runs. Out: for the program, lines on a terminal; for a caller in the same
//! process, whatever it makes of them, such as a [`Recorder`]. Invariant: a command reaches standard output, standard
//! error and the log through its host only. Cost: one call per job.
//!
//! ```text
//! host.warn(format_args!("{name} is empty: it holds no game"));
//! ```

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use pgnmill_io::error::{Result, Shown as _};
use pgnmill_io::sink::Reservation;

/// What a run reports to, and what ends it.
pub trait Host: fmt::Debug + Send + Sync {
    /// The run ends with [`pgnmill_io::error::ErrorKind::Interrupted`] soon after this becomes true.
    fn stop(&self) -> &AtomicBool;

    /// Takes lines for people, such as the summary, each with its end.
    fn print(&self, text: &str);

    /// Takes a warning: one sentence.
    fn warn(&self, message: fmt::Arguments<'_>);

    /// Takes the text that a command such as `explain` writes to standard output.
    ///
    /// # Errors
    /// What the system refuses.
    fn show(&self, text: &str) -> Result<()>;

    /// Where an output that is named `-` is written.
    fn standard_output(&self) -> Box<dyn Write + Send>;

    /// Takes rows of the table of `--summary`: keys and values. A later value of a key replaces the one before it.
    fn add_facts(&self, rows: &[(String, String)]);

    /// Takes the progress, if [`Host::takes_events`].
    fn add_event(&self, event: &Event<'_>) {
        let _ = event;
    }

    /// Are events sent to the host? Else the progress is printed as the arguments request.
    fn takes_events(&self) -> bool {
        true
    }

    /// What a stream shows: nothing is known of one that is no terminal.
    fn screen(&self, stream: Stream) -> Screen {
        let _ = stream;
        Screen::default()
    }

    /// Takes what a run has left that ends with an error: that something is left is a warning.
    fn left(&self, left: &Left) {
        self.warn(format_args!("{left}"));
    }

    /// Does a run without `--resume` write a journal too?
    fn keeps_journals(&self) -> bool {
        false
    }

    /// Are files mapped? A mapped file that becomes shorter ends the process, unless a signal is handled.
    fn maps_files(&self) -> bool {
        false
    }
}

/// A stream for people: that of [`Host::show`], or that of [`Host::print`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Errors,
}

/// What a stream shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Screen {
    /// The width of the terminal; `None` if it is none.
    pub columns: Option<usize>,
    /// Does it show colours?
    pub is_colored: bool,
}

/// Words that are emphasised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// A heading or a name.
    Bold,
    /// What was rejected or failed.
    Red,
    /// What was repaired; draws.
    Yellow,
    /// White.
    White,
    /// Black, and what is less important: a grey that light and dark screens show.
    Grey,
}

impl Screen {
    /// The text, in this ink if the screen has colours.
    pub fn paint(self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Bold => 1,
            Ink::Red => 31,
            Ink::Yellow => 33,
            Ink::White => 97,
            Ink::Grey => 90,
        };
        match self.is_colored && !text.is_empty() {
            true => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            false => text.to_string(),
        }
    }
}

/// A step of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event<'e> {
    /// A job has ended.
    Progress(Snapshot<'e>),
    /// The current input has ended.
    InputEnd(InputEnd<'e>),
    /// The run has ended, or failed.
    End(Snapshot<'e>),
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Snapshot<'e> {
    /// Seconds since the run began.
    pub seconds: f64,
    /// The number of the current input, from 1; at the end that of the last one.
    pub input: usize,
    /// The number of inputs.
    pub inputs: usize,
    /// The name of the current input.
    pub name: &'e str,
    /// Stored bytes that were read.
    pub stored_bytes: u64,
    /// The stored bytes of all inputs, if they are known.
    pub stored_bytes_total: Option<u64>,
    /// Games that were read.
    pub games: u64,
    /// Games that were rejected.
    pub rejected: u64,
    /// The mean speed since the beginning.
    pub games_per_second: u64,
    /// Seconds to the end at the mean speed, where that can be estimated.
    pub remaining_seconds: Option<u64>,
}

/// The end of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputEnd<'e> {
    /// The number of the input, from 1.
    pub input: usize,
    /// The number of inputs.
    pub inputs: usize,
    /// Its name.
    pub name: &'e str,
    /// Games of this input.
    pub games: u64,
    /// Games that are accepted as they are.
    pub accepted: u64,
    /// Games that are accepted with repairs.
    pub repaired: u64,
    /// Games that are rejected.
    pub rejected: u64,
    /// The error, if the input could not be read to its end.
    pub failed: Option<&'e str>,
}

/// The files of a run that ended with an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Left {
    /// The journal, the states that it names, and the temporary files of outputs.
    pub kept: Vec<PathBuf>,
    /// Can the run go on with them (`resume`)? Else they are of no use.
    pub can_go_on: bool,
    /// The outputs that were complete and have their names.
    pub complete: Vec<PathBuf>,
}

impl Left {
    /// Those of these files that are there.
    pub(crate) fn of(kept: Vec<PathBuf>, can_go_on: bool, complete: &[PathBuf]) -> Left {
        let is_there = |path: &PathBuf| path.symlink_metadata().is_ok_and(|it| it.is_file());
        let mut kept: Vec<PathBuf> = kept.into_iter().filter(is_there).collect();
        kept.sort();
        let complete = complete.iter().filter(|path| is_there(path)).cloned().collect();
        Left { kept, can_go_on, complete }
    }

    /// Is nothing left?
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.complete.is_empty()
    }
}

/// One line, for callers in the same process.
impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.can_go_on {
            f.write_str("what is done is kept: the same request goes on with `resume`, or begins again with `overwrite`")?;
        } else {
            f.write_str("files of the run are left, and can be removed")?;
        }
        let mut separator = ": ";
        for path in self.kept.iter().chain(&self.complete) {
            write!(f, "{separator}{}", Path::new(path).shown())?;
            separator = ", ";
        }
        Ok(())
    }
}

/// How a run ended that did not fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Completion {
    /// Are all games valid, and all inputs archives of games?
    pub is_clean: bool,
    /// Inputs that could not be read to their end, with `--keep-going`.
    pub failed_inputs: u64,
    /// Inputs that were opened, or could not be opened.
    pub inputs: u64,
}

impl Completion {
    /// The end of a run in which no input failed.
    pub fn of(is_clean: bool) -> Completion {
        Completion { is_clean, failed_inputs: 0, inputs: 0 }
    }
}

/// A reserved output; if it is named `-`, it is written to what the host takes for standard output.
pub fn output(host: &dyn Host, reservation: Reservation) -> Reservation {
    reservation.with_standard_output(host.standard_output())
}

/// What a [`Recorder`] has kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Recorded {
    /// The lines that the program prints at the end.
    pub text: String,
    /// Warnings: a sentence each.
    pub warnings: Vec<String>,
    /// What the program writes to standard output as text.
    pub shown: String,
    /// The rows of the summary; a later value of a key replaces an earlier one.
    pub facts: Vec<(String, String)>,
    /// The bytes of the output that is named `-`.
    pub output: Vec<u8>,
}

impl Recorded {
    /// The value of a row of the summary, such as `accepted`.
    pub fn fact(&self, key: &str) -> Option<&str> {
        self.facts.iter().rev().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }
}

/// A host that prints nothing and keeps what a run reports.
#[derive(Debug, Default)]
pub struct Recorder {
    stop: AtomicBool,
    recorded: Arc<Mutex<Recorded>>,
}

impl Recorder {
    /// What was kept since the last call.
    pub fn take(&self) -> Recorded {
        self.change(std::mem::take)
    }

    fn change<R>(&self, change: impl FnOnce(&mut Recorded) -> R) -> R {
        change(&mut self.recorded.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Host for Recorder {
    fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    fn print(&self, text: &str) {
        self.change(|recorded| recorded.text.push_str(text));
    }

    fn warn(&self, message: fmt::Arguments<'_>) {
        self.change(|recorded| recorded.warnings.push(message.to_string()));
    }

    fn show(&self, text: &str) -> Result<()> {
        self.change(|recorded| recorded.shown.push_str(text));
        Ok(())
    }

    fn standard_output(&self) -> Box<dyn Write + Send> {
        Box::new(RecordedOutput(Arc::clone(&self.recorded)))
    }

    fn add_facts(&self, rows: &[(String, String)]) {
        self.change(|recorded| recorded.facts.extend_from_slice(rows));
    }
}

/// The output that is named `-`, in memory.
struct RecordedOutput(Arc<Mutex<Recorded>>);

impl Write for RecordedOutput {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut recorded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        recorded.output.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
