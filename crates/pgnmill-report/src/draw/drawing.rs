//! A drawn chart, before it is put into a page or a file.
//!
//! Input: what `plotters` wrote, in placeholder colours, and areas with hover titles. Output: an SVG element in the
//! variables of the page's style sheet, or a group of elements in plain colours. Invariant: neither names an address.

use std::fmt::Write as _;

use super::super::escape::escaped;
use super::super::ink::Ink;

/// An area with a hover title.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Spot {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) hover: String,
}

/// A chart.
#[derive(Clone, Debug)]
pub(in super::super) struct Drawing {
    /// Its width and height.
    pub(in super::super) size: (u32, u32),
    /// What it shows, in words.
    label: String,
    /// The elements, in placeholder colours.
    marks: String,
    spots: Vec<Spot>,
}

impl Drawing {
    /// The chart in a file of `plotters`.
    pub(super) fn of(size: (u32, u32), label: &str, drawn: &str, spots: Vec<Spot>) -> Drawing {
        // The element's opening is ours: it scales, has a name, and names no address.
        let inside = drawn.split_once('>').map_or("", |(_, inside)| inside);
        let inside = inside.trim_end().trim_end_matches("</svg>");
        Drawing { size, label: label.to_string(), marks: slim(inside), spots }
    }

    /// An element for the page, which scales and is coloured by its style sheet.
    pub(in super::super) fn on_page(&self) -> String {
        let (width, height) = self.size;
        let mut svg = format!(
            "<svg viewBox=\"0 0 {width} {height}\" style=\"--width:{width}px\" role=\"img\" \
             aria-label=\"{}\">{}",
            escaped(&self.label),
            Ink::settle(&self.marks, Ink::variable)
        );
        self.write_spots(&mut svg, "class=\"spot\"");
        svg.push_str("</svg>");
        svg
    }

    /// A group for a file, in plain colours, with its corner at this place.
    pub(in super::super) fn in_file(&self, (left, top): (u32, u32)) -> String {
        let mut group = format!(
            "<g transform=\"translate({left} {top})\">{}",
            Ink::settle(&self.marks, Ink::plain)
        );
        // A fill that is nothing would take no pointer.
        self.write_spots(&mut group, "fill=\"#000000\" fill-opacity=\"0\"");
        group.push_str("</g>\n");
        group
    }

    fn write_spots(&self, svg: &mut String, look: &str) {
        for Spot { left, top, width, height, hover } in &self.spots {
            let _ = writeln!(
                svg,
                "<rect {look} x=\"{left}\" y=\"{top}\" width=\"{width}\" \
                 height=\"{height}\"><title>{}</title></rect>",
                escaped(hover)
            );
        }
    }
}

/// The same drawing without redundant attributes: what it is put into names the font.
fn slim(drawn: &str) -> String {
    drawn
        .replace(" opacity=\"1\"", "")
        .replace(" font-family=\"sans-serif\"", "")
        .replace("stroke=\"none\" ", "")
}
