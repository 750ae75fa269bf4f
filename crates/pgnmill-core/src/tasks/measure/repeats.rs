//! How many games of a run repeat the moves of another, for a warning: figures count each of them.
//!
//! Input: fingerprints of games of 20 plies and more, of all or of a sample that has all games with the same moves or
//! none; output: how many are not the first of their fingerprint.
//! The fingerprint is a hash of the shapes of the plies, not of the moves, which a measurement does not keep: games
//! with the same moves have the same one, and of different games hardly any. Memory: at most 262,144 fingerprints;
//! when there are more, every second one is left out, by its bits, so that the count becomes that of a sample, whatever
//! the order of the games. `pgnmill duplicates --same moves` is exact.
//!
//! ```
//! use pgnmill_core::tasks::measure::Repeats;
//! let mut repeats = Repeats::default();
//! repeats.add(&[3, 5, 3]);
//! assert_eq!((repeats.games(), repeats.repeated()), (3, 1));
//! ```

use std::collections::HashMap;

use pgnmill_state::state;

/// The most fingerprints that are kept.
const KEPT_MAX: usize = 1 << 18;
/// Of large archives one game in so many is compared.
pub const ONE_IN: u64 = 16;
/// Shorter games are not compared: many are alike by chance.
pub(super) const PLIES_MIN: usize = 20;

/// The fingerprints of games and how often each occurs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Repeats {
    /// Are they of a sample already?
    sampled: bool,
    /// Fingerprints that end with so many zeros are kept.
    zeros: u32,
    counts: HashMap<u64, u32>,
}

state!(Repeats { sampled, zeros, counts });

impl Repeats {
    /// Of all games, or of a sample of them.
    pub fn of(one_in: u64) -> Repeats {
        Repeats { sampled: one_in > 1, ..Repeats::default() }
    }

    /// Adds the fingerprints of games.
    pub fn add(&mut self, fingerprints: &[u64]) {
        for &fingerprint in fingerprints {
            if fingerprint.trailing_zeros() < self.zeros {
                continue;
            }
            let count = self.counts.entry(fingerprint).or_default();
            *count = count.saturating_add(1);
            while self.counts.len() > KEPT_MAX {
                self.zeros = self.zeros.saturating_add(1);
                let zeros = self.zeros;
                self.counts.retain(|fingerprint, _| fingerprint.trailing_zeros() >= zeros);
            }
        }
    }

    /// Is it a sample of the games?
    pub fn is_sample(&self) -> bool {
        self.sampled || self.zeros > 0
    }

    /// The games that are compared.
    pub fn games(&self) -> u64 {
        self.counts.values().map(|&count| u64::from(count)).sum()
    }

    /// Those of them that repeat another.
    pub fn repeated(&self) -> u64 {
        self.counts.values().map(|&count| u64::from(count.saturating_sub(1))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::share::mixed;

    /// However many games there are, the share is right, and the order does not matter.
    #[test]
    fn the_share_of_a_sample_is_that_of_all() {
        let games: Vec<u64> = (0..3 * KEPT_MAX as u64).map(|game| mixed(game * 9 / 10)).collect();
        let (mut forth, mut back) = (Repeats::default(), Repeats::default());
        games.chunks(1_000).for_each(|games| forth.add(games));
        games.iter().rev().for_each(|&game| back.add(&[game]));
        assert_eq!(forth, back);
        assert!(forth.is_sample() && forth.counts.len() <= KEPT_MAX);
        let share = forth.repeated() as f64 / forth.games() as f64;
        assert!((share - 0.1).abs() < 0.005, "{share}");
        let mut few = Repeats::default();
        few.add(&games[..1_000]);
        assert!(!few.is_sample());
        assert_eq!((few.games(), few.repeated()), (1_000, 100));
    }
}
