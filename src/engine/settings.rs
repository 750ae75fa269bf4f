//! The settings of a run, whatever the task, and the place of a job in its archive.

use crate::archive::Options;
use crate::machine::Level;
use crate::notation::Notation;
use crate::pgn::deviation::Profile;

/// More workers are refused: each costs memory, and no machine has so many processors.
pub const THREADS_MAX: usize = 1_024;

/// What is done with the text of games that are rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rejects {
    /// It is dropped.
    Dropped,
    /// It is gathered in [`Facts::rejects`](super::Facts::rejects).
    Apart,
    /// It stays in its place in what the task writes.
    Kept,
}

/// How a run is done, whatever the task.
#[derive(Debug)]
pub struct Settings {
    /// What is done with the text of rejected games.
    pub rejects: Rejects,
    /// Gather rejected games and damage in [`Facts::faults`](super::Facts::faults).
    pub faults: bool,
    /// Gather the notes and repairs of games that are not rejected in [`Facts::notes`](super::Facts::notes).
    pub notes: bool,
    /// Which deviations are notes, repairs and faults.
    pub profile: Profile,
    /// The notation of games that name none; SAN, or what is recognised, if it is `None`.
    pub from: Option<&'static dyn Notation>,
    /// How archives are cut.
    pub options: Options,
    /// How many workers; one at least, [`THREADS_MAX`] at most.
    pub threads: usize,
    /// Which instructions of the processor are used; only the time depends on it.
    pub level: Level,
}

impl Default for Settings {
    /// The lenient profile, SAN, as many threads as there are processors; rejected games are dropped, and no rows are gathered.
    fn default() -> Settings {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Settings {
            rejects: Rejects::Dropped,
            faults: false,
            notes: false,
            profile: Profile::lenient(),
            from: None,
            options: Options::default(),
            threads: threads.min(THREADS_MAX),
            level: Level::best(),
        }
    }
}

/// What comes before a job in its archive.
#[derive(Clone, Copy, Debug, Default)]
pub struct Base {
    /// Bytes of text.
    pub offset: u64,
    /// Line ends.
    pub lines: u64,
    /// Games.
    pub games: u64,
}
