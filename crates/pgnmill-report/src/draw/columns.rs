//! A histogram: a column for each length.

use super::super::ink::Ink;
use super::super::number::decimal;
use super::drawing::{Anchor, Area, Stroke};
use super::{Drawing, MIDDLE, TOP, marks};

/// One histogram.
#[derive(Clone, Debug)]
pub(in super::super) struct Columns {
    /// What it shows, in words.
    pub(in super::super) hover: String,
    /// Its colour.
    pub(in super::super) ink: Ink,
    /// Length, share in per cent, and hover title.
    pub(in super::super) columns: Vec<(u64, f64, String)>,
    /// The shortest and the longest that has a place.
    pub(in super::super) lengths: (u64, u64),
    /// The highest share that has a place.
    pub(in super::super) most: f64,
}

const LEFT: i32 = 48;
const BELOW: i32 = 22;
const ABOVE: i32 = 18;

impl Columns {
    /// The figure in this size.
    pub(in super::super) fn draw(&self, size: (u32, u32)) -> Drawing {
        let (width, height) = (size.0 as i32, size.1 as i32);
        let places = (self.lengths.1 - self.lengths.0 + 1) as i32;
        let pitch = f64::from(width - LEFT - 4) / f64::from(places);
        let floor = height - BELOW;
        let level =
            |share: f64| floor - (share / self.most * f64::from(floor - ABOVE)).round() as i32;
        let edge = |length: u64| {
            LEFT + (f64::from((length - self.lengths.0) as u32) * pitch).round() as i32
        };
        let mut drawing = Drawing::new(size, &self.hover);
        for mark in marks(0.0, self.most, 3.0) {
            let (at, number) = (level(mark), format!("{} %", decimal(mark, 0)));
            drawing.line(Ink::Grid, Stroke::Thin, [(LEFT, at), (width - 4, at)]);
            drawing.words(Ink::Muted, Anchor::End, (LEFT - 5, at + MIDDLE), &number);
        }
        drawing.line(Ink::Muted, Stroke::Thin, [(LEFT, floor), (width - 4, floor)]);
        for length in self.lengths.0..=self.lengths.1 {
            let at = ((edge(length) + edge(length + 1)) / 2, floor + 5 + TOP);
            drawing.words(Ink::Muted, Anchor::Middle, at, &length.to_string());
        }
        for (length, share, hover) in &self.columns {
            let (left, top) = (edge(*length) + 2, level(*share));
            let width = edge(length + 1) - 2 - left;
            if top < floor {
                drawing.rect(self.ink, Area { left, top, width, height: floor - top });
            }
            drawing.spot(Area { left, top: ABOVE, width, height: floor - ABOVE }, hover);
        }
        drawing
    }
}
