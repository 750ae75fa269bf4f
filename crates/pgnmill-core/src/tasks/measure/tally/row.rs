//! What groups and archives have: numbers that add up.

use std::fmt::Debug;

use pgnmill_state::State;

use super::layout::{CostRow, EMPTY_ROW, GAMES, add};

/// Numbers that add up.
pub(super) trait Row: Clone + PartialEq + Eq + Debug + State {
    /// Of nothing.
    fn empty() -> Self;

    /// Adds others.
    fn add(&mut self, other: &Self);

    /// Has a game been added?
    fn has_games(&self) -> bool;
}

impl Row for CostRow {
    fn empty() -> CostRow {
        EMPTY_ROW
    }

    fn add(&mut self, other: &CostRow) {
        add(&mut self[..], other);
    }

    fn has_games(&self) -> bool {
        self[GAMES] > 0
    }
}
