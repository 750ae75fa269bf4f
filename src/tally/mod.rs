//! What each notation costs: plies and their texts become counts.
//!
//! What enters are the lengths of the texts of one game, in every notation of the registry; what leaves are counts
//! that add up. Invariants: integers only, so that merging is exact and in any order; every ply of the main line of
//! every game that was not rejected is counted once in each table, and nothing else is. Variations are proved and
//! converted, but not measured: a table of a game's length counts the game.
//!
//! ```
//! use pgnmill::tally::Tally;
//! let (mut a, b) = (Tally::default(), Tally::default());
//! a.merge(&b);
//! assert_eq!(a, b);
//! ```

mod rows;

pub use rows::{GameRow, write_by_ply, write_lengths, write_notations};

use crate::notation::{MOVE_TEXT_BYTES_MAX, MoveText, NOTATIONS, Ply};

/// The length of one text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Length {
    /// Unicode scalar values.
    pub characters: u8,
    /// UTF-8 bytes.
    pub bytes: u8,
}

/// The lengths of all texts of one game's main line: ply by ply, and for each ply in the order of the registry.
/// Used again for every game.
#[derive(Clone, Debug, Default)]
pub struct GameLengths {
    lengths: Vec<Length>,
}

impl GameLengths {
    /// Forgets the last game.
    pub fn clear(&mut self) {
        self.lengths.clear();
    }

    /// Writes a ply in every notation and keeps the lengths.
    #[inline]
    pub fn observe(&mut self, ply: &Ply<'_>) {
        let mut text = MoveText::default();
        for notation in NOTATIONS {
            text.clear();
            notation.encode(ply, &mut text);
            self.lengths.push(Length {
                characters: text.characters_count() as u8,
                bytes: text.bytes_count() as u8,
            });
        }
    }

    /// The plies, each with one length for each notation.
    pub fn plies(&self) -> impl ExactSizeIterator<Item = &[Length]> {
        self.lengths.chunks_exact(NOTATIONS.len())
    }
}

/// What one notation cost.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// All characters.
    pub characters: u64,
    /// All bytes.
    pub bytes: u64,
    /// How many texts had each length in characters.
    pub lengths: Vec<u64>,
}

/// The counts of many games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Games that were not rejected.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// By notation, in the order of the registry.
    pub costs: Vec<Cost>,
    /// By ply, from the first on: how many games have it, and the characters of each notation.
    pub by_ply: Vec<PlyCost>,
}

/// What one ply of many games cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlyCost {
    /// Games that have this ply.
    pub plies: u64,
    /// Characters by notation.
    pub characters: Vec<u64>,
}

impl Default for PlyCost {
    fn default() -> PlyCost {
        PlyCost { plies: 0, characters: vec![0; NOTATIONS.len()] }
    }
}

impl Default for Tally {
    fn default() -> Tally {
        let cost = Cost { lengths: vec![0; MOVE_TEXT_BYTES_MAX + 1], ..Cost::default() };
        Tally { games: 0, plies: 0, costs: vec![cost; NOTATIONS.len()], by_ply: Vec::new() }
    }
}

impl Tally {
    /// Adds a game that was proved.
    pub fn add(&mut self, game: &GameLengths) {
        self.games += 1;
        let plies = game.plies();
        if self.by_ply.len() < plies.len() {
            self.by_ply.resize_with(plies.len(), PlyCost::default);
        }
        for (lengths, row) in plies.zip(&mut self.by_ply) {
            self.plies += 1;
            row.plies += 1;
            for ((length, cost), sum) in
                lengths.iter().zip(&mut self.costs).zip(&mut row.characters)
            {
                cost.characters += u64::from(length.characters);
                cost.bytes += u64::from(length.bytes);
                cost.lengths[length.characters as usize] += 1;
                *sum += u64::from(length.characters);
            }
        }
    }

    /// Adds what another tally counted.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.plies += other.plies;
        for (mine, theirs) in self.costs.iter_mut().zip(&other.costs) {
            mine.characters += theirs.characters;
            mine.bytes += theirs.bytes;
            add_all(&mut mine.lengths, &theirs.lengths);
        }
        if self.by_ply.len() < other.by_ply.len() {
            self.by_ply.resize_with(other.by_ply.len(), PlyCost::default);
        }
        for (mine, theirs) in self.by_ply.iter_mut().zip(&other.by_ply) {
            mine.plies += theirs.plies;
            add_all(&mut mine.characters, &theirs.characters);
        }
    }
}

fn add_all(mine: &mut [u64], theirs: &[u64]) {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine += theirs;
    }
}
