//! How games differ: the sums of squares from which standard errors follow, with games, events and players as
//! clusters, and how many games become shorter by how much.
//!
//! Input: what a game is in each notation (`spread_of_game.rs`); output: integers that add up, of the notations of
//! `--notations main`. Invariant: merging is exact and in any order. Memory: 350 bytes a group, 200 kB besides, and 20
//! kB a group if events are clusters. Cost: one addition of some forty numbers per game and group.
//!
//! The formulas are in `tables/se.rs` and `tables/clusters.rs`.

mod changes;
mod clusters;
mod compared;
mod events;
mod grids;
mod moments;
mod ratios;

use pgnmill_state::state;

use crate::tables::{Dimension, Dimensions};

use super::groups::Groups;
use super::row::Row;
use super::sources::Sources;
use super::traits::NAMES;
use changes::Changes;
use clusters::RandomGroups;
use events::EventsByGroup;
use ratios::Ratios;

pub(super) use changes::EARLY_PLIES;
pub use clusters::Clusters;
pub(super) use compared::Compared;
pub(super) use moments::{GameSum, Moments};

/// How games differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Spread {
    keys: u32,
    /// All games.
    pub(super) whole: Moments,
    pub(super) by_ply: Vec<Moments>,
    pub(super) by_move: Vec<Moments>,
    /// By name of the dimensions of cells.
    pub(super) by_name: Vec<Moments>,
    pub(super) groups: Groups<Moments>,
    sources: Sources<Moments>,
    pub(super) changes: Changes,
    pub(super) ratios: Ratios,
    pub(super) random: RandomGroups,
    pub(super) events: EventsByGroup,
}

state!(Spread {
    keys,
    whole,
    by_ply,
    by_move,
    by_name,
    groups,
    sources,
    changes,
    ratios,
    random,
    events
});

impl Spread {
    /// Nothing counted yet.
    pub(super) fn new(keys: Dimensions, clusters: Clusters) -> Spread {
        let names = if keys.needs_cells() { NAMES } else { 0 };
        Spread {
            keys: keys.bits(),
            whole: Moments::empty(),
            by_ply: Vec::new(),
            by_move: Vec::new(),
            by_name: vec![Moments::empty(); names],
            groups: Groups::new(keys),
            sources: Sources::default(),
            changes: Changes::new(),
            ratios: Ratios::default(),
            random: RandomGroups::new(clusters),
            events: EventsByGroup::new(keys, clusters.has_events()),
        }
    }

    pub(super) fn keys(&self) -> Dimensions {
        Dimensions::of_bits(self.keys)
    }

    /// Are they of the same dimensions and clusters?
    pub(super) fn is_like(&self, other: &Spread) -> bool {
        self.keys == other.keys
            && self.by_name.len() == other.by_name.len()
            && self.groups.is_like(&other.groups)
            && self.changes.is_like(&other.changes)
            && self.random.is_like(&other.random)
            && self.events.is_like(&other.events)
    }

    /// Resets the counts.
    pub(super) fn clear(&mut self) {
        *self = Spread::new(self.keys(), self.random.clusters());
    }

    /// Adds what another counted of one archive, whose games are added already.
    pub(super) fn add_source(&mut self, name: &str, other: &Spread) {
        if self.keys().has(Dimension::Source) {
            self.sources.add(name, &other.whole);
        }
    }

    /// Adds what another counted, of the same dimensions.
    pub(super) fn merge(&mut self, other: &Spread) {
        self.whole.add(&other.whole);
        for (mine, theirs) in [
            (&mut self.by_ply, &other.by_ply),
            (&mut self.by_move, &other.by_move),
            (&mut self.by_name, &other.by_name),
        ] {
            theirs.iter().enumerate().for_each(|(place, sums)| at(mine, place).add(sums));
        }
        self.groups.merge(&other.groups);
        self.sources.merge(&other.sources);
        self.changes.merge(&other.changes);
        self.ratios.merge(&other.ratios);
        self.random.merge(&other.random);
        self.events.merge(&other.events);
    }
}

/// The moments at a place, which is added if it is new.
pub(super) fn at(all: &mut Vec<Moments>, place: usize) -> &mut Moments {
    if all.len() <= place {
        all.resize(place + 1, Moments::empty());
    }
    &mut all[place]
}
