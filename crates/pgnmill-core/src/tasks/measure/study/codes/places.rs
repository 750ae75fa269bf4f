//! Adaptive frequencies of places: `rank-adaptive`.
//!
//! In: places in the order of estimated worth. Out: decisions with probabilities: for the first place, whether it is
//! the one; then for the second; and so on, among as many places as there are legal moves. Invariants: a probability
//! depends on the places before alone; no frequency is 0. Cost: a division per place.

use crate::tables::legal_moves::LEGAL_MOVES_MAX;

use super::super::bits::Bits;

/// What a place adds to its frequency.
const STEP: u32 = 32;

/// How often each place was.
#[derive(Clone, Debug)]
pub(super) struct Places {
    frequencies: Vec<u32>,
}

impl Places {
    /// Before the first place: as if some had been, fewer of the later ones.
    pub(super) fn new() -> Places {
        let first = |place: u32| 1 + 24 * STEP / (place + 2);
        Places { frequencies: (0..LEGAL_MOVES_MAX as u32).map(first).collect() }
    }

    /// Codes a place below `count`, except those of `not`, which it is known not to be; then adds it.
    pub(super) fn code(
        &mut self,
        bits: &mut impl Bits,
        count: usize,
        place: usize,
        not: &[u16],
    ) -> usize {
        let coded = self.find(bits, count, place, not);
        if let Some(frequency) = self.frequencies.get_mut(coded) {
            *frequency = frequency.saturating_add(STEP);
        }
        coded
    }

    fn find(&self, bits: &mut impl Bits, count: usize, place: usize, not: &[u16]) -> usize {
        let places = self.frequencies.iter().enumerate().take(count);
        let places = places.filter(|(place, _)| !not.contains(&(*place as u16)));
        let mut rest: u64 = places.clone().map(|(_, &frequency)| u64::from(frequency)).sum();
        let mut last = 0;
        for (this, &frequency) in places {
            last = this;
            let frequency = u64::from(frequency);
            // The last one is certain.
            if frequency == rest || bits.bit((frequency << 32) / rest, this == place) {
                break;
            }
            rest -= frequency;
        }
        last
    }
}
