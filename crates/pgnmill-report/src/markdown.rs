//! A page as Markdown, for other documents: text and tables, and links to the figures where they are written to files.
//!
//! Tables of more than [`ROWS_MAX`] rows are named and not shown; beside a figure, those of more than
//! [`ROWS_BESIDE_FIGURES_MAX`] unless they are main tables.

use std::fmt::Write as _;

use super::explorer::tree;
use super::page::{Block, Cell, Figure, Grid, Page};
use super::prose::{code_span, literal_markdown, markdown as prose, plain};

/// The longest table that is shown.
const ROWS_MAX: usize = 40;
/// The longest table that is shown in addition to its figure.
const ROWS_BESIDE_FIGURES_MAX: usize = 12;

/// Writes the page. `figures` is the folder of the figures as links name it, with a slash at its end.
pub(super) fn write(page: &Page, figures: Option<&str>) -> String {
    let mut text = format!("# {}\n", prose(&page.title));
    for lead in &page.lead {
        let _ = write!(text, "\n{}\n", prose(lead));
    }
    for section in &page.sections {
        let _ = write!(text, "\n## {}\n", prose(&section.title));
        for block in &section.blocks {
            match block {
                Block::Text(words) => {
                    let _ = write!(text, "\n{}\n", prose(words));
                }
                Block::Grid(grid) => write_grid(&mut text, grid, figures.is_some()),
                Block::Figure(figure) => {
                    if let Some(folder) = figures {
                        write_link(&mut text, figure, folder);
                    }
                }
                Block::Moves(moves, games) => {
                    let _ = write!(text, "\n{}", tree::markdown(moves, *games));
                }
                Block::Aside(_) => {}
            }
        }
    }
    text
}

fn write_link(text: &mut String, figure: &Figure, folder: &str) {
    // Brackets would end the alternative text.
    let title = plain(&figure.title).replace(['[', ']'], " ");
    let _ = write!(text, "\n![{title}]({}{}.svg)\n", address(folder), figure.name);
}

/// A path as the target of a link: what is no letter, digit or plain sign is a per cent escape.
fn address(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                escaped.push(char::from(byte));
            }
            other => {
                let _ = write!(escaped, "%{other:02X}");
            }
        }
    }
    escaped
}

fn write_grid(text: &mut String, grid: &Grid, has_figures: bool) {
    let _ = write!(text, "\n{}", prose(&grid.caption));
    let rows_max = if has_figures && !grid.is_open { ROWS_BESIDE_FIGURES_MAX } else { ROWS_MAX };
    if grid.rows.len() > rows_max {
        let _ = writeln!(text, ": in {}.", code_span(&grid.source));
        return;
    }
    text.push_str(":\n\n|");
    for name in &grid.head {
        let _ = write!(text, " {} |", in_column(&prose(name)));
    }
    text.push_str("\n|");
    for column in 0..grid.head.len() {
        let is_number = grid.rows.first().is_some_and(|row| row[column].is_number());
        text.push_str(if is_number { "---:|" } else { "---|" });
    }
    text.push('\n');
    for row in &grid.rows {
        text.push('|');
        for cell in row {
            let field = match cell {
                // An angle bracket would begin HTML.
                Cell::Name(name) => code_span(name).replace('<', "&lt;"),
                Cell::Text(value) => literal_markdown(value),
                Cell::Prose(words) => prose(words).replace('<', "&lt;"),
                number => number.text(),
            };
            let _ = write!(text, " {} |", in_column(&field));
        }
        text.push('\n');
    }
    if !grid.note.is_empty() {
        let _ = write!(text, "\n{}\n", prose(&grid.note));
    }
}

/// A field of a table: a bar would begin another column.
fn in_column(field: &str) -> String {
    field.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_escape_what_would_end_them() {
        assert_eq!(address("figures/"), "figures/");
        assert_eq!(address("../my figures (1)/"), "../my%20figures%20%281%29/");
        assert_eq!(address("é/"), "%C3%A9/");
    }
}
