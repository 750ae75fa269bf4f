//! The sections of the page of a table of positions.
//!
//! In: what was looked up. Out: the position, its moves as a figure and a table, the tree, what the table states of
//! itself. Cost: the length of the page.

use super::super::draw::{Bar, Bars};
use super::super::ink::Ink;
use super::super::number::grouped;
use super::super::page::{Cell, Chart, Figure, Grid, Key, Page, Section};
use super::super::prose::{code, literal};
use super::played::{BRANCHES_MAX, Branch, Explorer, Played, clipped};

/// Bars of the figure.
const BARS_MAX: usize = 20;
/// White's wins, draws, Black's wins.
pub(super) const INKS: [Ink; 3] = [Ink::Series(0), Ink::Series(4), Ink::Series(1)];
/// What is on paper.
const ON_PAPER: &str =
    "On paper are the moves of the position, and of the tree what is open on the screen.";

/// Makes the page.
pub(in super::super) fn page(explorer: &Explorer) -> Page {
    let mut sections = vec![moves(explorer)];
    sections.extend((!explorer.tree.is_empty()).then(|| tree(explorer)));
    sections.push(of_table(explorer));
    let games = if explorer.total.games == 1 { "game" } else { "games" };
    let games = format!("{} {games}", grouped(explorer.total.games));
    let mut lead =
        vec![format!("{}: {}", literal(&clipped(&explorer.name)), code(&explorer.record))];
    lead.push(match explorer.moves.is_empty() {
        true => "The position is not in the table.".to_string(),
        false => {
            format!("{games}: {}{}.", explorer.total.results_in_words(), more(&explorer.total))
        }
    });
    Page {
        title: "Opening explorer".to_string(),
        lead,
        measured: format!("{games} of {}", explorer.record),
        on_paper: ON_PAPER,
        sections,
    }
}

/// Mean rating and last year, as far as the table has them.
fn more(played: &Played) -> String {
    let rating = played.rating_text().map(|it| format!("; mean rating of the side to move {it}"));
    let year = played.year.as_ref().map(|it| format!("; last year {}", literal(&clipped(it))));
    rating.into_iter().chain(year).collect()
}

/// The moves of the position.
fn moves(explorer: &Explorer) -> Section {
    if explorer.moves.is_empty() {
        let text = "No game of the table has the position, or none goes on from it.";
        return Section::new("The moves", text);
    }
    let mut section = Section::new(
        "The moves",
        "Shares are those of the games of the position, percentages of results those of the games with a result. The rating \
         is the mean of the side to move, the year that of the last game with a complete date.",
    );
    section.figure(figure(explorer));
    section.grid(grid(explorer));
    let left = explorer.moves_count.saturating_sub(explorer.moves.len() as u64);
    if left > 0 {
        section.text(format!(
            "{} more moves, of fewer games, are in the table: `pgnmill explore` lists them.",
            grouped(left)
        ));
    }
    if let Some(sample) = explorer.moves.first().and_then(|branch| branch.sample.as_deref()) {
        section.text(format!("A game of the first move: {}", code(&clipped(sample))));
    }
    section
}

/// A bar of results for each move.
fn figure(explorer: &Explorer) -> Figure {
    let bar = |branch: &Branch| {
        let (name, played) = (clipped(&branch.name), &branch.played);
        let results = played.results.filter(|_| played.percents().is_some());
        let parts = results.map(|results| {
            let sum = results.iter().map(|count| *count as f64).sum::<f64>();
            results
                .iter()
                .zip(INKS)
                .map(|(count, ink)| (*count as f64 * 100.0 / sum, ink))
                .collect()
        });
        let number = played.percents().map_or("–".to_string(), |[white, draws, black]| {
            format!("{white} / {draws} / {black}")
        });
        let games = played.games_in_words(explorer.total.games);
        let hover = format!("{name}: {games}; {}", played.results_in_words());
        Bar { name: short(&name), parts: parts.unwrap_or_default(), number, hover }
    };
    let bars = Bars {
        hover: "White's wins, draws and Black's wins of each move, in per cent".to_string(),
        bars: explorer.moves.iter().take(BARS_MAX).map(bar).collect(),
    };
    let chart = Chart {
        caption: "Results in per cent, by move".to_string(),
        wide: bars.draw(760),
        narrow: bars.draw(350),
    };
    let key =
        |(name, ink): (&str, Ink)| Key { ink, dashed: false, marker: None, name: name.to_string() };
    let legend = ["White won", "drawn", "Black won"].into_iter().zip(INKS).map(key).collect();
    let note =
        "The numbers are White's wins, draws and Black's wins, the most played move is the first.";
    Figure { legend, note: note.to_string(), ..Figure::single("explorer-moves", chart) }
}

