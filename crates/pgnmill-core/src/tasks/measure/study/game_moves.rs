//! The moves of one game, kept until it is known to be valid, and replayed as often as necessary.
//!
//! Input: the plies of a main line; output: the same plies. A game of more than [`PART_PLIES`] plies is kept in parts
//! of this size, which bounds the memory of whatever uses them. Cost: four bytes per ply.

use pgnmill_state::state;

use crate::chess::{Move, Position};
use crate::notation::{Check, Lineage, MoveText, Notation, Ply, san::San};
use crate::select::share::{mixed, with};

/// Plies of a part.
pub(super) const PART_PLIES: usize = 1 << 16;

/// The moves of one game, or of a part of it.
#[derive(Clone, Debug, Default)]
pub struct GameMoves {
    /// The position before the first move, and the history up to it; `None` if there is no move.
    start: Option<Box<(Position, Option<Lineage>)>>,
    moves: Vec<Move>,
    san_bytes: usize,
    /// Is it a later part of a game?
    is_continued: bool,
}

state!(GameMoves { start, moves, san_bytes, is_continued });

impl GameMoves {
    /// Removes the game.
    pub fn clear(&mut self) {
        self.start = None;
        self.moves.clear();
        self.san_bytes = 0;
        self.is_continued = false;
    }

    /// Adds a ply, which follows the one added last.
    pub fn push(&mut self, ply: &Ply<'_>) {
        if self.start.is_none() {
            self.start = Some(Box::new((*ply.before(), Lineage::of(ply.before()))));
        }
        self.moves.push(ply.mv());
        let mut text = MoveText::default();
        San.encode_ply(ply, &mut text);
        self.san_bytes += text.bytes_count() + 1;
    }

    /// Is it a whole part, so that the next ply belongs to another?
    pub fn is_whole(&self) -> bool {
        self.moves.len() >= PART_PLIES
    }

    /// Returns the part; the next ply begins another.
    pub fn take_part(&mut self) -> GameMoves {
        let mut start = None;
        self.replay_to_end(|_| {}, |end, lineage| start = Some(Box::new((*end, lineage))));
        std::mem::replace(self, GameMoves { start, is_continued: true, ..GameMoves::default() })
    }

    /// Is it a later part of a game, not its first?
    pub fn is_continued(&self) -> bool {
        self.is_continued
    }

    /// The half of all games that it is in, 0 or 1: by a hash of its moves, and of its squares at the beginning. For a
    /// game in parts, that of its first.
    pub fn half(&self) -> usize {
        let begin = self.start.as_deref().map_or(0, |(position, _)| position.occupied().0);
        let moves = self.moves.iter().map(|mv| {
            u64::from(mv.origin().index() as u32) << 32 | u64::from(mv.target().index() as u32)
        });
        (mixed(moves.fold(begin, with)) & 1) as usize
    }

    /// How many plies.
    pub fn plies_count(&self) -> usize {
        self.moves.len()
    }

    /// How long the game is in SAN, each text with its separator.
    pub fn san_bytes(&self) -> usize {
        self.san_bytes
    }

    /// Has the game a history from the starting position?
    pub fn has_history(&self) -> bool {
        self.start.as_deref().is_some_and(|(_, lineage)| lineage.is_some())
    }

    /// The position before the first move, and the history up to it; `None` if there is no move.
    pub(super) fn start(&self) -> Option<&(Position, Option<Lineage>)> {
        self.start.as_deref()
    }

    /// The moves.
    pub(super) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Calls `visit` with every ply, from the first on.
    pub fn replay(&self, visit: impl FnMut(&Ply<'_>)) {
        self.replay_to_end(visit, |_, _| {});
    }

    /// Calls `visit` for each ply, then `end` with the position after the last one and its history.
    fn replay_to_end(
        &self,
        mut visit: impl FnMut(&Ply<'_>),
        end: impl FnOnce(&Position, Option<Lineage>),
    ) {
        let Some((mut before, mut lineage)) = self.start.as_deref().copied() else { return };
        for &mv in &self.moves {
            let after = before.play(mv);
            let check = Check::of(&after);
            visit(&Ply::new(&before, mv, &after, check).with_lineage(lineage.as_ref()));
            lineage = lineage.map(|lineage| lineage.after(mv));
            before = after;
        }
        end(&before, lineage);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{self};

    /// The parts of a game are the game, in notations that need its history, too.
    #[test]
    fn parts_of_a_game_are_the_game() {
        let (mut position, mut whole, mut part) =
            (Position::initial(), GameMoves::default(), GameMoves::default());
        let mut parts = Vec::new();
        for step in 0..300 {
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(step * 7 % moves.len().max(1)) else { break };
            let after = position.play(mv);
            let ply = Ply::new(&position, mv, &after, Check::of(&after));
            whole.push(&ply);
            part.push(&ply);
            if step % 40 == 39 {
                parts.push(part.take_part());
            }
            position = after;
        }
        parts.push(part);
        assert!(parts.len() > 3 && parts.iter().all(GameMoves::has_history));
        let sum = |of: fn(&GameMoves) -> usize| parts.iter().map(of).sum::<usize>();
        assert_eq!(sum(GameMoves::plies_count), whole.plies_count());
        assert_eq!(sum(GameMoves::san_bytes), whole.san_bytes());
        for notation in [notation::SAN, notation::find("stamma").unwrap()] {
            let texts = |game: &GameMoves| {
                let mut texts = Vec::new();
                game.replay(|ply| {
                    let mut text = MoveText::default();
                    notation.encode_ply(ply, &mut text);
                    texts.push(text.to_string());
                });
                texts
            };
            assert_eq!(parts.iter().flat_map(texts).collect::<Vec<_>>(), texts(&whole));
        }
    }
}
