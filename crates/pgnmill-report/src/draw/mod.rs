//! Figures from counts.
//!
//! Input: numbers with their labels; output: charts, with a text for screen readers and with the values as hover
//! titles. Invariants: nothing depends on fonts of this machine; labels do not overlap at the sizes drawn here; the
//! same numbers give the same bytes.

mod bars;
mod columns;
mod dots;
mod drawing;
mod lines;
mod scatter;

pub(super) use bars::{Bar, Bars};
pub(super) use columns::Columns;
pub(super) use dots::{Dot, Dots};
pub(super) use drawing::Drawing;
pub(super) use lines::{Line, Lines};
pub(super) use scatter::{Point, Scatter};

/// The width of a letter of the words in a figure, which are 12 units high, on the generous side.
pub(super) const LETTER: f64 = 8.3;
/// From the middle of such words down to their baseline.
const MIDDLE: i32 = 4;
/// From their top.
const TOP: i32 = 9;

/// A round step that divides a range into about so many parts, and lets two of its multiples lie within.
fn step(from: f64, to: f64, parts: f64) -> f64 {
    let rough = (to - from).max(f64::MIN_POSITIVE) / parts;
    let power = 10f64.powf(rough.log10().floor());
    let steps = [10.0, 5.0, 2.0, 1.0].map(|lead| lead * power);
    let wide = steps.iter().rev().copied().find(|&step| step >= rough).unwrap_or(steps[0]);
    let holds_two = |step: &f64| multiples(from, to, *step).nth(1).is_some();
    steps.into_iter().find(|step| *step <= wide && holds_two(step)).unwrap_or(power)
}

/// Which multiples of a step lie within a range.
fn multiples(from: f64, to: f64, step: f64) -> std::ops::RangeInclusive<i64> {
    (from / step - 1e-9).ceil() as i64..=(to / step + 1e-9).floor() as i64
}

/// The marks of an axis.
fn marks(from: f64, to: f64, parts: f64) -> Vec<f64> {
    let step = step(from, to, parts);
    multiples(from, to, step).map(|times| times as f64 * step).collect()
}

/// How many decimals the marks of an axis need.
fn decimals(from: f64, to: f64, parts: f64) -> usize {
    (-step(from, to, parts).log10().floor()).clamp(0.0, 6.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_marks() {
        assert_eq!(marks(0.0, 10.0, 5.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(decimals(0.0, 10.0, 5.0), 0);
        let fine = marks(3.011, 3.094, 4.0);
        assert_eq!(fine.len(), 4);
        assert_eq!(decimals(3.011, 3.094, 4.0), 2);
    }
}
