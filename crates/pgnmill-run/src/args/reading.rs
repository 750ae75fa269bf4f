//! What is read, and how: the archives, the notation and rules of their moves, what is accepted.
//!
//! In: the words of the command line. Out: [`Reading`], [`Failures`]. Invariant: the documentation comments of this
//! file are the help texts.

use std::path::PathBuf;

use pgnmill_io::archive;

use crate::args::names;
use crate::args::options::options;

/// The archives of a run, and how they are read.
#[derive(Clone, Debug, clap::Args)]
pub struct Reading {
    /// Archives: files, directories, or - for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    /// The notation of games without a MoveNotation tag pair (see `pgnmill notations`)
    #[arg(
        long, value_name = "NOTATION", default_value = "auto",
        help_heading = "How moves are read",
        value_parser = names::a_notation_or_auto(), hide_possible_values = true
    )]
    pub from: String,
    /// The ruleset of games without a Variant tag pair
    ///
    /// chess, chess960, crazyhouse, atomic, antichess, giveaway, suicide, kingOfTheHill, threeCheck, racingKings,
    /// horde, chess99, glinski or raumschach.
    #[arg(
        long, value_name = "RULESET", default_value = "chess",
        help_heading = "How moves are read",
        value_parser = names::a_ruleset(), hide_possible_values = true
    )]
    pub rules: String,
    /// Reject games that are not canonical
    #[arg(long, help_heading = "How moves are read")]
    pub strict: bool,
    /// Accept games with these deviations, which would be rejected (see `pgnmill deviations`)
    #[arg(
        long, value_name = "NAME,...",
        help_heading = "How moves are read",
        value_delimiter = ',', value_parser = names::an_allowable_deviation(), hide_possible_values = true
    )]
    pub allow: Vec<String>,
    /// Reject games with these deviations
    #[arg(
        long, value_name = "NAME,...",
        help_heading = "How moves are read",
        value_delimiter = ',', value_parser = names::a_deniable_deviation(), hide_possible_values = true
    )]
    pub deny: Vec<String>,
    /// Continue after damaged stored bytes: they are a fault, and the text around them is read
    #[arg(long, help_heading = "Games to read")]
    pub skip_damaged: bool,
    /// Number of worker threads, at most 1,024; 0: one per processor
    #[arg(long, short = 'j', value_name = "N", default_value_t = 0, help_heading = "Long runs")]
    pub threads: usize,
    /// Bytes of text in a block; the output does not depend on it
    #[arg(long, hide = true, value_name = "BYTES", default_value_t = archive::BLOCK_BYTES)]
    pub block_bytes: usize,
    /// Bytes of a mapped file in a job; the output does not depend on it
    #[arg(long, hide = true, value_name = "BYTES")]
    pub range_bytes: Option<usize>,
    /// Instruction set: emulated, scalar, sse2, avx2, avx512, neon; the output does not depend on it
    #[arg(long, hide = true, value_name = "LEVEL", default_value = "best")]
    pub machine: String,
}

options!(Reading:
    from rules strict allow deny skip_damaged;
    // Where archives are is compared by their digests; the others change speed alone.
    without inputs threads block_bytes range_bytes machine);

/// Inputs of which each line is a game.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct GameLines {
    /// Each line of the inputs is a game: its moves, with or without numbers, as --moves-only writes them
    ///
    /// The moves are in the notation of --from, and the games begin in the array of --rules. Blank lines, and lines
    /// that begin with #, are skipped.
    #[arg(long, help_heading = "How moves are read", hide_short_help = true)]
    pub game_per_line: bool,
}

options!(GameLines: game_per_line; without);

/// What becomes of a run of which an input cannot be read.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Failures {
    /// If an input cannot be read to its end, go on with the next one
    ///
    /// Such inputs are listed at the end, and the exit code is 2.
    #[arg(long, help_heading = "Games to read", hide_short_help = true)]
    pub keep_going: bool,
}

options!(Failures: ; without keep_going);
