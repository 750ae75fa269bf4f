//! Sums, squares and products over games.
//!
//! Input: what a game is in each of the notations that are compared; output: integers that add up. No sum is too large
//! for 64 bits: a game has fewer than 2^24 characters, and so many games that the sum of squares is, more than
//! 2^40 bytes; a sum that would be too large stays the largest number.

use pgnmill_state::state;

use super::super::row::Row;
use super::compared::{COMPARED, LETTERS, SAN};

/// Numbers of the notations that are compared.
pub(super) type Numbers = [u64; COMPARED];

/// Plies of one game, and their characters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameSum {
    pub(super) plies: u64,
    pub(super) characters: Numbers,
}

impl GameSum {
    /// Of one ply.
    pub(super) fn of(lengths: &[u8; COMPARED]) -> GameSum {
        GameSum { plies: 1, characters: lengths.map(u64::from) }
    }

    #[inline(always)]
    pub(super) fn add_ply(&mut self, lengths: &[u8; COMPARED]) {
        self.plies += 1;
        for (sum, &length) in self.characters.iter_mut().zip(lengths) {
            *sum += u64::from(length);
        }
    }

    pub(super) fn add(&mut self, other: &GameSum) {
        self.plies += other.plies;
        for (sum, more) in self.characters.iter_mut().zip(other.characters) {
            *sum += more;
        }
    }

    /// What is left without a part.
    pub(super) fn without(&self, part: &GameSum) -> GameSum {
        let mut characters = self.characters;
        characters.iter_mut().zip(part.characters).for_each(|(sum, less)| *sum -= less);
        GameSum { plies: self.plies - part.plies, characters }
    }
}

/// Sums over games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Moments {
    pub(super) games: u64,
    pub(super) plies: u64,
    pub(super) plies_squared: u64,
    pub(super) characters: Numbers,
    pub(super) times_plies: Numbers,
    pub(super) squared: Numbers,
    pub(super) times_san: Numbers,
    pub(super) times_letters: Numbers,
}

state!(Moments {
    games,
    plies,
    plies_squared,
    characters,
    times_plies,
    squared,
    times_san,
    times_letters
});

impl Moments {
    /// Of one game.
    pub(super) fn of(game: &GameSum) -> Moments {
        let &GameSum { plies, characters } = game;
        let times = |other: u64| characters.map(|own| own.saturating_mul(other));
        Moments {
            games: u64::from(plies > 0),
            plies,
            plies_squared: plies.saturating_mul(plies),
            characters,
            times_plies: times(plies),
            squared: characters.map(|own| own.saturating_mul(own)),
            times_san: times(characters[SAN]),
            times_letters: times(characters[LETTERS]),
        }
    }

    /// Adds a game, if it has a ply.
    pub(super) fn add_game(&mut self, game: &GameSum) {
        if game.plies > 0 {
            self.add(&Moments::of(game));
        }
    }
}

impl Row for Moments {
    fn empty() -> Moments {
        Moments::of(&GameSum::default())
    }

    fn add(&mut self, other: &Moments) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.games, other.games);
        add(&mut self.plies, other.plies);
        add(&mut self.plies_squared, other.plies_squared);
        for (sums, more) in [
            (&mut self.characters, other.characters),
            (&mut self.times_plies, other.times_plies),
            (&mut self.squared, other.squared),
            (&mut self.times_san, other.times_san),
            (&mut self.times_letters, other.times_letters),
        ] {
            sums.iter_mut().zip(more).for_each(|(sum, more)| add(sum, more));
        }
    }

    fn has_games(&self) -> bool {
        self.games > 0
    }
}
