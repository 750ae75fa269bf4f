//! What can be typed.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::archive;
use crate::tasks::measure::study::Compression;

/// Reads archives of chess games, proves every move, rewrites the moves in another notation, measures notations.
///
/// INPUT is a file, a directory (searched for .pgn, .pgn.zst and .zst), or - for standard input; plain or zstd, told by
/// its first bytes. Exit code: 0 every game proved, 1 some rejected or an archive with text but no game, or prose, 2 the
/// run failed, 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "pgnmill", version, max_term_width = 100)]
pub(super) struct Args {
    /// What is said on standard error besides the summary.
    #[arg(long, global = true, value_enum, default_value = "warn", value_name = "LEVEL")]
    pub(super) log: LogLevel,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Prove every move of every game, variations included
    Validate(Validate),
    /// Rewrite the moves in another notation, and nothing else
    Convert(Convert),
    /// Write tables of what every notation costs
    Measure(Measure),
    /// Add the tables of several measurements
    Merge(Merge),
    /// Make a page of the tables that measure wrote
    Report(Report),
    /// Show a game of an archive: the place of its fault, the position there, and why
    Explain(Explain),
    /// List the notations, or show one in full
    Notations {
        /// The notation to show
        name: Option<String>,
    },
    /// List every departure from canonical PGN, its class, an example and its source
    Deviations,
}

/// What all tasks share.
#[derive(Debug, clap::Args)]
pub(super) struct Common {
    /// Archives: files, directories, or - for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,
    /// Write a table of the rejected games and why
    #[arg(long, value_name = "F.csv")]
    pub(super) faults: Option<PathBuf>,
    /// Write a table of the notes and repairs of the other games: what is written, and what is canonical
    #[arg(long, value_name = "N.csv")]
    pub(super) notes: Option<PathBuf>,
    /// Write the text of the rejected games, byte for byte
    #[arg(long, value_name = "R.pgn")]
    pub(super) rejects: Option<PathBuf>,
    /// Write what was counted as a table of keys and values
    #[arg(long, value_name = "S.csv")]
    pub(super) summary: Option<PathBuf>,
    /// The notation of games that have no MoveNotation tag pair
    #[arg(long, value_name = "NOTATION", default_value = "auto")]
    pub(super) from: String,
    /// How many worker threads, 1,024 at most; all processors if 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) threads: usize,
    /// Reject whatever is not canonical
    #[arg(long)]
    pub(super) strict: bool,
    /// Let a deviation pass that would reject the game (see `pgnmill deviations`)
    #[arg(long, value_name = "NAME")]
    pub(super) allow: Vec<String>,
    /// Reject games that show this deviation
    #[arg(long, value_name = "NAME")]
    pub(super) deny: Vec<String>,
    /// Go on after damaged zstd frames; each is a fault, and what lies beside it is read
    #[arg(long)]
    pub(super) skip_damaged: bool,
    /// Replace outputs that exist
    #[arg(long)]
    pub(super) overwrite: bool,
    /// Say nothing but errors
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Show no progress bar
    #[arg(long)]
    pub(super) no_progress: bool,
    /// How much text a worker takes at a time; the output is the same for any
    #[arg(long, hide = true, value_name = "BYTES", default_value_t = archive::BLOCK_BYTES)]
    pub(super) block_bytes: usize,
    /// How much of a mapped file one job covers; the output is the same for any
    #[arg(long, hide = true, value_name = "BYTES")]
    pub(super) range_bytes: Option<usize>,
    /// What of the processor is used: scalar, sse2, avx2, neon; the output is the same for any
    #[arg(long, hide = true, value_name = "LEVEL", default_value = "best")]
    pub(super) machine: String,
}

#[derive(Debug, clap::Args)]
pub(super) struct Validate {
    #[command(flatten)]
    pub(super) common: Common,
}

