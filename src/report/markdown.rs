//! A page as Markdown, for other documents: text and tables without the figures.
//!
//! Tables of more than [`ROWS_MAX`] rows are named and not shown.

use std::fmt::Write as _;

use super::number::grouped;
use super::page::{Block, Cell, Grid, Page};

/// The longest table that is shown.
const ROWS_MAX: usize = 40;

/// Writes the page.
pub(super) fn write(page: &Page) -> String {
    let mut text = format!("# {}\n", page.title);
    for lead in &page.lead {
        let _ = write!(text, "\n{lead}\n");
    }
    for section in &page.sections {
        let _ = write!(text, "\n## {}\n", section.title);
        for block in &section.blocks {
            match block {
                Block::Text(words) => {
                    let _ = write!(text, "\n{words}\n");
                }
                Block::Grid(grid) => write_grid(&mut text, grid),
                Block::Aside(_) | Block::Legend(_) | Block::Charts(_) | Block::Multiples(_) => {}
            }
        }
    }
    text
}

fn write_grid(text: &mut String, grid: &Grid) {
    let _ = write!(text, "\n{}", grid.caption);
    if grid.rows.len() > ROWS_MAX {
        let _ = writeln!(text, ": {} rows, in `{}`.", grouped(grid.rows.len() as u64), grid.source);
        return;
    }
    text.push_str(":\n\n|");
    for name in &grid.head {
        let _ = write!(text, " {name} |");
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
                Cell::Name(name) => format!("`{name}`"),
                cell => cell.text(),
            };
            // A bar would begin another column, an angle bracket HTML.
            let _ = write!(text, " {} |", field.replace('|', "\\|").replace('<', "&lt;"));
        }
        text.push('\n');
    }
}
