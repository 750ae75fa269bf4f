//! The arguments of the command line.
//!
//! In: the words of the command line. Out: [`Args`]. Invariant: the documentation comments of this file are the help
//! texts.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::archive::Input;
use crate::error::Result;
use crate::tasks::duplicates::SORT_BYTES;
use crate::tasks::measure::study::Compression;

use super::arg_values::{compressor, size};
pub(super) use super::common_args::Common;
use super::duplicates_values::{KeepName, NearPlies, SameName, near_plies};
pub(super) use super::edit_args::EditArgs;
#[cfg(feature = "export")]
pub(super) use super::export_args::Export;

/// Read archives of chess games, validate every move, rewrite the moves in another notation, measure notations.
///
/// INPUT is a file, a directory (searched for .pgn, .pgn.zst and .zst), or - for standard input; plain text or zstd,
/// which the first bytes decide. Exit code: 0 all games are valid; 1 some were rejected, or an archive contains text
/// without games, or prose; 2 the run failed; 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "pgnmill", version, max_term_width = 100)]
pub(super) struct Args {
    /// Log level: messages on standard error besides the summary.
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
    /// Validate every move of every game, variations included
    Validate(Validate),
    /// Rewrite the moves in another notation; the rest is copied
    Convert(Convert),
    /// Copy games: those of --where, the first ones, a random sample, or one file per value
    Select(Select),
    /// Write games or plies as columns: Parquet, Arrow, CSV, JSON lines
    #[cfg(feature = "export")]
    Export(Export),
    /// Find duplicate games, also across archives, and write an archive without them
    Duplicates(Duplicates),
    /// Measure the length of each notation and write tables
    Measure(Measure),
    /// Add the tables of several measurements, or of the splits of archives
    Merge(Merge),
    /// Divide archives into splits, which other processes or machines read alone
    Splits(Splits),
    /// Write a page with the tables of a measurement
    Report(Report),
    /// Show a game of an archive: its fault, the position there, and the reason
    Explain(Explain),
    /// List the notations, or describe one
    Notations {
        /// The notation to describe
        name: Option<String>,
    },
    /// List all deviations from canonical PGN: class, example and source
    Deviations,
    /// List the fields of `--where`: type and meaning
    Fields,
    /// List the columns of `export`: type, unit and meaning
    #[cfg(feature = "export")]
    Columns,
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
    /// With `--to san`: the piece letters of a language, as `san-LANGUAGE` in `pgnmill notations`
    #[arg(long, value_name = "LANGUAGE")]
    pub(super) language: Option<String>,
    /// The output: a file (compressed if it ends in .zst), a directory for one output per input, or - for standard
    /// output
    #[arg(long, short, value_name = "OUTPUT")]
    pub(super) output: PathBuf,
    /// The compression level of outputs that end in .zst
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(i32).range(1..=22))]
    pub(super) level: i32,
    /// Keep rejected games in the output, unchanged
    #[arg(long, conflicts_with = "rejects")]
    pub(super) keep_rejects: bool,
    /// Convert comments and tag values in Latin-1 or Windows-1252 to UTF-8
    #[arg(long)]
    pub(super) to_utf8: bool,
    #[command(flatten)]
    pub(super) edits: EditArgs,
    /// Set the tag pairs ECO and Opening by the positions that the moves reach (see data/openings)
    #[arg(long)]
    pub(super) set_eco: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct Select {
    #[command(flatten)]
    pub(super) common: Common,
    /// Stop after so many selected games
    #[arg(long, value_name = "N", conflicts_with_all = ["sample", "split_by"])]
    pub(super) head: Option<u64>,
    /// Copy so many of the selected games, at random; the inputs are read twice
    #[arg(long, value_name = "N", conflicts_with = "split_by")]
    pub(super) sample: Option<u64>,
    /// Which random sample: the same seed and inputs give the same games
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    pub(super) seed: u64,
    /// Write one file per value of this field, such as ECO, year or speed, to the directory OUTPUT; at most 600
    #[arg(long, value_name = "FIELD")]
    pub(super) split_by: Option<String>,
    #[command(flatten)]
    pub(super) edits: EditArgs,
    /// The output: a file (compressed if it ends in .zst), a directory for one output per input, or - for standard
    /// output
    #[arg(long, short, value_name = "OUTPUT")]
    pub(super) output: PathBuf,
    /// The compression level of outputs that end in .zst
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(i32).range(1..=22))]
    pub(super) level: i32,
}

#[derive(Debug, clap::Args)]
pub(super) struct Duplicates {
    #[command(flatten)]
    pub(super) common: Common,
    /// The directory for groups.csv, summary.csv and the archives
    #[arg(long, short, value_name = "DIR")]
    pub(super) output: PathBuf,
    /// Also write kept.pgn, the games without duplicates: of each group this one
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(super) keep: Option<KeepName>,
    /// What exact duplicates have in common, besides the starting position
    #[arg(long, value_enum, value_name = "WHAT", default_value = "moves")]
    pub(super) same: SameName,
    /// Near duplicates: the same players, date and result, and the moves of one begin those of the other, which are at
    /// least so many plies; `no`: exact duplicates only
    #[arg(long, value_name = "PLIES", default_value = "1", value_parser = near_plies)]
    pub(super) near: NearPlies,
    /// With --keep: also write duplicates.pgn, the games that are not in kept.pgn
    #[arg(long, requires = "keep")]
    pub(super) removed: bool,
    /// With --keep: compress the archives; their names end in .pgn.zst
    #[arg(long, requires = "keep")]
    pub(super) zst: bool,
    /// With --zst: the compression level
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(i32).range(1..=22))]
    pub(super) level: i32,
    /// With --keep: keep rejected games in kept.pgn, unchanged
    #[arg(long, requires = "keep", conflicts_with = "rejects")]
    pub(super) keep_rejects: bool,
    /// Bytes of memory of a sort; the output does not depend on it
    #[arg(long, hide = true, value_name = "BYTES", default_value_t = SORT_BYTES)]
    pub(super) sort_bytes: usize,
}

