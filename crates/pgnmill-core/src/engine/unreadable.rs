//! Values of a game that a task could not read: listed with the faults, although the game is not rejected.
//!
//! In: values, as a task finds them. Out: the first [`LISTED_MAX`] of a game, to be listed, and the number of all by
//! kind. Invariant: memory is bounded, however many there are.

use std::ops::Range;

use pgnmill_state::state;

use crate::pgn::ValueFault;

/// Values of a game that are listed, at most; all are counted.
pub(super) const LISTED_MAX: usize = 1_000;

/// A value that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// What it was to be.
    pub fault: ValueFault,
    /// Its span in the text that was replayed.
    pub span: Range<usize>,
    /// The ply that it follows; 0 in tag pairs.
    pub ply: u32,
}

/// The numbers of values that could not be read, by [`ValueFault`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UnreadableCounts(pub [u64; ValueFault::COUNT]);

state!(UnreadableCounts = counts);

impl UnreadableCounts {
    /// Adds those of another part.
    pub fn merge(&mut self, other: &UnreadableCounts) {
        self.0.iter_mut().zip(other.0).for_each(|(count, other)| *count += other);
    }

    /// The kinds that occur, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (ValueFault, u64)> {
        ValueFault::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }
}

/// The values of one game that could not be read.
#[derive(Clone, Debug, Default)]
pub struct Unreadables {
    /// The first ones, in the order of the text.
    pub listed: Vec<Unreadable>,
    /// The numbers of all.
    pub counts: UnreadableCounts,
}

impl Unreadables {
    /// Adds a value after the others.
    pub fn add(&mut self, value: Unreadable) {
        self.counts.0[value.fault as usize] += 1;
        if self.listed.len() < LISTED_MAX {
            self.listed.push(value);
        }
    }

    /// Adds a value before the others.
    pub fn insert_first(&mut self, value: Unreadable) {
        self.counts.0[value.fault as usize] += 1;
        self.listed.truncate(LISTED_MAX - 1);
        self.listed.insert(0, value);
    }

    /// Forgets all values.
    pub fn clear(&mut self) {
        self.listed.clear();
        self.counts = UnreadableCounts::default();
    }
}
