//! The options of a conversion, and what it makes of a job.

use crate::engine::{Part, TextSeams};
use crate::notation::Notation;

/// Writes games in another notation.
#[derive(Clone, Copy, Debug)]
pub struct Convert {
    /// The notation.
    pub to: &'static dyn Notation,
    /// Convert comments and tag values to UTF-8.
    pub to_utf8: bool,
}

/// The new text of a job.
#[derive(Debug, Default)]
pub struct Rewritten {
    /// The text, without what is to be put between its pieces.
    pub text: Vec<u8>,
    /// The pieces of it, for a [`Joiner`](crate::engine::Joiner).
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
