//! What was played in a position, and how it ended.
//!
//! In: what a table of positions has. Out: nothing. Cost: none.

use pgnmill_core::tasks::positions::result_shares;

use super::super::number::{decimal, grouped};

/// Moves of the list, at most.
pub const MOVES_MAX: usize = 40;
/// Moves of the tree, at most.
pub const BRANCHES_MAX: usize = 2_000;
/// Plies of the tree, at most: lists in lists are not read to any depth by every browser.
pub const PLIES_MAX: u32 = 40;
/// Characters of a text of the table, at most; of a longer one the beginning is shown.
pub const TEXT_CHARS_MAX: usize = 200;

/// Games with a move, or in a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Played {
    /// Their number.
    pub games: u64,
    /// Those that White won, drawn ones, those that Black won; `None` if the table does not have them.
    pub results: Option<[u64; 3]>,
    /// The mean rating of the side to move, of the games in which both ratings are numbers.
    pub rating: Option<f64>,
    /// The year of the last game that has a complete date.
    pub year: Option<String>,
}

/// A move, and those after it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Branch {
    /// The move with its number, such as `1. e4` or `1... c5`.
    pub name: String,
    /// The opening that the move reaches.
    pub opening: Option<String>,
    /// The FEN record of the position that it reaches.
    pub record: Option<String>,
    /// The games with it.
    pub played: Played,
    /// The command that shows one of them.
    pub sample: Option<String>,
    /// The moves after it.
    pub next: Vec<Branch>,
}

/// What a page shows of a table of positions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Explorer {
    /// The name of the table.
    pub table: String,
    /// How many rows it has.
    pub rows_count: u64,
    /// What it states of itself: keys and values.
    pub facts: Vec<(String, String)>,
    /// The name of the position.
    pub name: String,
    /// Its FEN record.
    pub record: String,
    /// All games of the position.
    pub total: Played,
    /// The moves of the position, the most played one first, without those after them; the first [`MOVES_MAX`].
    pub moves: Vec<Branch>,
    /// How many moves it has.
    pub moves_count: u64,
    /// The tree of the moves that enough games play, at most [`BRANCHES_MAX`].
    pub tree: Vec<Branch>,
    /// The plies of the tree.
    pub plies: u32,
    /// The share of the games of the position, in percent, that a move of the tree has at least.
    pub share_min: f64,
    /// Are moves left out of the tree because there are too many?
    pub is_cut: bool,
}

impl Played {
    /// White's wins, draws and Black's wins in percent, 100 together; `None` if no game has a result.
    pub(super) fn percents(&self) -> Option<[u64; 3]> {
        result_shares(self.results?, 100)
    }

    /// How the games ended, in words.
    pub(super) fn results_in_words(&self) -> String {
        self.percents().map_or("no game with a result".to_string(), |[white, draws, black]| {
            format!("White {white} %, draws {draws} %, Black {black} %")
        })
    }

    /// Their number in words, and their share of others.
    pub(super) fn games_in_words(&self, of: u64) -> String {
        let games = if self.games == 1 { "game" } else { "games" };
        let share = if of == 0 { 0.0 } else { self.games as f64 * 100.0 / of as f64 };
        format!("{} {games}, {} %", grouped(self.games), decimal(share, 1))
    }

    /// The mean rating, a whole number; as in lists of players, without a comma.
    pub(super) fn rating_text(&self) -> Option<String> {
        self.rating.filter(|mean| mean.is_finite()).map(|mean| format!("{mean:.0}"))
    }
}

/// The beginning of a text that is too long.
pub(super) fn clipped(text: &str) -> String {
    match text.char_indices().nth(TEXT_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
