//! `--sample` and `--seed`: which of the selected games a command reads.
//!
//! In: the words of the command line. Out: [`SampleArgs`]. Invariants: the documentation comments of this file are the
//! help texts; they mean the same with every command that has them.

use std::ffi::OsStr;
use std::fmt;

use pgnmill_io::error::{Error, Result};

use crate::args::options::{Value, options};
use crate::args::values::Expected;
use crate::text::shell::option;

/// A random sample of the selected games.
#[derive(Clone, Copy, PartialEq, Debug, Default, clap::Args)]
pub struct SampleArgs {
    /// Take a random sample of the selected games: so many, or a share such as 10%
    ///
    /// Each game is taken or left by a hash of its own text: the same games with every command, in any order of the
    /// inputs; equal games are taken together. For a number the inputs are read twice.
    #[arg(long, value_name = "N|N%", value_parser = sample_size, help_heading = "Games to read")]
    pub sample: Option<SampleSize>,
    /// Which random sample: the same seed and inputs give the same games
    #[arg(
        long,
        value_name = "S",
        default_value_t = 0,
        help_heading = "Games to read",
        hide_short_help = true
    )]
    pub seed: u64,
}

options!(SampleArgs: sample seed; without);

/// The size of a sample.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SampleSize {
    /// So many games.
    Games(u64),
    /// This percentage of the games, more than 0 and at most 100.
    Percent(f64),
}

impl fmt::Display for SampleSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SampleSize::Games(games) => write!(f, "{games}"),
            SampleSize::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

impl Value for SampleSize {
    fn text(&self, _: &str) -> String {
        self.to_string()
    }

    fn parse(text: &OsStr) -> Result<SampleSize, String> {
        sample_size(&text.to_string_lossy()).map_err(ToString::to_string)
    }
}

pub(crate) fn sample_size(text: &str) -> std::result::Result<SampleSize, Expected> {
    let size = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().ok().map(SampleSize::Percent),
        None => text.replace(['_', ','], "").parse().ok().map(SampleSize::Games),
    };
    let expected = "a number of games from 1 on, such as 10000, or a share of them, such as 10%";
    size.filter(SampleSize::is_one).ok_or(expected)
}

/// A share alone.
#[cfg(feature = "columns")]
pub(crate) fn share_of_plies(text: &str) -> std::result::Result<SampleSize, Expected> {
    let size = sample_size(text).ok().filter(|size| matches!(size, SampleSize::Percent(_)));
    size.ok_or("a share of the plies, such as 1%")
}

impl SampleSize {
    /// Whether there is such a sample.
    fn is_one(&self) -> bool {
        match *self {
            SampleSize::Games(games) => games > 0,
            SampleSize::Percent(percent) => percent > 0.0 && percent <= 100.0,
        }
    }
}

impl SampleArgs {
    /// The size, if there is one, which a caller in the same process may set to any number.
    ///
    /// # Errors
    /// A sample that is none.
    pub(crate) fn size(&self) -> Result<Option<SampleSize>> {
        match self.sample {
            Some(size) if !size.is_one() => Err(Error::usage(format!(
                "--sample takes a number from 1 on, or a share; not {size}"
            ))),
            size => Ok(size),
        }
    }

    /// The options, as words of a shell.
    pub(crate) fn options(&self) -> Vec<String> {
        let mut options: Vec<String> =
            self.sample.map(|size| option("--sample", size)).into_iter().collect();
        options.extend((self.seed != 0).then(|| option("--seed", self.seed)));
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_numbers_and_shares() {
        for (text, expected) in [
            ("1", SampleSize::Games(1)),
            ("10,000", SampleSize::Games(10_000)),
            ("10%", SampleSize::Percent(10.0)),
            ("0.01 %", SampleSize::Percent(0.01)),
            ("100%", SampleSize::Percent(100.0)),
        ] {
            assert_eq!(sample_size(text).unwrap(), expected, "{text}");
        }
        for text in ["", "0", "-1", "0%", "101%", "nan%", "inf%", "%", "ten", "1.5", "0.5"] {
            assert!(sample_size(text).is_err(), "{text}");
        }
    }
}
