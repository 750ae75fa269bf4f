//! Horizontal bars, one below the other, each with its name before it and its number after it.

use pgnmill_io::error::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::super::ink::Ink;
use super::{Drawing, LETTER, Spot, figure, words};

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
    pub(in super::super) fn draw(&self, width: u32) -> Result<Drawing> {
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
        figure((width, height as u32), &self.hover, |area| {
            let mut spots = Vec::new();
            for (row, bar) in self.bars.iter().enumerate() {
                let top = row as i32 * PITCH + 3;
                let middle = top + PITCH / 2 - 1;
                let style = words(Ink::Text, HPos::Right, VPos::Center);
                area.draw(&Text::new(bar.name.clone(), (left - 8, middle), style))?;
                let (mut sum, mut end) = (0.0, left);
                for (part, ink) in &bar.parts {
                    sum += part;
                    let next = left + (sum * scale).round() as i32;
                    // The corners of a rectangle of this backend belong to it.
                    if next > end {
                        let corners = [(end, top), (next - 1, top + PITCH - 5)];
                        area.draw(&Rectangle::new(corners, ink.color().filled()))?;
                    }
                    end = next;
                }
                let style = words(Ink::Text, HPos::Left, VPos::Center);
                area.draw(&Text::new(bar.number.clone(), (end + 6, middle), style))?;
                let hover = bar.hover.clone();
                spots.push(Spot { left: 0, top, width: width as i32, height: PITCH - 1, hover });
            }
            Ok(spots)
        })
    }
}
