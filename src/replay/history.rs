//! Whether the history of a game must be kept, on which file each man began: few notations ask for it.
//!
//! In: the notation that a visitor writes. Out: what it asks for; keeping a history costs 64 bytes copied a ply.

use crate::notation::{Needs, Notation};

/// What the visitor asks of the history of a game, for the notations it writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum History {
    /// Nothing: no notation that it writes looks at it.
    Ignored,
    /// It is told where there is one.
    Optional,
    /// A game without one cannot be written, which is a fault.
    Required,
}

impl History {
    /// What a notation asks for.
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
