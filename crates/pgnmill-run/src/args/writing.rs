//! The output of a command that writes games: a file, or a directory with one per input.
//!
//! In: the words of the command line. Out: [`Writing`]. Invariant: the documentation comments of this file are the help
//! texts.

use std::path::PathBuf;

use crate::args::options::options;

/// Where games are written.
#[derive(Clone, Debug, clap::Args)]
pub struct Writing {
    /// The output: a file, a directory for one output per input, or - for standard output
    ///
    /// A file is compressed if its name ends in .zst. A directory that does not exist has a slash at its end; in it are
    /// the folders of a directory that is read.
    #[arg(long, short, value_name = "OUTPUT")]
    pub output: PathBuf,
    /// In a directory of outputs: one file per input by its name alone, not in the folders of the inputs
    #[arg(long)]
    pub flat: bool,
    /// The compression level of outputs that end in .zst, 1 to 22 [default: 3]
    #[arg(long, value_name = "LEVEL", allow_negative_numbers = true)]
    pub level: Option<i32>,
}

options!(Writing: output flat level; without);
