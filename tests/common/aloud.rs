//! What a test that cannot run tells: past the capture of the test harness, which keeps what a test prints that passes.

use std::fmt::Display;
use std::io::{self, Write};

/// `skipped: …` on standard output, whatever the harness captures.
pub(crate) fn skipped(why: impl Display) {
    drop(writeln!(io::stdout(), "skipped: {why}"));
}
