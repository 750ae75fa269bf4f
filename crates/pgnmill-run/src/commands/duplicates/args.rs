//! The arguments of `duplicates`.
//!
//! In: the words of the command line. Out: [`Duplicates`]. Invariant: the documentation comments of this file are the
//! help texts.

use std::path::PathBuf;

use pgnmill_core::tasks::sorter::SORT_BYTES;

use crate::args::files::RunFiles;
use crate::args::messages::{Messages, SummaryArgs};
use crate::args::options::options;
use crate::args::reading::Reading;
use crate::args::selecting::Selecting;

use super::values::{KeepName, NearPlies, PLIES_MIN, SameName, near_plies};

/// Finds duplicate games, also across archives.
#[derive(Debug, clap::Args)]
pub struct Duplicates {
    /// What is read, and how.
    #[command(flatten)]
    pub reading: Reading,
    /// Which games are read.
    #[command(flatten)]
    pub selecting: Selecting,
    /// The tables of the run.
    #[command(flatten)]
    pub files: RunFiles,
    /// What is printed.
    #[command(flatten)]
    pub messages: Messages,
    /// How the counts are stated.
    #[command(flatten)]
    pub summary: SummaryArgs,
    /// The directory for groups.csv, summary.csv and the archives
    #[arg(long, short, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub output: PathBuf,
    /// Also write kept.pgn, the games without duplicates: of each group this one
    #[arg(long, value_enum, value_name = "WHICH")]
    pub keep: Option<KeepName>,
    /// What exact duplicates have in common, besides the starting position
    #[arg(long, value_enum, value_name = "WHAT", default_value = "moves-and-players")]
    pub same: SameName,
    /// Games that are compared by moves alone have at least so many plies
    ///
    /// These are all games with --same moves, and games of unknown players.
    #[arg(long, value_name = "PLIES", default_value_t = PLIES_MIN)]
    pub min_plies: usize,
    /// Near duplicates: moves that begin those of another game, at least so many plies; `no`: exact duplicates only
    ///
    /// Near duplicates have the same players, date, time (`UTCTime`) and result.
    #[arg(long, value_name = "PLIES", default_value = "20", value_parser = near_plies)]
    pub near: NearPlies,
    /// With --keep: also write duplicates.pgn, the games that are not in kept.pgn
    #[arg(long)]
    pub removed: bool,
    /// With --keep: compress the archives; their names end in .pgn.zst
    #[arg(long)]
    pub zst: bool,
    /// With --zst: the compression level, 1 to 22 [default: 3]
    #[arg(long, value_name = "LEVEL", allow_negative_numbers = true)]
    pub level: Option<i32>,
    /// With --keep: keep rejected games in kept.pgn, unchanged
    #[arg(long)]
    pub keep_rejects: bool,
    /// Bytes of memory of a sort; the output does not depend on it
    #[arg(long, hide = true, value_name = "BYTES", default_value_t = SORT_BYTES)]
    pub sort_bytes: usize,
}

options!(Duplicates:
    reading selecting files output keep same min_plies near removed zst level keep_rejects;
    without messages summary sort_bytes);
