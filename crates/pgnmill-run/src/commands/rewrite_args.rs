//! The arguments of `convert` and `select`, which write games.
//!
//! In: the words of the command line. Out: [`Convert`], [`Select`]. Invariant: the documentation comments of this file
//! are the help texts.

use std::path::PathBuf;

use crate::args::common::Common;
use crate::args::edits::EditArgs;
use crate::args::names;
use crate::args::options::options;
use crate::args::sample::SampleArgs;
use crate::args::summary::SummaryArgs;
use crate::args::values::LEVELS;

/// The parser of a number from 1 on.
fn from_one() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..)
}

/// Writes archives in another notation.
#[derive(Debug, clap::Args)]
pub struct Convert {
    /// What all runs have in common.
    #[command(flatten)]
    pub common: Common,
    /// How the counts are stated.
    #[command(flatten)]
    pub summary: SummaryArgs,
    /// The notation to write (see `pgnmill notations`)
    #[arg(
        long, value_name = "NOTATION",
        value_parser = names::a_notation(), hide_possible_values = true
    )]
    pub to: String,
    /// With --to san: the piece letters of a language, such as de, as `san-LANGUAGE` in `pgnmill notations`
    #[arg(
        long, value_name = "LANGUAGE",
        value_parser = names::a_language(), hide_possible_values = true
    )]
    pub language: Option<String>,
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
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(i32).range(LEVELS))]
    pub level: Option<i32>,
    /// Keep rejected games in the output, unchanged
    #[arg(long, conflicts_with = "rejects")]
    pub keep_rejects: bool,
    /// Convert comments and tag values in Latin-1 or Windows-1252 to UTF-8
    #[arg(long)]
    pub to_utf8: bool,
    /// What is changed besides the moves.
    #[command(flatten)]
    pub edits: EditArgs,
    /// Set the tag pairs ECO and Opening by the positions that the moves reach (see data/openings)
    #[arg(long)]
    pub set_eco: bool,
}

/// Copies games.
#[derive(Debug, clap::Args)]
pub struct Select {
    /// What all runs have in common.
    #[command(flatten)]
    pub common: Common,
    /// How the counts are stated.
    #[command(flatten)]
    pub summary: SummaryArgs,
    /// Stop after so many selected games
    #[arg(long, short = 'n', value_name = "N", value_parser = from_one(), conflicts_with = "split_by")]
    pub head: Option<u64>,
    /// Which of the selected games are copied.
    #[command(flatten)]
    pub sample: SampleArgs,
    /// Write one file per value of this field, such as ECO or speed, or of fields such as year,month, to the directory
    /// OUTPUT; at most 100,000
    #[arg(
        long, value_name = "FIELD",
        value_parser = names::a_field(), hide_possible_values = true
    )]
    pub split_by: Option<String>,
    /// What is changed besides the moves.
    #[command(flatten)]
    pub edits: EditArgs,
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
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(i32).range(LEVELS))]
    pub level: Option<i32>,
}

options!(Convert:
    common to language output flat level keep_rejects to_utf8 edits set_eco; without summary; not);
options!(Select:
    common head sample split_by edits output flat level; without summary; not);
