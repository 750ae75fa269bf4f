//! How often the texts of the free notations have each length: one counter for two notations.
//!
//! Input: the lengths of a ply's texts, eight in a machine word; output: histograms, each of one notation and of the
//! one two places after it: half as many counters, and they give how often the two lengths differ. Invariant: no such
//! text has more than [`LENGTH_MAX`] characters; a test checks the registry.

use pgnmill_state::state;

use super::layout::{FREE_COLUMNS, Free, add_all};

/// The longest text, in characters.
pub(super) const LENGTH_MAX: usize = 15;
/// Notations in a word that come first in a pair.
const FIRSTS: [usize; 4] = [0, 1, 4, 5];
/// How far the second of a pair is from its first.
const APART: usize = 2;

/// The free notation of which translations are shorter: English descriptive.
const ENGLISH: usize = 2;

/// The counts of all pairs: by the first's length, and sixteen times the second's; then those of English descriptive:
/// by the length, and sixteen times by how much a translation is shorter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pairs(Vec<[u64; 256]>);

state!(Pairs = counts);

impl Pairs {
    /// Are there as many pairs?
    pub(super) fn is_like(&self, other: &Pairs) -> bool {
        self.0.len() == other.0.len()
    }

    pub(super) fn new() -> Pairs {
        Pairs(vec![[0; 256]; FREE_COLUMNS / 2 + 1])
    }

    pub(super) fn clear(&mut self) {
        self.0.fill([0; 256]);
    }

    /// Counts the lengths of a ply's texts; a translation of English descriptive is shorter by `shorter`, below 16.
    #[inline(always)]
    pub(super) fn count(&mut self, free: Free, shorter: u8) {
        // Both lengths are constant, so that the loop is always unrolled.
        let Some(all) = self.0.first_chunk_mut::<{ FREE_COLUMNS / 2 + 1 }>() else {
            return;
        };
        if free[ENGLISH] != 0 {
            all[FREE_COLUMNS / 2][usize::from(free[ENGLISH] & 15 | shorter << 4)] += 1;
        }
        for (pairs, word) in all.as_chunks_mut::<4>().0.iter_mut().zip(free.as_chunks::<8>().0) {
            let word = u64::from_le_bytes(*word);
            let both = word | word >> 12;
            let mut count = |pair: usize| {
                pairs[pair][usize::from((both >> (8 * FIRSTS[pair])) as u8)] += 1;
            };
            // A half that is 0 is of notations that are not measured; their counters are never read.
            if word as u32 != 0 {
                (0..2).for_each(&mut count);
            }
            if word >> 32 != 0 {
                (2..4).for_each(&mut count);
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Pairs) {
        add_all(&mut self.0, &other.0);
    }

    /// The pair of the free notation at this place, and whether it is the second of it.
    fn pair(place: usize) -> (usize, bool) {
        let is_second = place / APART % 2 == 1;
        let first = place - if is_second { APART } else { 0 };
        (first / 8 * 4 + first % 8 / 4 * 2 + first % 2, is_second)
    }

    /// How many texts of the free notation at this place have each length.
    pub(super) fn lengths(&self, place: usize) -> [u64; LENGTH_MAX + 1] {
        let (pair, is_second) = Pairs::pair(place);
        let mut lengths = [0; LENGTH_MAX + 1];
        for (number, plies) in self.0[pair].iter().enumerate() {
            lengths[if is_second { number / 16 } else { number % 16 }] += plies;
        }
        lengths
    }

    /// How many texts of a translation of English descriptive have each length.
    pub(super) fn translated(&self) -> [u64; LENGTH_MAX + 1] {
        let mut lengths = [0; LENGTH_MAX + 1];
        for (number, plies) in self.0[FREE_COLUMNS / 2].iter().enumerate() {
            lengths[(number % 16).saturating_sub(number / 16)] += plies;
        }
        lengths
    }

    /// At how many plies the lengths of this notation and of the one two places after it differ, if they are a pair.
    pub(super) fn unlike(&self, place: usize, other: usize) -> Option<u64> {
        let ((pair, is_second), (other_pair, _)) = (Pairs::pair(place), Pairs::pair(other));
        let unlike = self.0[pair].iter().enumerate().filter(|(n, _)| n % 16 != n / 16);
        (pair == other_pair && !is_second).then(|| unlike.map(|(_, plies)| plies).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{DESCRIPTIVE, Notation, free, is_same};
    use crate::tasks::measure::tally::layout::{PRIORITY, SQUARES};

    #[test]
    fn counts_are_those_of_each_notation() {
        let mut pairs = Pairs::new();
        let mut free = [0; FREE_COLUMNS];
        for (place, length) in free.iter_mut().enumerate() {
            *length = (place * 5 % 16) as u8;
        }
        (0..3).for_each(|_| pairs.count(free, 4));
        pairs.count([7; FREE_COLUMNS], 2);
        let mut expected = [0; 16];
        (expected[usize::from(free[ENGLISH] - 4)], expected[5]) = (3, 1);
        assert_eq!(pairs.translated(), expected);
        for (place, &length) in free.iter().enumerate() {
            let mut expected = [0; 16];
            expected[usize::from(length)] += 3;
            expected[7] += 1;
            assert_eq!(pairs.lengths(place), expected, "{place}");
        }
        assert_eq!(pairs.unlike(0, 2), Some(3));
        assert_eq!((pairs.unlike(2, 0), pairs.unlike(0, 1)), (None, None));
    }

    #[test]
    fn the_registry_has_the_pairs() {
        assert!(free().all(|notation| notation.info().characters_max <= LENGTH_MAX));
        let place =
            |wanted: &dyn Notation| free().position(|other| is_same(other, wanted)).unwrap();
        assert_eq!(place(DESCRIPTIVE), ENGLISH);
        for [steps, legal] in [SQUARES, PRIORITY] {
            assert!(Pairs::new().unlike(place(steps), place(legal)).is_some(), "{steps:?}");
        }
    }
}
