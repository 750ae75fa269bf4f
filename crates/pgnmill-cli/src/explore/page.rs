//! The moves of a position for people.
//!
//! In: the position, its moves, a screen. Out: its name and its record; a line per move with games, share, a bar of
//! results, percentages, mean rating and last year; the total; how to see a game. Invariants: no line is wider than the
//! page, but for the command of the last one, which can be copied; no text of a table controls the terminal. Cost: the
//! length of the page.

use pgnmill_columns::PositionRow;
use pgnmill_core::chess::rules::RulesKind;
use pgnmill_run::Ink;
use pgnmill_run::explore::{Explored, ExploredMove, games_of, numbered, sample_command};
use pgnmill_run::host::Screen;
use pgnmill_run::text::numbers::grouped;
use pgnmill_run::text::terminal::{clean, clip, width};

use super::game_shares::{GameShares, PATTERNS};

/// Cells of a bar.
const BAR_CELLS: usize = 22;
/// Cells below which a bar is left out.
const BAR_CELLS_MIN: usize = 6;
/// The widest column of moves.
const MOVE_COLUMNS_MAX: usize = 28;
/// Between two columns.
const GAP: &str = "  ";

/// What is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page<'p> {
    pub(super) explored: &'p Explored,
    /// The name of the table.
    pub(super) table: &'p str,
    pub(super) screen: Screen,
    /// The width of the page.
    pub(super) columns: usize,
}

/// A line: a move or the total.
struct Line {
    /// The first column.
    name: String,
    games: String,
    share: String,
    results: Option<GameShares>,
    rating: String,
    year: String,
}

impl Line {
    fn of(name: String, row: &PositionRow, games: u64) -> Line {
        let results = row.white.zip(row.draws).zip(row.black);
        let own = games_of(row);
        let share = if games == 0 { 0.0 } else { own as f64 * 100.0 / games as f64 };
        let year = row.last_date.as_deref().and_then(|date| date.get(..4)).unwrap_or("-");
        Line {
            name,
            games: grouped(own),
            share: format!("{share:.1}%"),
            results: results.map(|((white, draws), black)| GameShares([white, draws, black])),
            rating: row.rating_mean.map_or("-".to_string(), |mean| format!("{mean:.0}")),
            year: clean(year.as_bytes()),
        }
    }
}

/// What is said of a position that is not there, and may be for that reason.
const WITHOUT_RIGHTS: &str =
    " The record has no castling rights: of a position with some they are its third field.";

impl Page<'_> {
    /// The page.
    pub(super) fn text(&self) -> String {
        let mut page = self.head();
        if !self.explored.is_found() {
            let without = if self.explored.is_without_rights() { WITHOUT_RIGHTS } else { "" };
            let table = clean(self.table.as_bytes());
            return page + &format!("The position is not in {table}.{without}\n");
        }
        page.push('\n');
        page += &self.lines();
        let tree = &self.explored.tree;
        if tree.is_cut {
            let count = grouped(tree.moves_count() as u64);
            page += &format!(
                "The tree ends after {count} moves: --share 5 or a smaller --depth shows a whole one.\n"
            );
        }
        page + &self.sample().map_or_else(String::new, |line| format!("\n{line}\n"))
    }

    /// The name and the record.
    fn head(&self) -> String {
        let name = self.explored.name();
        let name = match self.explored.requested.position.rules() {
            RulesKind::Chess => name,
            rules => format!("{name}, {}", rules.title()),
        };
        let name = self.screen.paint(Ink::Bold, &clip(&name, self.columns));
        format!("{name}\n{}\n", self.explored.record())
    }

    /// The moves, below their headings, and the total.
    fn lines(&self) -> String {
        let Explored { tree, is_book, .. } = self.explored;
        let mut lines = Vec::new();
        tree.visit(|of, before| {
            lines.push(Line::of(self.name(of, before.len()), &of.row, tree.games));
        });
        lines.push(Line::of("total".to_string(), &self.explored.total(), tree.games));
        let is_book = *is_book;
        let games = if is_book { "weight" } else { "games" };
        let widest = |of: fn(&Line) -> &str, heading: &str| {
            let lines = lines.iter().map(|line| width(of(line)));
            lines.chain([heading.len()]).max().unwrap_or(0)
        };
        let moves = widest(|line| &line.name, "move").min(MOVE_COLUMNS_MAX);
        let counts = widest(|line| &line.games, games);
        let fixed = moves + 2 + counts + 2 + 6;
        // Three percentages, the rating, the year.
        let of_results = 2 + 3 * 4 + 2 + 6 + 2 + 4;
        let cells = self.columns.saturating_sub(fixed + of_results + 2).min(BAR_CELLS);
        let cells = if is_book || cells < BAR_CELLS_MIN { 0 } else { cells };
        let mut text = format!("{:moves$}{GAP}{games:>counts$}{GAP}{:>6}", "move", "share");
        if !is_book {
            text += &self.heading(cells);
        }
        let mut text = self.screen.paint(Ink::Bold, text.trim_end()) + "\n";
        for line in &lines {
            let name = clip(&line.name, moves);
            let pad = " ".repeat(moves.saturating_sub(width(&name)));
            let mut row = format!("{name}{pad}{GAP}{:>counts$}{GAP}{:>6}", line.games, line.share);
            if !is_book {
                row += &self.results(line, cells);
            }
            text += row.trim_end();
            text.push('\n');
        }
        text
    }

    /// The headings of what became of the games, with the patterns of the bar.
    fn heading(&self, cells: usize) -> String {
        let [white, draw, black] = PATTERNS;
        let patterns =
            [format!("White {white} draw {draw} Black {black}"), format!("{white}{draw}{black}")];
        let patterns = patterns.into_iter().find(|it| width(it) <= cells);
        let bar = patterns.map_or(String::new(), |it| {
            let pad = " ".repeat(cells - width(&it));
            format!("{GAP}{it}{pad}")
        });
        format!(
            "{bar}{GAP}{:>3} {:>3} {:>4}{GAP}{:>6}{GAP}{:>4}",
            "W", "D", "B %", "rating", "last"
        )
    }

    fn results(&self, line: &Line, cells: usize) -> String {
        let results = line.results.unwrap_or(GameShares([0; 3]));
        let bar = match cells {
            0 => String::new(),
            cells => format!("{GAP}{}", results.bar(cells, self.screen)),
        };
        let [white, draws, black] = results.percents();
        let (rating, year) = (&line.rating, &line.year);
        format!("{bar}{GAP}{white:>3} {draws:>3} {black:>4}{GAP}{rating:>6}{GAP}{year:>4}")
    }

    /// A move; in a tree with its number, below the one before it.
    fn name(&self, of: &ExploredMove, depth: usize) -> String {
        let text = clean(of.text().as_bytes());
        if !self.explored.is_tree {
            return text;
        }
        format!("{}{}", " ".repeat(depth), numbered(&of.before, &text))
    }

    /// How to see a game of the first move.
    fn sample(&self) -> Option<String> {
        let row = self.explored.tree.rows.first()?;
        if row.sample_archive.as_deref() == Some("-") {
            let offset = row.sample_offset?;
            return Some(format!("A game: that at byte {offset} of the text that was read."));
        }
        let command = sample_command(row, self.explored.requested.position.rules())?;
        Some(format!("A game: {command}"))
    }
}
