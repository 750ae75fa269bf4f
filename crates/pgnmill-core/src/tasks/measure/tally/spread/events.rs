//! Random groups of events within the groups of dimensions; see `tables/clusters_by.rs`.
//!
//! Input: what a game is in each notation, in each of its groups, and the random group of its event; output: sums by
//! group and random group. Memory: 20 kB for each group that has a game, of some hundred. Cost: one addition of ten
//! numbers per game and group.

use pgnmill_state::{Loader, State, state};

use crate::tables::clusters::CLUSTERS;
use crate::tables::{Dimension, Dimensions};

use super::super::groups::Groups;
use super::super::labels::Labels;
use super::super::row::Row;
use super::super::traits::{CELL_DIMENSIONS, NAMES};
use super::clusters::RandomGroup;
use super::moments::GameSum;

/// The sums by random group of events; none if it has no game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Events(Vec<RandomGroup>);

impl State for Events {
    fn save(&self, out: &mut Vec<u8>) {
        self.0.save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<Self> {
        let groups: Vec<RandomGroup> = from.value()?;
        [0, CLUSTERS].contains(&groups.len()).then_some(Events(groups))
    }
}

impl Row for Events {
    fn empty() -> Events {
        Events(Vec::new())
    }

    fn add(&mut self, other: &Events) {
        if !other.0.is_empty() {
            self.0.resize(CLUSTERS, RandomGroup::default());
        }
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| mine.add(theirs));
    }

    fn has_games(&self) -> bool {
        !self.0.is_empty()
    }
}

impl Events {
    /// Adds a game, if it has a ply.
    fn add_game(&mut self, game: &GameSum, event: u8) {
        if game.plies > 0 {
            self.0.resize(CLUSTERS, RandomGroup::default());
            self.0[usize::from(event)].add(&RandomGroup::of(game));
        }
    }

    /// The random groups that have a game: number, sums.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &RandomGroup)> {
        self.0.iter().enumerate().filter(|(_, group)| group.games > 0)
    }
}

/// The sums of all groups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct EventsByGroup {
    /// By name of the dimensions of cells.
    by_name: Vec<Events>,
    groups: Groups<Events>,
}

state!(EventsByGroup { by_name, groups });

impl EventsByGroup {
    /// Nothing counted yet; of these dimensions as far as they have few groups, if events are clusters.
    pub(super) fn new(keys: Dimensions, has_events: bool) -> EventsByGroup {
        let keys: Dimensions = keys.iter().filter(|key| has_events && key.has_clusters()).collect();
        let names = if keys.needs_cells() { NAMES } else { 0 };
        EventsByGroup { by_name: vec![Events::empty(); names], groups: Groups::new(keys) }
    }

    pub(super) fn is_like(&self, other: &EventsByGroup) -> bool {
        self.by_name.len() == other.by_name.len() && self.groups.is_like(&other.groups)
    }

    /// Adds a game, of which these are the sums in all groups of games and in each name of cells.
    pub(in super::super) fn add(&mut self, game: &GameSum, names: &[GameSum], labels: &Labels) {
        let [event, ..] = labels.clusters;
        self.groups.each(labels, |events| events.add_game(game, event));
        for (events, sum) in self.by_name.iter_mut().zip(names) {
            events.add_game(sum, event);
        }
    }

    pub(super) fn merge(&mut self, other: &EventsByGroup) {
        for (mine, theirs) in self.by_name.iter_mut().zip(&other.by_name) {
            mine.add(theirs);
        }
        self.groups.merge(&other.groups);
    }

    /// The groups of a dimension by name.
    pub(super) fn of(&self, dimension: Dimension) -> Vec<(String, Events)> {
        if let Some(cells) = CELL_DIMENSIONS.iter().find(|cells| cells.key == dimension) {
            let names = cells.names.iter().enumerate();
            let of = |name| self.by_name.get(cells.name_index(name)).cloned();
            let named = |(name, label): (usize, &&str)| Some((label.to_string(), of(name)?));
            return names.filter_map(named).collect();
        }
        self.groups.of(dimension)
    }
}
