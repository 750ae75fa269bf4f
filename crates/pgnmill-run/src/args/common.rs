//! The arguments that all tasks have in common.
//!
//! In: the words of the command line. Out: [`Common`]. Invariant: the documentation comments of this file are the help
//! texts.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use pgnmill_io::archive::{self, Expanded, Input, NamedSource, named_after};
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::output_keys;

use crate::args::expression::Expression;
use crate::args::messages::Mode;
use crate::args::names;
use crate::args::output_path::Written;
use crate::args::summary::ListFormat;
use crate::args::values::{needs, seconds};
use crate::ledger::split_json::parse_split;
use crate::text::shell::{self, flag, option};

/// The arguments that all tasks have in common.
#[derive(Debug, clap::Args)]
pub struct Common {
    /// Archives: files, directories, or - for standard input
    #[arg(required_unless_present = "split", value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    /// Archives of a caller in the same process, which are read in place of those of the arguments.
    #[arg(skip)]
    pub given: Option<Vec<Input>>,
    /// The directory to which the command writes archives: those in it are read only if it is named.
    #[arg(skip)]
    pub(crate) apart: Option<PathBuf>,
    /// The format of the summary.
    #[arg(skip)]
    pub(crate) summary_format: ListFormat,
    /// Does the command write its result to standard output, whatever its outputs are?
    #[arg(skip)]
    pub(crate) shows_result: bool,
    /// Read one split of an archive, a line of `pgnmill splits`
    ///
    /// @FILE reads the line from a file. INPUT is then the path of the archive on this machine, if it is another than
    /// in the split (see docs/cluster.md).
    #[arg(long, value_name = "JSON", help_heading = "Games to read", hide_short_help = true)]
    pub split: Option<String>,
    /// With --split: write the row of the ledger; `merge` reads it
    #[arg(long, value_name = "L.csv", help_heading = "Tables of the run", hide_short_help = true)]
    pub ledger: Option<PathBuf>,
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
    /// Read only games for which this expression is true
    ///
    /// Such as 'rating_min >= 2000 and speed == "blitz"'; @FILE reads it from a file (see `pgnmill fields` and
    /// docs/select.md).
    #[arg(
        long = "where",
        value_name = "EXPR",
        allow_hyphen_values = true,
        value_parser = Expression::read,
        help_heading = "Games to read"
    )]
    pub condition: Option<Expression>,
    /// The notation of games without a MoveNotation tag pair (see `pgnmill notations`)
    #[arg(
        long, value_name = "NOTATION", default_value = "auto",
        help_heading = "How moves are read",
        value_parser = names::a_notation_or_auto(), hide_possible_values = true
    )]
    pub from: String,
    /// The ruleset of games without a Variant tag pair
    ///
    /// chess, chess960, crazyhouse, atomic, antichess, giveaway, suicide, kingOfTheHill, threeCheck, racingKings, horde
    /// or chess99.
    #[arg(
        long, value_name = "RULESET", default_value = "chess",
        help_heading = "How moves are read",
        value_parser = names::a_ruleset(), hide_possible_values = true
    )]
    pub rules: String,
    /// Number of worker threads, at most 1,024; 0: one per processor
    #[arg(long, short = 'j', value_name = "N", default_value_t = 0, help_heading = "Long runs")]
    pub threads: usize,
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
    /// If an input cannot be read to its end, go on with the next one
    ///
    /// Such inputs are listed at the end, and the exit code is 2.
    #[arg(long, help_heading = "Games to read", hide_short_help = true)]
    pub keep_going: bool,
    /// Show what would be read and written, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Replace existing outputs
    #[arg(long)]
    pub overwrite: bool,
    /// Go on with a run that was ended, or begin it: see docs/nights.md
    #[arg(long, help_heading = "Long runs")]
    pub resume: bool,
    /// With --resume: read the outputs, complete or not, and compare their digests
    #[arg(long, requires = "resume", help_heading = "Long runs", hide_short_help = true)]
    pub verify: bool,
    /// Save the state of the run every so many seconds
    #[arg(
        long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds,
        help_heading = "Long runs",
        hide_short_help = true
    )]
    pub checkpoint: f64,
    /// Print errors only, and why the exit code is 1
    #[arg(long, short, help_heading = "Messages")]
    pub quiet: bool,
    /// Print more: every note, every archive, where each byte is
    #[arg(long, short, conflicts_with = "quiet", help_heading = "Messages")]
    pub verbose: bool,
    /// What is shown on standard error while the run lasts
    #[arg(
        long,
        value_enum,
        default_value = "auto",
        value_name = "MODE",
        help_heading = "Messages",
        hide_short_help = true
    )]
    pub progress: Mode,
    /// Short for --progress none
    #[arg(long, help_heading = "Messages", hide_short_help = true)]
    pub no_progress: bool,
    /// Bytes of text in a block; the output does not depend on it
    #[arg(long, hide = true, value_name = "BYTES", default_value_t = archive::BLOCK_BYTES)]
    pub block_bytes: usize,
    /// Bytes of a mapped file in a job; the output does not depend on it
    #[arg(long, hide = true, value_name = "BYTES")]
    pub range_bytes: Option<usize>,
    /// Instruction set: emulated, scalar, sse2, avx2, avx512, neon; the output does not depend on it
    #[arg(long, hide = true, value_name = "LEVEL", default_value = "best")]
    pub machine: String,
    /// For tests: end the program as a crash does after so many steps
    #[arg(long, hide = true, value_name = "STEPS", default_value_t = 0)]
    pub abort_after: u64,
}

