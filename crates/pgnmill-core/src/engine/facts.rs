//! The result of a job: facts that all tasks have in common, and the part of the task.
//!
//! In: the blocks of a job. Out: [`JobResult`]. Invariant: offsets, line and game counts are relative to
//! the job's text; a [`Base`](super::Base) makes them absolute. Cost: a result is emptied and used again.

use pgnmill_io::archive::Damage;

use crate::pgn::deviation::Deviation;
use crate::replay::Counts;

use super::faults::{FaultKind, FaultRow, FaultRows, Names};
use super::notes::NoteRows;
use super::survey::Survey;
use super::text_seams::TextSeams;
use super::unreadable::UnreadableCounts;

/// Facts about some blocks that do not depend on the task.
#[derive(Debug, Default)]
pub struct Facts {
    /// Bytes of the blocks' text.
    pub text_bytes: u64,
    /// Line ends in it.
    pub lines: u64,
    /// Its encodings and line ends.
    pub survey: Survey,
    /// Games and deviations.
    pub counts: Counts,
    /// Bytes of games that were rejected.
    pub rejected_bytes: u64,
    /// Stored bytes that could not be read.
    pub damaged_bytes: u64,
    /// The text of rejected games, if it was requested: see [`Rejects`](super::Rejects).
    pub rejects: Vec<u8>,
    /// The pieces of that text, for a [`Joiner`](super::Joiner).
    pub reject_seams: TextSeams,
    /// Values that the task could not read, in games that are not rejected.
    pub unreadable: UnreadableCounts,
    /// Rejected games, damage and unreadable values, if they were requested.
    pub faults: FaultRows,
    /// Notes and repairs, if they were requested.
    pub notes: NoteRows,
}

impl Facts {
    /// Adds damage at the end of the text, with a row if `row`.
    pub(super) fn add_damage(&mut self, damage: &Damage, row: bool) {
        let kind = Deviation::FrameDamaged;
        self.counts.deviations[kind as usize] += 1;
        self.damaged_bytes += damage.stored.end - damage.stored.start;
        if !row {
            return;
        }
        self.faults.add(&FaultRow {
            kind: FaultKind::Deviation(kind),
            offset: self.text_bytes,
            lines: self.lines,
            column: 0,
            game: self.counts.games(),
            ply: 0,
            text: String::new(),
            detail: damage.to_string(),
            fen: String::new(),
            names: Names::default(),
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
