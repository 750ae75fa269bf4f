//! One game, for `games.csv`: where it is, and its characters in every notation.

use crate::notation::NOTATIONS;

use super::GameLengths;
use super::layout::Layout;

/// One game, for `games.csv`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRow {
    /// Where the game begins in the archive's text, in bytes.
    pub offset: u64,
    /// Its number in the archive, from 1.
    pub game: u64,
    /// Plies of the main line.
    pub plies: u64,
    /// Characters by notation.
    pub characters: Vec<u64>,
}

impl GameRow {
    /// The row of a game.
    pub fn of(offset: u64, game: u64, lengths: &GameLengths) -> GameRow {
        let layout = Layout::get();
        let mut row = layout.row();
        for (lengths, shape, _) in lengths.plies() {
            layout.add_ply(&mut row, lengths, shape, 1);
        }
        let characters = (0..NOTATIONS.len()).map(|index| layout.cost(&row, index).characters);
        let characters = characters.collect();
        GameRow { offset, game, plies: lengths.plies_count() as u64, characters }
    }

    /// The header of `games.csv`.
    pub fn header() -> Vec<String> {
        let fixed = ["archive", "byte_offset", "game", "plies"].map(String::from);
        let names =
            NOTATIONS.iter().map(|n| format!("characters_{}", n.info().name.replace('-', "_")));
        fixed.into_iter().chain(names).collect()
    }

    /// The row as it stands in `games.csv`.
    pub fn record(&self, archive: &str) -> Vec<String> {
        let fixed = [
            archive.to_string(),
            self.offset.to_string(),
            self.game.to_string(),
            self.plies.to_string(),
        ];
        fixed.into_iter().chain(self.characters.iter().map(u64::to_string)).collect()
    }
}
