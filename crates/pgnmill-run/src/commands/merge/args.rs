//! The arguments of `merge`.
//!
//! In: the words of the command line. Out: [`Merge`]. Invariant: the documentation comments of this file are the help
//! texts.

use std::path::PathBuf;

use crate::args::options::options;

/// Adds the tables of several measurements, of `stats`, or of the splits of archives.
#[derive(Debug, clap::Args)]
pub struct Merge {
    /// Directories with the tables of `measure`, `stats` or `merge`, or of runs over splits; or ledgers alone
    #[arg(required = true, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub inputs: Vec<PathBuf>,
    /// With splits: some may be missing; for sums of sums
    #[arg(long)]
    pub partial: bool,
    /// The directory for the sums
    #[arg(long, short, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub output: PathBuf,
    /// Replace existing tables
    #[arg(long)]
    pub overwrite: bool,
    /// Print errors only
    #[arg(long, short, help_heading = "Messages")]
    pub quiet: bool,
}

options!(Merge: inputs partial output; without overwrite quiet);
