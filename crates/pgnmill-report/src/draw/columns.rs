//! A histogram: a column for each length.

use pgnmill_io::error::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::super::ink::Ink;
use super::super::number::decimal;
use super::{Drawing, Spot, figure, marks, words};

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
    pub(in super::super) fn draw(&self, size: (u32, u32)) -> Result<Drawing> {
        let (width, height) = (size.0 as i32, size.1 as i32);
        let places = (self.lengths.1 - self.lengths.0 + 1) as i32;
        let pitch = f64::from(width - LEFT - 4) / f64::from(places);
        let floor = height - BELOW;
        let level =
            |share: f64| floor - (share / self.most * f64::from(floor - ABOVE)).round() as i32;
        let edge = |length: u64| {
            LEFT + (f64::from((length - self.lengths.0) as u32) * pitch).round() as i32
        };
        figure(size, &self.hover, |area| {
            for mark in marks(0.0, self.most, 3.0) {
                let at = level(mark);
                area.draw(&PathElement::new(vec![(LEFT, at), (width - 4, at)], Ink::Grid.color()))?;
                let style = words(Ink::Muted, HPos::Right, VPos::Center);
                area.draw(&Text::new(format!("{} %", decimal(mark, 0)), (LEFT - 5, at), style))?;
            }
            area.draw(&PathElement::new(
                vec![(LEFT, floor), (width - 4, floor)],
                Ink::Muted.color(),
            ))?;
            for length in self.lengths.0..=self.lengths.1 {
                let middle = (edge(length) + edge(length + 1)) / 2;
                let style = words(Ink::Muted, HPos::Center, VPos::Top);
                area.draw(&Text::new(length.to_string(), (middle, floor + 5), style))?;
            }
            let mut spots = Vec::new();
            for (length, share, hover) in &self.columns {
                let (left, right) = (edge(*length) + 2, edge(length + 1) - 2);
                let top = level(*share);
                if top < floor {
                    let corners = [(left, top), (right - 1, floor - 1)];
                    area.draw(&Rectangle::new(corners, self.ink.color().filled()))?;
                }
                let (width, height) = (right - left, floor - ABOVE);
                spots.push(Spot { left, top: ABOVE, width, height, hover: hover.clone() });
            }
            Ok(spots)
        })
    }
}
