//! The logistic function and its inverse, in integers.
//!
//! In: a number x in units of 1/256, or a probability in units of 2^-16. Out: 1 / (1 + e^-x), and the inverse.
//! Invariants: the tables are computed with integers alone, so that they are the same on every machine. Cost: a
//! look-up; once per batch of games the tables.

/// The greatest number, in 1/256: the probability is then 2,979 in 2,980.
pub(super) const STRETCH_MAX: i32 = 2_047;
/// e^(-1/256) in units of 2^-60.
const STEP: u128 = 1_148_426_689_630_428_643;
const ONE: u128 = 1 << 60;

/// Both tables.
#[derive(Clone, Debug)]
pub(super) struct Logistic {
    /// By number, from -[`STRETCH_MAX`].
    squash: Vec<u16>,
    /// By probability in units of 2^-12.
    stretch: Vec<i16>,
}

impl Logistic {
    /// Computes the tables.
    pub(super) fn new() -> Logistic {
        let mut squash = vec![0; 2 * STRETCH_MAX as usize + 1];
        // e^-x, from x = 0 on.
        let mut power = ONE;
        for x in 0..=STRETCH_MAX as usize {
            let likely = ((ONE << 16) / (ONE + power)) as u16;
            squash[STRETCH_MAX as usize + x] = likely;
            squash[STRETCH_MAX as usize - x] = (65_536 - u32::from(likely)) as u16;
            power = (power * STEP) >> 60;
        }
        let stretch = (0..4_096_u32).map(|likely| {
            let middle = (likely << 4 | 8) as u16;
            let place = squash.partition_point(|&other| other < middle);
            (place as i32 - STRETCH_MAX).min(STRETCH_MAX) as i16
        });
        let stretch = stretch.collect();
        Logistic { squash, stretch }
    }

    /// The probability of a number of at most [`STRETCH_MAX`].
    pub(super) fn squash(&self, number: i32) -> u16 {
        self.squash[(number.clamp(-STRETCH_MAX, STRETCH_MAX) + STRETCH_MAX) as usize]
    }

    /// The number of a probability.
    pub(super) fn stretch(&self, likely: u16) -> i32 {
        i32::from(self.stretch[usize::from(likely >> 4)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_those_of_the_function() {
        let logistic = Logistic::new();
        for number in -STRETCH_MAX..=STRETCH_MAX {
            let likely = 65_536.0 / (1.0 + (-f64::from(number) / 256.0).exp());
            assert!((f64::from(logistic.squash(number)) - likely).abs() < 1.01, "{number}");
        }
        for likely in (40..65_500).step_by(7) {
            let share = f64::from(likely >> 4 << 4 | 8) / 65_536.0;
            let number = 256.0 * (share / (1.0 - share)).ln();
            let number = number.clamp(-2_047.0, 2_047.0);
            let slack = 2.0 + 0.1 / share + 0.1 / (1.0 - share);
            assert!((f64::from(logistic.stretch(likely)) - number).abs() < slack, "{likely}");
        }
    }
}
