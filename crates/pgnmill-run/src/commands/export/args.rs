//! The arguments of `export`.
//!
//! In: the words of the command line. Out: [`Export`]. Invariant: the documentation comments of this file are the help
//! texts.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use pgnmill_columns::{Format, Parts, PlyNumbers, PlyPosition, Table};

use crate::args::files::RunFiles;
use crate::args::messages::Messages;
use crate::args::names;
use crate::args::options::{Value, displayed, named, options};
use crate::args::reading::{Failures, GameLines, Reading};
use crate::args::resuming::Resuming;
use crate::args::sample::{SampleArgs, SampleSize, share_of_plies};
use crate::args::selecting::Selecting;
use crate::args::splitting::Splitting;
use crate::args::values::{Expected, Size, size_of_memory};

/// One of a few things that have names.
pub(crate) trait Choice: Copy + Send + Sync + 'static {
    const ALL: &[Self];

    fn name(self) -> &'static str;

    /// What it is, for the help.
    fn about(self) -> &'static str;

    fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.name() == name)
    }
}

macro_rules! choices {
    ($($type:ty),*) => {$(
        impl Choice for $type {
            const ALL: &[$type] = &<$type>::ALL;

            fn name(self) -> &'static str {
                self.name()
            }

            fn about(self) -> &'static str {
                self.about()
            }
        }
    )*};
}
choices!(Format, Table);

/// The parser of a choice.
fn a_choice<C: Choice>() -> impl TypedValueParser<Value = C> {
    let value = |choice: &C| PossibleValue::new(choice.name()).help(choice.about());
    let names = PossibleValuesParser::new(C::ALL.iter().map(value));
    names.map(|name| C::find(&name).unwrap_or(C::ALL[0]))
}

pub(crate) fn parts(text: &str) -> Result<Parts, String> {
    Parts::read(text).map_err(|error| error.to_string())
}

pub(crate) fn ply_numbers(text: &str) -> Result<PlyNumbers, Expected> {
    let expected = "the numbers of the first and the last ply, such as 10..60, 10.. or ..60, or a \
                    condition such as ply == 16";
    PlyNumbers::read(text).ok_or(expected)
}

/// Which position of a ply is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum PositionOfPly {
    /// The position before the ply, as the column fen
    Before,
    /// The position after it
    After,
}
named!(PositionOfPly);

impl PositionOfPly {
    /// As the task has it.
    pub(super) const fn position(self) -> PlyPosition {
        match self {
            PositionOfPly::Before => PlyPosition::Before,
            PositionOfPly::After => PlyPosition::After,
        }
    }
}

