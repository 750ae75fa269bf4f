//! The task that makes rows: for each job the values of the columns, game by game.
//!
//! In: games. Out: [`Rows`]. Invariants: a rejected game has no rows; offsets and numbers of games are relative to the
//! job. Cost: the replay, and for each column one call per game or ply.

use crate::engine::{Settings, Task};
use crate::notation::{Needs, Notation};
use crate::replay::History;

use super::request::Export;
use super::rows::Rows;
use super::visitor::{RowVisitor, Scratch};

impl Task for Export {
    type Context = Scratch;
    type Part = Rows;
    type Visitor<'b> = RowVisitor<'b>;

    /// A game without a history has no texts in notations that require it; that is no fault.
    fn history(&self) -> History {
        let depends = |notation: &dyn Notation| {
            notation.needs_lineage() || notation.info().needs == Needs::Game
        };
        if self.notations().any(depends) { History::Optional } else { History::Ignored }
    }

    fn visitor<'b>(
        &'b self,
        _: &'b Settings,
        scratch: &'b mut Scratch,
        rows: &'b mut Rows,
    ) -> RowVisitor<'b> {
        RowVisitor::new(self, scratch, rows)
    }
}
