//! What a run counted: filled report by report, read by the progress bar and the summary.

use crate::replay::Counts;

use super::remarks::Remark;

/// What was counted over all archives.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) archives: u64,
    pub(super) stored_bytes: u64,
    pub(super) text_bytes: u64,
    pub(super) rejected_bytes: u64,
    pub(super) damaged_bytes: u64,
    pub(super) counts: Counts,
    /// Archives that are not of games, by their names.
    pub(super) remarks: Vec<(String, Remark)>,
}
