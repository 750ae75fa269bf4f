//! The task that makes rows: for each job the values of the columns, game by game.
//!
//! In: games. Out: [`JobRows`]. Invariants: a rejected game has no rows; offsets and numbers of games are relative to
//! the job. Cost: the replay, and for each column one call per game or ply.

use crate::engine::{BlockGames, Task};
use crate::notation::{Needs, Notation};
use crate::replay::History;

use super::job_rows::JobRows;
use super::request::Export;
use super::visitor::{RowVisitor, Scratch};

impl Task for Export {
    type Context = Scratch;
    type Part = JobRows;

    /// A game without a history has no texts in notations that require it; that is no fault.
    fn history(&self) -> History {
        let depends = |notation: &dyn Notation| {
            notation.needs_lineage() || notation.info().needs == Needs::Game
        };
        if self.notations().any(depends) { History::Optional } else { History::Ignored }
    }

    fn visit(&self, games: BlockGames<'_, '_>, scratch: &mut Scratch, rows: &mut JobRows) {
        let rows_before = rows.last.rows_count();
        let visitor = RowVisitor::new(self, games.settings(), scratch, rows);
        games.visit(visitor);
        // Fewer than before, if some were packed.
        scratch.block_rows = rows.last.rows_count().saturating_sub(rows_before);
    }
}
