//! A page as one HTML file.
//!
//! Input: a page; output: a self-contained file: style sheet and figures are inside, it has no script and no address.
//! It is well-formed as XML too. Light or dark is the reader's choice. On paper are the figures, the tables that are
//! open, and for each other table a line with the file that has it.

use std::fmt::Write as _;

use super::escape::escaped;
use super::explorer::tree;
use super::number::grouped;
use super::page::{Block, Cell, Chart, Figure, Grid, Key, Layout, Page, Section};
use super::prose::{html as prose, plain};

/// The style sheet.
const STYLE: &str = include_str!("style.css");

/// A table of more columns may be broader than a narrow page.
const NARROW_COLUMNS_MAX: usize = 4;
/// A text of more bytes is a sentence, one of at most so many a word, a date, a number.
const LONG_BYTES: usize = 40;
const SHORT_BYTES: usize = 10;
/// A table of so many rows is not divided between pages of paper.
const SHORT_ROWS_MAX: usize = 30;

/// Writes the page.
pub(super) fn write(page: &Page) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{}</h1>\n",
        escaped(&page.title),
        escaped(&page.title)
    );
    for text in &page.lead {
        let _ = writeln!(html, "<p>{}</p>", prose(text));
    }
    let _ = writeln!(html, "<p class=\"paper\">{}</p>", prose(page.on_paper));
    html.push_str("</header>\n<nav aria-label=\"Sections\">\n<ul>\n");
    for section in &page.sections {
        let (id, title) = (section.id(), prose(&section.title));
        let _ = writeln!(html, "<li><a href=\"#{id}\">{title}</a></li>");
    }
    html.push_str("</ul>\n</nav>\n<main>\n");
    for section in &page.sections {
        write_section(&mut html, section);
    }
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

fn write_section(html: &mut String, section: &Section) {
    let (id, title) = (section.id(), prose(&section.title));
    let _ = writeln!(html, "<section id=\"{id}\" aria-labelledby=\"{id}-title\">");
    let _ = writeln!(html, "<h2 id=\"{id}-title\">{title}</h2>");
    for block in &section.blocks {
        match block {
            Block::Text(text) => {
                let _ = writeln!(html, "<p>{}</p>", prose(text));
            }
            Block::Aside(text) => {
                let _ = writeln!(html, "<p class=\"screen\">{}</p>", prose(text));
            }
            Block::Figure(figure) => write_figure(html, figure),
            Block::Grid(grid) => write_grid(html, grid),
            Block::Moves(moves, games) => html.push_str(&tree::html(moves, *games)),
        }
    }
    html.push_str("</section>\n");
}

/// Note, legend and charts stay together on paper.
fn write_figure(html: &mut String, figure: &Figure) {
    let class = match figure.layout {
        Layout::Single => "charts",
        Layout::Row => "charts many",
        Layout::Small => "charts many small",
    };
    let name = escaped(&plain(&figure.title));
    let _ = writeln!(html, "<div class=\"figure\" role=\"group\" aria-label=\"{name}\">");
    // The caption of a single chart is the title.
    let title = match figure.layout {
        Layout::Single => String::new(),
        Layout::Row | Layout::Small => format!("{}. ", prose(&figure.title)),
    };
    let words = title + &prose(&figure.note);
    if !words.is_empty() {
        let _ = writeln!(html, "<p>{}</p>", words.trim_end());
    }
    if !figure.legend.is_empty() {
        write_legend(html, &figure.legend);
    }
    write_charts(html, class, &figure.charts);
    html.push_str("</div>\n");
}

fn write_legend(html: &mut String, keys: &[Key]) {
    html.push_str("<ul class=\"legend\">\n");
    for key in keys {
        let style = if key.dashed { "dashed" } else { "solid" };
        let marker = key.marker.map_or_else(String::new, |marker| {
            format!("<span style=\"color:{}\">{}</span> ", key.ink.variable(), marker.character())
        });
        let _ = writeln!(
            html,
            "<li><span class=\"{style}\" style=\"--ink:{}\"></span>{marker}{}</li>",
            key.ink.variable(),
            prose(&key.name)
        );
    }
    html.push_str("</ul>\n");
}

fn write_charts(html: &mut String, class: &str, charts: &[Chart]) {
    let _ = writeln!(html, "<div class=\"{class}\">");
    for chart in charts {
        let _ = writeln!(html, "<figure>\n<figcaption>{}</figcaption>", prose(&chart.caption));
        let _ = writeln!(html, "<div class=\"wide\">{}</div>", chart.wide.on_page());
        let _ = writeln!(html, "<div class=\"narrow\">{}</div>", chart.narrow.on_page());
        html.push_str("</figure>\n");
    }
    html.push_str("</div>\n");
}

/// A date is not divided between lines; a sentence has room on a narrow page, where a table is moved sideways.
fn class_of(cell: &Cell) -> &'static str {
    match cell {
        Cell::Text(text) | Cell::Prose(text) if text.len() > LONG_BYTES => " class=\"words\"",
        Cell::Text(text) | Cell::Prose(text)
            if text.len() <= SHORT_BYTES && !text.contains(' ') =>
        {
            " class=\"short\""
        }
        _ => "",
    }
}

fn write_grid(html: &mut String, grid: &Grid) {
    let caption = prose(&grid.caption);
    if !grid.is_open {
        let rows = grouped(grid.rows.len() as u64);
        let source = escaped(&grid.source);
        let place = format!("<span class=\"paper\">: {rows} rows, in <code>{source}</code></span>");
        let _ = writeln!(html, "<details>\n<summary>{caption}{place}</summary>");
    }
    if grid.head.len() > NARROW_COLUMNS_MAX {
        html.push_str("<p class=\"hint\">Where the table is broader than the page, it can be moved sideways.</p>\n");
    }
    // A table that is too broad is moved in its frame, by keys as well.
    let name = escaped(&plain(&grid.caption));
    let class = if grid.rows.len() <= SHORT_ROWS_MAX { "frame short" } else { "frame" };
    let _ = writeln!(
        html,
        "<div class=\"{class}\" role=\"group\" tabindex=\"0\" aria-label=\"{name}\">\n<table>"
    );
    if grid.is_open {
        let _ = writeln!(html, "<caption>{caption}</caption>");
    }
    let is_number = |column: usize| {
        let mut cells = grid.rows.iter().map(|row| &row[column]);
        cells.next().is_some_and(Cell::is_number)
    };
    html.push_str("<thead><tr>");
    for (column, name) in grid.head.iter().enumerate() {
        let class = if is_number(column) { " class=\"number\"" } else { "" };
        let _ = write!(html, "<th scope=\"col\"{class}>{}</th>", prose(name));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &grid.rows {
        html.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let text = match cell {
                Cell::Name(name) => format!("<code>{}</code>", escaped(name)),
                Cell::Prose(text) => prose(text),
                literal => escaped(&literal.text()),
            };
            match (column, cell.is_number()) {
                (0, false) => {
                    let _ = write!(html, "<th scope=\"row\">{text}</th>");
                }
                (_, true) => {
                    let _ = write!(html, "<td class=\"number\">{text}</td>");
                }
                (_, false) => {
                    let _ = write!(html, "<td{}>{text}</td>", class_of(cell));
                }
            }
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n</div>\n");
    if !grid.note.is_empty() {
        let _ = writeln!(html, "<p class=\"below\">{}</p>", prose(&grid.note));
    }
    if !grid.is_open {
        html.push_str("</details>\n");
    }
}
