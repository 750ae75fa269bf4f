//! The totals of a run.
//!
//! In: the result of each job. Out: counts, read by the progress bar and the summary.

use crate::engine::UnreadableCounts;
use crate::replay::Counts;

use super::remarks::Remark;

/// The counts of all archives.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) archives: u64,
    pub(super) stored_bytes: u64,
    pub(super) text_bytes: u64,
    pub(super) rejected_bytes: u64,
    pub(super) damaged_bytes: u64,
    pub(super) counts: Counts,
    /// Values that the task could not read, in games that are not rejected.
    pub(super) unreadable: UnreadableCounts,
    /// Names of archives that are not of games, with the remark on each.
    pub(super) remarks: Vec<(String, Remark)>,
}
