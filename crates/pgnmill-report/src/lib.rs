//! A measurement as a page for people.
//!
//! Input: a directory of tables that `measure`, `stats` (or `merge`) wrote, or what was looked up in a table of
//! positions; output: one self-contained HTML file, the same text and tables as Markdown, and each figure as an SVG
//! file. Invariants: every number on it is a count of the
//! tables or follows from counts; the same tables give the same bytes, for nothing is taken from the clock or the
//! machine; a table that is absent is named together with the option that makes it; one that is malformed ends the
//! run. May use: the declarations of tables (`pgnmill-core`) and errors (`pgnmill-io`). The next section is a file of
//! `sections/`, called in its `mod.rs`. Cost: the tables are held in memory.
//!
//! ```no_run
//! use pgnmill_report::{Format, Report};
//! let page = Report::read("study".as_ref())?.write(Format::Html);
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

mod crossed;
mod draw;
mod escape;
mod explorer;
mod figure_file;
mod holdings;
mod html;
mod ink;
mod markdown;
mod number;
mod page;
mod prose;
mod sections;
mod spread;
mod student;
mod study;
mod sums;
mod table;

pub use explorer::{BRANCHES_MAX, Branch, Explorer, MOVES_MAX, PLIES_MAX, Played, TEXT_CHARS_MAX};
pub use number::grouped;

use std::path::Path;

use pgnmill_core::tables;
use pgnmill_io::error::Result;

use holdings::Holdings;
use page::{Block, Page};
use study::Study;

/// How a page is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// One file with its figures in it.
    Html,
    /// Text and tables.
    Markdown,
}

impl Format {
    /// The format for a file name: `.md` is Markdown, everything else HTML.
    pub fn of(path: &Path) -> Format {
        match path.extension() {
            Some(end) if end.eq_ignore_ascii_case("md") => Format::Markdown,
            _ => Format::Html,
        }
    }
}

/// A figure of a page as a file of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FigureFile {
    /// The name of the file: lower-case letters, digits and hyphens, and `.svg`. It depends on what the figure shows,
    /// not on the numbers.
    pub name: String,
    /// The text of the file.
    pub svg: String,
}

/// A page that is ready to be written.
#[derive(Debug)]
pub struct Report(Page);

impl Report {
    /// Makes a page of the tables of a directory.
    ///
    /// # Errors
    /// If the directory holds no measurement and no table of `stats`, one of a newer layout, or a malformed table.
    pub fn read(directory: &Path) -> Result<Report> {
        Report::of(directory, false)
    }

    /// Makes a page of the tables of a directory, with what the documents that describe the 'Economical' notations
    /// claim, beside what was counted.
    ///
    /// # Errors
    /// As [`Report::read`].
    pub fn read_with_claims(directory: &Path) -> Result<Report> {
        Report::of(directory, true)
    }

    /// Makes a page of what was looked up in a table of positions.
    pub fn of_positions(explorer: &Explorer) -> Report {
        Report(explorer::page(explorer))
    }

    /// `stats.csv` alone is a page of its own.
    fn of(directory: &Path, has_claims: bool) -> Result<Report> {
        let holdings = Holdings::read(directory)?;
        let is_measured = directory.join(tables::notations::SCHEMA.file).exists();
        Ok(Report(match &holdings {
            Some(holdings) if !is_measured => sections::page_of_archives(holdings),
            _ => sections::page(&Study::read(directory)?, holdings.as_ref(), has_claims),
        }))
    }

    /// The page in a format.
    pub fn write(&self, format: Format) -> String {
        match format {
            Format::Html => html::write(&self.0),
            Format::Markdown => markdown::write(&self.0, None),
        }
    }

    /// The page as Markdown that shows the figures: `folder` is how links name the directory of their files, with a
    /// slash at its end. Longer tables are left to the figures.
    pub fn markdown_with_figures(&self, folder: &str) -> String {
        markdown::write(&self.0, Some(folder))
    }

    /// The figures in the order of the page; their names are different.
    pub fn figures(&self) -> Vec<FigureFile> {
        let blocks = self.0.sections.iter().flat_map(|section| &section.blocks);
        let figures = blocks.filter_map(|block| match block {
            Block::Figure(figure) => Some(figure),
            _ => None,
        });
        let file = |figure: &page::Figure| FigureFile {
            name: format!("{}.svg", figure.name),
            svg: figure_file::write(figure, figure.measured.as_deref().unwrap_or(&self.0.measured)),
        };
        figures.map(file).collect()
    }
}
