//! One dot per group, on a scale that need not begin at 0, so that small differences are visible.

use std::ops::Range;

use super::super::ink::Ink;
use super::super::number::decimal;
use super::drawing::{Anchor, Area, Stroke};
use super::{Drawing, LETTER, MIDDLE, TOP, decimals, marks};

/// One group.
#[derive(Clone, Debug)]
pub(in super::super) struct Dot {
    /// Its name.
    pub(in super::super) name: String,
    /// Where it lies, if anywhere.
    pub(in super::super) value: f64,
    /// The ends of its interval, if they are known.
    pub(in super::super) interval: Option<(f64, f64)>,
    /// Of few games: drawn hollow.
    pub(in super::super) is_faint: bool,
    /// The hover title.
    pub(in super::super) hover: String,
}

/// A figure of dots.
#[derive(Clone, Debug)]
pub(in super::super) struct Dots {
    /// What it shows, in words.
    pub(in super::super) hover: String,
    /// Its colour.
    pub(in super::super) ink: Ink,
    /// The groups, from above.
    pub(in super::super) dots: Vec<Dot>,
    /// Where all together lie.
    pub(in super::super) mean: f64,
}

const PITCH: i32 = 18;
const BELOW: i32 = 24;
const ABOVE: i32 = 6;

impl Dots {
    /// The range of all dots, with a margin.
    fn range(&self) -> Range<f64> {
        let values = self.dots.iter().map(|dot| dot.value);
        // The interval of a group of few games may be wider than all the rest: it is cut at the edge.
        let ends = self.dots.iter().filter(|dot| !dot.is_faint).filter_map(|dot| dot.interval);
        let values = values.chain(ends.flat_map(|(low, high)| [low, high]));
        let (low, high) = values
            .filter(|value| value.is_finite())
            .fold((self.mean, self.mean), |(low, high), value| (low.min(value), high.max(value)));
        let room = ((high - low) * 0.08).max(0.005);
        low - room..high + room
    }

    /// The figure in this width.
    pub(in super::super) fn draw(&self, width: u32) -> Drawing {
        let letters = self.dots.iter().map(|dot| dot.name.chars().count()).max().unwrap_or(0);
        let left = (letters as f64 * LETTER).ceil() as i32 + 8;
        let right = width as i32 - 16;
        let floor = ABOVE + PITCH * self.dots.len() as i32;
        let range = self.range();
        let place = |value: f64| {
            let part = (value - range.start) / (range.end - range.start);
            left + (part * f64::from(right - left)).round() as i32
        };
        let parts = (f64::from(right - left) / 52.0).max(1.0);
        let mut drawing = Drawing::new((width, (floor + BELOW) as u32), &self.hover);
        let mut free = 0;
        for mark in marks(range.start, range.end, parts) {
            let at = place(mark);
            drawing.line(Ink::Grid, Stroke::Thin, [(at, ABOVE), (at, floor)]);
            let text = decimal(mark, decimals(range.start, range.end, parts));
            let half = (text.chars().count() as f64 * LETTER / 2.0).ceil() as i32;
            // Where not every number fits, every other one is shown.
            if at - half >= free && at + half <= width as i32 {
                free = at + half + 6;
                drawing.words(Ink::Muted, Anchor::Middle, (at, floor + 6 + TOP), &text);
            }
        }
        if self.mean.is_finite() {
            let at = place(self.mean);
            drawing.line(Ink::Muted, Stroke::Dashed, [(at, ABOVE), (at, floor)]);
        }
        for (row, dot) in (0..).zip(&self.dots) {
            let top = ABOVE + row * PITCH;
            let middle = top + PITCH / 2;
            drawing.words(Ink::Text, Anchor::End, (left - 8, middle + MIDDLE), &dot.name);
            if dot.value.is_finite() {
                let at = (place(dot.value), middle);
                let ink = if dot.is_faint { Ink::Muted } else { self.ink };
                if let Some((low, high)) = dot.interval {
                    let ends = [low.max(range.start), high.min(range.end)].map(place);
                    drawing.line(ink, Stroke::Broad, ends.map(|end| (end, middle)));
                    let goes_on = [low < range.start, high > range.end];
                    for ((end, back), _) in
                        ends.into_iter().zip([4, -4]).zip(goes_on).filter(|it| it.1)
                    {
                        let head =
                            [(end + back, middle - 4), (end, middle), (end + back, middle + 4)];
                        drawing.line(ink, Stroke::Broad, head);
                    }
                }
                drawing.dot(ink, at, 4);
                if dot.is_faint {
                    drawing.dot(Ink::Paper, at, 2);
                }
            }
            drawing.spot(Area { left: 0, top, width: width as i32, height: PITCH }, &dot.hover);
        }
        drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An interval that is wider than the figure ends with an arrow on that side, and on no other.
    #[test]
    fn an_interval_that_goes_on_has_an_arrow() {
        let dot = |value: f64, interval, is_faint| Dot {
            name: String::new(),
            value,
            interval: Some(interval),
            is_faint,
            hover: String::new(),
        };
        let strokes = |interval| {
            let dots = vec![dot(2.0, (1.9, 2.1), false), dot(2.05, interval, true)];
            let figure = Dots { hover: String::new(), ink: Ink::Text, dots, mean: 2.0 };
            figure.draw(400).in_file((0, 0)).matches("stroke-width=\"2\"").count()
        };
        let whole = strokes((2.0, 2.1));
        assert_eq!(strokes((1.0, 2.1)), whole + 1);
        assert_eq!(strokes((2.0, 9.0)), whole + 1);
        assert_eq!(strokes((1.0, 9.0)), whole + 2);
    }
}
