//! Points by two values, with their names, and the front of those that no other point is better than in both.
//!
//! In: points. Out: a figure in which less is better across and more is better upwards; the scale across begins at 0,
//! so that there is room for names at both sides. Invariants: no name covers another name, a point or a number of an
//! axis; a point whose name has no room has it in its hover title alone. Cost: quadratic in the points, which are as
//! many as there are notations.

use std::ops::Range;

use super::super::ink::Ink;
use super::super::number::decimal;
use super::drawing::{Anchor, Area, Point as Place, Stroke};
use super::{Drawing, LETTER, MIDDLE, TOP, decimals, marks};

/// A point.
#[derive(Clone, Debug)]
pub(in super::super) struct Point {
    /// Its name.
    pub(in super::super) name: String,
    /// Its colour.
    pub(in super::super) ink: Ink,
    /// The value across, of which less is better.
    pub(in super::super) x: f64,
    /// The value upwards, of which more is better.
    pub(in super::super) y: f64,
    /// The hover title.
    pub(in super::super) hover: String,
}

/// A figure of points.
#[derive(Clone, Debug)]
pub(in super::super) struct Scatter {
    /// What it shows, in words.
    pub(in super::super) hover: String,
    /// The points; those that are named first come first.
    pub(in super::super) points: Vec<Point>,
    /// What lies across, from 0 on.
    pub(in super::super) x_name: String,
    /// What lies upwards.
    pub(in super::super) y_name: String,
    /// The suffix of the numbers of the vertical axis.
    pub(in super::super) y_unit: &'static str,
}

/// The margins: for the numbers at the left and below, for the name of the vertical axis above.
const LEFT: i32 = 50;
const BELOW: i32 = 40;
const ABOVE: i32 = 30;
const EDGE: i32 = 16;
/// The baseline of the name of the vertical axis.
const NAME_BASE: i32 = 12;
/// The radius of a point.
const RADIUS: i32 = 4;
/// From a point to its name.
const GAP: i32 = 8;
/// The height of a name.
const HEIGHT: i32 = 14;

impl Scatter {
    /// The points than which no other is better in one value and as good in the other, from left to right.
    fn front(&self) -> Vec<(f64, f64)> {
        let beats = |a: &Point, b: &Point| a.x <= b.x && a.y >= b.y && (a.x, a.y) != (b.x, b.y);
        let is_best = |point: &&Point| !self.points.iter().any(|other| beats(other, point));
        let mut front: Vec<(f64, f64)> =
            self.points.iter().filter(is_best).map(|point| (point.x, point.y)).collect();
        front.sort_by(|a, b| a.0.total_cmp(&b.0));
        front
    }

    /// The figure in this size.
    pub(in super::super) fn draw(&self, size: (u32, u32)) -> Drawing {
        let (end, axis) = (size.0 as i32 - EDGE, size.1 as i32 - BELOW);
        let across = 0.0..range(self.points.iter().map(|point| point.x)).end;
        let up = range(self.points.iter().map(|point| point.y));
        let place = |x: f64, y: f64| {
            let part =
                |value: f64, range: &Range<f64>| (value - range.start) / (range.end - range.start);
            let at = LEFT + (part(x, &across) * f64::from(end - LEFT)).round() as i32;
            (at, axis - (part(y, &up) * f64::from(axis - ABOVE)).round() as i32)
        };
        let mut drawing = Drawing::new(size, &self.hover);
        drawing.words(Ink::Muted, Anchor::Start, (2, NAME_BASE), &self.y_name);
        for mark in marks(up.start, up.end, 5.0) {
            let (_, at) = place(across.start, mark);
            drawing.line(Ink::Grid, Stroke::Thin, [(LEFT, at), (end, at)]);
            let text = decimal(mark, decimals(up.start, up.end, 5.0)) + self.y_unit;
            drawing.words(Ink::Muted, Anchor::End, (LEFT - 6, at + MIDDLE), &text);
        }
        drawing.line(Ink::Muted, Stroke::Thin, [(LEFT, axis), (end, axis)]);
        let parts = f64::from(size.0) / 75.0;
        for mark in marks(across.start, across.end, parts) {
            let (at, _) = place(mark, up.start);
            drawing.line(Ink::Muted, Stroke::Thin, [(at, axis), (at, axis + 4)]);
            let text = decimal(mark, decimals(across.start, across.end, parts));
            drawing.words(Ink::Muted, Anchor::Middle, (at, axis + 6 + TOP), &text);
        }
        let name = ((LEFT + end) / 2, axis + BELOW - 5);
        drawing.words(Ink::Muted, Anchor::Middle, name, &self.x_name);
        let front: Vec<Place> = self.front().into_iter().map(|(x, y)| place(x, y)).collect();
        let places: Vec<Place> = self.points.iter().map(|point| place(point.x, point.y)).collect();
        let top = NAME_BASE + MIDDLE;
        let whole = Area { left: 2, top, width: size.0 as i32 - 4, height: axis - top };
        drawing.line(Ink::Muted, Stroke::Dashed, front.as_slice());
        self.name_points(&mut drawing, &places, &front, whole);
        for (point, &at) in self.points.iter().zip(&places) {
            drawing.spot(around(at), &point.hover);
        }
        drawing
    }

