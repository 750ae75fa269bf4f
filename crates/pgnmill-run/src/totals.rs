//! The totals of a run.
//!
//! In: the result of each job. Out: counts, read by the progress bar and the summary.

use pgnmill_core::engine::Counted;
use pgnmill_state::state;

use super::remarks::Remark;

/// What was read of all archives.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// Does the run have a selection?
    pub(super) selects: bool,
    pub(super) archives: u64,
    pub(super) stored_bytes: u64,
    pub(super) counted: Counted,
    /// Names of archives that are not of games, with the remark on each.
    pub(super) remarks: Vec<(String, Remark)>,
    /// The inputs that could not be read to their end, in order.
    pub(super) failures: Vec<Failure>,
}

/// An input that could not be opened, or not be read to its end.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) input: String,
    /// The games that were read before.
    pub(super) games: u64,
    /// The message of the error.
    pub(super) error: String,
}

state!(Failure { input, games, error });
state!(Totals { selects, archives, stored_bytes, counted, remarks, failures });
