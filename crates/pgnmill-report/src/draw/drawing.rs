//! A drawn chart, before it is put into a page or a file.
//!
//! Input: shapes of five kinds (words, rectangles, lines, dots and polygons), each in an ink, and areas with hover
//! titles.
//! Output: an SVG element in the variables of the page's style sheet, or a group of elements in plain colours.
//! Invariants: neither names an address or a font; what is drawn later lies above what is drawn before; coordinates
//! are whole numbers.
//!
//! ```ignore
//! let mut drawing = Drawing::new((100, 20), "One bar");
//! drawing.rect(Ink::Series(0), Area { left: 40, top: 2, width: 60, height: 16 });
//! drawing.words(Ink::Text, Anchor::End, (32, 14), "san");
//! ```

use std::fmt::Write as _;

use super::super::escape::escaped;
use super::super::ink::{Ink, Marker};

/// A point: to the right, and down.
pub(super) type Point = (i32, i32);

/// A rectangle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Area {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: i32,
    pub(super) height: i32,
}

/// Which end of words lies at their point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a line is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stroke {
    /// One unit broad.
    Thin,
    /// Two units broad.
    Broad,
    /// One unit broad, with gaps.
    Dashed,
}

#[derive(Clone, Debug)]
enum Shape {
    Words(Anchor, Point, String),
    Rect(Area),
    Line(Stroke, Vec<Point>),
    Dot(Point, i32),
    Polygon(Vec<Point>),
}

/// A chart.
#[derive(Clone, Debug)]
pub(in super::super) struct Drawing {
    /// Its width and height.
    pub(in super::super) size: (u32, u32),
    /// What it shows, in words.
    label: String,
    /// From below to above.
    shapes: Vec<(Ink, Shape)>,
    /// Areas with their hover titles.
    spots: Vec<(Area, String)>,
}

impl Drawing {
    /// An empty chart.
    pub(super) fn new(size: (u32, u32), label: &str) -> Drawing {
        Drawing { size, label: label.to_string(), shapes: Vec::new(), spots: Vec::new() }
    }

    /// Words whose baseline is at a point.
    pub(super) fn words(&mut self, ink: Ink, anchor: Anchor, at: Point, words: &str) {
        self.shapes.push((ink, Shape::Words(anchor, at, words.to_string())));
    }

    /// A filled rectangle.
    pub(super) fn rect(&mut self, ink: Ink, area: Area) {
        self.shapes.push((ink, Shape::Rect(area)));
    }

    /// A line through points.
    pub(super) fn line(&mut self, ink: Ink, stroke: Stroke, points: impl Into<Vec<Point>>) {
        self.shapes.push((ink, Shape::Line(stroke, points.into())));
    }

    /// A filled circle.
    pub(super) fn dot(&mut self, ink: Ink, center: Point, radius: i32) {
        self.shapes.push((ink, Shape::Dot(center, radius)));
    }

    /// A marker around a point, as broad as a circle of this radius.
    pub(super) fn marker(&mut self, ink: Ink, marker: Marker, (x, y): Point, radius: i32) {
        let r = radius;
        let corners = match marker {
            Marker::Disc => return self.dot(ink, (x, y), r),
            Marker::Square => vec![(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)],
            Marker::Triangle => vec![(x, y - r - 1), (x + r + 1, y + r), (x - r - 1, y + r)],
            Marker::Diamond => {
                vec![(x, y - r - 1), (x + r + 1, y), (x, y + r + 1), (x - r - 1, y)]
            }
        };
        self.shapes.push((ink, Shape::Polygon(corners)));
    }

    /// An area with a hover title.
    pub(super) fn spot(&mut self, area: Area, hover: &str) {
        self.spots.push((area, hover.to_string()));
    }

    /// An element for the page, which scales and is coloured by its style sheet.
    pub(in super::super) fn on_page(&self) -> String {
        let (width, height) = self.size;
        let label = escaped(&self.label);
        let elements = self.elements(Ink::variable, "class=\"spot\"");
        format!(
            "<svg viewBox=\"0 0 {width} {height}\" style=\"--width:{width}px\" role=\"img\" \
             aria-label=\"{label}\" font-size=\"12\">\n{elements}</svg>"
        )
    }