    /// Draws the points, and the names that have room: beside the front if possible, otherwise across it.
    fn name_points(&self, drawing: &mut Drawing, places: &[Place], front: &[Place], whole: Area) {
        let mut taken: Vec<Area> = places.iter().map(|&at| around(at)).collect();
        // The numbers of the vertical axis.
        taken.push(Area { left: 0, width: LEFT, ..whole });
        let line: Vec<Area> = front.windows(2).flat_map(|pair| along(pair[0], pair[1])).collect();
        for (point, &at) in self.points.iter().zip(places) {
            let letters = point.name.chars().count();
            let sides = sides(at, (letters as f64 * LETTER).ceil() as i32, whole);
            let is_free = |area: Area, others: &[Area]| {
                is_within(area, whole) && !others.iter().any(|other| overlaps(area, *other))
            };
            let best = sides.iter().find(|side| is_free(side.2, &taken) && is_free(side.2, &line));
            let free = best.or_else(|| sides.iter().find(|side| is_free(side.2, &taken)));
            if let Some(&(anchor, base, area)) = free {
                // Where it lies across the front, the front has a gap.
                drawing.rect(Ink::Paper, gap(anchor, base, letters));
                drawing.words(Ink::Text, anchor, base, &point.name);
                taken.push(area);
            }
        }
        // Of points that touch, each is visible: the first lies above the others, with a rim.
        for (point, &at) in self.points.iter().zip(places).rev() {
            drawing.dot(Ink::Paper, at, RADIUS + 1);
            drawing.dot(point.ink, at, RADIUS);
        }
    }
}

/// The range of values, with a margin.
fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    // More than what the number is exact to, so that the range is never empty.
    let room = ((high - low) * 0.08).max(0.05).max(high.abs().max(low.abs()) * 1e-9);
    low - room..high + room
}

/// The area of a point, in which no name lies.
fn around((x, y): Place) -> Area {
    let side = 2 * (RADIUS + 2);
    Area { left: x - side / 2, top: y - side / 2, width: side, height: side }
}

/// Small areas along a line.
fn along((x, y): Place, (to_x, to_y): Place) -> impl Iterator<Item = Area> {
    let steps = 1 + (to_x - x).abs().max((to_y - y).abs()) / 4;
    (0..=steps).map(move |step| Area {
        left: x + (to_x - x) * step / steps,
        top: y + (to_y - y) * step / steps,
        width: 1,
        height: 1,
    })
}

/// Where the name of a point may lie, the best place first: its anchor, its baseline, its area.
fn sides((x, y): Place, width: i32, whole: Area) -> [(Anchor, Place, Area); 14] {
    let beside = [0, -GAP - 2, GAP + 2, -2 * GAP, 2 * GAP];
    let right = beside.map(|down| (Anchor::Start, (x + GAP, y + MIDDLE + down)));
    let left = beside.map(|down| (Anchor::End, (x - GAP, y + MIDDLE + down)));
    let above = (Anchor::Middle, (x, y - GAP));
    let below = (Anchor::Middle, (x, y + GAP + TOP));
    // Above and below, moved away from the edges.
    let from = (x - width / 2).min(whole.left + whole.width - width).max(LEFT + 2);
    let moved = [y - GAP - 4, y + GAP + TOP + 4].map(|base| (Anchor::Start, (from, base)));
    let [[a, b, c, d, e], [f, g, h, i, j]] = [right, left];
    [a, f, above, below, b, c, g, h, moved[0], moved[1], d, e, i, j]
        .map(|(anchor, base)| (anchor, base, named_area(anchor, base, width)))
}

