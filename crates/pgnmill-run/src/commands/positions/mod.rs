//! `positions`: a run that counts what was played in each position of archives, and how it ended.
//!
//! In: archives. Out: one file: a table, or a Polyglot book. Invariants: the file does not depend on the number of
//! threads, the container or the memory; it has no name before the run has succeeded. Cost: that of
//! [`pgnmill_core::tasks::positions`].

pub(crate) mod args;
mod target;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_core::chess::Color;
use pgnmill_core::tasks::positions::book::BookOptions;
use pgnmill_core::tasks::positions::{CountPositions, Limits, Shape};
use pgnmill_core::tasks::sorter::Spill;
use pgnmill_io::archive::Input;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};

use crate::args::capabilities::Capabilities;
use crate::args::options::defaults;
use crate::args::output_path::{self, Written, is_directory};
use crate::args::values::level_of;
use crate::host::{Completion, Host, Stream};
use crate::outputs::destination::Resumed;
use crate::plan::{Place, Plan, Purpose, Request};
use crate::run::{Executed, execute};
use crate::text::numbers::{count, grouped};
use crate::text::shell::{flag, option};

use args::{PLIES_MAX, PositionFormat, Positions, Side};
use target::{Target, Wanted};

/// The least memory of the counts, in bytes.
const MEMORY_MIN: u64 = 1 << 20;

impl Positions {
    /// Examples of its help: what a command does, and the command.
    pub(crate) const EXAMPLES: &[(&str, &str)] = &[
        (
            "What was played in which position",
            "pgnmill positions -o explorer.parquet games.pgn.zst",
        ),
        (
            "What one player plays, as a table",
            "pgnmill positions --where 'player =~ \"Fischer\"' -o fischer.csv games.pgn.zst",
        ),
        (
            "A Polyglot book of moves of ten games or more",
            "pgnmill positions --max-ply 40 --min-games 10 -o book.bin games.pgn.zst",
        ),
    ];

    /// Archives, and the output; the other fields have the defaults of the command line.
    pub fn new(
        inputs: impl IntoIterator<Item = impl Into<PathBuf>>,
        output: impl Into<PathBuf>,
    ) -> Positions {
        let mut request: Positions = defaults();
        request.reading.inputs = inputs.into_iter().map(Into::into).collect();
        request.output = output.into();
        request
    }

    /// The format that is given; else that of the output's name; on standard output CSV.
    fn format(&self) -> Result<PositionFormat> {
        let ending = self.output.extension().map(|ending| ending.to_ascii_lowercase());
        let of_name = PositionFormat::ALL.into_iter().find(|format| {
            ending.as_ref().is_some_and(|ending| ending.as_os_str() == format.name())
        });
        let shown = self.output.shown();
        match (self.format, of_name) {
            (Some(format), Some(other)) if format != other => Err(Error::usage(format!(
                "{shown} has the ending of {}, and --format is {}; name it {}",
                other.name(),
                format.name(),
                self.output.with_extension(format.name()).shown()
            ))),
            (Some(format), _) | (None, Some(format)) => Ok(format),
            (None, None) if self.output == Path::new("-") || self.output.exists() => {
                Ok(PositionFormat::Csv)
            }
            (None, None) => {
                output_path::check_compression("positions", &self.output, Written::Columns("csv"))?;
                Err(Error::usage(format!(
                    "{shown} has no ending that names a format; the endings are parquet, arrow, csv, jsonl and bin"
                )))
            }
        }
    }