/// A name for a figure, which has no room for more.
fn short(name: &str) -> String {
    const CHARS_MAX: usize = 14;
    match name.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_string(),
    }
}

fn grid(explorer: &Explorer) -> Grid {
    let head = [
        "move", "games", "share, %", "White, %", "draws, %", "Black, %", "rating", "last",
        "opening",
    ];
    let row = |branch: &Branch| {
        let played = &branch.played;
        let share = played.games as f64 * 100.0 / explorer.total.games.max(1) as f64;
        let percents = played.percents().map(|percents| percents.map(|it| it as f64));
        let percents = percents.unwrap_or([f64::NAN; 3]).map(|percent| Cell::Ratio(percent, 0));
        let text = |text: Option<&str>| Cell::Text(text.map(clipped).unwrap_or_default());
        let mut cells = vec![
            Cell::Name(clipped(&branch.name)),
            Cell::Count(played.games),
            Cell::Ratio(share, 1),
        ];
        cells.extend(percents);
        cells.push(text(played.rating_text().as_deref()));
        cells.push(text(played.year.as_deref()));
        cells.push(text(branch.opening.as_deref()));
        cells
    };
    Grid {
        caption: "What was played".to_string(),
        is_open: true,
        source: explorer.table.clone(),
        note: String::new(),
        head: head.map(String::from).to_vec(),
        rows: explorer.moves.iter().map(row).collect(),
    }
}

fn tree(explorer: &Explorer) -> Section {
    let plies = if explorer.plies == 1 { "ply" } else { "plies" };
    let mut text = format!(
        "{} {plies}, of the moves that at least {} % of the games of the position play; shares are of these games. A position \
         has the games of all orders of moves that reach it, so that a move can have more games than the one before it.",
        explorer.plies, explorer.share_min
    );
    if explorer.is_cut {
        text += &format!(
            " The tree ends after {} moves, those of the first plies: a greater `--share` or a smaller `--depth` shows a \
             whole one.",
            grouped(BRANCHES_MAX as u64)
        );
    }
    let mut section = Section::new("What came after", text);
    section.aside("A move opens on a click, or with the keyboard: the position after it, a game, and the moves that follow.");
    section.moves(explorer.tree.clone(), explorer.total.games);
    section
}

/// What the table states of itself.
fn of_table(explorer: &Explorer) -> Section {
    let rows = format!("{} rows", grouped(explorer.rows_count));
    let text =
        format!("{}: {rows}, a position and a move of it each.", code(&clipped(&explorer.table)));
    let mut section = Section::new("The table", text);
    let facts = explorer.facts.iter();
    let parts: Vec<String> =
        facts.map(|(key, value)| format!("{}: {}", literal(key), code(&clipped(value)))).collect();
    if !parts.is_empty() {
        section.text(format!("{}.", parts.join("; ")));
    }
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_that_is_not_there_is_a_page_too() {
        let record = "8/8/8/8/8/8/8/8 w - -".to_string();
        let page = page(&Explorer { record, ..Explorer::default() });
        assert_eq!(page.lead[1], "The position is not in the table.");
        assert_eq!(page.sections.len(), 2);
    }
}
