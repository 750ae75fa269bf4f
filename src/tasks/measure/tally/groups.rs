//! Rows by group, for the dimensions of games that were asked for.
//!
//! What enters are the row of a game and its labels; what leaves are the groups with their rows. Allocates only where a
//! group appears for the first time. Cost: one look-up and one addition of rows a game and dimension.

use std::collections::BTreeMap;

use crate::tables::groups::name_of;
use crate::tables::{Dimension, Dimensions};

use super::labels::{GAME_KEYS, Labels};
use super::layout::{CostRow, EMPTY_ROW, GAMES, add};

/// One dimension's place among those of games, and its groups.
type GroupsOf = (usize, BTreeMap<u32, Box<CostRow>>);

/// Rows by group, for each dimension.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Groups(Vec<GroupsOf>);

fn row(groups: &mut BTreeMap<u32, Box<CostRow>>, code: u32) -> &mut CostRow {
    groups.entry(code).or_insert_with(|| Box::new(EMPTY_ROW))
}

impl Groups {
    pub(super) fn new(keys: Dimensions) -> Groups {
        let asked = GAME_KEYS.iter().enumerate().filter(|(_, key)| keys.has(**key));
        Groups(asked.map(|(place, _)| (place, BTreeMap::new())).collect())
    }

    /// Was any dimension of games asked for?
    pub(super) fn any(&self) -> bool {
        !self.0.is_empty()
    }

    /// Forgets everything but the memory.
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
