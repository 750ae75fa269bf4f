//! Sums, squares and products over games.
//!
//! Input: what a game is in each of the notations that are compared; output: integers that add up. No sum is too large
//! for 64 bits: a game has fewer than 2^25 characters, and so many games that the sum of squares is, more than
//! 2^38 bytes; a sum that would be too large stays the largest number, which `merge` refuses to add to.

use pgnmill_state::state;

use crate::notation::MAIN;

use super::super::row::Row;

/// How many notations are compared.
pub(in super::super) const COMPARED: usize = MAIN.len();
/// The places of the bases among them.
pub(in super::super) const SAN: usize = 0;
pub(in super::super) const LETTERS: usize = 3;

/// Numbers of the notations that are compared.
pub(in super::super) type Numbers = [u64; COMPARED];

/// Plies of one game, and their characters.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct GameSum {
    pub(in super::super) plies: u64,
    pub(in super::super) characters: Numbers,
}

impl GameSum {
    /// Of one ply.
    pub(in super::super) fn of(lengths: &[u8; COMPARED]) -> GameSum {
        GameSum { plies: 1, characters: lengths.map(u64::from) }
    }

    #[inline(always)]
    pub(in super::super) fn add_ply(&mut self, lengths: &[u8; COMPARED]) {
        self.plies += 1;
        for (sum, &length) in self.characters.iter_mut().zip(lengths) {
            *sum += u64::from(length);
        }
    }

    pub(in super::super) fn add(&mut self, other: &GameSum) {
        self.plies += other.plies;
        for (sum, more) in self.characters.iter_mut().zip(other.characters) {
            *sum += more;
        }
    }

    /// What is left without a part.
    pub(in super::super) fn without(&self, part: &GameSum) -> GameSum {
        let mut characters = self.characters;
        characters.iter_mut().zip(part.characters).for_each(|(sum, less)| *sum -= less);
        GameSum { plies: self.plies - part.plies, characters }
    }
}

/// Sums over games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Moments {
    pub(in super::super) games: u64,
    pub(in super::super) plies: u64,
    pub(in super::super) plies_squared: u64,
    pub(in super::super) characters: Numbers,
    pub(in super::super) times_plies: Numbers,
    pub(in super::super) squared: Numbers,
    pub(in super::super) times_san: Numbers,
    pub(in super::super) times_letters: Numbers,
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
    pub(in super::super) fn of(game: &GameSum) -> Moments {
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
    pub(in super::super) fn add_game(&mut self, game: &GameSum) {
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
