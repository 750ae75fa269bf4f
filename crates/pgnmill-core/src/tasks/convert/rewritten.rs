//! The new text of a job: of a conversion, or of copied games.
//!
//! In: games, and text between them, in order. Out: [`Rewritten`]. Invariant: the text has no joints between its
//! pieces; a [`Joiner`](crate::engine::Joiner) inserts them. Cost: one copy of the text.

use crate::engine::{Part, TextPiece, TextSeams};

/// The new text of a job.
#[derive(Debug, Default)]
pub struct Rewritten {
    /// The text, without the joints between its pieces.
    pub text: Vec<u8>,
    /// The pieces of the text, for a [`Joiner`](crate::engine::Joiner).
    pub seams: TextSeams,
    /// Offsets in `text` at which games end.
    pub game_ends: Vec<u64>,
}

impl Part for Rewritten {
    fn clear(&mut self) {
        self.text.clear();
        self.seams.clear();
        self.game_ends.clear();
    }
}

impl Rewritten {
    /// Adds text that is no whole game: text between games, or a part of one that is too long to be read.
    pub(crate) fn push(&mut self, text: &[u8], piece: &TextPiece) {
        let start = self.text.len();
        self.text.extend_from_slice(text);
        self.seams.piece(&self.text, start, piece);
    }

    /// Adds a game.
    pub(crate) fn push_game(&mut self, text: &[u8], piece: &TextPiece) {
        let start = self.text.len();
        self.text.extend_from_slice(text);
        self.end_game(start, piece);
    }

    /// Adds the game whose text is in `text` already, from `start` on.
    pub(crate) fn end_game(&mut self, start: usize, piece: &TextPiece) {
        self.seams.piece(&self.text, start, piece);
        self.game_ends.push(self.text.len() as u64);
    }
}
