//! Lines over a range, with dashed lines beside them.
//!
//! A legend in the page explains the colours, so that there are no labels among the lines.

use std::ops::Range;

use pgnmill_io::error::Result;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::super::ink::Ink;
use super::super::number::decimal;
use super::{Drawing, Spot, decimals, figure, marks, words};

/// One line.
#[derive(Clone, Debug)]
pub(in super::super) struct Line {
    /// Its colour.
    pub(in super::super) ink: Ink,
    /// Values of the source, not measured.
    pub(in super::super) dashed: bool,
    /// From left to right.
    pub(in super::super) points: Vec<(f64, f64)>,
}

/// A figure of lines.
#[derive(Clone, Debug)]
pub(in super::super) struct Lines {
    /// What it shows, in words.
    pub(in super::super) hover: String,
    /// The lines.
    pub(in super::super) lines: Vec<Line>,
    /// From where to where, across.
    pub(in super::super) x: Range<f64>,
    /// From where to where, upwards.
    pub(in super::super) y: Range<f64>,
    /// What lies across.
    pub(in super::super) x_name: String,
    /// The suffix of the numbers of the vertical axis.
    pub(in super::super) y_unit: &'static str,
    /// The hover title of each place of the horizontal axis.
    pub(in super::super) spots: Vec<(f64, String)>,
}

/// The margins for the numbers at the left and below.
const LEFT: i32 = 50;
const BELOW: i32 = 40;
const EDGE: i32 = 16;

impl Lines {
    /// The figure in this size.
    pub(in super::super) fn draw(&self, size: (u32, u32)) -> Result<Drawing> {
        let (width, height) = (size.0 as i32, size.1 as i32);
        let (across, up) = (&self.x, &self.y);
        let plot = (LEFT..width - EDGE, EDGE..height - BELOW);
        let place = |x: f64, y: f64| {
            let part =
                |value: f64, range: &Range<f64>| (value - range.start) / (range.end - range.start);
            let (wide, high) = (f64::from(width - EDGE - LEFT), f64::from(height - BELOW - EDGE));
            let at = LEFT + (part(x, across) * wide).round() as i32;
            (at, height - BELOW - (part(y, up) * high).round() as i32)
        };
        figure(size, &self.hover, |area| {
            let parts = f64::from(width) / 75.0;
            for mark in marks(up.start, up.end, 5.0) {
                let (_, at) = place(across.start, mark);
                area.draw(&PathElement::new(
                    vec![(LEFT, at), (plot.0.end, at)],
                    Ink::Grid.color(),
                ))?;
                let text =
                    format!("{}{}", decimal(mark, decimals(up.start, up.end, 5.0)), self.y_unit);
                area.draw(&Text::new(
                    text,
                    (LEFT - 6, at),
                    words(Ink::Muted, HPos::Right, VPos::Center),
                ))?;
            }
            let axis = plot.1.end;
            area.draw(&PathElement::new(
                vec![(LEFT, axis), (plot.0.end, axis)],
                Ink::Muted.color(),
            ))?;
            for mark in marks(across.start, across.end, parts) {
                let (at, _) = place(mark, up.start);
                area.draw(&PathElement::new(vec![(at, axis), (at, axis + 4)], Ink::Muted.color()))?;
                let style = words(Ink::Muted, HPos::Center, VPos::Top);
                area.draw(&Text::new(decimal(mark, 0), (at, axis + 6), style))?;
            }
            let middle = (plot.0.start + plot.0.end) / 2;
            let style = words(Ink::Muted, HPos::Center, VPos::Bottom);
            area.draw(&Text::new(self.x_name.clone(), (middle, height - 2), style))?;
            for line in &self.lines {
                let points = line.points.iter().map(|&(x, y)| place(x, y));
                if line.dashed {
                    let style = line.ink.color().stroke_width(1);
                    area.draw(&DashedPathElement::new(points, 6, 4, style))?;
                } else {
                    let style = line.ink.color().stroke_width(2);
                    area.draw(&PathElement::new(points.collect::<Vec<_>>(), style))?;
                }
            }
            let half = match self.spots.len() {
                0 | 1 => 4,
                many => (plot.0.end - plot.0.start) / (2 * many as i32 - 2).max(1),
            };
            let spot = |(x, hover): &(f64, String)| {
                let left = (place(*x, up.start).0 - half).max(LEFT);
                let next = place(*x, up.start).0 + half;
                let width = (next.min(plot.0.end) - left).max(1);
                Spot { left, top: EDGE, width, height: axis - EDGE, hover: hover.clone() }
            };
            Ok(self.spots.iter().map(spot).collect())
        })
    }
}
