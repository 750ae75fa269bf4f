//! A figure as an SVG file of its own.
//!
//! Input: a figure of the page; output: a file that any viewer opens: title, note, legend and charts one below the
//! other, in plain colours on white, without style sheet, script or link. Invariants: the fonts are those of the
//! viewer, and there is room for broad ones; the same figure gives the same bytes.

use std::fmt::Write as _;

use super::draw::{Drawing, LETTER};
use super::escape::escaped;
use super::ink::Ink;
use super::page::{Chart, Figure, Key, Layout};
use super::prose::plain;

/// The width of the file.
const WIDTH: u32 = 800;
/// What is left free at each side.
const MARGIN: u32 = 20;
/// From one line of words to the next.
const LINE: u32 = 18;
/// The line of a legend, and its distance from the words.
const SWATCH: u32 = 24;
const SWATCH_GAP: u32 = 6;
/// Between two keys of a legend.
const KEY_GAP: u32 = 18;
/// Above a chart and its caption.
const CHART_GAP: u32 = 10;
/// A letter of the title is so much broader than one of the other words.
const TITLE_SCALE: f64 = 1.3;
const FONTS: &str =
    "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', Helvetica, Arial, sans-serif";

/// The charts of one row.
fn columns(layout: Layout) -> u32 {
    match layout {
        Layout::Single => 1,
        Layout::Row => 2,
        Layout::Small => 3,
    }
}

/// The drawing that a row of so many has room for.
fn drawing(chart: &Chart, layout: Layout) -> &Drawing {
    match layout {
        Layout::Single | Layout::Small => &chart.wide,
        Layout::Row => &chart.narrow,
    }
}

/// Text in lines of at most this width, with letters of this one.
fn lines(text: &str, width: u32, letter: f64) -> Vec<String> {
    let letters_max = (f64::from(width) / letter) as usize;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters_max => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// The elements of a file, and where the next one begins.
struct Sheet {
    svg: String,
    top: u32,
}

impl Sheet {
    fn words(&mut self, left: u32, baseline: u32, ink: Ink, more: &str, text: &str) {
        let (ink, text) = (ink.plain(), escaped(text));
        let _ = writeln!(
            self.svg,
            "<text x=\"{left}\" y=\"{baseline}\" fill=\"{ink}\"{more}>{text}</text>"
        );
    }

    fn paragraph(&mut self, text: &str, ink: Ink, letter: f64, more: &str) {
        for line in lines(&plain(text), WIDTH - 2 * MARGIN, letter) {
            self.words(MARGIN, self.top + LINE - 5, ink, more, &line);
            self.top += LINE;
        }
    }

    fn legend(&mut self, keys: &[Key]) {
        let mut left = MARGIN;
        for key in keys {
            let marker = key.marker.map(|marker| format!("{} ", marker.character()));
            let name = marker.unwrap_or_default() + &plain(&key.name);
            let words = (name.chars().count() as f64 * LETTER).ceil() as u32;
            let width = SWATCH + SWATCH_GAP + words;
            if left > MARGIN && left + width > WIDTH - MARGIN {
                left = MARGIN;
                self.top += LINE;
            }
            let (ink, level) = (key.ink.plain(), self.top + LINE / 2);
            let look = match key.dashed {
                true => "stroke-width=\"2\" stroke-dasharray=\"6 4\"",
                false => "stroke-width=\"3\"",
            };
            let end = left + SWATCH;
            let _ = writeln!(
                self.svg,
                "<line x1=\"{left}\" y1=\"{level}\" x2=\"{end}\" y2=\"{level}\" stroke=\"{ink}\" {look}/>"
            );
            self.words(end + SWATCH_GAP, self.top + LINE - 5, Ink::Text, "", &name);
            left += width + KEY_GAP;
        }
        self.top += if keys.is_empty() { 0 } else { LINE };
    }

    fn charts(&mut self, figure: &Figure) {
        let columns = columns(figure.layout);
        let pitch = (WIDTH - 2 * MARGIN) / columns;
        for row in figure.charts.chunks(columns as usize) {
            self.top += CHART_GAP;
            // The title of the file is the caption of a single chart.
            if figure.layout != Layout::Single {
                for (column, chart) in (0..).zip(row) {
                    let left = MARGIN + column * pitch;
                    let bold = " font-weight=\"600\"";
                    let caption = plain(&chart.caption);
                    self.words(left, self.top + LINE - 5, Ink::Text, bold, &caption);
                }
                self.top += LINE;
            }
            let mut lowest = 0;
            for (column, chart) in (0..).zip(row) {
                let drawing = drawing(chart, figure.layout);
                self.svg.push_str(&drawing.in_file((MARGIN + column * pitch, self.top)));
                lowest = lowest.max(drawing.size.1);
            }
            self.top += lowest;
        }
    }
}

/// Writes the file; its context, such as the number of games, is a line below the title.
pub(super) fn write(figure: &Figure, context: &str) -> String {
    let mut sheet = Sheet { svg: String::new(), top: MARGIN };
    let title_look = " font-size=\"16\" font-weight=\"600\"";
    sheet.paragraph(&figure.title, Ink::Text, LETTER * TITLE_SCALE, title_look);
    sheet.top += 4;
    sheet.paragraph(context, Ink::Muted, LETTER, "");
    // A file is read without the page: what that states once for many figures is in each file.
    let note = if figure.note_in_file.is_empty() { &figure.note } else { &figure.note_in_file };
    sheet.paragraph(note, Ink::Muted, LETTER, "");
    sheet.legend(&figure.legend);
    sheet.charts(figure);
    let height = sheet.top + MARGIN;
    let title = escaped(&plain(&figure.title));
    let description = escaped(&plain(&[context, note].join(" ")));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-labelledby=\"title description\" \
         font-family=\"{FONTS}\" font-size=\"12\">\n\
         <title id=\"title\">{title}</title>\n<desc id=\"description\">{}</desc>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"{}\"/>\n{}</svg>\n",
        description.trim(),
        Ink::Paper.plain(),
        sheet.svg
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_divided_between_lines_and_none_is_lost() {
        let text = "one two three four five six seven";
        let divided = lines(text, 83, 8.3);
        assert!(divided.len() > 1 && divided.iter().all(|line| line.len() <= 10), "{divided:?}");
        assert_eq!(divided.join(" "), text);
        assert!(lines("", 83, 8.3).is_empty());
        // A word that is too long has a line of its own.
        assert_eq!(lines("a abcdefghijklm b", 83, 8.3), ["a", "abcdefghijklm", "b"]);
    }
}
