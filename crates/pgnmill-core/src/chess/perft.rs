//! Counting the leaves of the tree of legal moves: the oracle of move generators.

use super::Position;

/// How many sequences of `depth` legal moves begin in the position.
///
/// ```
/// use pgnmill_core::chess::{Position, perft};
/// assert_eq!(perft(&Position::initial(), 4), 197_281);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_moves().len() as u64,
        _ => {
            position.legal_moves().into_iter().map(|mv| perft(&position.play(mv), depth - 1)).sum()
        }
    }
}
