//! A game that is sorted with others, perhaps on disk.
//!
//! In: a game of [`Copied`]. Out: it again, among its neighbours in the order. Invariant: what is written of it is what
//! would be written of it in its place; games that are equal in what they are sorted by keep their order. Cost: a copy
//! of its text.

use std::cmp::Ordering;

use pgnmill_state::{Loader, State};

use crate::engine::TextPiece;
use crate::tasks::convert::Rewritten;
use crate::tasks::sorter::Stored;

use super::Copied;

/// A game with its place in an order.
#[derive(Clone, Debug)]
pub struct SortedGame {
    /// See [`Selection::order_of`](crate::select::Selection::order_of).
    order: Vec<u8>,
    /// The number of the game among all that are sorted.
    number: u64,
    text: Vec<u8>,
    piece: TextPiece,
}

impl Copied {
    /// The game of a piece; `None` if it has none. `number`: how many games came before it.
    pub fn sorted_game(&self, index: usize, number: u64) -> Option<SortedGame> {
        let (piece, game) = self.game(index)?;
        let text = self.text_of(index).to_vec();
        Some(SortedGame { order: game.order.clone(), number, text, piece: piece.clone() })
    }
}

impl SortedGame {
    /// Appends the game to a text.
    pub fn append_to(&self, output: &mut Rewritten) {
        output.push_game(&self.text, &self.piece);
    }

    fn key(&self) -> (&[u8], u64) {
        (&self.order, self.number)
    }
}

impl PartialEq for SortedGame {
    fn eq(&self, other: &SortedGame) -> bool {
        self.key() == other.key()
    }
}

impl Eq for SortedGame {}

impl PartialOrd for SortedGame {
    fn partial_cmp(&self, other: &SortedGame) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SortedGame {
    fn cmp(&self, other: &SortedGame) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl State for SortedGame {
    fn save(&self, out: &mut Vec<u8>) {
        self.order.save(out);
        self.number.save(out);
        self.text.save(out);
        self.piece.save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<SortedGame> {
        let (order, number) = (from.value()?, from.value()?);
        Some(SortedGame { order, number, text: from.value()?, piece: from.value()? })
    }
}

impl Stored for SortedGame {
    fn memory_bytes(&self) -> usize {
        size_of::<SortedGame>() + self.order.len() + self.text.len()
    }
}
