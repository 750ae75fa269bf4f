//! The openings: the code and the name of a position.
//!
//! In: the tables of `data/openings/` (lichess-org/chess-openings, CC0), which are part of the program; positions. Out:
//! an [`Opening`]. The opening of a game is that of the last position of its main line that the tables contain, among
//! the first [`PLIES_MAX`] plies (the rule of Lichess): transpositions lead to the same opening.
//!
//! Invariant: a position is found by its Polyglot key, whatever moves led to it. Cost: the tables are read once, in a
//! few milliseconds, when they are first used; a position that is in no table costs one multiplication and one bit in
//! most cases, any other the computation of its key.
//!
//! ```
//! use pgnmill_core::openings::{Openings, Tracker};
//! use pgnmill_core::chess::Move;
//! use pgnmill_core::chess::Position;
//! let mut position = Position::initial();
//! let mut tracker = Tracker::default();
//! for uci in ["e2e4", "c7c5", "b1c3", "h7h6"] {
//!     position = position.play(Move::from_uci(&position, uci)?);
//!     tracker.visit(&position);
//! }
//! let opening = tracker.opening().expect("in the tables");
//! assert_eq!((opening.eco, opening.name), ("B23", "Sicilian Defense: Closed"));
//! # Ok::<(), pgnmill_core::chess::UciError>(())
//! ```

mod table;

pub use table::{Opening, Openings};

use crate::chess::Position;

/// Plies of a game that are searched for in the tables, as on Lichess.
pub const PLIES_MAX: u32 = 40;

/// Finds the opening of a game from its positions, in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tracker {
    plies: u32,
    last: Option<&'static Opening>,
}

impl Tracker {
    /// The position after the next ply of the main line.
    #[inline]
    pub fn visit(&mut self, after: &Position) {
        if self.plies < PLIES_MAX {
            self.plies += 1;
            if let Some(opening) = Openings::standard().find(after) {
                self.last = Some(opening);
            }
        }
    }

    /// How many of the next plies are still searched for.
    #[inline]
    pub fn plies_left(&self) -> usize {
        PLIES_MAX.saturating_sub(self.plies) as usize
    }

    /// The positions after the next plies of the main line: of each White's pieces and the pawns of both sides, and the
    /// whole position, which is asked of few.
    pub fn visit_line(
        &mut self,
        whites_and_pawns: &[[u64; 2]],
        position: impl Fn(usize) -> Position,
    ) {
        let count = whites_and_pawns.len().min(self.plies_left());
        self.plies += count as u32;
        // The last one that is in the tables is the opening.
        let boards = whites_and_pawns[..count].iter().enumerate().rev();
        let mut found = boards
            .filter(|(_, board)| Openings::standard().may_have(**board))
            .filter_map(|(index, _)| Openings::standard().find(&position(index)));
        self.last = found.next().or(self.last);
    }

    /// The opening of the game so far; `None` if the tables contain none of its positions.
    pub fn opening(&self) -> Option<&'static Opening> {
        self.last
    }
}
