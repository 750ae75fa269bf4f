//! A Polyglot opening book (Michel Van den Bergh, "Polyglot book format").
//!
//! In: pairs of chess and Chess960, in the order of their keys. Out: entries of 16 bytes: key, move, weight, and four
//! bytes of zeros, all with the highest byte first; sorted by key, and for a key by weight, the highest first.
//! Invariants: the weight is twice the wins of the side to move plus the draws; as `polyglot make-book` does, all are
//! divided by one number where the greatest exceeds 65,535, and entries of weight 0 are left out. Cost: one pass that
//! finds the greatest weight, one that writes.

use std::cmp::{Ordering, Reverse};

use pgnmill_state::state;

use super::super::sorter::Stored;
use super::key::ChessKey;
use super::pair::Pair;
use crate::chess::Color;

/// Bytes of an entry.
pub const ENTRY_BYTES: usize = 16;
/// The greatest weight.
pub const WEIGHT_MAX: u64 = u16::MAX as u64;

/// Which entries a book has.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookOptions {
    /// Moves of this side alone.
    pub only: Option<Color>,
    /// The least share of the points that the side to move made, of 1.
    pub min_score: f64,
    /// All moves have the same weight.
    pub is_uniform: bool,
}

/// An entry, with a weight that is not yet scaled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The Polyglot key of the position.
    pub key: u64,
    /// The move in 16 bits.
    pub mv: u16,
    /// Its weight.
    pub weight: u64,
}

/// In the order of the book.
impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> Ordering {
        let rank = |it: &Entry| (it.key, Reverse(it.weight), it.mv);
        rank(self).cmp(&rank(other))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

state!(Entry { key, mv, weight });
impl Stored for Entry {}

impl BookOptions {
    /// The entry of a pair, if the book has it.
    fn entry(&self, pair: &Pair<ChessKey>) -> Option<Entry> {
        let Pair { key, sums } = pair;
        let (points, games) = sums.points(key.turn());
        let is_weak = games > 0 && (points as f64) < self.min_score * (2 * games) as f64;
        if self.only.is_some_and(|only| only != key.turn()) || is_weak || points == 0 {
            return None;
        }
        let position = key.position();
        let mv = position.polyglot_move(key.mv(&position));
        let weight = if self.is_uniform { 1 } else { points };
        Some(Entry { key: key.hash, mv, weight })
    }

    /// The entries of pairs.
    pub fn entries(&self, pairs: &[Pair<ChessKey>]) -> Vec<Entry> {
        pairs.iter().filter_map(|pair| self.entry(pair)).collect()
    }
}

impl Entry {
    /// Its bytes, if its weight is not 0 when the greatest of the book is `weight_max`.
    pub fn bytes(&self, weight_max: u64) -> Option<[u8; ENTRY_BYTES]> {
        let weight = match weight_max > WEIGHT_MAX {
            true => {
                (u128::from(self.weight) * u128::from(WEIGHT_MAX) / u128::from(weight_max)) as u64
            }
            false => self.weight,
        };
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.mv.to_be_bytes());
        bytes[10..12].copy_from_slice(&(weight as u16).to_be_bytes());
        (weight > 0).then_some(bytes)
    }
}
