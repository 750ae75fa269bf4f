//! The log: messages besides the summary.
//!
//! In: log records. Out: lines on standard error, `pgnmill: LEVEL: MESSAGE`.

use std::io::Write;

use super::args::LogLevel;

/// Log lines, to standard error.
struct Log;

impl log::Log for Log {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let level = record.level().as_str().to_ascii_lowercase();
        // An error of standard error cannot be reported.
        drop(writeln!(std::io::stderr(), "pgnmill: {level}: {}", record.args()));
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
