//! The result of a job: facts that all tasks have in common, and the part of the task.
//!
//! In: the blocks of a job. Out: [`JobResult`]. Invariant: offsets, line and game counts are relative to
//! the job's text; a [`Base`](super::Base) makes them absolute. Cost: a result is emptied and used again.

use pgnmill_io::archive::Damage;

use crate::pgn::deviation::Deviation;

use super::counted::Counted;
use super::listed_rows::{ListedRow, ListedRows, RowKind};
use super::text_seams::TextSeams;

/// Facts about some blocks that do not depend on the task.
#[derive(Debug, Default)]
pub struct Facts {
    /// What is counted.
    pub counted: Counted,
    /// The text of rejected games, if it was requested: see [`Rejects`](super::Rejects).
    pub rejects: Vec<u8>,
    /// The pieces of that text, for a [`Joiner`](super::Joiner).
    pub reject_seams: TextSeams,
    /// Rejected games, damage and unreadable values, if they were requested.
    pub faults: ListedRows,
    /// Notes and repairs, if they were requested.
    pub notes: ListedRows,
}

impl Facts {
    /// Adds damage at the end of the text, with a row if `row`.
    pub(super) fn add_damage(&mut self, damage: &Damage, row: bool) {
        let kind = Deviation::FrameDamaged;
        let counted = &mut self.counted;
        counted.counts.deviations[kind as usize] += 1;
        counted.damaged_bytes += damage.stored.end - damage.stored.start;
        if !row {
            return;
        }
        self.faults.add(&ListedRow {
            offset: counted.text_bytes,
            lines: counted.lines,
            game: counted.counts.games(),
            detail: damage.to_string(),
            ..ListedRow::of(RowKind::Fault(kind))
        });
    }

    /// Empties it and keeps the memory of the texts.
    pub(super) fn clear(&mut self) {
        let mut rejects = std::mem::take(&mut self.rejects);
        let mut reject_seams = std::mem::take(&mut self.reject_seams);
        rejects.clear();
        reject_seams.clear();
        *self = Facts { rejects, reject_seams, ..Facts::default() };
    }
}

/// The result of a job.
#[derive(Debug, Default)]
pub struct JobResult<P> {
    /// The facts that all tasks have in common.
    pub facts: Facts,
    /// The part of the task.
    pub part: P,
}
