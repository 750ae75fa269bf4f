//! Sums of the ratios of single games, in millionths; see `tables/ratios.rs`.
//!
//! Input: what a game is in each notation; output: integers that add up. Cost: three divisions per game and notation.

use pgnmill_state::state;

use crate::tables::ratios::millionths;

use super::moments::{GameSum, LETTERS, Numbers, SAN};

/// Sums over games that have a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in super::super) struct Ratios {
    games: u64,
    per_ply: Numbers,
    vs_san: Numbers,
    vs_letters: Numbers,
}

state!(Ratios { games, per_ply, vs_san, vs_letters });

impl Ratios {
    /// Adds a game that has a ply.
    pub(in super::super) fn add(&mut self, game: &GameSum) {
        let &GameSum { plies, characters } = game;
        let of = |below: u64| characters.map(|above| millionths(above, below));
        self.merge(&Ratios {
            games: 1,
            per_ply: of(plies),
            vs_san: of(characters[SAN]),
            vs_letters: of(characters[LETTERS]),
        });
    }

    pub(in super::super) fn merge(&mut self, other: &Ratios) {
        self.games = self.games.saturating_add(other.games);
        for (sums, more) in [
            (&mut self.per_ply, other.per_ply),
            (&mut self.vs_san, other.vs_san),
            (&mut self.vs_letters, other.vs_letters),
        ] {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.saturating_add(more));
        }
    }

    /// The integers of a row: of the notation at this place.
    pub(in super::super) fn sums(&self, at: usize) -> [u64; 4] {
        [self.games, self.per_ply[at], self.vs_san[at], self.vs_letters[at]]
    }
}
