//! The totals of a run.
//!
//! In: the result of each job. Out: counts, read by the progress bar and the summary.

use pgnmill_core::engine::Counted;
use pgnmill_state::state;

use crate::report::remarks::Remark;

/// What was read of all archives.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    /// Does the run have a selection?
    pub(crate) selects: bool,
    pub(crate) archives: u64,
    pub(crate) stored_bytes: u64,
    pub(crate) counted: Counted,
    /// Names of archives that are not of games, with the remark on each.
    pub(crate) remarks: Vec<(String, Remark)>,
    /// The inputs that could not be read to their end, in order.
    pub(crate) failures: Vec<Failure>,
}

/// An input that could not be opened, or not be read to its end.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) input: String,
    /// The games that were read before.
    pub(crate) games: u64,
    /// The message of the error.
    pub(crate) error: String,
}

state!(Failure { input, games, error });
state!(Totals { selects, archives, stored_bytes, counted, remarks, failures });
