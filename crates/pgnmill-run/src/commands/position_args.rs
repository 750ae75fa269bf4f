//! What is written of counted positions: a table or a book.
//!
//! In: the words of the command line. Out: [`PositionArgs`]: the format of a name, the options as words. Invariant: the
//! documentation comments of this file are the help texts.

use std::path::Path;

use pgnmill_io::error::{Error, Result, Shown as _};

use crate::args::options::{named, options};
use crate::args::output_path::is_directory;
#[cfg(feature = "columns")]
use crate::args::output_path::{self, Written};
use crate::args::values::{level_of, percent};
use crate::text::shell::{flag, option};

/// The format of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum PositionFormat {
    /// Apache Parquet, compressed with zstd
    Parquet,
    /// The file format of Apache Arrow, not compressed
    Arrow,
    /// Comma-separated values
    Csv,
    /// One JSON object per line
    Jsonl,
    /// A Polyglot opening book
    Bin,
}

impl PositionFormat {
    /// All formats.
    const ALL: [PositionFormat; 5] = [
        PositionFormat::Parquet,
        PositionFormat::Arrow,
        PositionFormat::Csv,
        PositionFormat::Jsonl,
        PositionFormat::Bin,
    ];

    /// Its name, which is also the ending of its files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            PositionFormat::Parquet => "parquet",
            PositionFormat::Arrow => "arrow",
            PositionFormat::Csv => "csv",
            PositionFormat::Jsonl => "jsonl",
            PositionFormat::Bin => "bin",
        }
    }

    /// That of the ending of a file's name.
    pub(crate) fn of_path(path: &Path) -> Option<PositionFormat> {
        let ending = path.extension()?.to_ascii_lowercase();
        PositionFormat::ALL.into_iter().find(|format| ending.as_os_str() == format.name())
    }

    /// Is a file no text?
    pub(crate) const fn is_binary(self) -> bool {
        !matches!(self, PositionFormat::Csv | PositionFormat::Jsonl)
    }
}

/// A side whose moves a book has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Side {
    /// White's moves
    White,
    /// Black's moves
    Black,
}
named!(PositionFormat, Side);

/// Which of the counted positions are written, and how.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct PositionArgs {
    /// Leave out moves that fewer games played in their position
    #[arg(long, value_name = "GAMES", default_value_t = 1)]
    pub min_games: u64,
    /// Write the sums of the ratings in place of their means, so that `merge` adds the tables
    #[arg(long)]
    pub sums: bool,
    /// The format; by default that of the output's name, on standard output CSV, in a directory Parquet
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<PositionFormat>,
    /// Of a book: the moves of this side alone
    #[arg(long, value_enum, value_name = "SIDE")]
    pub only: Option<Side>,
    /// Of a book: leave out moves with a smaller share of the points, in percent
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub min_score: Option<u32>,
    /// Of a book: give all moves the same weight
    #[arg(long)]
    pub uniform: bool,
    /// The compression level of Parquet, 1 to 22 [default: 3]
    #[arg(long, value_name = "LEVEL", allow_negative_numbers = true)]
    pub level: Option<i32>,
}

options!(PositionArgs: min_games sums only min_score uniform level; without format);

impl PositionArgs {
    /// An option that is given, if one is.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--min-games", self.min_games != 1),
            ("--sums", self.sums),
            ("--format", self.format.is_some()),
            ("--only", self.only.is_some()),
            ("--min-score", self.min_score.is_some()),
            ("--uniform", self.uniform),
            ("--level", self.level.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    /// The format that is given; else that of the output's name; on standard output CSV, in a directory Parquet.
    ///
    /// # Errors
    /// A name of no format, or of another one.
    #[cfg(feature = "columns")]
    pub(crate) fn format_of(&self, command: &str, output: &Path) -> Result<PositionFormat> {
        if is_directory(output) {
            return Ok(self.format.unwrap_or(PositionFormat::Parquet));
        }
        let shown = output.shown();
        match (self.format, PositionFormat::of_path(output)) {
            (Some(format), Some(other)) if format != other => Err(Error::usage(format!(
                "{shown} has the ending of {}, and --format is {}; name it {}",
                other.name(),
                format.name(),
                output.with_extension(format.name()).shown()
            ))),
            (Some(format), _) | (None, Some(format)) => Ok(format),
            (None, None) if pgnmill_io::sink::is_stream(output) => Ok(PositionFormat::Csv),
            (None, None) => {
                output_path::check_compression(command, output, Written::Columns("csv"))?;
                Err(Error::usage(format!(
                    "{shown} has no ending that names a format; the endings are parquet, arrow, csv, jsonl and bin"
                )))
            }
        }
    }

    /// Refuses options of a book for a table, and of a table for a book.
    ///
    /// # Errors
    /// The first such option; a level that there is not.
    pub(crate) fn check(&self, format: PositionFormat) -> Result<()> {
        level_of(self.level)?;
        let of_book = [
            ("--only", self.only.is_some()),
            ("--min-score", self.min_score.is_some()),
            ("--uniform", self.uniform),
        ];
        let is_book = format == PositionFormat::Bin;
        let given = of_book.iter().find(|(_, is_given)| *is_given && !is_book);
        if let Some((option, _)) = given {
            let format = format.name();
            return Err(Error::usage(format!(
                "{option} is for a book, FILE.bin; the output is {format}"
            )));
        }
        if is_book && self.sums {
            return Err(Error::usage("--sums is for a table; the output is a book"));
        }
        if self.level.is_some() && format != PositionFormat::Parquet {
            let format = format.name();
            return Err(Error::usage(format!(
                "--level is the compression of Parquet; {format} files are not compressed"
            )));
        }
        Ok(())
    }

    /// The options that affect the rows, as words of a shell.
    pub(crate) fn words(&self, format: PositionFormat) -> Vec<String> {
        let mut words = vec![option("--format", format.name())];
        words.extend((self.min_games != 1).then(|| option("--min-games", self.min_games)));
        words.extend(flag("--sums", self.sums));
        let side = self.only.map(|side| if side == Side::White { "white" } else { "black" });
        words.extend(side.map(|side| option("--only", side)));
        words.extend(self.min_score.map(|percent| option("--min-score", percent)));
        words.extend(flag("--uniform", self.uniform));
        words
    }
}
