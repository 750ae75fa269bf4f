//! The arguments of `export`.
//!
//! In: the words of the command line. Out: [`Export`]. Invariant: the documentation comments of this file are the help
//! texts.

use std::path::PathBuf;

use clap::ValueEnum;

use super::arg_values::LEVELS;
use super::common_args::Common;
use super::names;

/// A table of `export`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum TableName {
    /// One row per game
    Games,
    /// One row per ply of the main line
    Plies,
}

impl TableName {
    pub(super) fn table(self) -> pgnmill_columns::Table {
        match self {
            TableName::Games => pgnmill_columns::Table::Games,
            TableName::Plies => pgnmill_columns::Table::Plies,
        }
    }
}

/// A format of `export`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FormatName {
    /// Apache Parquet, compressed with zstd
    Parquet,
    /// The file format of Apache Arrow, not compressed
    Arrow,
    /// Comma-separated values
    Csv,
    /// One JSON object per line
    Jsonl,
}

impl FormatName {
    pub(super) fn format(self) -> pgnmill_columns::Format {
        match self {
            FormatName::Parquet => pgnmill_columns::Format::Parquet,
            FormatName::Arrow => pgnmill_columns::Format::Arrow,
            FormatName::Csv => pgnmill_columns::Format::Csv,
            FormatName::Jsonl => pgnmill_columns::Format::JsonLines,
        }
    }
}

/// Writes games or plies as columns.
#[derive(Debug, clap::Args)]
pub struct Export {
    /// What all runs have in common.
    #[command(flatten)]
    pub common: Common,
    /// The table to write
    #[arg(long, value_enum, default_value = "games", value_name = "TABLE")]
    pub table: TableName,
    /// The columns, in this order: hf, default, all, and names (see `pgnmill columns`)
    ///
    /// hf: those of the dataset Lichess/standard-chess-games. All columns: docs/columns.md.
    #[arg(
        long, value_name = "NAME,...", value_delimiter = ',', default_value = "default",
        value_parser = names::a_column(), hide_possible_values = true
    )]
    pub columns: Vec<String>,
    /// Also write the moves in these notations: the column moves_NAME of games, or NAME of plies
    #[arg(
        long, value_name = "NAME,...", value_delimiter = ',',
        value_parser = names::a_notation(), hide_possible_values = true
    )]
    pub notation: Vec<String>,
    /// The format; by default that of the output's name, in a directory and on standard output Parquet
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<FormatName>,
    /// Write one file per value of these columns of games, or of Year and Month
    ///
    /// The files are in folders such as Year=2024/Month=5.
    #[arg(
        long, value_name = "COLUMN,...", value_delimiter = ',',
        value_parser = names::a_partition(), hide_possible_values = true
    )]
    pub partition_by: Vec<String>,
    /// The compression level of Parquet, 1 to 22 [default: 3]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(i32).range(LEVELS))]
    pub level: Option<i32>,
    /// Write line ends of the movetext as spaces
    #[arg(long)]
    pub one_line: bool,
    /// The name of standard input in the column archive
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The output: a file, a directory for one file per input, or - for standard output
    #[arg(long, short, value_name = "OUTPUT")]
    pub output: PathBuf,
}

impl Export {
    /// The compression level of Parquet.
    pub fn level(&self) -> i32 {
        self.level.unwrap_or(3)
    }
}
