//! The arguments of `measure`.
//!
//! In: the words of the command line. Out: [`Measure`]. Invariant: the documentation comments of this file are the help
//! texts.

use std::path::PathBuf;

use pgnmill_core::tasks::measure::study::Compression;

use crate::args::files::RunFiles;
use crate::args::messages::{Messages, SummaryArgs};
use crate::args::names;
use crate::args::options::options;
use crate::args::reading::{Failures, GameLines, Reading};
use crate::args::resuming::Resuming;
use crate::args::sample::SampleArgs;
use crate::args::selecting::Selecting;
use crate::args::splitting::Splitting;
use crate::args::values::{compressor, errors_per_game, order};

use super::vocabularies::VocabularyFile;

/// Measures the length of each notation and writes tables.
#[derive(Debug, clap::Args)]
pub struct Measure {
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
    /// How the counts are stated.
    #[command(flatten)]
    pub summary: SummaryArgs,
    /// The directory for the tables
    #[arg(long, short, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub output: PathBuf,
    /// Also write games.csv, one row per game
    #[arg(long)]
    pub per_game: bool,
    /// The notations to measure: all, written, languages, main, or names (see `pgnmill notations`)
    ///
    /// written: all except the languages; languages: SAN in the letters of others; main: the common ones of today and
    /// the 'Economical' ones. SAN and economical-letters, the bases of comparison, are always included.
    #[arg(
        long, alias = "notation", value_name = "NAME,...", value_delimiter = ',', default_value = "all",
        value_parser = names::a_notation_or_set(), hide_possible_values = true
    )]
    pub notations: Vec<String>,
    /// Also count by these dimensions, one table each
    ///
    /// all, or some of ply, move, phase, side, role, kind, check, rating, rating-difference, speed, year, month,
    /// eco-letter, eco, result, title, length, eco-computed, eco-computed-letter, opening-name, rules, source. With *
    /// between two or three of them (phase*length) a table of all pairs, too; KEY*phase*length also what each group
    /// of KEY would cost with the phases and lengths of all.
    #[arg(
        long, value_name = "KEY,...", value_delimiter = ',',
        value_parser = names::a_dimension(), hide_possible_values = true
    )]
    pub by: Vec<String>,
    /// Also write standard errors and means of games: se.csv, se_DIMENSION.csv with --by, changes.csv, weights.csv
    ///
    /// game: each game is a cluster of plies; event, player: also clusters.csv, from which the errors follow with
    /// all games of an event, or of a player, as one cluster; event with --by: also clusters_by.csv, from which they
    /// follow for each group. Of the notations of --notations main.
    #[arg(
        long, value_name = "WHAT,...", value_delimiter = ',',
        value_parser = ["game", "event", "player"], hide_possible_values = true
    )]
    pub cluster: Vec<String>,
    /// Which of the selected games are measured.
    #[command(flatten)]
    pub sample: SampleArgs,
    /// Also write entropy.csv and the frequencies that it is from
    ///
    /// These are tokens.csv, legal_moves.csv and ranks.csv.
    #[arg(long)]
    pub entropy: bool,
    /// Also write compress.csv: the sizes of each notation's texts after compression, such as zstd:19,xz:6
    ///
    /// zstd has the levels 1 to 22, xz 0 to 9. With the suffix :main a compressor is used for the notations of
    /// --notations main only.
    #[arg(long, value_name = "NAME:LEVEL[:main]", value_delimiter = ',', value_parser = compressor)]
    pub compress: Vec<Compression>,
    /// Also write orders.csv: bits in models of order 0 to K
    ///
    /// K is 5 at most. The bits are those of each notation's texts in adaptive models: in a model of order k the
    /// probability of a byte depends on the k bytes before it.
    #[arg(long, value_name = "K", value_parser = order)]
    pub order: Option<u8>,
    /// Also write codes.csv: bits per ply of codes for moves that use the position, and code_symbols.csv
    #[arg(long)]
    pub codes: bool,
    /// Also write errors.csv: whether a reader refuses a game's text with one error, at once, later or never
    ///
    /// N errors of each kind are made in each game, each alone: substitutions, omissions and transpositions of
    /// characters, and confusions of those that look or sound alike. Without N: one. In the notations of
    /// --notations, in those of main if these are all.
    #[arg(
        long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1",
        value_parser = errors_per_game
    )]
    pub errors: Option<u32>,
    /// Also write writing.csv: keys, Morse code, bytes of texts
    ///
    /// And characters.csv, from which it is computed.
    #[arg(long)]
    pub writing: bool,
    /// Also write bpe_tokens.csv: tokens in these vocabularies
    ///
    /// These are of byte-pair encoders; counted is the movetext of each game in each notation.
    ///
    /// FILE, FILE:PATTERN or FILE:PATTERN:DIGEST. FILE has lines of a token in base64, a space and its rank, as
    /// cl100k_base.tiktoken of tiktoken. PATTERN is how a text is cut before: r50k, cl100k or o200k; without it that
    /// with which the name of FILE begins, otherwise cl100k. With DIGEST, as summary.csv has it, another FILE is
    /// refused.
    #[arg(
        long, value_name = "FILE,...", value_delimiter = ',', value_hint = clap::ValueHint::FilePath,
        value_parser = VocabularyFile::parse
    )]
    pub tokens: Vec<VocabularyFile>,
}

options!(Measure:
    reading game_lines selecting files output per_game notations by cluster sample entropy compress order
        codes errors writing tokens;
    without failures splitting resuming messages summary);