/// What a name covers of the lines below it: less than its area, which has room for broad letters.
fn gap(anchor: Anchor, base: Place, letters: usize) -> Area {
    named_area(anchor, base, (letters as f64 * LETTER * 0.85).ceil() as i32)
}

/// The area of a name of this width.
fn named_area(anchor: Anchor, base: Place, width: i32) -> Area {
    let left = match anchor {
        Anchor::Start => base.0,
        Anchor::Middle => base.0 - width / 2,
        Anchor::End => base.0 - width,
    };
    Area { left, top: base.1 - TOP - 1, width, height: HEIGHT }
}

fn overlaps(a: Area, b: Area) -> bool {
    a.left < b.left + b.width
        && b.left < a.left + a.width
        && a.top < b.top + b.height
        && b.top < a.top + a.height
}

fn is_within(inner: Area, outer: Area) -> bool {
    inner.left >= outer.left
        && inner.top >= outer.top
        && inner.left + inner.width <= outer.left + outer.width
        && inner.top + inner.height <= outer.top + outer.height
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scatter(points: &[(&str, f64, f64)]) -> Scatter {
        let point = |&(name, x, y): &(&str, f64, f64)| {
            let (name, hover) = (name.to_string(), format!("hover {name}"));
            Point { name, ink: Ink::Series(0), x, y, hover }
        };
        let [hover, x_name, y_name] = ["points", "across", "upwards"].map(String::from);
        Scatter { hover, points: points.iter().map(point).collect(), x_name, y_name, y_unit: " %" }
    }

    #[test]
    fn the_front_has_no_point_that_another_beats() {
        let points = [("a", 1.0, 80.0), ("b", 2.0, 90.0), ("c", 2.5, 90.0), ("d", 3.0, 85.0)];
        assert_eq!(scatter(&points).front(), [(1.0, 80.0), (2.0, 90.0)]);
        assert_eq!(scatter(&[("a", 1.0, 80.0), ("b", 1.0, 80.0)]).front().len(), 2);
    }

    #[test]
    fn names_lie_apart_and_every_point_has_its_hover_title() {
        let points: Vec<(&str, f64, f64)> =
            (0..30).map(|n| ("economical-priority", f64::from(n % 6), f64::from(n / 6))).collect();
        let svg = scatter(&points).draw((350, 260)).on_page();
        let names = svg.matches(">economical-priority<").count();
        assert!((1..30).contains(&names), "{names}");
        assert_eq!(svg.matches("hover economical-priority").count(), 30);
        // One point has a range, too.
        let svg = scatter(&[("alone", 3.0, 99.0)]).draw((350, 260)).on_page();
        assert!(svg.contains(">alone<") && !svg.contains("NaN"), "{svg}");
    }
    /// Points in pairs that touch, as those of a notation and of its reading among legal moves do. A narrow figure has
    /// no room for all.
    #[test]
    fn points_that_touch_have_their_names_too() {
        let pair = |x: f64, y: f64| {
            [("economical-priority", x, y), ("economical-priority-legal", x - 0.018, y - 0.1)]
        };
        for y in [60.0, 85.0] {
            let mut points =
                vec![("san", 3.11, 95.8), ("economical-letters", 2.84, 94.9), ("uci", 4.0, 97.6)];
            points.extend([("long", 5.74, 98.6), ("economical-squares", 2.49, 90.6)]);
            points.extend([("economical-squares-legal", 2.46, 90.7)]);
            points.extend(pair(2.25, y));
            for (size, least) in [((760, 340), points.len()), ((350, 300), points.len() - 2)] {
                let svg = scatter(&points).draw(size).on_page();
                let is_named = |point: &&(&str, f64, f64)| svg.contains(&format!(">{}<", point.0));
                let named = points.iter().filter(is_named).count();
                assert!(named >= least, "{named} of {} at {size:?}", points.len());
                assert!(svg.contains(">across<") && svg.contains(">upwards<"));
            }
        }
    }
}