impl Common {
    /// The archives to read.
    ///
    /// # Errors
    /// As [`Input::expand`].
    pub fn archives(&self) -> Result<Expanded> {
        needs(("--resume", self.resume), &[("--verify", self.verify)])?;
        let inputs = match (&self.given, &self.split) {
            (Some(given), None) => given.clone(),
            (None, None) if self.inputs.is_empty() => {
                return Err(Error::usage("there is nothing to read: no archive is named"));
            }
            (Some(_), Some(_)) => {
                return Err(Error::usage("--split: the archives are given otherwise"));
            }
            (None, None) => {
                return Expanded::of(&self.inputs, self.keep_going, self.apart.as_deref());
            }
            (None, Some(text)) => vec![Input::Named(split_of(text, &self.inputs)?)],
        };
        Ok(Expanded { inputs, ..Expanded::default() })
    }

    /// Refuses splits, for a command that reads whole archives.
    ///
    /// # Errors
    /// If the arguments name a split.
    pub fn refuse_splits(&self, command: &str) -> Result<()> {
        let is_split = |input: &Input| input.split().is_some();
        match self.split.is_some() || self.given.iter().flatten().any(is_split) {
            false => Ok(()),
            true => Err(Error::usage(format!(
                "{command} reads whole archives: splits are for validate, stats, convert, measure and export"
            ))),
        }
    }

    /// The files beside a split: its archive on this machine.
    pub fn places(&self) -> &[PathBuf] {
        if self.split.is_some() { &self.inputs } else { &[] }
    }

    /// The file that the split is read from.
    pub fn split_file(&self) -> Option<&Path> {
        self.split.as_deref().and_then(split_path)
    }

    /// The tables of the run that are written: their options, their paths, and what they are.
    pub(crate) fn options_of_tables(&self) -> impl Iterator<Item = (&'static str, &Path, Written)> {
        let tables = [
            ("--faults", &self.faults, Written::Table),
            ("--notes", &self.notes, Written::Table),
            ("--rejects", &self.rejects, Written::Rejects),
            ("--ledger", &self.ledger, Written::CsvTable),
            ("--summary", &self.summary, Written::Summary),
        ];
        tables.into_iter().filter_map(|(option, path, it)| Some((option, path.as_deref()?, it)))
    }

