//! Pseudo-random numbers that follow from a game alone.
//!
//! In: words: a game's moves, a number, a name. Out: numbers below a bound. Invariant: the same words give the same
//! numbers, on every machine and in any order of games; the numbers are for sampling, not for secrets. Cost: two
//! multiplications per word and per number.
//!
//! The step and the mixing function are those of SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom
//! number generators", OOPSLA 2014.
//!
//! ```ignore
//! let mut dice = Dice::default().with(7);
//! assert!(dice.below(6) < 6);
//! ```

/// The increment of SplitMix64: the golden ratio as a fraction of 2^64.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A source of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Dice(u64);

const fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

impl Dice {
    /// The source that follows from this one and a word.
    pub(super) fn with(self, word: u64) -> Dice {
        Dice(mix((self.0 ^ word).wrapping_add(STEP)))
    }

    /// The source that follows from this one and bytes.
    pub(super) fn with_bytes(self, bytes: &[u8]) -> Dice {
        let word = |dice: Dice, &byte: &u8| dice.with(u64::from(byte));
        bytes.iter().fold(self.with(bytes.len() as u64), word)
    }

    /// A number below `bound`; 0 if that is 0. Its probability differs from 1 / `bound` by less than 2^-64.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(STEP);
        ((u128::from(mix(self.0)) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of SplitMix64 from the seed 1234567, as in the tests of Rosetta Code's task
    /// "Pseudo-random numbers/Splitmix64".
    #[test]
    fn the_mixing_function_is_that_of_splitmix64() {
        let outputs =
            [1u64, 2, 3].map(|times| mix(1_234_567_u64.wrapping_add(STEP.wrapping_mul(times))));
        assert_eq!(outputs[0], 6_457_827_717_110_365_317);
        assert_eq!(outputs[1], 3_203_168_211_198_807_973);
        assert_eq!(outputs[2], 9_817_491_932_198_370_423);
    }

    #[test]
    fn numbers_below_a_bound_are_equally_frequent() {
        let (mut counts, mut dice) = ([0; 6], Dice::default().with_bytes(b"six"));
        (0..60_000).for_each(|_| counts[dice.below(6)] += 1);
        assert!(counts.iter().all(|&count| (9_600..10_400).contains(&count)), "{counts:?}");
        assert_eq!(dice.below(0), 0);
        assert_ne!(Dice::default().with_bytes(b"a"), Dice::default().with_bytes(b"a\0"));
    }
}