    /// Refuses options of a book for a table, and of a table for a book.
    fn check_format(&self, format: PositionFormat) -> Result<()> {
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
    fn words(&self, format: PositionFormat) -> Vec<String> {
        let mut words = vec![option("--format", format.name())];
        words.extend((self.max_ply != PLIES_MAX).then(|| option("--max-ply", self.max_ply)));
        words.extend((self.min_games != 1).then(|| option("--min-games", self.min_games)));
        words.extend(flag("--variations", self.variations));
        words.extend(flag("--sums", self.sums));
        let side = self.only.map(|side| if side == Side::White { "white" } else { "black" });
        words.extend(side.map(|side| option("--only", side)));
        words.extend(self.min_score.map(|percent| option("--min-score", percent)));
        words.extend(flag("--uniform", self.uniform));
        words
    }

    /// The temporary files: beside the output, or among those of the system.
    fn spill(&self) -> Spill {
        let bytes_max = usize::try_from(self.memory.0).unwrap_or(usize::MAX);
        let directory = crate::outputs::beside(&self.output);
        let name = self.output.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Spill { directory, name, bytes_max }
    }
}

impl Request for Positions {
    const NAME: &'static str = "positions";
    type Task = (CountPositions, PositionFormat);

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            failures: self.failures,
            ..Capabilities::of(&self.reading, &self.selecting, &self.files, &self.messages)
        }
    }

    fn inputs_mut(&mut self) -> &mut Vec<PathBuf> {
        &mut self.reading.inputs
    }

    fn check(&self) -> Result<()> {
        level_of(self.level)?;
        if self.memory.0 < MEMORY_MIN {
            return Err(Error::usage(format!("--memory is 1MiB or more; not {}", self.memory)));
        }
        if is_directory(&self.output) {
            let output = self.output.shown();
            return Err(Error::usage(format!(
                "positions writes one file; {output} is a directory"
            )));
        }
        Ok(())
    }

    fn purpose(&self, _: &[Input], host: &dyn Host) -> Result<(Purpose, Self::Task)> {
        let format = self.format()?;
        self.check_format(format)?;
        let is_terminal =
            self.output == Path::new("-") && host.screen(Stream::Output).columns.is_some();
        let is_binary = format.columns().is_none_or(pgnmill_columns::Format::is_binary);
        if is_terminal && is_binary {
            return Err(Error::usage(format!(
                "{} is no text for a terminal: name a file with -o, or give --format csv",
                format.name()
            )));
        }
        let purpose = Purpose {
            place: Place::File(self.output.clone()),
            level: self.level,
            words: self.words(format),
            resolved: vec![("--format", format.name().to_string())],
            ..Purpose::default()
        };
        let plies_max = if self.max_ply == 0 { u32::MAX } else { self.max_ply };
        Ok((purpose, (CountPositions { plies_max, variations: self.variations }, format)))
    }

    fn execute(
        self,
        plan: Plan,
        (task, format): Self::Task,
        host: &Arc<dyn Host>,
    ) -> Result<Completion> {
        let wanted = Wanted {
            format,
            shape: Shape { rules: false, sums: self.sums },
            book: BookOptions {
                only: self.only.map(|side| match side {
                    Side::White => Color::White,
                    Side::Black => Color::Black,
                }),
                min_score: f64::from(self.min_score.unwrap_or(0)) / 100.0,
                is_uniform: self.uniform,
            },
            limits: Limits { spill: self.spill(), games_min: self.min_games },
            level: plan.outputs.level,
        };
        let target =
            |plan: &Plan, _: Option<Resumed<'_, '_>>| Target::begin(wanted, plan, Arc::clone(host));
        let mut done = match execute(plan, &task, target, host)? {
            Executed::Now(done) => done,
            Executed::Before(completion) => return Ok(completion),
        };
        let found = done.sink().found();
        let own = [("positions", found.positions), ("position_moves", found.moves)];
        let own = own.map(|(key, number)| (key.to_string(), number.to_string()));
        done.publish_with(&own, Vec::new(), |_| Ok(Vec::new()))?;
        if done.plan.prints_summary() {
            let counts = &done.counted().counts;
            host.print(&format!(
                "{} in {} written + {} rejected = {} read\n",
                count(found.moves, "move", "moves"),
                count(found.positions, "position", "positions"),
                grouped(counts.rejected),
                count(counts.games(), "game", "games"),
            ));
        }
        if !self.messages.quiet && found.moves == 0 && done.counted().counts.games() > 0 {
            host.warn(format_args!("no move is in {} games or more", self.min_games));
        }
        Ok(done.completion())
    }
}
