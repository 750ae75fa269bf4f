//! The contents of a page, before they are written as HTML or as Markdown.
//!
//! Input: text, numbers and figures; output: their order. Text may contain names between backticks, and values as
//! [`super::prose`] puts them into it.

use std::collections::HashSet;

use super::draw::Drawing;
use super::explorer::Branch;
use super::ink::{Ink, Marker};
use super::number::{decimal, grouped, signed};
use super::prose::{code, plain};

/// What paper has of a page of tables.
pub(super) const TABLES_ON_PAPER: &str = "On paper are the figures and the main tables. The others are in the page itself, where they can \
     be opened and are then printed too, and whole in the CSV files that are named.";

/// What follows a name or a number that is marked; a line does not end before it.
pub(super) const MARK: &str = "\u{a0}†";

/// A page.
#[derive(Debug)]
pub(super) struct Page {
    /// Its name.
    pub(super) title: String,
    /// The text below the title.
    pub(super) lead: Vec<String>,
    /// How much was measured: a line for figures that leave the page.
    pub(super) measured: String,
    /// What is on paper, and where the rest is.
    pub(super) on_paper: &'static str,
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
    /// A paragraph that is true on a screen alone.
    Aside(String),
    /// A figure.
    Figure(Figure),
    /// A table.
    Grid(Grid),
    /// A tree of moves, and the games of which their shares are.
    Moves(Vec<Branch>, u64),
}

/// A figure: what it shows, how it is read, and its charts.
#[derive(Debug)]
pub(super) struct Figure {
    /// The name of its file, without `.svg`: lower-case letters, digits and hyphens.
    pub(super) name: String,
    /// What it shows, in one line.
    pub(super) title: String,
    /// How it is read, in sentences; nothing where that is plain.
    pub(super) note: String,
    /// The note of its file, where the page states some of it elsewhere; empty if it is that of the page.
    pub(super) note_in_file: String,
    /// How much was measured, where that is not what the page states.
    pub(super) measured: Option<String>,
    /// What the colours mean.
    pub(super) legend: Vec<Key>,
    /// How the charts are arranged.
    pub(super) layout: Layout,
    /// From left to right, from above.
    pub(super) charts: Vec<Chart>,
}

/// How the charts of a figure are arranged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Layout {
    /// One chart, as broad as the page.
    Single,
    /// Charts side by side where the page is wide enough.
    Row,
    /// Small charts: two beside one another on a narrow page, too.
    Small,
}

/// One colour of a legend.
#[derive(Debug)]
pub(super) struct Key {
    /// The colour.
    pub(super) ink: Ink,
    /// Is the line dashed?
    pub(super) dashed: bool,
    /// The marker along the line, if there is one.
    pub(super) marker: Option<Marker>,
    /// What it means.
    pub(super) name: String,
}

/// A drawn chart of a figure.
#[derive(Debug)]
pub(super) struct Chart {
    /// The caption.
    pub(super) caption: String,
    /// Drawn for a broad page.
    pub(super) wide: Drawing,
    /// Drawn for a narrow page.
    pub(super) narrow: Drawing,
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
    /// What its marks mean, below the rows; empty if there are none.
    pub(super) note: String,
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
    /// A value of a table, literally.
    Text(String),
    /// Words, with names between backticks.
    Prose(String),
    /// A count.
    Count(u64),
    /// A ratio with so many decimals.
    Ratio(f64, usize),
    /// A change in per cent with so many decimals.
    Change(f64, usize),
    /// A number that is marked, as the note of its table explains.
    Marked(Box<Cell>),
}

impl Cell {
    /// Is it right-aligned?
    pub(super) fn is_number(&self) -> bool {
        !matches!(self, Cell::Name(_) | Cell::Text(_) | Cell::Prose(_))
    }

    /// As it is read.
    pub(super) fn text(&self) -> String {
        match self {
            Cell::Name(text) | Cell::Text(text) | Cell::Prose(text) => text.clone(),
            Cell::Count(number) => grouped(*number),
            Cell::Ratio(number, digits) => decimal(*number, *digits),
            Cell::Change(number, digits) => match signed(*number, *digits) {
                text if text.is_empty() => text,
                text => format!("{text} %"),
            },
            Cell::Marked(cell) => format!("{}{MARK}", cell.text()),
        }
    }
}

impl Page {
    /// Makes the names of the figures different: two tables can have names that differ in signs alone.
    pub(super) fn with_different_names(mut self) -> Page {
        let mut known = HashSet::new();
        let mut different = |name: &mut String| {
            let plain = name.clone();
            let mut number = 2;
            while !known.insert(name.clone()) {
                *name = format!("{plain}-{number}");
                number += 1;
            }
        };
        for section in &mut self.sections {
            for block in &mut section.blocks {
                if let Block::Figure(figure) = block {
                    different(&mut figure.name);
                }
            }
        }
        self
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
        plain_name(&plain(&self.title))
    }

    pub(super) fn text(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }

    /// Its first figure.
    pub(super) fn first_figure(&mut self) -> Option<&mut Figure> {
        self.blocks.iter_mut().find_map(|block| match block {
            Block::Figure(figure) => Some(figure),
            _ => None,
        })
    }

    pub(super) fn aside(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Aside(text.into()));
    }

    pub(super) fn figure(&mut self, figure: Figure) {
        self.blocks.push(Block::Figure(figure));
    }

    pub(super) fn grids(&mut self, grids: impl IntoIterator<Item = Grid>) {
        self.blocks.extend(grids.into_iter().map(Block::Grid));
    }

    pub(super) fn moves(&mut self, moves: Vec<Branch>, games: u64) {
        self.blocks.push(Block::Moves(moves, games));
    }

    pub(super) fn grid(&mut self, grid: Grid) {
        self.blocks.push(Block::Grid(grid));
    }
}

/// Text as the name of a file or of an element: lower-case letters, digits, and hyphens for all else.
pub(super) fn plain_name(text: &str) -> String {
    let sign =
        |sign: char| if sign.is_ascii_alphanumeric() { sign.to_ascii_lowercase() } else { '-' };
    text.chars().map(sign).collect::<String>().trim_matches('-').to_string()
}

impl Figure {
    /// A figure of one chart, whose caption says what it shows.
    pub(super) fn single(name: &str, chart: Chart) -> Figure {
        let title = chart.caption.clone();
        Figure::new(name, title, Layout::Single, vec![chart])
    }

    /// A figure without note and legend.
    pub(super) fn new(name: &str, title: String, layout: Layout, charts: Vec<Chart>) -> Figure {
        Figure {
            name: plain_name(&plain(name)),
            title,
            note: String::new(),
            note_in_file: String::new(),
            measured: None,
            legend: Vec::new(),
            layout,
            charts,
        }
    }
}

/// The message about an absent table, and the command that writes it.
pub(super) fn absent(table: &str, option: &str) -> String {
    format!("Left out: there is no `{table}`. `pgnmill measure{option}` writes it.")
}

impl Key {
    /// The key of a line that was measured.
    pub(super) fn of(notation: &str) -> Key {
        let ink = Ink::of(notation);
        Key { ink, dashed: false, marker: ink.marker(), name: code(notation) }
    }
}
