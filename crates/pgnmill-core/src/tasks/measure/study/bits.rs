//! A range coder of binary decisions: bits with probabilities become bytes, and bytes the same bits.
//!
//! In: decisions, each with the probability of one of its outcomes. Out: bytes, as many as the sum of the binary
//! logarithms of the probabilities, and at most eight more. Invariants: integers only; whatever the probabilities and
//! the bytes are, a [`Reader`] that is given the probabilities of a [`Writer`] returns its decisions. One description
//! of a code, over the trait [`Bits`], is its encoder and its decoder. Cost: a multiplication per decision.
//!
//! The interval of all texts that are still possible is held as its first and its last number of 64 bits; each decision
//! divides it, and bytes on which both agree are written (G. N. N. Martin, "Range encoding: an algorithm for removing
//! redundancy from a digitised message", 1979). There is no carry. An interval that lies across a boundary may become
//! short, which costs bits, but is never empty.

/// The number that stands for the probability 1.
pub(super) const ONE: u64 = 1 << 32;

/// Writes or reads decisions.
pub(super) trait Bits {
    /// Codes a decision, and returns it: `decision` for a writer; a reader does not use it. `likely`: the probability
    /// that it is true, of [`ONE`]; 0 and more than all are corrected.
    fn bit(&mut self, likely: u64, decision: bool) -> bool;

    /// Codes a number below `count`, all equally likely: halves, halves of these, and so on. Nothing is coded if there
    /// is one number.
    fn below(&mut self, count: usize, number: usize) -> usize {
        let (mut first, mut count) = (0, count.max(1));
        while count > 1 {
            let half = count / 2;
            let likely = ((half as u64) << 32) / count as u64;
            match self.bit(likely, number < first + half) {
                true => count = half,
                false => (first, count) = (first + half, count - half),
            }
        }
        first
    }
}

/// The numbers that are still possible.
#[derive(Clone, Copy, Debug)]
struct Interval {
    first: u64,
    last: u64,
}

impl Interval {
    const ALL: Interval = Interval { first: 0, last: u64::MAX };

    /// The last number of the part in which the decision is true; the other part is never empty.
    fn division(self, likely: u64) -> u64 {
        let likely = likely.clamp(1, ONE - 1);
        let length = u128::from(self.last - self.first);
        self.first + ((length * u128::from(likely)) >> 32) as u64
    }

    fn narrow(&mut self, division: u64, decision: bool) {
        match decision {
            true => self.last = division,
            false => self.first = division + 1,
        }
    }

    /// The next byte, if it is the same for all numbers.
    fn byte(&mut self) -> Option<u8> {
        if (self.first ^ self.last) >> 56 != 0 {
            return None;
        }
        let byte = (self.first >> 56) as u8;
        self.first <<= 8;
        self.last = self.last << 8 | 0xff;
        Some(byte)
    }
}

/// Writes decisions.
#[derive(Clone, Debug)]
pub(super) struct Writer {
    interval: Interval,
    bytes: Vec<u8>,
}

impl Writer {
    /// Nothing written yet.
    pub(super) fn new() -> Writer {
        Writer { interval: Interval::ALL, bytes: Vec::new() }
    }

    /// All bytes: the fewest after which only zeros may follow.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let Interval { first, last } = self.interval;
        let cut = |count: u32| if count == 0 { 0 } else { last & u64::MAX << (64 - 8 * count) };
        let count = (0..=8).find(|&count| cut(count) >= first).unwrap_or(8);
        self.bytes.extend_from_slice(&cut(count).to_be_bytes()[..count as usize]);
        self.bytes
    }
}

impl Bits for Writer {
    fn bit(&mut self, likely: u64, decision: bool) -> bool {
        let division = self.interval.division(likely);
        self.interval.narrow(division, decision);
        while let Some(byte) = self.interval.byte() {
            self.bytes.push(byte);
        }
        decision
    }
}

