//! The contents of a page, before they are written as HTML or as Markdown.
//!
//! Input: text, numbers and figures; output: their order. Text may contain names between backticks.

use super::ink::Ink;
use super::number::{decimal, grouped, signed};

/// A page.
#[derive(Debug)]
pub(super) struct Page {
    /// Its name.
    pub(super) title: String,
    /// The text below the title.
    pub(super) lead: Vec<String>,
    /// From the first to the last.
    pub(super) sections: Vec<Section>,
}

/// A part of a page with a heading.
#[derive(Debug)]
pub(super) struct Section {
    /// Its heading.
    pub(super) title: String,
    /// The contents.
    pub(super) blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Debug)]
pub(super) enum Block {
    /// A paragraph.
    Text(String),
    /// A paragraph about the figures below, for a page that has them.
    Aside(String),
    /// What the colours of the figures below mean.
    Legend(Vec<Key>),
    /// Figures side by side where the page is wide enough.
    Charts(Vec<Chart>),
    /// Small figures: two beside one another on a narrow page, too.
    Multiples(Vec<Chart>),
    /// A table.
    Grid(Grid),
}

/// One colour of a legend.
#[derive(Debug)]
pub(super) struct Key {
    /// The colour.
    pub(super) ink: Ink,
    /// Is the line dashed?
    pub(super) dashed: bool,
    /// What it means.
    pub(super) name: String,
}

/// A drawn figure.
#[derive(Debug)]
pub(super) struct Chart {
    /// The caption.
    pub(super) caption: String,
    /// Drawn for a broad page, or for any.
    pub(super) wide: String,
    /// Drawn for a narrow page.
    pub(super) narrow: Option<String>,
}

/// A table.
#[derive(Debug)]
pub(super) struct Grid {
    /// The caption.
    pub(super) caption: String,
    /// Is it open at first?
    pub(super) is_open: bool,
    /// The file with all rows.
    pub(super) source: String,
    /// The names of the columns.
    pub(super) head: Vec<String>,
    /// The rows, each as long as the head.
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A field of a table.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Cell {
    /// A name as in the tables.
    Name(String),
    /// Words.
    Text(String),
    /// A count.
    Count(u64),
    /// A ratio with so many decimals.
    Ratio(f64, usize),
    /// A change in per cent with so many decimals.
    Change(f64, usize),
}

impl Cell {
    /// Is it right-aligned?
    pub(super) fn is_number(&self) -> bool {
        !matches!(self, Cell::Name(_) | Cell::Text(_))
    }

    /// As it is read.
    pub(super) fn text(&self) -> String {
        match self {
            Cell::Name(text) | Cell::Text(text) => text.clone(),
            Cell::Count(number) => grouped(*number),
            Cell::Ratio(number, digits) => decimal(*number, *digits),
            Cell::Change(number, digits) => match signed(*number, *digits) {
                text if text.is_empty() => text,
                text => format!("{text} %"),
            },
        }
    }
}

impl Section {
    /// A section that begins with a paragraph.
    pub(super) fn new(title: &str, text: impl Into<String>) -> Section {
        Section { title: title.to_string(), blocks: vec![Block::Text(text.into())] }
    }

    /// A section that has nothing to show, and what would give it something.
    pub(super) fn missing(title: &str, table: &str, option: &str) -> Section {
        Section::new(title, absent(table, option))
    }

    /// How links name it.
    pub(super) fn id(&self) -> String {
        let sign =
            |sign: char| if sign.is_ascii_alphanumeric() { sign.to_ascii_lowercase() } else { '-' };
        self.title.chars().map(sign).collect::<String>().trim_matches('-').to_string()
    }

    pub(super) fn text(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }

    pub(super) fn aside(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Aside(text.into()));
    }

    pub(super) fn legend(&mut self, keys: Vec<Key>) {
        self.blocks.push(Block::Legend(keys));
    }

    pub(super) fn charts(&mut self, charts: Vec<Chart>) {
        self.blocks.push(Block::Charts(charts));
    }

    pub(super) fn multiples(&mut self, charts: Vec<Chart>) {
        self.blocks.push(Block::Multiples(charts));
    }

    pub(super) fn grid(&mut self, grid: Grid) {
        self.blocks.push(Block::Grid(grid));
    }
}

/// The message about an absent table, and the command that writes it.
pub(super) fn absent(table: &str, option: &str) -> String {
    format!("Left out: there is no `{table}`. `pgnmill measure{option}` writes it.")
}

impl Key {
    /// The key of a line that was measured.
    pub(super) fn of(notation: &str) -> Key {
        Key { ink: Ink::of(notation), dashed: false, name: format!("`{notation}`") }
    }
}
