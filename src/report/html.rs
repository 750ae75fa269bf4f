//! A page as one HTML file.
//!
//! Input: a page; output: a self-contained file: style sheet and figures are inside, it has no script and no address.
//! It is well-formed as XML too. Light or dark is the reader's choice; on paper every table is open.

use std::fmt::Write as _;

use super::page::{Block, Cell, Chart, Grid, Key, Page, Section};

/// The style sheet.
const STYLE: &str = include_str!("style.css");

/// Text that is escaped for elements and attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // Control characters are no characters of XML.
            '\t' | '\n' => safe.push(' '),
            '\0'..='\x1f' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

/// Text with the names between backticks marked up.
fn prose(text: &str) -> String {
    let mut html = String::new();
    for (number, part) in text.split('`').enumerate() {
        match number % 2 {
            0 => html.push_str(&escaped(part)),
            _ => {
                let _ = write!(html, "<code>{}</code>", escaped(part));
            }
        }
    }
    html
}

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
            Block::Text(text) | Block::Aside(text) => {
                let _ = writeln!(html, "<p>{}</p>", prose(text));
            }
            Block::Legend(keys) => write_legend(html, keys),
            Block::Charts(charts) if charts.len() == 1 => write_charts(html, "charts", charts),
            Block::Charts(charts) => write_charts(html, "charts many", charts),
            Block::Multiples(charts) => write_charts(html, "charts many small", charts),
            Block::Grid(grid) => write_grid(html, grid),
        }
    }
    html.push_str("</section>\n");
}

fn write_legend(html: &mut String, keys: &[Key]) {
    html.push_str("<ul class=\"legend\">\n");
    for key in keys {
        let style = if key.dashed { "dashed" } else { "solid" };
        let _ = writeln!(
            html,
            "<li><span class=\"{style}\" style=\"--ink:{}\"></span>{}</li>",
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
        match &chart.narrow {
            None => {
                let _ = writeln!(html, "{}", chart.wide);
            }
            Some(narrow) => {
                let _ = writeln!(html, "<div class=\"wide\">{}</div>", chart.wide);
                let _ = writeln!(html, "<div class=\"narrow\">{narrow}</div>");
            }
        }
        html.push_str("</figure>\n");
    }
    html.push_str("</div>\n");
}

fn write_grid(html: &mut String, grid: &Grid) {
    let caption = prose(&grid.caption);
    if !grid.is_open {
        let _ = writeln!(html, "<details>\n<summary>{caption}</summary>");
    }
    // A table that is too broad is moved in its frame, by keys as well.
    let name = escaped(&grid.caption.replace('`', ""));
    let _ = writeln!(
        html,
        "<div class=\"frame\" role=\"region\" tabindex=\"0\" aria-label=\"{name}\">\n<table>"
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
                Cell::Text(text) => prose(text),
                number => escaped(&number.text()),
            };
            match (column, cell.is_number()) {
                (0, false) => {
                    let _ = write!(html, "<th scope=\"row\">{text}</th>");
                }
                (_, true) => {
                    let _ = write!(html, "<td class=\"number\">{text}</td>");
                }
                (_, false) => {
                    let _ = write!(html, "<td>{text}</td>");
                }
            }
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n</div>\n");
    if !grid.is_open {
        html.push_str("</details>\n");
    }
}