/// Reads decisions.
#[cfg(test)]
#[derive(Clone, Debug)]
pub(super) struct Reader<'b> {
    interval: Interval,
    number: u64,
    rest: &'b [u8],
}

#[cfg(test)]
impl<'b> Reader<'b> {
    /// Reads from the first byte on; after the last one zeros follow.
    pub(super) fn new(bytes: &'b [u8]) -> Reader<'b> {
        let mut reader = Reader { interval: Interval::ALL, number: 0, rest: bytes };
        (0..8).for_each(|_| reader.next());
        reader
    }

    fn next(&mut self) {
        let byte = self.rest.split_off_first().copied().unwrap_or(0);
        self.number = self.number << 8 | u64::from(byte);
    }
}

#[cfg(test)]
impl Bits for Reader<'_> {
    fn bit(&mut self, likely: u64, _: bool) -> bool {
        let division = self.interval.division(likely);
        let decision = self.number <= division;
        self.interval.narrow(division, decision);
        while self.interval.byte().is_some() {
            self.next();
        }
        decision
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgnmill_dice::Dice;

    #[test]
    fn decisions_come_back_and_take_the_bits_of_their_probabilities() {
        for seed in 0..40 {
            let mut dice = Dice::new(seed);
            let extreme = [1, 2, ONE / 2, ONE - 2, ONE - 1, 0, u64::MAX];
            let decisions: Vec<(u64, bool)> = (0..2_000)
                .map(|_| {
                    let likely = match seed % 2 {
                        0 => dice.one(&extreme),
                        _ => dice.roll() % ONE,
                    };
                    let roll = dice.roll() % ONE;
                    (likely, if dice.below(50) == 0 { roll & 1 == 0 } else { roll < likely })
                })
                .collect();
            let mut writer = Writer::new();
            decisions.iter().for_each(|&(likely, decision)| {
                writer.bit(likely, decision);
            });
            let bytes = writer.finish();
            let mut reader = Reader::new(&bytes);
            assert!(decisions.iter().all(|&(p, decision)| reader.bit(p, false) == decision));
            let bits = decisions.iter().map(|&(likely, decision)| {
                let likely = likely.clamp(1, ONE - 1) as f64 / ONE as f64;
                -(if decision { likely } else { 1.0 - likely }).log2()
            });
            let (ideal, written) = (bits.sum::<f64>(), 8.0 * bytes.len() as f64);
            // Zeros at the end are not written: by chance there can be some more than usual.
            assert!((ideal - 24.0..ideal + 9.0).contains(&written), "{ideal} {written}");
        }
    }

    /// Whoever chooses the decisions can keep the interval across a boundary of bytes, until it has two numbers.
    #[test]
    fn an_interval_across_a_boundary_is_never_empty() {
        let (mut writer, mut decisions) = (Writer::new(), Vec::new());
        for round in 0..3_000_u64 {
            let likely = 1 + (round * 0x9e37_79b9) % (ONE - 1);
            let boundary = (writer.interval.last >> 56) << 56;
            let division = writer.interval.division(likely);
            let decision = if division < boundary { false } else { division > boundary };
            decisions.push((likely, decision));
            writer.bit(likely, decision);
        }
        let bytes = writer.finish();
        let mut reader = Reader::new(&bytes);
        assert!(decisions.iter().all(|&(likely, decision)| reader.bit(likely, true) == decision));
    }

    #[test]
    fn numbers_below_a_count_come_back() {
        for count in 1..=300 {
            let mut writer = Writer::new();
            (0..count).for_each(|number| {
                writer.below(count, number);
            });
            let bytes = writer.finish();
            let mut reader = Reader::new(&bytes);
            assert!((0..count).all(|number| reader.below(count, 0) == number));
            let bits = count as f64 * (count as f64).log2();
            assert!((8 * bytes.len()) as f64 <= bits + 9.0);
        }
    }
}
