//! The arguments of `positions`.
//!
//! In: the words of the command line. Out: [`Positions`]. Invariant: the documentation comments of this file are the
//! help texts.

use std::path::PathBuf;

use pgnmill_core::tasks::positions::CountPositions;

use crate::args::files::RunFiles;
use crate::args::messages::Messages;
use crate::args::options::options;
use crate::args::reading::{Failures, GameLines, Reading};
use crate::args::resuming::Resuming;
use crate::args::selecting::Selecting;
use crate::args::splitting::Splitting;
use crate::args::values::{Size, size_of_memory};
use crate::commands::position_args::PositionArgs;

/// Counts what was played in each position, and how it ended.
#[derive(Debug, clap::Args)]
pub struct Positions {
    /// What is read, and how.
    #[command(flatten)]
    pub reading: Reading,
    /// Whether each line is a game.
    #[command(flatten)]
    pub game_lines: GameLines,
    /// Which games are read.
    #[command(flatten)]
    pub selecting: Selecting,
    /// What becomes of inputs that cannot be read.
    #[command(flatten)]
    pub failures: Failures,
    /// The split that is read.
    #[command(flatten)]
    pub splitting: Splitting,
    /// The tables of the run.
    #[command(flatten)]
    pub files: RunFiles,
    /// How the state of the run is saved.
    #[command(flatten)]
    pub resuming: Resuming,
    /// What is printed.
    #[command(flatten)]
    pub messages: Messages,
    /// Count moves up to this ply; 0: all
    #[arg(long, value_name = "PLY", default_value_t = CountPositions::PLIES_MAX)]
    pub max_ply: u32,
    /// Count the moves of variations too, once per game
    #[arg(long)]
    pub variations: bool,
    /// What is written of them.
    #[command(flatten)]
    pub table: PositionArgs,
    /// The memory of the counts; what exceeds it is written to temporary files beside the output
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size_of_memory)]
    pub memory: Size,
    /// The output: a file, a directory for one table per input, or - for standard output
    #[arg(long, short, value_name = "OUTPUT")]
    pub output: PathBuf,
    /// In a directory of outputs: one file per input by its name alone, not in the folders of the inputs
    #[arg(long)]
    pub flat: bool,
}

options!(Positions:
    reading game_lines selecting files max_ply variations table output flat;
    without failures splitting resuming messages memory);
