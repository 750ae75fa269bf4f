//! The values of the options of `duplicates`.
//!
//! In: words of the command line. Out: choices. Invariant: the documentation comments are the help texts.

use std::ffi::OsStr;

use clap::ValueEnum;

use crate::args::options::{Value, named};
use crate::args::values::Expected;

/// The plies from which moves alone show that two games are one: the default of `--min-plies` and `--near`.
pub(crate) const PLIES_MIN: usize = 20;

/// A value of `--keep`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum KeepName {
    /// The first one in the order of the inputs
    First,
    /// The one with the most plies; of several the first
    Longest,
}

/// A value of `--same`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SameName {
    /// The moves of the main line and the players, initials allowed; dates and results do not contradict each other
    MovesAndPlayers,
    /// The moves of the main line alone
    Moves,
}

/// The value of `--near`; `None`: no near duplicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NearPlies(pub Option<usize>);

pub(crate) fn near_plies(text: &str) -> Result<NearPlies, Expected> {
    match text.parse() {
        Ok(plies @ 1..) => Ok(NearPlies(Some(plies))),
        _ if text == "no" => Ok(NearPlies(None)),
        _ => Err("a number of plies, at least 1, or no"),
    }
}

named!(KeepName, SameName);

impl Value for NearPlies {
    fn text(&self, _: &str) -> String {
        self.0.map_or_else(|| "no".to_string(), |plies| plies.to_string())
    }

    fn parse(text: &OsStr) -> Result<NearPlies, String> {
        near_plies(&text.to_string_lossy()).map_err(ToString::to_string)
    }
}
