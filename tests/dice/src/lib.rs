//! Pseudo-random numbers of tests: a fixed sequence, so that what fails once fails again; and how deep tests go.
//!
//! `PGNMILL_SEED=N` gives all tests other sequences.

mod depth;

pub use depth::{Depth, thinned, trials};

use std::ops::Range;
use std::sync::OnceLock;

/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same on every machine.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The sequence of this seed and of `PGNMILL_SEED`, if it is set.
    ///
    /// # Panics
    /// If that is no number.
    pub fn new(seed: u64) -> Dice {
        static OTHER: OnceLock<u64> = OnceLock::new();
        let other = OTHER.get_or_init(|| match std::env::var("PGNMILL_SEED") {
            Ok(text) => text.parse().expect("PGNMILL_SEED is a number"),
            Err(_) => 0,
        });
        Dice(seed ^ other.wrapping_mul(0xD6E8_FEB8_6659_FD93))
    }

    /// The next number.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// The next number, below `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.roll() % limit.max(1) as u64) as usize
    }

    /// An element.
    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// A range of a text, shorter than `len_max`.
    pub fn range(&mut self, text: &[u8], len_max: usize) -> Range<usize> {
        let start = self.below(text.len() + 1);
        start..(start + self.below(len_max)).min(text.len())
    }
}
