//! Random groups of events and of players; see `tables/clusters.rs`.
//!
//! Input: tag pairs and what a game is in each notation; output: sums by random group. Invariant: the group of a name
//! is the same on all machines and in all versions.

use std::fmt;

use pgnmill_state::state;

use crate::pgn::{Tag, TagValues};
use crate::select::share::{mixed, with};
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

/// The random groups of the event and of both players of a game.
pub(in super::super) fn clusters_of(tags: TagValues<'_>) -> [u8; 3] {
    let year = tags.year_and_month().map_or(0, |(year, _)| year as u64);
    let event = tags.known_text(Tag::Event).or_else(|| tags.known_text(Tag::Site));
    [
        group(event.as_deref(), year),
        group(tags.known_text(Tag::White).as_deref(), 0),
        group(tags.known_text(Tag::Black).as_deref(), 0),
    ]
}

/// The group of a name. Games without one are one cluster.
fn group(name: Option<&[u8]>, year: u64) -> u8 {
    let hash = name.unwrap_or_default().iter().fold(year, |hash, &byte| with(hash, byte.into()));
    // The number of groups is a power of two.
    (mixed(hash) % CLUSTERS as u64) as u8
}

/// The sums of a random group.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct RandomGroup {
    pub(super) games: u64,
    pub(super) plies: u64,
    pub(super) characters: Numbers,
}

state!(RandomGroup { games, plies, characters });

impl RandomGroup {
    fn add(&mut self, other: &RandomGroup) {
        self.games += other.games;
        self.plies += other.plies;
        self.characters.iter_mut().zip(other.characters).for_each(|(sum, more)| *sum += more);
    }
}

/// The random groups, by kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RandomGroups {
    kinds: [Vec<RandomGroup>; KINDS.len()],
}

state!(RandomGroups { kinds });

impl RandomGroups {
    pub(super) fn new(clusters: Clusters) -> RandomGroups {
        let groups =
            |is_one| if is_one { vec![RandomGroup::default(); CLUSTERS] } else { Vec::new() };
        RandomGroups { kinds: clusters.kinds.map(groups) }
    }

    /// What was requested.
    pub(super) fn clusters(&self) -> Clusters {
        Clusters { games: true, kinds: self.kinds.each_ref().map(|groups| !groups.is_empty()) }
    }

    pub(super) fn is_like(&self, other: &RandomGroups) -> bool {
        self.kinds.iter().map(Vec::len).eq(other.kinds.iter().map(Vec::len))
    }

    /// Adds a game to the groups of its event and of its players.
    pub(super) fn add(&mut self, game: &GameSum, [event, white, black]: [u8; 3]) {
        let &GameSum { plies, characters } = game;
        let sum = RandomGroup { games: 1, plies, characters };
        let [events, players] = &mut self.kinds;
        for (groups, group) in [(events, event), (players, white)] {
            groups.get_mut(usize::from(group)).into_iter().for_each(|group| group.add(&sum));
        }
        let other = self.kinds[1].get_mut(usize::from(black));
        other.into_iter().for_each(|group| group.add(&sum));
    }

    pub(super) fn merge(&mut self, other: &RandomGroups) {
        for (mine, theirs) in self.kinds.iter_mut().zip(&other.kinds) {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| mine.add(theirs));
        }
    }

    /// The groups that have a game: kind, number, sums.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, usize, &RandomGroup)> {
        let kinds = KINDS.into_iter().zip(&self.kinds);
        let groups = kinds.flat_map(|(kind, groups)| {
            groups.iter().enumerate().map(move |(number, group)| (kind, number, group))
        });
        groups.filter(|(.., group)| group.games > 0)
    }
}