#[derive(Debug, clap::Args)]
pub(super) struct Convert {
    #[command(flatten)]
    pub(super) common: Common,
    /// The notation to write (see `pgnmill notations`)
    #[arg(long, value_name = "NOTATION")]
    pub(super) to: String,
    /// With `--to san`: in the letters of a language, as `san-LANGUAGE` in `pgnmill notations`
    #[arg(long, value_name = "LANGUAGE")]
    pub(super) language: Option<String>,
    /// Where to write: a file (compressed if it ends in .zst), a directory for one output an input, or - for
    /// standard output
    #[arg(long, short, value_name = "OUTPUT")]
    pub(super) output: PathBuf,
    /// The zstd level of outputs that end in .zst
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(i32).range(1..=22))]
    pub(super) level: i32,
    /// Leave rejected games in their place in the output, unchanged
    #[arg(long, conflicts_with = "rejects")]
    pub(super) keep_rejects: bool,
    /// Bring comments and tag values that are in Latin-1 or Windows-1252 to UTF-8
    #[arg(long)]
    pub(super) to_utf8: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct Measure {
    #[command(flatten)]
    pub(super) common: Common,
    /// The directory for the tables
    #[arg(long, short, value_name = "DIR")]
    pub(super) output: PathBuf,
    /// Write games.csv too, a row a game
    #[arg(long)]
    pub(super) per_game: bool,
    /// The notations to measure: all, written (all but the languages), main (today's usual ones and the 'Economical'
    /// ones), or some by name. SAN and economical-letters, with which the others are compared, are always among them
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = "all")]
    pub(super) notations: Vec<String>,
    /// Break down by these as well, each into a table of its own: all, or some of ply, move, phase, side, role, kind, check,
    /// rating, rating-difference, speed, year, month, eco-letter, eco, result, title, source
    #[arg(long, value_name = "KEY,...", value_delimiter = ',')]
    pub(super) by: Vec<String>,
    /// Measure one game in N, drawn by its own text; all are proved
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) sample: u64,
    /// Write entropy.csv too, and the frequencies that it follows from: tokens.csv, legal_moves.csv, ranks.csv
    #[arg(long)]
    pub(super) entropy: bool,
    /// Write compress.csv too: the texts of each notation after compressors, such as zstd:3,zstd:19; with :main behind
    /// it, a compressor takes the notations of --notations main alone
    #[arg(long, value_name = "NAME:LEVEL[:main]", value_delimiter = ',', value_parser = compressor)]
    pub(super) compress: Vec<Compression>,
}

#[derive(Debug, clap::Args)]
pub(super) struct Merge {
    /// Directories that `measure` or `merge` wrote
    #[arg(required = true, value_name = "DIR")]
    pub(super) inputs: Vec<PathBuf>,
    /// The directory for the sums
    #[arg(long, short, value_name = "DIR")]
    pub(super) output: PathBuf,
    /// Replace tables that exist
    #[arg(long)]
    pub(super) overwrite: bool,
    /// Say nothing but errors
    #[arg(long, short)]
    pub(super) quiet: bool,
}

fn compressor(text: &str) -> Result<Compression, String> {
    let refuse = || "a compressor is zstd:LEVEL, 1 to 22, or zstd:LEVEL:main".to_string();
    Compression::parse(text).ok_or_else(refuse)
}

#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("place").required(true).args(["at", "game"])))]
pub(super) struct Explain {
    /// The archive: a file, or - for standard input
    #[arg(value_name = "ARCHIVE")]
    pub(super) archive: PathBuf,
    /// A byte of the archive's text, decompressed, as the table of faults gives it
    #[arg(long, value_name = "OFFSET")]
    pub(super) at: Option<u64>,
    /// The number of the game in the archive, from 1
    #[arg(long, value_name = "NUMBER")]
    pub(super) game: Option<u64>,
    /// With --game: the half-move to show, from 1
    #[arg(long, value_name = "NUMBER", requires = "game")]
    pub(super) ply: Option<u32>,
    /// The notation of games that have no MoveNotation tag pair
    #[arg(long, value_name = "NOTATION", default_value = "auto")]
    pub(super) from: String,
    /// Draw the men as figurines
    #[arg(long)]
    pub(super) figurines: bool,
    /// Reject whatever is not canonical
    #[arg(long)]
    pub(super) strict: bool,
    /// Let a deviation pass that would reject the game (see `pgnmill deviations`)
    #[arg(long, value_name = "NAME")]
    pub(super) allow: Vec<String>,
    /// Reject games that show this deviation
    #[arg(long, value_name = "NAME")]
    pub(super) deny: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct Report {
    /// The directory of the tables
    #[arg(value_name = "DIR")]
    pub(super) tables: PathBuf,
    /// Where to write: HTML, or Markdown without figures if it ends in .md, or - for standard output
    #[arg(long, short, value_name = "FILE", default_value = "report.html")]
    pub(super) output: PathBuf,
    /// Replace an output that exists
    #[arg(long)]
    pub(super) overwrite: bool,
}
