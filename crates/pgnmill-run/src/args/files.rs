//! The tables that each run can write, and what becomes of files that are there.
//!
//! In: the words of the command line. Out: [`RunFiles`]. Invariant: the documentation comments of this file are the
//! help texts.

use std::path::{Path, PathBuf};

use crate::args::options::options;
use crate::args::output_path::Written;

/// The tables of a run.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct RunFiles {
    /// Show what would be read and written, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Replace existing outputs
    #[arg(long)]
    pub overwrite: bool,
    /// Write a table of the rejected games, with the reasons
    ///
    /// CSV, or Parquet if the name ends in .parquet; with `export` also of values that cannot be read.
    #[arg(long, value_name = "F.csv", help_heading = "Tables of the run")]
    pub faults: Option<PathBuf>,
    /// Write a table of the notes and repairs of the other games
    ///
    /// It has the text and the canonical text; CSV, or Parquet if the name ends in .parquet.
    #[arg(long, value_name = "N.csv", help_heading = "Tables of the run", hide_short_help = true)]
    pub notes: Option<PathBuf>,
    /// Write the text of the rejected games, byte for byte
    #[arg(long, value_name = "R.pgn", help_heading = "Tables of the run")]
    pub rejects: Option<PathBuf>,
    /// Write the counts as a table of keys and values
    #[arg(long, value_name = "S.csv", help_heading = "Tables of the run")]
    pub summary: Option<PathBuf>,
}

options!(RunFiles: faults notes rejects summary; without dry_run overwrite);

impl RunFiles {
    /// The tables that are written: their options, their paths, and what they are.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (&'static str, &Path, Written)> {
        let tables = [
            ("--faults", &self.faults, Written::Table),
            ("--notes", &self.notes, Written::Table),
            ("--rejects", &self.rejects, Written::Rejects),
            ("--summary", &self.summary, Written::Summary),
        ];
        tables.into_iter().filter_map(|(option, path, it)| Some((option, path.as_deref()?, it)))
    }
}
