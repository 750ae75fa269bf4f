//! The arguments of `positions`.
//!
//! In: the words of the command line. Out: [`Positions`]. Invariant: the documentation comments of this file are the
//! help texts.

use std::path::PathBuf;

use pgnmill_columns::Format;

use crate::args::files::RunFiles;
use crate::args::messages::Messages;
use crate::args::options::{named, options};
use crate::args::reading::{Failures, Reading};
use crate::args::selecting::Selecting;
use crate::args::values::{Expected, Size, size_of_memory};

/// The last ply that is counted, where none is given.
pub(super) const PLIES_MAX: u32 = 60;

/// The format of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum PositionFormat {
    /// Apache Parquet, compressed with zstd
    Parquet,
    /// The file format of Apache Arrow, not compressed
    Arrow,
    /// Comma-separated values
    Csv,
    /// One JSON object per line
    Jsonl,
    /// A Polyglot opening book
    Bin,
}

impl PositionFormat {
    /// All formats.
    pub(super) const ALL: [PositionFormat; 5] = [
        PositionFormat::Parquet,
        PositionFormat::Arrow,
        PositionFormat::Csv,
        PositionFormat::Jsonl,
        PositionFormat::Bin,
    ];

    /// The format of columns; `None` for a book.
    pub(super) const fn columns(self) -> Option<Format> {
        Some(match self {
            PositionFormat::Parquet => Format::Parquet,
            PositionFormat::Arrow => Format::Arrow,
            PositionFormat::Csv => Format::Csv,
            PositionFormat::Jsonl => Format::JsonLines,
            PositionFormat::Bin => return None,
        })
    }

    /// Its name, which is also the ending of its files.
    pub(super) const fn name(self) -> &'static str {
        match self.columns() {
            Some(format) => format.name(),
            None => "bin",
        }
    }
}

/// A side whose moves a book has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Side {
    /// White's moves
    White,
    /// Black's moves
    Black,
}
named!(PositionFormat, Side);

/// Reads a share of the points, in percent.
pub(super) fn min_score(text: &str) -> Result<u32, Expected> {
    let expected = "a whole number of percent, 0 to 100";
    let number = text.strip_suffix('%').unwrap_or(text).parse().map_err(|_| expected)?;
    if number <= 100 { Ok(number) } else { Err(expected) }
}

/// Counts what was played in each position, and how it ended.
#[derive(Debug, clap::Args)]
pub struct Positions {
    /// What is read, and how.
    #[command(flatten)]
    pub reading: Reading,
    /// Which games are read.
    #[command(flatten)]
    pub selecting: Selecting,
    /// What becomes of inputs that cannot be read.
    #[command(flatten)]
    pub failures: Failures,
    /// The tables of the run.
    #[command(flatten)]
    pub files: RunFiles,
    /// What is printed.
    #[command(flatten)]
    pub messages: Messages,
    /// Count moves up to this ply; 0: all
    #[arg(long, value_name = "PLY", default_value_t = PLIES_MAX)]
    pub max_ply: u32,
    /// Leave out moves that fewer games played in their position
    #[arg(long, value_name = "GAMES", default_value_t = 1)]
    pub min_games: u64,
    /// Count the moves of variations too, once per game
    #[arg(long)]
    pub variations: bool,
    /// Write the sums of the ratings in place of their means, so that tables can be added
    #[arg(long)]
    pub sums: bool,
    /// The format; by default that of the output's name, on standard output CSV
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<PositionFormat>,
    /// Of a book: the moves of this side alone
    #[arg(long, value_enum, value_name = "SIDE")]
    pub only: Option<Side>,
    /// Of a book: leave out moves with a smaller share of the points, in percent
    #[arg(long, value_name = "PERCENT", value_parser = min_score)]
    pub min_score: Option<u32>,
    /// Of a book: give all moves the same weight
    #[arg(long)]
    pub uniform: bool,
    /// The compression level of Parquet, 1 to 22 [default: 3]
    #[arg(long, value_name = "LEVEL", allow_negative_numbers = true)]
    pub level: Option<i32>,
    /// The memory of the counts; what exceeds it is written to temporary files beside the output
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size_of_memory)]
    pub memory: Size,
    /// The output: a file, or - for standard output
    #[arg(long, short, value_name = "OUTPUT")]
    pub output: PathBuf,
}

options!(Positions:
    reading selecting files max_ply min_games variations sums only min_score uniform level output;
    without failures messages format memory);
