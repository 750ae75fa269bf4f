//! Horizontal bars, one below the other, each with its name before it and its number after it.

use super::super::ink::Ink;
use super::drawing::{Anchor, Area};
use super::{Drawing, LETTER, MIDDLE};

/// One bar: its parts lie end to end.
#[derive(Clone, Debug)]
pub(in super::super) struct Bar {
    /// Its name.
    pub(in super::super) name: String,
    /// How long each part is, and its colour.
    pub(in super::super) parts: Vec<(f64, Ink)>,
    /// The number after it.
    pub(in super::super) number: String,
    /// The hover title.
    pub(in super::super) hover: String,
}

/// A figure of bars.
#[derive(Clone, Debug)]
pub(in super::super) struct Bars {
    /// What it shows, in words.
    pub(in super::super) hover: String,
    /// The bars, from above.
    pub(in super::super) bars: Vec<Bar>,
}

/// The height of a bar with its gap.
const PITCH: i32 = 20;

impl Bars {
    /// The figure in this width.
    pub(in super::super) fn draw(&self, width: u32) -> Drawing {
        let longest = |text: fn(&Bar) -> &str| {
            let letters = self.bars.iter().map(|bar| text(bar).chars().count()).max();
            (letters.unwrap_or(0) as f64 * LETTER).ceil() as i32
        };
        let left = longest(|bar| &bar.name) + 8;
        let right = width as i32 - longest(|bar| &bar.number) - 10;
        let length = |bar: &Bar| bar.parts.iter().map(|(part, _)| part).sum::<f64>();
        let most = self.bars.iter().map(length).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let scale = f64::from((right - left).max(1)) / most;
        let height = PITCH * self.bars.len() as i32 + 4;
        let mut drawing = Drawing::new((width, height as u32), &self.hover);
        for (row, bar) in (0..).zip(&self.bars) {
            let top = row * PITCH + 3;
            let baseline = top + PITCH / 2 - 1 + MIDDLE;
            drawing.words(Ink::Text, Anchor::End, (left - 8, baseline), &bar.name);
            let (mut sum, mut end) = (0.0, left);
            for (part, ink) in &bar.parts {
                sum += part;
                let next = left + (sum * scale).round() as i32;
                // Parts are distinct without colours, too; a part of one unit has no room for a gap.
                let gap = i32::from(end > left && next > end + 1);
                let (from, width) = (end + gap, next - end - gap);
                if width > 0 {
                    drawing.rect(*ink, Area { left: from, top, width, height: PITCH - 4 });
                }
                end = next;
            }
            drawing.words(Ink::Text, Anchor::Start, (end + 6, baseline), &bar.number);
            let row = Area { left: 0, top, width: width as i32, height: PITCH - 1 };
            drawing.spot(row, &bar.hover);
        }
        drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_as_long_as_their_values_and_a_gap_is_between_them() {
        let parts = [(50.0, 0), (25.0, 1), (1.0, 2), (0.0, 3), (24.0, 4)];
        let parts = parts.map(|(part, ink)| (part, Ink::Series(ink))).to_vec();
        let (name, number, hover) = (String::new(), String::new(), "a".to_string());
        let bar = Bar { name, parts, number, hover };
        // Without names and numbers, 100 units are left.
        let drawn = Bars { hover: "b".to_string(), bars: vec![bar] }.draw(118).in_file((0, 0));
        let rects = drawn.lines().filter(|line| line.contains("y=\"3\"") && line.ends_with("/>"));
        let ends = rects.map(|rect| {
            let number = |key: &str| {
                let (_, rest) = rect.split_once(key).unwrap();
                rest.split('"').next().unwrap().parse::<u32>().unwrap()
            };
            (number(" x=\""), number(" x=\"") + number("width=\""))
        });
        assert_eq!(ends.collect::<Vec<_>>(), [(8, 58), (59, 83), (83, 84), (85, 108)]);
    }
}
