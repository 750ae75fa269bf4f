//! `positions`: a run that counts what was played in each position of archives, and how it ended.
//!
//! In: archives. Out: one file, a table or a Polyglot book, or one per input. Invariants: a file does not depend on the
//! number of threads, the container or the memory; it has no name before it is complete. Cost: that of
//! [`pgnmill_core::tasks::positions`].

pub(crate) mod args;
pub(crate) mod sums;
pub(crate) mod table_file;
mod target;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use pgnmill_columns::PositionBatches;
use pgnmill_core::tasks::positions::{CountPositions, Stop};
use pgnmill_io::archive::Input;
use pgnmill_io::error::{Error, Result};

use crate::args::capabilities::Capabilities;
use crate::args::options::defaults;
use crate::args::output_path::is_directory;
use crate::args::values::level_of;
use crate::commands::position_args::PositionFormat;
use crate::host::{Completion, Host, Stream};
use crate::outputs::destination::Resumed;
use crate::plan::{FILES, Place, Plan, Purpose, Request};
use crate::run::{Executed, execute};
use crate::text::numbers::{count, grouped};
use crate::text::shell::{flag, option};

use args::Positions;
use sums::counted_of;
use table_file::Wanted;
use target::{Common, Target};

pub(crate) use target::spill;

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

    /// The options that decide what is counted, as words of a shell.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        words.extend(
            (self.max_ply != CountPositions::PLIES_MAX).then(|| option("--max-ply", self.max_ply)),
        );
        words.extend(flag("--variations", self.variations));
        words
    }

    /// Where the files are written.
    fn place(&self, format: PositionFormat) -> Place {
        let path = self.output.clone();
        if is_directory(&path) {
            let ending = Some(format!("positions.{}", format.name()));
            return Place::PerInput { directory: path, flat: self.flat, ending };
        }
        Place::File(path)
    }
}

impl Request for Positions {
    const NAME: &'static str = "positions";
    type Task = (CountPositions, PositionFormat);

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            failures: self.failures,
            game_lines: Some(self.game_lines),
            splitting: Some(&self.splitting),
            resuming: Some(&self.resuming),
            ..Capabilities::of(&self.reading, &self.selecting, &self.files, &self.messages)
        }
    }

    fn inputs_mut(&mut self) -> &mut Vec<PathBuf> {
        &mut self.reading.inputs
    }

    fn check(&self) -> Result<()> {
        level_of(self.table.level)?;
        if self.memory.0 < PositionBatches::MEMORY_BYTES_MIN as u64 {
            return Err(Error::usage(format!("--memory is 1MiB or more; not {}", self.memory)));
        }
        Ok(())
    }

    fn purpose(&self, _: &[Input], host: &dyn Host) -> Result<(Purpose, Self::Task)> {
        let format = self.table.format_of(Self::NAME, &self.output)?;
        self.table.check(format)?;
        refuse_terminal(&self.output, format, host)?;
        let place = self.place(format);
        // The pairs of an input are many, and are not saved.
        let refusal = (!place.is_directory())
            .then_some("one table of all inputs cannot be continued; -o DIR/ writes one per input");
        let purpose = Purpose {
            place,
            level: self.table.level,
            words: [self.table.words(format), self.words()].concat(),
            resolved: vec![("--format", format.name().to_string())],
            refusal,
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
        let command = plan.identity.words.clone();
        let digests = plan.identity.options.iter().find(|(name, _)| name == FILES);
        let common = Common {
            wanted: Wanted::of(&self.table, format, plan.outputs.level),
            bytes_max: usize::try_from(self.memory.0).unwrap_or(usize::MAX),
            stop: stop_of(host),
            counted: counted_of(&command, &self.table.words(format).join(" "))?,
            command,
            files: digests.map(|(_, digests)| digests.clone()).unwrap_or_default(),
            split: plan.inputs.split.clone(),
        };
        let target = |plan: &Plan, resumed: Option<Resumed<'_, '_>>| {
            Target::begin(common, plan, resumed, &**host)
        };
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
            host.warn(format_args!("{}", no_moves(format, self.table.min_games)));
        }
        Ok(done.completion())
    }
}

/// Why a table or a book has no move.
pub(crate) fn no_moves(format: PositionFormat, games_min: u64) -> String {
    match format {
        PositionFormat::Bin => format!(
            "no move has a weight, and is in {games_min} games or more: a win counts 2, a draw 1, a game without a result \
             nothing (--uniform: the same weight for every move)"
        ),
        _ => format!("no move is in {games_min} games or more"),
    }
}

/// The work on pairs ends when the host ends the run.
pub(crate) fn stop_of(host: &Arc<dyn Host>) -> Stop {
    let host = Arc::clone(host);
    Stop::when(move || host.stop().load(Ordering::Relaxed))
}

/// Refuses bytes that are no text on a terminal.
pub(crate) fn refuse_terminal(
    output: &Path,
    format: PositionFormat,
    host: &dyn Host,
) -> Result<()> {
    let is_terminal = output == Path::new("-") && host.screen(Stream::Output).columns.is_some();
    match is_terminal && format.is_binary() {
        false => Ok(()),
        true => Err(Error::usage(format!(
            "{} is no text for a terminal: name a file with -o, or give --format csv",
            format.name()
        ))),
    }
}
