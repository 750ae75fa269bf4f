//! What a command has of what commands have in common.
//!
//! In: the parts of a request. Out: [`Capabilities`], from which a plan is resolved. Invariant: an option that a
//! command does not have cannot be typed, and has here the value without effect. Cost: none.

use pgnmill_io::error::{Error, Result};

use pgnmill_core::engine::THREADS_MAX;

use crate::args::files::RunFiles;
use crate::args::messages::{ListFormat, Messages};
use crate::args::names::is_of_pairs;
use crate::args::reading::{Failures, GameLines, Reading};
use crate::args::resuming::Resuming;
use crate::args::sample::SampleArgs;
use crate::args::selecting::Selecting;
use crate::args::splitting::Splitting;
use crate::args::values::needs;
use crate::text::numbers::grouped;

/// The capabilities of a request: the first four are those of every run over archives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capabilities<'r> {
    pub(crate) reading: &'r Reading,
    pub(crate) selecting: &'r Selecting,
    pub(crate) files: &'r RunFiles,
    pub(crate) messages: &'r Messages,
    pub(crate) failures: Failures,
    pub(crate) sample: SampleArgs,
    /// `None`: the command reads no inputs of which each line is a game.
    pub(crate) game_lines: Option<GameLines>,
    /// `None`: the command reads whole archives.
    pub(crate) splitting: Option<&'r Splitting>,
    /// `None`: the command has no state that could be saved.
    pub(crate) resuming: Option<&'r Resuming>,
    /// The format of the summary.
    pub(crate) format: ListFormat,
}

impl<'r> Capabilities<'r> {
    /// Those of every run over archives, and no others.
    pub(crate) fn of(
        reading: &'r Reading,
        selecting: &'r Selecting,
        files: &'r RunFiles,
        messages: &'r Messages,
    ) -> Capabilities<'r> {
        Capabilities {
            reading,
            selecting,
            files,
            messages,
            failures: Failures::default(),
            sample: SampleArgs::default(),
            game_lines: None,
            splitting: None,
            resuming: None,
            format: ListFormat::Text,
        }
    }

    /// Is each line of the inputs a game? So it is, too, of a notation that is no movetext.
    pub(crate) fn reads_game_lines(&self) -> bool {
        self.game_lines.is_some_and(|it| it.game_per_line || is_of_pairs(&self.reading.from))
    }

    /// Is the run to go on with an earlier one?
    pub(crate) fn resumes(&self) -> bool {
        self.resuming.is_some_and(|it| it.resume)
    }

    /// Refuses what does not go together, or is out of range.
    ///
    /// # Errors
    /// The first such option.
    pub(crate) fn check(&self) -> Result<()> {
        self.messages.check()?;
        if let Some(Resuming { resume, verify, .. }) = self.resuming {
            needs(("--resume", *resume), &[("--verify", *verify)])?;
        }
        let threads = self.reading.threads;
        if threads > THREADS_MAX {
            let most = grouped(THREADS_MAX as u64);
            return Err(Error::usage(format!("--threads takes 0 to {most}; not {threads}")));
        }
        if self.resumes() && self.format != ListFormat::Text {
            let message = "--format does not go with --resume, which may have nothing to do: take --summary FILE";
            return Err(Error::usage(message));
        }
        Ok(())
    }
}
