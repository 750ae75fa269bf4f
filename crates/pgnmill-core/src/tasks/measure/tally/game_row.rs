//! One game, for `games.csv`: its offset, and its characters in every notation that is measured.
//!
//! Input: the plies of a game; output: a row. Cost: one addition of rows per ply.

use crate::notation::NOTATIONS;
use crate::tables::games;

use super::game::GameLengths;
use super::layout::{EMPTY_ROW, Layout, add, add_free, add_shaped};
use super::selection::Selection;

/// One game, for `games.csv`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRow {
    /// Offset of the game in the archive's text, in bytes.
    pub offset: u64,
    /// Its number in the archive, from 1.
    pub game: u64,
    /// Plies of the main line.
    pub plies: u64,
    /// Characters by notation, those of the selection. There may be many rows, and a game has fewer than 2^32
    /// characters.
    pub characters: Box<[u32]>,
}

impl GameRow {
    /// The row of a game.
    pub fn of(offset: u64, game: u64, lengths: &GameLengths, selection: Selection) -> GameRow {
        let (layout, mut row) = (Layout::get(), EMPTY_ROW);
        let shapes = layout.shapes(lengths.has_history());
        for record in lengths.records() {
            add_shaped(&mut row, &shapes[record.index()], 1);
            add_free(&mut row, &record.free().map(u64::from));
        }
        if let Some(folded) = lengths.folded() {
            add(&mut row, folded.row());
        }
        let cost = |index| layout.cost(&row, index).characters;
        let characters = selection.iter().map(|index| cost(index).try_into().unwrap_or(u32::MAX));
        let characters = characters.collect();
        GameRow { offset, game, plies: lengths.plies_count() as u64, characters }
    }

    /// The header of `games.csv`.
    pub fn header(selection: Selection) -> Vec<String> {
        games::header(selection.iter().map(|index| NOTATIONS[index].info().name))
    }

    /// The fields of the row in `games.csv`.
    pub fn record(&self, archive: &str) -> Vec<String> {
        let fixed = [
            archive.to_string(),
            self.offset.to_string(),
            self.game.to_string(),
            self.plies.to_string(),
        ];
        fixed.into_iter().chain(self.characters.iter().map(u32::to_string)).collect()
    }
}