    /// A group for a file, in plain colours, with its corner at this place.
    pub(in super::super) fn in_file(&self, (left, top): (u32, u32)) -> String {
        // A fill that is nothing would take no pointer.
        let elements = self.elements(Ink::plain, "fill=\"#000000\" fill-opacity=\"0\"");
        format!("<g transform=\"translate({left} {top})\">\n{elements}</g>\n")
    }

    /// All shapes, and above them the spots, which look like this.
    fn elements(&self, color: fn(Ink) -> &'static str, spot: &str) -> String {
        let mut svg = String::new();
        for (ink, shape) in &self.shapes {
            shape.write(&mut svg, color(*ink));
        }
        for (area, hover) in &self.spots {
            let (area, hover) = (area.attributes(), escaped(hover));
            let _ = writeln!(svg, "<rect {spot} {area}><title>{hover}</title></rect>");
        }
        svg
    }
}

impl Area {
    fn attributes(self) -> String {
        let Area { left, top, width, height } = self;
        format!("x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"")
    }
}

impl Shape {
    fn write(&self, svg: &mut String, color: &str) {
        let _ = match self {
            Shape::Words(anchor, (x, y), words) => {
                let anchor = match anchor {
                    Anchor::Start => "",
                    Anchor::Middle => " text-anchor=\"middle\"",
                    Anchor::End => " text-anchor=\"end\"",
                };
                let words = escaped(words);
                writeln!(svg, "<text x=\"{x}\" y=\"{y}\"{anchor} fill=\"{color}\">{words}</text>")
            }
            Shape::Rect(area) => writeln!(svg, "<rect {} fill=\"{color}\"/>", area.attributes()),
            Shape::Line(stroke, points) => {
                let points = in_words(points);
                let stroke = match stroke {
                    Stroke::Thin => "",
                    Stroke::Broad => " stroke-width=\"2\"",
                    Stroke::Dashed => " stroke-dasharray=\"6 4\"",
                };
                writeln!(
                    svg,
                    "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\"{stroke}/>"
                )
            }
            Shape::Dot((x, y), radius) => {
                writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{color}\"/>")
            }
            Shape::Polygon(corners) => {
                writeln!(svg, "<polygon points=\"{}\" fill=\"{color}\"/>", in_words(corners))
            }
        };
    }
}

/// The coordinates of points.
fn in_words(points: &[Point]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
    points.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_elements_in_the_order_in_which_they_were_drawn() {
        let mut drawing = Drawing::new((90, 20), "<a>");
        drawing.line(Ink::Grid, Stroke::Dashed, [(1, 2), (3, 4)]);
        drawing.rect(Ink::Series(0), Area { left: 5, top: 6, width: 7, height: 8 });
        drawing.words(Ink::Text, Anchor::End, (9, 10), "a & b");
        drawing.dot(Ink::Paper, (11, 12), 4);
        drawing.spot(Area { left: 0, top: 0, width: 90, height: 20 }, "a < b");
        let page = "<svg viewBox=\"0 0 90 20\" style=\"--width:90px\" role=\"img\" \
                    aria-label=\"&lt;a&gt;\" font-size=\"12\">\n\
                    <polyline points=\"1,2 3,4\" fill=\"none\" stroke=\"var(--grid)\" stroke-dasharray=\"6 4\"/>\n\
                    <rect x=\"5\" y=\"6\" width=\"7\" height=\"8\" fill=\"var(--s0)\"/>\n\
                    <text x=\"9\" y=\"10\" text-anchor=\"end\" fill=\"var(--text)\">a &amp; b</text>\n\
                    <circle cx=\"11\" cy=\"12\" r=\"4\" fill=\"var(--paper)\"/>\n\
                    <rect class=\"spot\" x=\"0\" y=\"0\" width=\"90\" height=\"20\">\
                    <title>a &lt; b</title></rect>\n</svg>";
        assert_eq!(drawing.on_page(), page);
        let file = drawing.in_file((20, 30));
        assert!(file.starts_with("<g transform=\"translate(20 30)\">\n<polyline"), "{file}");
        assert!(!file.contains("var(") && !file.contains("class"), "{file}");
    }
}
