//! Random groups of events and of players; see `tables/clusters.rs`.
//!
//! Input: what a game is in each notation, and its groups; output: sums by random group.

use std::fmt;

use pgnmill_state::state;

use crate::tables::clusters::{CLUSTERS, KINDS};

use super::moments::{GameSum, Numbers};

/// What is taken for a cluster, besides games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clusters {
    /// Games, at least.
    games: bool,
    kinds: [bool; KINDS.len()],
}

impl Clusters {
    /// The kinds with these names: `game`, `event`, `player`.
    ///
    /// # Errors
    /// The first name that is none of them.
    pub fn parse(names: &[String]) -> Result<Clusters, &str> {
        let mut clusters = Clusters { games: !names.is_empty(), kinds: [false; KINDS.len()] };
        for name in names {
            match KINDS.iter().position(|kind| kind == name) {
                Some(kind) => clusters.kinds[kind] = true,
                None if name == "game" => {}
                None => return Err(name),
            }
        }
        Ok(clusters)
    }

    /// Is nothing requested?
    pub fn is_empty(self) -> bool {
        !self.games
    }

    /// Are events requested?
    pub fn has_events(self) -> bool {
        let [events, _players] = self.kinds;
        events
    }

    /// Are events or players requested?
    pub fn has_random_groups(self) -> bool {
        self.kinds.contains(&true)
    }
}

impl fmt::Display for Clusters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = KINDS.iter().zip(self.kinds).filter(|(_, is_one)| *is_one);
        let names: Vec<&str> = ["game"]
            .into_iter()
            .filter(|_| self.games)
            .chain(kinds.map(|(name, _)| *name))
            .collect();
        f.write_str(&names.join(","))
    }
}

/// The sums of a random group.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in super::super) struct RandomGroup {
    pub(in super::super) games: u64,
    pub(in super::super) plies: u64,
    pub(in super::super) characters: Numbers,
}

state!(RandomGroup { games, plies, characters });

impl RandomGroup {
    /// Of one game.
    pub(super) fn of(&GameSum { plies, characters }: &GameSum) -> RandomGroup {
        RandomGroup { games: 1, plies, characters }
    }

    pub(super) fn add(&mut self, other: &RandomGroup) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.games, other.games);
        add(&mut self.plies, other.plies);
        self.characters.iter_mut().zip(other.characters).for_each(|(sum, more)| add(sum, more));
    }
}

/// The random groups, by kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct RandomGroups {
    kinds: [Vec<RandomGroup>; KINDS.len()],
}

state!(RandomGroups { kinds });

impl RandomGroups {
    pub(in super::super) fn new(clusters: Clusters) -> RandomGroups {
        let groups =
            |is_one| if is_one { vec![RandomGroup::default(); CLUSTERS] } else { Vec::new() };
        RandomGroups { kinds: clusters.kinds.map(groups) }
    }

    /// What was requested.
    pub(in super::super) fn clusters(&self) -> Clusters {
        Clusters { games: true, kinds: self.kinds.each_ref().map(|groups| !groups.is_empty()) }
    }

    pub(in super::super) fn is_like(&self, other: &RandomGroups) -> bool {
        self.kinds.iter().map(Vec::len).eq(other.kinds.iter().map(Vec::len))
    }

    /// Adds a game to the groups of its event and of its players.
    pub(in super::super) fn add(&mut self, game: &GameSum, [event, white, black]: [u8; 3]) {
        let sum = RandomGroup::of(game);
        let [events, players] = &mut self.kinds;
        for (groups, group) in [(events, event), (players, white)] {
            groups.get_mut(usize::from(group)).into_iter().for_each(|group| group.add(&sum));
        }
        let other = self.kinds[1].get_mut(usize::from(black));
        other.into_iter().for_each(|group| group.add(&sum));
    }

    pub(in super::super) fn merge(&mut self, other: &RandomGroups) {
        for (mine, theirs) in self.kinds.iter_mut().zip(&other.kinds) {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| mine.add(theirs));
        }
    }

    /// The groups that have a game: kind, number, sums.
    pub(in super::super) fn iter(
        &self,
    ) -> impl Iterator<Item = (&'static str, usize, &RandomGroup)> {
        let kinds = KINDS.into_iter().zip(&self.kinds);
        let groups = kinds.flat_map(|(kind, groups)| {
            groups.iter().enumerate().map(move |(number, group)| (kind, number, group))
        });
        groups.filter(|(.., group)| group.games > 0)
    }
}
