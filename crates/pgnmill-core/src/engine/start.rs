//! Where a run begins: at its first input, or where a checkpoint was.
//!
//! In: the position of the reader, and what the engine counts in an archive. Out: a [`Start`], which can be saved.
//! Invariant: a run from a start on gives the consumer the results that the run which saved it would have given after
//! that point, perhaps divided into other jobs. Cost: that of [`Position`].

use pgnmill_io::archive::Position;
use pgnmill_state::state;

use super::settings::Base;
use super::survey::Survey;

/// The state of the reader within an archive, between two jobs.
#[derive(Clone, PartialEq, Debug)]
pub struct ReaderState {
    pub(super) position: Position,
    pub(super) base: Base,
    pub(super) survey: Survey,
}
state!(ReaderState { position, base, survey });

/// Where a run begins.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Start {
    /// The index of the first input that is read.
    pub input: usize,
    /// Where in this input; at its beginning if `None`.
    pub reader: Option<ReaderState>,
}
state!(Start { input, reader });
