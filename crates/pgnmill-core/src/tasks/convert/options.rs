//! The options of a conversion, and its part of a job.
//!
//! In: a notation. Out: [`Rewritten`], a text and the offsets at which its games end. Invariant: the text contains no
//! joints; an [`Output`](super::Output) inserts them.

use crate::engine::{Part, TextSeams};
use crate::notation::Notation;

/// Writes games in another notation.
#[derive(Clone, Copy, Debug)]
pub struct Convert {
    /// The notation that is written.
    pub to: &'static dyn Notation,
    /// Convert comments and tag values to UTF-8.
    pub to_utf8: bool,
}

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
