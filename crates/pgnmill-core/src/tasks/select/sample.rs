//! A random sample of games: the same for any number of threads.
//!
//! In: a seed, and the games of all archives in order. Out: the `n` games whose hashes of seed, archive and number are
//! the smallest. Every set of `n` games is equally likely, as far as the hash is random. Cost: a heap of `n` games.

use std::collections::{BinaryHeap, HashSet};

use crate::select::share::mixed;

/// The index of an archive among the inputs, and the number of a game in it, both from 0.
pub type SampledGame = (u32, u64);

/// Takes the games with the smallest hashes.
#[derive(Debug)]
pub struct Sample {
    seed: u64,
    games_max: usize,
    /// The largest hash is on top.
    kept: BinaryHeap<(u64, SampledGame)>,
}

impl Sample {
    /// A sample of `games_max` games.
    pub fn new(games_max: usize, seed: u64) -> Sample {
        Sample { seed, games_max, kept: BinaryHeap::new() }
    }

    /// Adds a game.
    pub fn add(&mut self, game: SampledGame) {
        let hash = mixed(mixed(mixed(self.seed) ^ u64::from(game.0)) ^ game.1);
        if self.kept.len() < self.games_max {
            self.kept.push((hash, game));
        } else if self.kept.peek().is_some_and(|largest| (hash, game) < *largest) {
            self.kept.pop();
            self.kept.push((hash, game));
        }
    }

    /// The games of the sample.
    pub fn into_games(self) -> HashSet<SampledGame> {
        self.kept.into_iter().map(|(_, game)| game).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_the_requested_size_and_does_not_depend_on_the_order() {
        let games = |reverse: bool| {
            let mut sample = Sample::new(10, 7);
            let mut all: Vec<SampledGame> =
                (0..3).flat_map(|a| (0..50).map(move |n| (a, n))).collect();
            if reverse {
                all.reverse();
            }
            all.into_iter().for_each(|game| sample.add(game));
            sample.into_games()
        };
        assert_eq!(games(false).len(), 10);
        assert_eq!(games(false), games(true));
        assert_eq!(Sample::new(0, 1).into_games().len(), 0);
    }

    /// Each of ten games is in about half of the samples of five, and each pair in about two ninths.
    #[test]
    fn samples_are_uniform() {
        let mut single = [0_u32; 10];
        let mut pairs = 0_u32;
        for seed in 0..9_000 {
            let mut sample = Sample::new(5, seed);
            (0..10).for_each(|number| sample.add((0, number)));
            let games = sample.into_games();
            assert_eq!(games.len(), 5);
            games.iter().for_each(|game| single[game.1 as usize] += 1);
            pairs += u32::from(games.contains(&(0, 3)) && games.contains(&(0, 4)));
        }
        assert!(single.iter().all(|&count| (4_300..4_700).contains(&count)), "{single:?}");
        assert!((1_850..2_150).contains(&pairs), "{pairs}");
    }
}
