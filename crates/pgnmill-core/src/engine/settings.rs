//! The settings of a run that all tasks have in common, and the position of a job in its archive.
//!
//! In: the choices of the caller. Out: [`Settings`], read by the engine and by tasks; [`Base`], which makes the
//! offsets and counts of a job absolute. Invariant: `threads` and `level` change the time only, never a result.

use std::sync::Arc;

use pgnmill_io::archive::Options;
use pgnmill_simd::Level;
use pgnmill_state::state;

use crate::chess::rules::RulesKind;
use crate::notation::Notation;
use crate::pgn::deviation::Profile;
use crate::select::Selection;

use super::listed_rows::ListedRows;

/// The maximum number of workers: each costs memory, and no machine has so many processors.
pub const THREADS_MAX: usize = 1_024;

/// What happens to the text of rejected games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rejects {
    /// It is dropped.
    Dropped,
    /// It is collected in [`Facts::rejects`](super::Facts::rejects).
    Apart,
    /// The task writes it unchanged, in its place.
    Kept,
}

/// The settings of a run that all tasks have in common.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What happens to the text of rejected games.
    pub rejects: Rejects,
    /// Collect rejected games and damage in [`Facts::faults`](super::Facts::faults).
    pub faults: bool,
    /// The rows of faults of a job, at most about.
    pub faults_max: u64,
    /// Collect notes and repairs of games that are not rejected in [`Facts::notes`](super::Facts::notes).
    pub notes: bool,
    /// Which deviations are notes, repairs and faults.
    pub profile: Profile,
    /// The notation of games whose tag pairs name none; `None`: SAN, or the notation that is recognised.
    pub from: Option<&'static dyn Notation>,
    /// The ruleset of games without a `Variant` tag pair.
    pub rules: RulesKind,
    /// How archives are divided into jobs and blocks.
    pub options: Options,
    /// The number of workers, 1 to [`THREADS_MAX`].
    pub threads: usize,
    /// The instruction set that is used; it changes the time only.
    pub level: Level,
    /// The games that the task visits; `None`: all. The others are counted alone, and text between games is not passed
    /// on.
    pub selection: Option<Arc<Selection>>,
}

impl Settings {
    /// Is one more fault listed?
    #[inline]
    pub(super) fn lists_fault(&self, listed: &ListedRows) -> bool {
        self.faults && listed.count() < self.faults_max
    }
}

impl Default for Settings {
    /// The lenient profile, SAN, one thread per processor; rejected games are dropped, no rows are collected.
    fn default() -> Settings {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Settings {
            rejects: Rejects::Dropped,
            faults: false,
            faults_max: u64::MAX,
            notes: false,
            profile: Profile::lenient(),
            from: None,
            rules: RulesKind::Chess,
            options: Options::default(),
            threads: threads.min(THREADS_MAX),
            level: Level::best(),
            selection: None,
        }
    }
}

/// The text, lines and games before a job in its archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Base {
    /// Bytes of text.
    pub offset: u64,
    /// Line ends.
    pub lines: u64,
    /// Games.
    pub games: u64,
}
state!(Base { offset, lines, games });
