//! The plies of a game in each group, added to the spread of games.
//!
//! Input: the plies of a game and its groups; output: its terms in [`Spread`]. Invariant: of a group a game has one
//! term, however many of its plies are in it. Cost: some ten additions of eight numbers a ply.

use crate::tables::Dimension;
use crate::tables::groups::{MOVE_BAND_PLIES, PLIES_MAX};

use super::game::GameLengths;
use super::labels::Labels;
use super::later::Folded;
use super::row::Row;
use super::spread::{Compared, EARLY_PLIES, GameSum, Moments, Spread, at};
use super::traits::{CELL_DIMENSIONS, CELLS_BY_INDEX, NAME_BITS_BY_PLACE, NAMES};

impl Spread {
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
        self.ratios.add(&sums.whole);
        self.events.add(&sums.whole, &sums.names, labels);
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
}

/// The sums of a game.
#[derive(Default)]
struct GameSums {
    whole: GameSum,
    early: GameSum,
    names: [GameSum; NAMES],
}
