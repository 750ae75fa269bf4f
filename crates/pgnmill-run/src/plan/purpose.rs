//! What a command adds to its capabilities, for its plan.
//!
//! In: the fields that it alone has. Out: a [`Purpose`]: where it writes, what it reads besides, how games are
//! selected. Invariant: what a command does not state has no effect. Cost: none.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_io::archive::{BLOCK_BYTES, Input};
use pgnmill_io::error::Result;

use crate::args::capabilities::Capabilities;
use crate::args::options::Options;
use crate::args::output_path::Written;
use crate::args::selecting::Expression;
use crate::host::{Completion, Host};

use super::{Place, Plan};

/// A request: a run over archives, as typed.
pub(crate) trait Request: Options + fmt::Debug + Sized {
    /// The name of the command.
    const NAME: &'static str;

    /// What its sink does with the games.
    type Task;

    /// What it has of what commands have in common.
    fn capabilities(&self) -> Capabilities<'_>;

    /// The archives to read; those of a caller are not among them.
    fn inputs_mut(&mut self) -> &mut Vec<PathBuf>;

    /// The directory to which it writes archives: those in it are read only if it is named.
    fn apart(&self) -> Option<&Path> {
        None
    }

    /// Refuses what does not go with files of positions; nothing does unless the command reads them.
    ///
    /// # Errors
    /// The first such option; `None`: it reads these files as games.
    fn check_positions(&self) -> Option<Result<()>> {
        None
    }

    /// Is something drawn at random, as `--seed` requires?
    fn draws(&self) -> bool {
        self.capabilities().sample.sample.is_some()
    }

    /// Refuses what does not go together of the fields that it alone has.
    ///
    /// # Errors
    /// The first such option.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// What it does with these inputs.
    ///
    /// # Errors
    /// What it cannot have.
    fn purpose(&self, inputs: &[Input], host: &dyn Host) -> Result<(Purpose, Self::Task)>;

    /// Does it, and prints its last lines.
    ///
    /// # Errors
    /// What ends the run.
    fn execute(self, plan: Plan, task: Self::Task, host: &Arc<dyn Host>) -> Result<Completion>;
}

/// What a command does with its inputs.
#[derive(Debug)]
pub(crate) struct Purpose {
    pub(crate) place: Place,
    /// What is written there; `None`: the name is checked by the command.
    pub(crate) written: Option<Written>,
    /// Are the outputs text, which is compressed by the endings of their names?
    pub(crate) is_text: bool,
    /// The level of compression that is given.
    pub(crate) level: Option<i32>,
    /// The size of a job of a mapped file, unless the arguments contain another.
    pub(crate) range_bytes: usize,
    /// Frames of more stored or decoded bytes are read in order.
    pub(crate) frame_stored_bytes_max: usize,
    pub(crate) frame_text_bytes_max: u64,
    pub(crate) keep_rejects: bool,
    /// Are so many faults collected, where no table requests all, and the summary is printed?
    pub(crate) faults_shown: Option<usize>,
    pub(crate) selects: Selects,
    /// The options that it alone has and that decide what is counted or written of a game, as words of a shell.
    pub(crate) words: Vec<String>,
    /// Options whose values are known only now, such as the digest of a file; for the journal.
    pub(crate) resolved: Vec<(&'static str, String)>,
    /// Files that it reads besides archives.
    pub(crate) read: Vec<PathBuf>,
    /// Why a run of this kind has no state that can be saved.
    pub(crate) refusal: Option<&'static str>,
    /// Does it write its result to standard output, whatever its outputs are?
    pub(crate) shows_result: bool,
}

impl Default for Purpose {
    /// Reads archives and writes nothing.
    fn default() -> Purpose {
        Purpose {
            place: Place::Nothing,
            written: None,
            is_text: false,
            level: None,
            range_bytes: BLOCK_BYTES,
            frame_stored_bytes_max: usize::MAX,
            frame_text_bytes_max: u64::MAX,
            keep_rejects: false,
            faults_shown: None,
            selects: Selects::AsGiven,
            words: Vec::new(),
            resolved: Vec::new(),
            read: Vec::new(),
            refusal: None,
            shows_result: false,
        }
    }
}

/// How a command selects games.
#[derive(Debug)]
pub(crate) enum Selects {
    /// Those of `--where`, if it is given.
    AsGiven,
    /// The same, or each of them.
    Each,
    /// Each with the values of these fields: an option and an expression.
    Keys(&'static str, Expression),
    /// Each with what decides its order: an option and an expression.
    Order(&'static str, String),
}
