//! The host of the program, and its log.
//!
//! In: texts, warnings, log records. Out: lines on standard error, those of the log as `pgnmill: LEVEL: MESSAGE`; data
//! on standard output.

use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::process_output;

use super::args::LogLevel;
use super::screen::{Colors, screen_of};
use pgnmill_run::Left;
use pgnmill_run::host::{Host, Screen, Stream};

/// The program: it prints.
#[derive(Debug, Default)]
pub(super) struct Program {
    stop: AtomicBool,
    colors: Colors,
    left: Mutex<Option<Left>>,
}

impl Program {
    /// The program with this value of `--color`.
    pub(super) fn new(colors: Colors) -> Program {
        Program { colors, ..Program::default() }
    }

    /// What a run has left that ended with an error.
    pub(super) fn take_left(&self) -> Option<Left> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Host for Program {
    fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    fn print(&self, text: &str) {
        // An error of standard error cannot be reported.
        drop(io::stderr().write_all(text.as_bytes()));
    }

    fn warn(&self, message: fmt::Arguments<'_>) {
        log::warn!("{message}");
    }

    fn show(&self, text: &str) -> Result<()> {
        process_output().write_all(text.as_bytes()).map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Error::pipe_closed(),
            _ => Error::io("write", "standard output", error),
        })
    }

    fn standard_output(&self) -> Box<dyn Write + Send> {
        process_output()
    }

    fn add_facts(&self, _: &[(String, String)]) {}

    fn takes_events(&self) -> bool {
        false
    }

    fn screen(&self, stream: Stream) -> Screen {
        screen_of(stream, self.colors)
    }

    /// It is part of the message of the error.
    fn left(&self, left: &Left) {
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = Some(left.clone());
    }

    fn keeps_journals(&self) -> bool {
        true
    }

    fn maps_files(&self) -> bool {
        true
    }
}

/// Log lines, to standard error.
struct Log;

impl log::Log for Log {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let level = record.level().as_str().to_ascii_lowercase();
        // An error of standard error cannot be reported.
        drop(writeln!(io::stderr(), "pgnmill: {level}: {}", record.args()));
    }

    fn flush(&self) {}
}

pub(super) fn set_log_level(level: LogLevel) {
    let level = match level {
        LogLevel::Off => log::LevelFilter::Off,
        LogLevel::Error => log::LevelFilter::Error,
        LogLevel::Warn => log::LevelFilter::Warn,
        LogLevel::Info => log::LevelFilter::Info,
        LogLevel::Debug => log::LevelFilter::Debug,
        LogLevel::Trace => log::LevelFilter::Trace,
    };
    // A second logger in one process (as in tests) is refused, and the first is kept.
    drop(log::set_boxed_logger(Box::new(Log)));
    log::set_max_level(level);
}
