//! Lines over a range, with dashed lines beside them.
//!
//! A legend in the page explains colours and markers, so that there are no labels among the lines. Lines that were
//! measured have markers of different shapes, at different places: they differ where there are no colours, too.

use std::ops::Range;

use super::super::ink::Ink;
use super::super::number::decimal;
use super::drawing::{Anchor, Area, Point, Stroke};
use super::{Drawing, MIDDLE, TOP, decimals, marks};

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
/// So many markers has a line, about.
const MARKERS: usize = 8;
/// The half of their width.
const RADIUS: i32 = 4;

impl Lines {
    /// The figure in this size.
    pub(in super::super) fn draw(&self, size: (u32, u32)) -> Drawing {
        let (end, axis) = (size.0 as i32 - EDGE, size.1 as i32 - BELOW);
        let (across, up) = (&self.x, &self.y);
        let place = |x: f64, y: f64| {
            let part =
                |value: f64, range: &Range<f64>| (value - range.start) / (range.end - range.start);
            let (wide, high) = (f64::from(end - LEFT), f64::from(axis - EDGE));
            let at = LEFT + (part(x, across) * wide).round() as i32;
            (at, axis - (part(y, up) * high).round() as i32)
        };
        let mut drawing = Drawing::new(size, &self.hover);
        for mark in marks(up.start, up.end, 5.0) {
            let (_, at) = place(across.start, mark);
            drawing.line(Ink::Grid, Stroke::Thin, [(LEFT, at), (end, at)]);
            let text = decimal(mark, decimals(up.start, up.end, 5.0)) + self.y_unit;
            drawing.words(Ink::Muted, Anchor::End, (LEFT - 6, at + MIDDLE), &text);
        }
        drawing.line(Ink::Muted, Stroke::Thin, [(LEFT, axis), (end, axis)]);
        for mark in marks(across.start, across.end, f64::from(size.0) / 75.0) {
            let (at, _) = place(mark, up.start);
            drawing.line(Ink::Muted, Stroke::Thin, [(at, axis), (at, axis + 4)]);
            drawing.words(Ink::Muted, Anchor::Middle, (at, axis + 6 + TOP), &decimal(mark, 0));
        }
        let name = ((LEFT + end) / 2, axis + BELOW - 5);
        drawing.words(Ink::Muted, Anchor::Middle, name, &self.x_name);
        for line in &self.lines {
            let points: Vec<Point> = line.points.iter().map(|&(x, y)| place(x, y)).collect();
            let stroke = if line.dashed { Stroke::Dashed } else { Stroke::Broad };
            drawing.line(line.ink, stroke, points);
        }
        self.mark_lines(&mut drawing, place);
        let half = match self.spots.len() {
            0 | 1 => 4,
            many => (end - LEFT) / (2 * many as i32 - 2).max(1),
        };
        for (x, hover) in &self.spots {
            let (middle, _) = place(*x, up.start);
            let left = (middle - half).max(LEFT);
            let width = ((middle + half).min(end) - left).max(1);
            drawing.spot(Area { left, top: EDGE, width, height: axis - EDGE }, hover);
        }
        drawing
    }

    /// Draws the markers, above all lines.
    fn mark_lines(&self, drawing: &mut Drawing, place: impl Fn(f64, f64) -> Point) {
        let measured: Vec<&Line> = self.lines.iter().filter(|line| !line.dashed).collect();
        for (number, line) in measured.iter().enumerate() {
            let Some(marker) = line.ink.marker() else { continue };
            let pitch = (line.points.len() / MARKERS).max(1);
            // The markers of lines that are close to each other do not cover each other.
            let first = pitch * (2 * number + 1) / (2 * measured.len());
            for &(x, y) in line.points.iter().skip(first).step_by(pitch) {
                drawing.marker(Ink::Paper, marker, place(x, y), RADIUS + 2);
                drawing.marker(line.ink, marker, place(x, y), RADIUS);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without colours each measured line has its own markers, and those of the source have none.
    #[test]
    fn lines_differ_without_colours() {
        let line = |series: u8, dashed| Line {
            ink: Ink::Series(series),
            dashed,
            points: (1..=60).map(|ply| (f64::from(ply), f64::from(series))).collect(),
        };
        let mut lines: Vec<Line> = (0..4).map(|series| line(series, false)).collect();
        lines.extend((0..4).map(|series| line(series, true)));
        let figure = Lines {
            hover: String::new(),
            lines,
            x: 1.0..60.0,
            y: 0.0..4.0,
            x_name: String::new(),
            y_unit: "",
            spots: Vec::new(),
        };
        let svg = figure.draw((760, 320)).in_file((0, 0));
        let mut looks = std::collections::HashSet::new();
        for series in 0..4 {
            let fill = format!("fill=\"{}\"", Ink::Series(series).plain());
            let of_line = svg.lines().filter(|line| line.contains(&fill));
            let shapes: Vec<(&str, usize)> =
                of_line.map(|line| (line.split(' ').next().unwrap(), corners(line))).collect();
            assert!((MARKERS..=MARKERS + 2).contains(&shapes.len()), "{shapes:?}");
            assert!(shapes.windows(2).all(|pair| pair[0] == pair[1]), "{shapes:?}");
            looks.insert((shapes[0], Ink::Series(series).marker()));
        }
        assert_eq!(looks.len(), 4, "{looks:?}");
        let shapes: std::collections::HashSet<_> = looks.iter().map(|look| look.1).collect();
        assert_eq!(shapes.len(), 4);
    }

    /// How many corners a polygon has.
    fn corners(line: &str) -> usize {
        line.split("points=\"")
            .nth(1)
            .map_or(0, |rest| rest.split('"').next().unwrap().matches(',').count())
    }
}
