//! Values of arguments that are neither numbers nor texts.
//!
//! In: the words of the command line. Out: what `clap` stores for them.

use std::fmt;

use clap::ValueEnum;

use crate::tasks::measure::study::Compression;

/// What `select` can drop of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Dropped {
    /// All comments
    Comments,
    /// The commands %clk and %emt of comments, and comments that have nothing else
    Clocks,
    /// The commands %eval of comments, and comments that have nothing else
    Evals,
    /// NAGs: $1, !, ? and so on
    Nags,
    /// Variations
    Variations,
}

impl Dropped {
    /// The value of the option.
    pub(super) fn name(&self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string())
    }
}

/// A value of `--compress` that is not a compressor.
#[derive(Debug)]
pub(super) struct NotACompressor;

impl fmt::Display for NotACompressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a compressor is zstd:LEVEL, 1 to 22, or zstd:LEVEL:main")
    }
}

impl std::error::Error for NotACompressor {}

/// Reads a compressor.
pub(super) fn compressor(text: &str) -> Result<Compression, NotACompressor> {
    Compression::parse(text).ok_or(NotACompressor)
}

/// A number of seconds that is none.
#[derive(Debug)]
pub(super) struct NotSeconds;

impl fmt::Display for NotSeconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("seconds are a number from 0 on")
    }
}

impl std::error::Error for NotSeconds {}

/// Reads a number of seconds.
pub(super) fn seconds(text: &str) -> Result<f64, NotSeconds> {
    let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0);
    seconds.ok_or(NotSeconds)
}
