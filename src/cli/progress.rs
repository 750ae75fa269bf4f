//! The progress bar, on a terminal only, and the log.
//!
//! In: totals; log records. Out: standard error. Cost: one update of the bar per job.

use std::io::{IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};

use super::args::LogLevel;
use super::summary::grouped;
use super::totals::Totals;

/// A progress bar, or none.
#[derive(Debug)]
pub(super) struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A bar over the stored bytes of all inputs, or a spinner if their number is unknown.
    pub(super) fn new(is_enabled: bool, stored_bytes: Option<u64>) -> Progress {
        if !is_enabled || !std::io::stderr().is_terminal() {
            return Progress { bar: None };
        }
        let (bar, template) = match stored_bytes {
            Some(bytes) => (
                ProgressBar::new(bytes),
                "{percent:>3} % {wide_bar} {bytes}/{total_bytes} {eta} {msg}",
            ),
            None => (ProgressBar::new_spinner(), "{spinner} {bytes} {elapsed} {msg}"),
        };
        let style = ProgressStyle::with_template(template);
        let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Progress { bar: Some(bar) }
    }

    pub(super) fn show(&self, totals: &Totals) {
        let Some(bar) = &self.bar else { return };
        bar.set_position(totals.stored_bytes);
        let games = totals.counts.games();
        let seconds = bar.elapsed().as_secs_f64().max(0.001);
        bar.set_message(format!(
            "{} games, {}/s, {} rejected",
            grouped(games),
            grouped((games as f64 / seconds) as u64),
            grouped(totals.counts.rejected)
        ));
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
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
