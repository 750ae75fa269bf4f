//! The selected games of a job, one by one.
//!
//! In: games in the order of the text. Out: any of them as [`Rewritten`] text, which an
//! [`Output`](crate::tasks::convert::Output) joins. Cost: one copy per game that is taken.

use crate::engine::{Part, TextPiece};
use crate::tasks::convert::Rewritten;

/// A selected game.
#[derive(Clone, Debug)]
pub struct ChosenGame {
    /// Where its text ends in that of the job.
    pub(super) end: usize,
    /// Games before it in the job.
    pub number: u64,
    pub(super) piece: TextPiece,
    /// The value by which games are divided, if it is known.
    pub key: Option<String>,
}

/// The selected games of a job.
#[derive(Debug, Default)]
pub struct ChosenGames {
    /// Their texts, one after the other.
    pub(super) text: Vec<u8>,
    /// The games.
    pub games: Vec<ChosenGame>,
}

impl Part for ChosenGames {
    fn clear(&mut self) {
        self.text.clear();
        self.games.clear();
    }
}

impl ChosenGames {
    /// Appends the text of the game at `index` to `rewritten`, whose offsets are those of a job `base` bytes earlier.
    pub fn append_to(&self, index: usize, base: u64, rewritten: &mut Rewritten) {
        let begin = index.checked_sub(1).map_or(0, |before| self.games[before].end);
        let game = &self.games[index];
        let mut piece = game.piece.clone();
        piece.source = base + piece.source.start..base + piece.source.end;
        rewritten.push_game(&self.text[begin..game.end], &piece);
    }
}
