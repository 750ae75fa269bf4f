//! Whether the history of a game is kept: the file on which each piece began. Few notations require it.
//!
//! In: the notation that a visitor writes. Out: what it requires. A history costs a copy of 64 bytes per ply.

use crate::notation::{Needs, Notation};

/// What a visitor requires of the history of a game, for the notations that it writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum History {
    /// Nothing: no notation that it writes depends on it.
    Ignored,
    /// It is provided where there is one.
    Optional,
    /// A game without one cannot be written, which is a fault.
    Required,
}

impl History {
    /// What a notation requires.
    pub fn of(notation: &dyn Notation) -> History {
        if notation.needs_lineage() {
            History::Required
        } else if notation.info().needs == Needs::Game {
            History::Optional
        } else {
            History::Ignored
        }
    }
}