#[derive(Debug, clap::Args)]
pub(super) struct Measure {
    #[command(flatten)]
    pub(super) common: Common,
    /// The directory for the tables
    #[arg(long, short, value_name = "DIR")]
    pub(super) output: PathBuf,
    /// Also write games.csv, one row per game
    #[arg(long)]
    pub(super) per_game: bool,
    /// The notations to measure: all, written (all except the languages), main (the common ones of today and the
    /// 'Economical' ones), or names. SAN and economical-letters, the bases of comparison, are always included
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = "all")]
    pub(super) notations: Vec<String>,
    /// Also count by these dimensions, one table each: all, or some of ply, move, phase, side, role, kind, check,
    /// rating, rating-difference, speed, year, month, eco-letter, eco, result, title, eco-computed,
    /// opening-name, rules, source
    #[arg(long, value_name = "KEY,...", value_delimiter = ',')]
    pub(super) by: Vec<String>,
    /// Measure one game in N, chosen by a hash of its text; all games are validated
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub(super) sample: u64,
    /// Also write entropy.csv and the frequencies from which it is computed: tokens.csv, legal_moves.csv, ranks.csv
    #[arg(long)]
    pub(super) entropy: bool,
    /// Also write compress.csv: the sizes of each notation's texts after compression, such as zstd:3,zstd:19; with the
    /// suffix :main a compressor is used for the notations of --notations main only
    #[arg(long, value_name = "NAME:LEVEL[:main]", value_delimiter = ',', value_parser = compressor)]
    pub(super) compress: Vec<Compression>,
}

#[derive(Debug, clap::Args)]
pub(super) struct Merge {
    /// Directories with the tables of `measure` or `merge`, or of runs over splits; or ledgers alone
    #[arg(required = true, value_name = "DIR")]
    pub(super) inputs: Vec<PathBuf>,
    /// With splits: some may be missing; for sums of sums
    #[arg(long)]
    pub(super) partial: bool,
    /// The directory for the sums
    #[arg(long, short, value_name = "DIR")]
    pub(super) output: PathBuf,
    /// Replace existing tables
    #[arg(long)]
    pub(super) overwrite: bool,
    /// Print errors only
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct Splits {
    /// Archives: files or directories
    #[arg(required = true, value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,
    /// The stored bytes of a split, about, such as 64MiB
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = size)]
    pub(super) target: u64,
    /// Add to each split what is before it in its archive, from the ledger of a complete run: all tables then have the
    /// numbers of the whole archive
    #[arg(long, value_name = "L.csv")]
    pub(super) ledger: Option<PathBuf>,
    /// The output: a file, or - for standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(super) output: PathBuf,
    /// Replace an existing output
    #[arg(long)]
    pub(super) overwrite: bool,
    /// Print errors only
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("place").required(true).args(["at", "game"])))]
pub(super) struct Explain {
    /// The archive: a file, or - for standard input
    #[arg(value_name = "ARCHIVE")]
    pub(super) archive: PathBuf,
    /// Archives of a caller in the same process, of which there must be one.
    #[arg(skip)]
    pub(super) given: Option<Vec<Input>>,
    /// A byte offset in the archive's text, after decompression, as in the table of faults
    #[arg(long, value_name = "OFFSET")]
    pub(super) at: Option<u64>,
    /// The number of the game in the archive, from 1
    #[arg(long, value_name = "NUMBER")]
    pub(super) game: Option<u64>,
    /// With --game: the half-move to show, from 1
    #[arg(long, value_name = "NUMBER", requires = "game")]
    pub(super) ply: Option<u32>,
    /// The notation of games without a MoveNotation tag pair
    #[arg(long, value_name = "NOTATION", default_value = "auto")]
    pub(super) from: String,
    /// The ruleset of games without a Variant tag pair
    #[arg(long, value_name = "RULESET", default_value = "chess")]
    pub(super) rules: String,
    /// Draw the pieces as figurines
    #[arg(long)]
    pub(super) figurines: bool,
    /// Reject games that are not canonical
    #[arg(long)]
    pub(super) strict: bool,
    /// Accept games with this deviation, which would be rejected (see `pgnmill deviations`)
    #[arg(long, value_name = "NAME")]
    pub(super) allow: Vec<String>,
    /// Reject games with this deviation
    #[arg(long, value_name = "NAME")]
    pub(super) deny: Vec<String>,
}

impl Explain {
    /// The archives that the arguments name.
    ///
    /// # Errors
    /// As [`Input::expand`].
    pub(super) fn archives(&self) -> Result<Vec<Input>> {
        match &self.given {
            Some(given) => Ok(given.clone()),
            None => Input::expand([&self.archive]),
        }
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct Report {
    /// The directory of the tables
    #[arg(value_name = "DIR")]
    pub(super) tables: PathBuf,
    /// The output: HTML, or Markdown if it ends in .md, or - for standard output
    #[arg(long, short, value_name = "FILE", default_value = "report.html")]
    pub(super) output: PathBuf,
    /// Also write each figure as an SVG file to this directory; Markdown then shows them
    #[arg(long, value_name = "DIR")]
    pub(super) figures: Option<PathBuf>,
    /// Replace existing outputs
    #[arg(long)]
    pub(super) overwrite: bool,
}