    /// The tables of the run.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Path> {
        self.options_of_tables().map(|(_, path, _)| path)
    }

    /// The files of a run: those of the task, and the tables.
    pub(crate) fn outputs(&self, of_task: &[PathBuf]) -> Vec<PathBuf> {
        of_task.iter().cloned().chain(self.tables().map(Path::to_path_buf)).collect()
    }

    /// The path of the output of an input, in a directory of outputs: its name, in the folders that lead to it from a
    /// directory that is read unless `flat`. A file with members is such a folder, and has the folders in it.
    pub(crate) fn output_below(&self, input: &Input, flat: bool) -> PathBuf {
        let stdin = || PathBuf::from("stdin.pgn");
        let below = |path: &Path| {
            let directories = self.inputs.iter().filter(|input| !flat && input.is_dir());
            let below = directories.filter_map(|directory| path.strip_prefix(directory).ok());
            let below = below.map(Path::to_path_buf).next();
            below.or_else(|| path.file_name().map(PathBuf::from))
        };
        named_after(&match input {
            Input::Path(path) => below(path).unwrap_or_else(stdin),
            Input::Stdin => stdin(),
            Input::Named(source) => match (source.file(), source.member()) {
                (Some(file), Some(member)) if !flat => {
                    below(file).unwrap_or_default().join(inside(member))
                }
                _ => {
                    let name = Path::new(source.name()).file_name();
                    name.map_or_else(|| PathBuf::from("games.pgn"), PathBuf::from)
                }
            },
        })
    }

    /// Refuses tables on standard output, which is that of the process of a caller.
    ///
    /// # Errors
    /// If a table of the run is named `-`.
    pub fn refuse_standard_output(&self) -> Result<()> {
        match self.tables().any(|path| path == Path::new("-")) {
            true => {
                Err(Error::usage("a table of the run is written to a file, not to standard output"))
            }
            false => Ok(()),
        }
    }

    /// The options that decide which games are read, and which of them are rejected, as words of a shell. The
    /// expression of `--where` is recorded byte for byte: white space in a text, and a line end after a comment, decide
    /// what is selected.
    pub(crate) fn options_of_games(&self) -> Vec<String> {
        let where_ = self.condition.iter().map(|it| option("--where", it.text()));
        self.options_of_readings(where_.collect())
    }

    /// The same without `--where`: the options that decide how a game is read.
    pub(crate) fn options_of_one_game(&self) -> Vec<String> {
        self.options_of_readings(Vec::new())
    }

    fn options_of_readings(&self, condition: Vec<String>) -> Vec<String> {
        let mut options = Vec::new();
        options.extend((self.from != "auto").then(|| option("--from", &self.from)));
        options.extend((self.rules != "chess").then(|| option("--rules", &self.rules)));
        options.extend(flag("--strict", self.strict));
        options.extend(condition);
        options.extend(flag("--skip-damaged", self.skip_damaged));
        for (name, names) in [("--allow", &self.allow), ("--deny", &self.deny)] {
            options.extend(shell::options(name, names.iter().collect::<BTreeSet<_>>()));
        }
        options
    }

    /// Is the summary text for people, and requested?
    pub fn prints_summary(&self) -> bool {
        !self.quiet && self.summary_format == ListFormat::Text
    }

    /// Refuses two things on standard output: an output that is standard output by any name, and the summary as data or
    /// the result of a command.
    ///
    /// # Errors
    /// If an output is standard output.
    pub fn check_standard_output(&self, outputs: &[&Path]) -> Result<()> {
        if self.resume && self.summary_format != ListFormat::Text {
            let message = "--format does not go with --resume, which may have nothing to do: take --summary FILE";
            return Err(Error::usage(message));
        }
        let stdout = output_keys(Path::new("-"));
        let is_taken = |path: &&Path| output_keys(path).iter().any(|key| stdout.contains(key));
        match outputs.iter().any(is_taken) {
            true if self.summary_format != ListFormat::Text => Err(Error::usage(
                "--format writes the summary to standard output, which an output named - takes: name a file, or take \
                 --summary FILE",
            )),
            true if self.shows_result => Err(Error::usage(
                "the result is written to standard output, which an output named - takes: name a file",
            )),
            _ => Ok(()),
        }
    }

    /// What is shown while the run lasts.
    pub fn progress(&self) -> Mode {
        match self.progress {
            Mode::Json => Mode::Json,
            _ if self.quiet || self.no_progress => Mode::None,
            mode => mode,
        }
    }
}

/// The path of a member in the file that contains it, which leads out of no folder.
fn inside(member: &str) -> PathBuf {
    let parts = Path::new(member).components().filter_map(|part| match part {
        Component::Normal(name) => Some(PathBuf::from(name)),
        Component::ParentDir => Some(PathBuf::from("%2E%2E")),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    });
    parts.collect()
}

/// The longest file that is read as a split.
const SPLIT_BYTES_MAX: u64 = 64 << 10;

/// The file that `--split @FILE` names.
fn split_path(text: &str) -> Option<&Path> {
    text.strip_prefix('@').map(Path::new)
}

/// The source of a split, whose archive has another path on this machine if one is named.
fn split_of(text: &str, places: &[PathBuf]) -> Result<NamedSource> {
    let text = match split_path(text) {
        None => text.to_string(),
        Some(path) => {
            let mut text = String::new();
            let read = File::open(path)
                .and_then(|file| file.take(SPLIT_BYTES_MAX).read_to_string(&mut text));
            read.map_err(|error| Error::io("read", path, error))?;
            text
        }
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let (Some(line), None) = (lines.next(), lines.next()) else {
        return Err(Error::usage("--split takes one split, which is one line"));
    };
    let split = parse_split(line).map_err(|error| {
        let is_parts = !line.starts_with('{') && line.contains(':');
        let meant = if is_parts {
            "; parts such as train:0.9,val:0.1 are those of `export --parts`"
        } else {
            ""
        };
        Error::usage(format!("--split: {error}{meant}"))
    })?;
    match places {
        [] => Ok(NamedSource::archive_split(split)),
        [place] if place != Path::new("-") => {
            Ok(NamedSource::archive_split_at(split, place.clone()))
        }
        _ => Err(Error::usage("--split: INPUT is the archive of the split, a file, or not given")),
    }
}
