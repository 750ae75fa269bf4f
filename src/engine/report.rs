//! What a worker makes of one job's blocks: bytes to write and counts to add, places relative to the job's text.

use crate::archive::Damage;
use crate::pgn::deviation::Deviation;
use crate::replay::Counts;
use crate::tasks::measure::GameRows;
use crate::tasks::measure::study::{GameMoves, Information};
use crate::tasks::measure::tally::Tally;

use super::Survey;
use super::faults::{FaultRow, FaultRows, Names};
use super::joint::TextSeams;
use super::notes::NoteRows;

/// What was made of some blocks.
#[derive(Debug, Default)]
pub struct Report {
    /// The blocks' text.
    pub text_bytes: u64,
    /// Line ends in it.
    pub lines: u64,
    /// What its bytes say of encoding and line ends.
    pub survey: Survey,
    /// Games and deviations.
    pub counts: Counts,
    /// Bytes of games that were rejected.
    pub rejected_bytes: u64,
    /// Stored bytes that could not be read.
    pub damaged_bytes: u64,
    /// The rewritten text, without what is to be put between its pieces.
    pub out: Vec<u8>,
    /// What the pieces of it are, for a [`super::Joiner`].
    pub out_seams: TextSeams,
    /// Where in `out` games end.
    pub game_ends: Vec<u32>,
    /// The text of rejected games, if it was asked for.
    pub rejects: Vec<u8>,
    /// What the pieces of it are, for a [`super::Joiner`].
    pub reject_seams: TextSeams,
    /// Rejected games, and damage, if they were asked for.
    pub faults: FaultRows,
    /// Notes and repairs, if they were asked for.
    pub notes: NoteRows,
    /// Games, if rows were asked for.
    pub rows: GameRows,
    /// What notations cost, if it was asked for.
    pub tally: Option<Tally>,
    /// How often each text stands, if it was asked for.
    pub information: Option<Information>,
    /// The moves of measured games, if they are to be compressed.
    pub scores: Vec<GameMoves>,
}

impl Report {
    /// Adds damage, which lies where the report's text ends; a row of it, if rows are asked for.
    pub(super) fn add_damage(&mut self, damage: &Damage, row: bool) {
        let kind = Deviation::FrameDamaged;
        self.counts.deviations[kind as usize] += 1;
        self.damaged_bytes += damage.stored.end - damage.stored.start;
        if !row {
            return;
        }
        self.faults.add(&FaultRow {
            kind,
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

    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        let mut tally = self.tally.take();
        let mut out = std::mem::take(&mut self.out);
        let mut game_ends = std::mem::take(&mut self.game_ends);
        let mut rejects = std::mem::take(&mut self.rejects);
        out.clear();
        game_ends.clear();
        rejects.clear();
        if let Some(tally) = &mut tally {
            tally.clear();
        }
        let mut out_seams = std::mem::take(&mut self.out_seams);
        let mut reject_seams = std::mem::take(&mut self.reject_seams);
        out_seams.clear();
        reject_seams.clear();
        *self =
            Report { out, out_seams, game_ends, rejects, reject_seams, tally, ..Report::default() };
    }
}
