//! What is shown while a run lasts.
//!
//! In: the words of the command line. Out: [`Mode`].

use clap::ValueEnum;

/// What is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Mode {
    /// A bar on a terminal, and a line per input with rejected games if there are several; with -v per input
    Auto,
    /// A line per finished input
    Lines,
    /// One JSON object per line: every second, and per finished input
    Json,
    /// Nothing
    None,
}