/// Writes games or plies as columns, or their positions.
#[derive(Debug, clap::Args)]
pub struct Export {
    /// What is read, and how.
    #[command(flatten)]
    pub reading: Reading,
    /// Whether each line is a game.
    #[command(flatten)]
    pub game_lines: GameLines,
    /// Which games are read.
    #[command(flatten)]
    pub selecting: Selecting,
    /// What becomes of inputs that cannot be read.
    #[command(flatten)]
    pub failures: Failures,
    /// The split that is read.
    #[command(flatten)]
    pub splitting: Splitting,
    /// The tables of the run.
    #[command(flatten)]
    pub files: RunFiles,
    /// How the state of the run is saved.
    #[command(flatten)]
    pub resuming: Resuming,
    /// What is printed.
    #[command(flatten)]
    pub messages: Messages,
    /// Which of the selected games are written.
    #[command(flatten)]
    pub sample: SampleArgs,
    /// The table to write
    #[arg(
        long, default_value = Table::Games.name(), value_name = "TABLE",
        value_parser = a_choice::<Table>()
    )]
    pub table: Table,
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
        long, alias = "notations", value_name = "NAME,...", value_delimiter = ',',
        value_parser = names::a_notation(), hide_possible_values = true
    )]
    pub notation: Vec<String>,
    /// The format; by default that of the output's name, in a directory and on standard output Parquet
    #[arg(long, value_name = "FORMAT", value_parser = a_choice::<Format>())]
    pub format: Option<Format>,
    /// Write one file per value of these columns of games, or of Year and Month
    ///
    /// The files are in folders such as Year=2024/Month=5.
    #[arg(
        long, alias = "split-by", value_name = "COLUMN,...", value_delimiter = ',',
        value_parser = names::a_partition(), hide_possible_values = true
    )]
    pub partition_by: Vec<String>,
    /// Divide games at random into parts with these shares: train:0.98,val:0.02
    ///
    /// A hash of each game decides, so that all plies of a game, and equal games, are in one part. The files are in
    /// folders such as part=train.
    #[arg(long, value_name = "NAME:SHARE,...", value_parser = parts, hide_short_help = true)]
    pub parts: Option<Parts>,
    /// Of the table plies: the plies with these numbers, such as 10..60, 10.. or ..60, both included, or 'ply == 16'
    #[arg(long, value_name = "FIRST..LAST", value_parser = ply_numbers, hide_short_help = true)]
    pub plies: Option<PlyNumbers>,
    /// Of the table plies: a random share of the plies, such as 1%, where --sample takes whole games
    ///
    /// A hash of the game and its moves decides: the same plies in any archive.
    #[arg(long, value_name = "N%", value_parser = share_of_plies, hide_short_help = true)]
    pub sample_plies: Option<SampleSize>,
    /// Of EPD and FEN: which position of a ply [default: before]
    ///
    /// before: that in which the move was played, as the column fen has it; after: that to which it led. With
    /// --table games a line has the position after the last move.
    #[arg(long, value_enum, value_name = "WHICH", hide_short_help = true)]
    pub position: Option<PositionOfPly>,
    /// Of EPD: the operations of a line, OPCODE=COLUMN; without a column bm, ce, dm, hmvc, fmvn
    ///
    /// Such as bm,id=Event,c0=game_index: a column of plies, or one of games with a text or a number. bm is the move
    /// that was played; ce and dm are the evaluation of the position, from the side to move. docs/epd.md has
    /// all of them.
    #[arg(long, value_name = "OPCODE[=COLUMN],...", value_delimiter = ',', hide_short_help = true)]
    pub opcodes: Vec<String>,
    /// Of EPD and FEN: write each position once, with the line that is the first to have it
    ///
    /// Positions are the same if they differ in nothing but their move clocks; an en passant square counts only where
    /// such a capture is legal.
    #[arg(long, hide_short_help = true)]
    pub distinct: bool,
    /// Of --distinct: in the order of the records, as bytes, in place of that of the games
    #[arg(long, hide_short_help = true)]
    pub sorted: bool,
    /// Of --distinct: the memory, from 1MiB; more goes to temporary files beside the output [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = size_of_memory, hide_short_help = true)]
    pub memory: Option<Size>,
    /// The compression level of Parquet, 1 to 22 [default: 3]
    #[arg(long, value_name = "LEVEL", allow_negative_numbers = true)]
    pub level: Option<i32>,
    /// Write line ends of the movetext as spaces
    #[arg(long)]
    pub one_line: bool,
    /// In CSV: write ' before texts that a spreadsheet would take as a formula (= + - @ …)
    #[arg(long, hide_short_help = true)]
    pub csv_safe: bool,
    /// The name of standard input in the column archive
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The output: a file, a directory for one file per input, or - for standard output
    #[arg(long, short, value_name = "OUTPUT")]
    pub output: PathBuf,
    /// In a directory of outputs: one file per input by its name alone, not in the folders of the inputs
    #[arg(long)]
    pub flat: bool,
}

displayed! {
    Parts, "names and shares that add to 1, such as train:0.98,val:0.02", |text: &str| parts(text).ok();
    PlyNumbers, "the numbers of the first and the last ply, such as 10..60", |text: &str| ply_numbers(text).ok();
}

macro_rules! value_of_choices {
    ($($type:ty),*) => {$(
        impl Value for $type {
            fn text(&self, _: &str) -> String {
                self.name().to_string()
            }

            fn parse(text: &OsStr) -> Result<$type, String> {
                let names = || <$type>::ALL.map(|choice| choice.name()).join(", ");
                text.to_str().and_then(<$type as Choice>::find).ok_or_else(names)
            }
        }
    )*};
}
value_of_choices!(pgnmill_columns::Format, pgnmill_columns::Table);

options!(Export:
    reading game_lines selecting files sample table columns notation partition_by parts plies sample_plies
        position opcodes distinct sorted level one_line csv_safe name output flat;
    without failures splitting resuming messages format memory);
