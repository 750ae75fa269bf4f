//! Rows by group, for the requested dimensions of games.
//!
//! Input: the row of a game and its labels; output: the groups with their rows. Allocates only for a new group. Cost:
//! one look-up and one addition of rows per game and dimension.

use std::collections::BTreeMap;

use pgnmill_state::state;

use crate::tables::groups::name_of;
use crate::tables::{Dimension, Dimensions};

use super::labels::{GAME_KEYS, Labels};
use super::layout::{CostRow, EMPTY_ROW, GAMES, add};

/// The index of a dimension among those of games, and its groups.
type GroupsOf = (usize, BTreeMap<u32, Box<CostRow>>);

/// Rows by group, for each dimension.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Groups(Vec<GroupsOf>);

fn row(groups: &mut BTreeMap<u32, Box<CostRow>>, code: u32) -> &mut CostRow {
    groups.entry(code).or_insert_with(|| Box::new(EMPTY_ROW))
}

state!(Groups = rows);

impl Groups {
    /// Are they of the same dimensions?
    pub(super) fn is_like(&self, other: &Groups) -> bool {
        self.0.iter().map(|(place, _)| place).eq(other.0.iter().map(|(place, _)| place))
    }

    pub(super) fn new(keys: Dimensions) -> Groups {
        let requested = GAME_KEYS.iter().enumerate().filter(|(_, key)| keys.has(**key));
        Groups(requested.map(|(place, _)| (place, BTreeMap::new())).collect())
    }

    /// Is any dimension of games requested?
    pub(super) fn any(&self) -> bool {
        !self.0.is_empty()
    }

    /// Resets the counts; keeps the memory.
    pub(super) fn clear(&mut self) {
        for row in self.0.iter_mut().flat_map(|(_, groups)| groups.values_mut()) {
            row.fill(0);
        }
    }

    /// Adds a game.
    pub(super) fn add(&mut self, labels: &Labels, game: &CostRow) {
        for (place, groups) in &mut self.0 {
            add(row(groups, labels.code(*place)), game);
        }
    }

    /// Adds the groups of another, which has the same dimensions.
    pub(super) fn merge(&mut self, other: &Groups) {
        for ((_, mine), (_, theirs)) in self.0.iter_mut().zip(&other.0) {
            for (&code, sums) in theirs.iter().filter(|(_, sums)| sums[GAMES] > 0) {
                add(row(mine, code), &sums[..]);
            }
        }
    }

    /// The groups of a dimension by name.
    pub(super) fn of(&self, key: Dimension) -> Vec<(String, CostRow)> {
        let dimension = self.0.iter().find(|(place, _)| GAME_KEYS[*place] == key);
        let groups = dimension.into_iter().flat_map(|(_, groups)| groups);
        groups.map(|(&code, row)| (name_of(key, code), **row)).collect()
    }
}
