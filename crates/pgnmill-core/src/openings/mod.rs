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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Color, Role};

    /// A game by plies alone, and divided into lines and plies in any way.
    #[test]
    fn lines_give_the_opening_of_their_plies() {
        let mut seed = 5_u64;
        let mut next = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            (seed >> 33) as usize % below
        };
        let mut openings = std::collections::HashSet::new();
        for _ in 0..400 {
            let (mut position, mut after) = (Position::initial(), Vec::new());
            for _ in 0..60 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[next(moves.len())]);
                after.push(position);
            }
            let mut by_plies = Tracker::default();
            after.iter().for_each(|position| by_plies.visit(position));
            let (mut by_lines, mut at) = (Tracker::default(), 0);
            while at < after.len() {
                let count = (1 + next(50)).min(after.len() - at);
                let part = &after[at..at + count];
                if next(2) == 0 {
                    part.iter().for_each(|position| by_lines.visit(position));
                } else {
                    let board = |position: &Position| {
                        [position.color(Color::White).0, position.role(Role::Pawn).0]
                    };
                    let boards: Vec<[u64; 2]> = part.iter().map(board).collect();
                    by_lines.visit_line(&boards, |ply| part[ply]);
                }
                at += count;
                assert_eq!(by_lines.plies_left(), (PLIES_MAX as usize).saturating_sub(at));
            }
            assert_eq!(by_lines.opening(), by_plies.opening());
            openings.insert(by_plies.opening().map(|opening| opening.name));
        }
        assert!(openings.len() > 5, "{openings:?}");
    }
}
