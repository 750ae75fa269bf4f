//! How games differ: the sums of squares from which standard errors follow, with games, events and players as
//! clusters, and how many games become shorter by how much.
//!
//! Input: the plies of a game and its groups; output: integers that add up, of the notations of `--notations main`.
//! Invariants: merging is exact and in any order; of a group a game has one term, however many of its plies are in
//! it. Memory: 280 bytes a group, 160 kB besides. Cost: some ten additions of eight numbers a ply.
//!
//! The formulas are in `tables/se.rs` and `tables/clusters.rs`.

mod changes;
mod clusters;
mod compared;
mod grids;
mod moments;

use pgnmill_state::state;

use crate::tables::groups::{MOVE_BAND_PLIES, PLIES_MAX};
use crate::tables::{Dimension, Dimensions};

use super::game::GameLengths;
use super::groups::Groups;
use super::labels::Labels;
use super::later::Folded;
use super::row::Row;
use super::sources::Sources;
use super::traits::{CELL_DIMENSIONS, CELLS_BY_INDEX, NAME_BITS_BY_PLACE, NAMES};
use changes::{Changes, EARLY_PLIES};
use clusters::RandomGroups;
use compared::Compared;
use moments::{GameSum, Moments};

pub use clusters::Clusters;
pub(super) use clusters::clusters_of;

/// How games differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Spread {
    keys: u32,
    /// All games.
    whole: Moments,
    by_ply: Vec<Moments>,
    by_move: Vec<Moments>,
    /// By name of the dimensions of cells.
    by_name: Vec<Moments>,
    groups: Groups<Moments>,
    sources: Sources<Moments>,
    changes: Changes,
    random: RandomGroups,
}

state!(Spread { keys, whole, by_ply, by_move, by_name, groups, sources, changes, random });

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
            random: RandomGroups::new(clusters),
        }
    }

    fn keys(&self) -> Dimensions {
        Dimensions::of_bits(self.keys)
    }

    /// Are they of the same dimensions and clusters?
    pub(super) fn is_like(&self, other: &Spread) -> bool {
        self.keys == other.keys
            && self.by_name.len() == other.by_name.len()
            && self.groups.is_like(&other.groups)
            && self.changes.is_like(&other.changes)
            && self.random.is_like(&other.random)
    }

    /// Resets the counts.
    pub(super) fn clear(&mut self) {
        *self = Spread::new(self.keys(), self.random.clusters());
    }

    /// Adds a valid game.
    pub(super) fn add(&mut self, game: &GameLengths, labels: &Labels) {
        if game.plies_count() == 0 {
            return;
        }
        let sums = self.sums_of_plies(game);
        let moments = Moments::of(&sums.whole);
        self.whole.add(&moments);
        self.groups.add(labels, &moments);
        self.random.add(&sums.whole, labels.clusters);
        self.changes.add(&sums.whole, &sums.early);
        for (moments, sum) in self.by_name.iter_mut().zip(&sums.names) {
            moments.add_game(sum);
        }
    }

    /// The sums of a game, those by ply and by move apart, which are added.
    fn sums_of_plies(&mut self, game: &GameLengths) -> GameSums {
        let (keys, compared) = (self.keys(), Compared::get());
        let (by_ply, by_move) = (keys.has(Dimension::Ply), keys.has(Dimension::Move));
        let mut sums = GameSums::default();
        let (mut band, mut later) = (GameSum::default(), GameSum::default());
        for (number, record) in game.records().iter().enumerate() {
            let lengths = compared.lengths(record);
            sums.whole.add_ply(&lengths);
            if number < EARLY_PLIES {
                sums.early.add_ply(&lengths);
            }
            if !self.by_name.is_empty() {
                let (_, bits) = CELLS_BY_INDEX[record.index()];
                let mut bits = bits | NAME_BITS_BY_PLACE[record.place()];
                while bits != 0 {
                    sums.names[bits.trailing_zeros() as usize].add_ply(&lengths);
                    bits &= bits - 1;
                }
            }
            if by_move {
                if number.is_multiple_of(MOVE_BAND_PLIES) && number <= PLIES_MAX && number > 0 {
                    at(&mut self.by_move, number / MOVE_BAND_PLIES - 1)
                        .add_game(&std::mem::take(&mut band));
                }
                band.add_ply(&lengths);
            }
            match number < PLIES_MAX {
                true if by_ply => at(&mut self.by_ply, number).add_game(&GameSum::of(&lengths)),
                true => {}
                false => later.add_ply(&lengths),
            }
        }
        if let Some(folded) = game.folded() {
            for sum in [&mut sums.whole, &mut band, &mut later] {
                sum.add(&compared.sum_of(folded.row()));
            }
            self.add_names_of(folded, &mut sums);
        }
        if by_move {
            let last = game.plies_count().min(PLIES_MAX + 1).saturating_sub(1) / MOVE_BAND_PLIES;
            at(&mut self.by_move, last).add_game(&band);
        }
        if by_ply && later.plies > 0 {
            at(&mut self.by_ply, PLIES_MAX).add_game(&later);
        }
        sums
    }

    /// Adds the folded plies of a very long game to the names of their cells.
    #[cold]
    fn add_names_of(&self, folded: &Folded, sums: &mut GameSums) {
        if self.by_name.is_empty() {
            return;
        }
        for dimension in &CELL_DIMENSIONS {
            for name in 0..dimension.names.len() {
                let row = folded.tally().margin(dimension, name);
                sums.names[dimension.name_index(name)].add(&Compared::get().sum_of(&row));
            }
        }
    }

    /// Adds what another counted of one archive, whose games are added already.
    pub(super) fn add_source(&mut self, name: &str, other: &Spread) {
        if self.keys().has(Dimension::Source) && other.whole.has_games() {
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
        self.random.merge(&other.random);
    }
}

/// The sums of a game.
#[derive(Default)]
struct GameSums {
    whole: GameSum,
    early: GameSum,
    names: [GameSum; NAMES],
}

/// The moments at a place, which is added if it is new.
fn at(all: &mut Vec<Moments>, place: usize) -> &mut Moments {
    if all.len() <= place {
        all.resize(place + 1, Moments::empty());
    }
    &mut all[place]
}
