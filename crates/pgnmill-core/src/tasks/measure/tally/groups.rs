//! Rows by group, for the requested dimensions of games.
//!
//! Input: the row of a game and its labels; output: the groups with their rows. Allocates only for a new group. Cost:
//! one look-up and one addition of rows per game and dimension.

use std::collections::BTreeMap;

use pgnmill_state::{Loader, State};

use crate::tables::groups::name_of;
use crate::tables::{Dimension, Dimensions};

use super::labels::{GAME_KEYS, Labels};
use super::row::Row;

/// The index of a dimension among those of games, and its groups.
type GroupsOf<R> = (usize, BTreeMap<u32, Box<R>>);

/// Rows by group, for each dimension.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Groups<R>(Vec<GroupsOf<R>>);

fn row<R: Row>(groups: &mut BTreeMap<u32, Box<R>>, code: u32) -> &mut R {
    groups.entry(code).or_insert_with(|| Box::new(R::empty()))
}

impl<R: Row> State for Groups<R> {
    fn save(&self, out: &mut Vec<u8>) {
        self.0.save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<Self> {
        from.value().map(Groups)
    }
}

impl<R: Row> Groups<R> {
    /// Are they of the same dimensions?
    pub(super) fn is_like(&self, other: &Groups<R>) -> bool {
        self.0.iter().map(|(place, _)| place).eq(other.0.iter().map(|(place, _)| place))
    }

    pub(super) fn new(keys: Dimensions) -> Groups<R> {
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
            **row = R::empty();
        }
    }

    /// Adds a game.
    pub(super) fn add(&mut self, labels: &Labels, game: &R) {
        for (place, groups) in &mut self.0 {
            row(groups, labels.code(*place)).add(game);
        }
    }

    /// The row of each group of a game.
    pub(super) fn each(&mut self, labels: &Labels, mut to: impl FnMut(&mut R)) {
        for (place, groups) in &mut self.0 {
            to(row(groups, labels.code(*place)));
        }
    }

    /// Adds the groups of another, which has the same dimensions.
    pub(super) fn merge(&mut self, other: &Groups<R>) {
        for ((_, mine), (_, theirs)) in self.0.iter_mut().zip(&other.0) {
            for (&code, sums) in theirs.iter().filter(|(_, sums)| sums.has_games()) {
                row(mine, code).add(sums);
            }
        }
    }

    /// The groups of a dimension by name.
    pub(super) fn of(&self, key: Dimension) -> Vec<(String, R)> {
        let dimension = self.0.iter().find(|(place, _)| GAME_KEYS[*place] == key);
        let groups = dimension.into_iter().flat_map(|(_, groups)| groups);
        groups.map(|(&code, row)| (name_of(key, code), (**row).clone())).collect()
    }
}
