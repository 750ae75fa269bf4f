//! The arguments of `duplicates`.
//!
//! In: the words of the command line. Out: [`Duplicates`]. Invariant: the documentation comments of this file are the
//! help texts.

use std::path::PathBuf;

use pgnmill_core::tasks::duplicates::SORT_BYTES;

use super::common_args::Common;
use super::duplicates_values::{KeepName, NearPlies, SameName, near_plies};
use super::summary_args::SummaryArgs;

#[derive(Debug, clap::Args)]
pub(super) struct Duplicates {
    #[command(flatten)]
    pub(super) common: Common,
    #[command(flatten)]
    pub(super) summary: SummaryArgs,
    /// The directory for groups.csv, summary.csv and the archives
    #[arg(long, short, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(super) output: PathBuf,
    /// Also write kept.pgn, the games without duplicates: of each group this one
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(super) keep: Option<KeepName>,
    /// What exact duplicates have in common, besides the starting position
    #[arg(long, value_enum, value_name = "WHAT", default_value = "moves")]
    pub(super) same: SameName,
    /// Near duplicates: moves that begin those of another game, at least so many plies; `no`: exact duplicates only
    ///
    /// Near duplicates have the same players, date and result.
    #[arg(long, value_name = "PLIES", default_value = "1", value_parser = near_plies)]
    pub(super) near: NearPlies,
    /// With --keep: also write duplicates.pgn, the games that are not in kept.pgn
    #[arg(long, requires = "keep")]
    pub(super) removed: bool,
    /// With --keep: compress the archives; their names end in .pgn.zst
    #[arg(long, requires = "keep")]
    pub(super) zst: bool,
    /// With --zst: the compression level
    #[arg(
        long, value_name = "LEVEL", default_value_t = 3,
        value_parser = clap::value_parser!(i32).range(1..=22)
    )]
    pub(super) level: i32,
    /// With --keep: keep rejected games in kept.pgn, unchanged
    #[arg(long, requires = "keep", conflicts_with = "rejects")]
    pub(super) keep_rejects: bool,
    /// Bytes of memory of a sort; the output does not depend on it
    #[arg(long, hide = true, value_name = "BYTES", default_value_t = SORT_BYTES)]
    pub(super) sort_bytes: usize,
}
