//! The arguments of `merge`.
//!
//! In: the words of the command line. Out: [`Merge`]. Invariant: the documentation comments of this file are the help
//! texts.

use std::path::PathBuf;

use crate::args::options::options;
use crate::commands::position_args::PositionArgs;

/// Adds the tables of several measurements, of `stats`, of `positions --sums`, or of the splits of archives.
#[derive(Debug, clap::Args)]
pub struct Merge {
    /// Directories with the tables of `measure`, `stats` or `merge`, or of runs over splits; ledgers alone; or tables
    /// of `positions --sums`
    #[arg(required = true, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub inputs: Vec<PathBuf>,
    /// With splits: some may be missing; for sums of sums
    #[arg(long)]
    pub partial: bool,
    /// The directory for the sums; of tables of positions a file, as of `positions`
    #[arg(long, short, value_name = "DIR", value_hint = clap::ValueHint::AnyPath)]
    pub output: PathBuf,
    /// Replace existing tables
    #[arg(long)]
    pub overwrite: bool,
    /// Print errors only
    #[arg(long, short, help_heading = "Messages")]
    pub quiet: bool,
    /// What is written of positions.
    #[command(flatten, next_help_heading = "Tables of positions")]
    pub positions: PositionArgs,
    /// Number of worker threads, at most 1,024; 0: one per processor
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Tables of positions")]
    pub threads: usize,
}

options!(Merge: inputs partial output positions; without overwrite quiet threads);
