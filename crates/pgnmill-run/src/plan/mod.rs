//! Plans: what a run will read and write, complete before it begins.
//!
//! In: a request, a host. Out: a plan: inputs, settings of the engine, names of outputs that are different files,
//! the identity by which the journal knows the run. May use: arguments, ledgers, texts, the host. Invariants: nothing
//! is written; no field of a plan is assigned later; whatever cannot be is refused here, before any game is read. Cost:
//! some calls of the system per file.
//!
//! ```text
//! let (plan, task) = plan::resolve(&request, None, &host)?;
//! ```

pub mod distinct;
mod identity;
mod names;
mod positions;
mod purpose;
mod resolve;
mod settings;
mod splits;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_core::engine::{Rejects, Settings};
use pgnmill_core::select::Selection;
use pgnmill_io::archive::{ArchiveSplit, Input, RecordKind, Skipped};
use pgnmill_io::sink::FileKey;

use crate::args::files::RunFiles;
use crate::args::messages::{ListFormat, Messages};
use crate::args::resuming::Resuming;
use crate::args::sample::SampleArgs;

pub(crate) use identity::{Identity, words_of_reading};
pub(crate) use names::{Outputs, Place};
pub(crate) use positions::refuse;
pub(crate) use purpose::{Purpose, Request, Selects};
pub(crate) use resolve::resolve;
pub(crate) use splits::is_split;

/// The name under which an identity has the digests of the files of positions that `--where` names.
pub(crate) const FILES: &str = "--where in @FILE";

/// A run before it begins.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) identity: Identity,
    pub(crate) inputs: Inputs,
    /// How games are read, with the selection, but without a sample of a number of games.
    pub(crate) settings: Settings,
    /// Which of the selected games are taken.
    pub(crate) sample: SampleArgs,
    pub(crate) outputs: Outputs,
    pub(crate) files: RunFiles,
    pub(crate) messages: Messages,
    /// The format of the summary.
    pub(crate) format: ListFormat,
    /// Go on with the next input if one fails?
    pub(crate) keeps_going: bool,
    pub(crate) journal: Option<Resumption>,
}

/// What is read.
#[derive(Debug)]
pub(crate) struct Inputs {
    pub(crate) all: Vec<Input>,
    /// What in directories has the name of an archive and is not read.
    pub(crate) skipped: Vec<Skipped>,
    /// See [`pgnmill_io::archive::Expanded::hidden_count`].
    pub(crate) hidden_count: u64,
    /// The split that is read, if it is one, and where the row of the ledger about it is written.
    pub(crate) split: Option<ArchiveSplit>,
    pub(crate) ledger: Option<PathBuf>,
    /// The files that are read: inputs, and those that arguments name with `@`.
    pub(crate) read: HashSet<FileKey>,
}

/// How the state of a run is saved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resumption {
    pub(crate) args: Resuming,
    /// Why a run of this kind has no state that can be saved.
    pub(crate) refusal: Option<&'static str>,
}

impl Plan {
    /// The tables of the run that are written.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Path> {
        let ledger = self.inputs.ledger.as_deref();
        self.files.tables().map(|(_, path, _)| path).chain(ledger)
    }

    /// The files of the run that can be named before it: those of the task, and the tables.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.outputs.paths.iter().cloned().chain(self.tables().map(Path::to_path_buf)).collect()
    }

    /// Does it go on with an earlier run?
    pub(crate) fn resumes(&self) -> bool {
        self.journal.is_some_and(|journal| journal.args.resume)
    }

    /// What its inputs are divided into.
    pub(crate) fn records(&self) -> RecordKind {
        self.settings.options.records
    }

    /// Is the summary text for people, and requested?
    pub(crate) fn prints_summary(&self) -> bool {
        !self.messages.quiet && self.format == ListFormat::Text
    }

    /// The selection; every game if there is none.
    pub(crate) fn selection(&self) -> Selection {
        self.settings.selection.as_deref().cloned().unwrap_or_else(Selection::all)
    }

    /// The settings with another selection.
    pub(crate) fn settings_of(&self, selection: Selection) -> Settings {
        Settings { selection: Some(Arc::new(selection)), ..self.settings.clone() }
    }

    /// The settings of one more reading of the same games, which fills no tables.
    pub(crate) fn settings_again(&self, rejects: Rejects) -> Settings {
        Settings { rejects, faults: false, notes: false, ..self.settings.clone() }
    }
}
