//! Random numbers that are the same on every machine: a seed → numbers, integers only.
//!
//! There is no floating point: `exp` may differ in the last bit between machines, and then the archive
//! would differ.

/// A stream of numbers (SplitMix64: a counter, and a function that scatters its bits).
#[derive(Debug, Clone)]
pub(super) struct Chance(u64);

impl Chance {
    /// The stream of a seed.
    pub(super) fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// Any number.
    pub(super) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    /// A number below `limit`, which is above zero.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.number()) * u128::from(limit)) >> 64) as u64
    }

    /// A number from `low` to `high`, both possible.
    pub(super) fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as u64) as i32
    }

    /// `true` with this probability, in per mille.
    pub(super) fn per_mille(&mut self, times: u64) -> bool {
        self.below(1000) < times
    }

    /// One of several.
    pub(super) fn one_of<'t, T>(&mut self, several: &'t [T]) -> &'t T {
        &several[self.below(several.len() as u64) as usize]
    }

    /// An index, each as likely as its weight; weights add up to more than zero.
    pub(super) fn weighted(&mut self, weights: impl Iterator<Item = u64> + Clone) -> usize {
        let mut at = self.below(weights.clone().sum());
        for (index, weight) in weights.enumerate() {
            if at < weight {
                return index;
            }
            at -= weight;
        }
        0
    }

    /// A word of letters and digits, like the identifier of a game.
    pub(super) fn word(&mut self, length: usize) -> String {
        const CHARACTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        (0..length).map(|_| char::from(*self.one_of(CHARACTERS))).collect()
    }
}
