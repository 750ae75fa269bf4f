//! What is found of plies for a visitor that takes lines.
//!
//! In: nothing; `candidates.rs` and `single.rs` fill it. Out: the arrays of [`LinePlies`](crate::notation::LinePlies)
//! and of [`CandidateLine`](crate::notation::CandidateLine). Cost: some 70 kB, kept from game to game.

use crate::chess::Position;
use crate::notation::OddPly;

use super::moves::Column;
use super::record::{NO_WORDS, Words};

/// What was found, by ply.
pub(super) struct Candidates {
    /// The pieces no heavier than that which moves.
    pub(super) lighter: Words,
    /// All.
    pub(super) all: Words,
    /// Those of all whose move is legal.
    pub(super) legal: Words,
    /// The pieces of White and of Black.
    pub(super) sides: [Words; 2],
    /// The pawns of both.
    pub(super) pawns: Words,
    /// The others of all that are the king or pinned; before that is known, the king or on its lines.
    pub(super) doubtful: Words,
    /// What each target has before the move.
    pub(super) taken: Column,
    /// The two bytes of each shape: `shapes.rs`.
    pub(super) shapes: [Column; 2],
    /// The plies that do not follow from the arrays.
    pub(super) odd: Vec<OddPly>,
}

/// What single plies are read from.
#[derive(Clone, Copy)]
pub(super) struct Source<'s> {
    /// The text that was decoded.
    pub(super) text: &'s [u8],
    /// The position at its beginning.
    pub(super) first: &'s Position,
}

impl Candidates {
    pub(super) fn new() -> Candidates {
        Candidates {
            lighter: NO_WORDS,
            all: NO_WORDS,
            legal: NO_WORDS,
            sides: [NO_WORDS; 2],
            pawns: NO_WORDS,
            doubtful: NO_WORDS,
            taken: Column::new(),
            shapes: [Column::new(), Column::new()],
            odd: Vec::new(),
        }
    }
}
