//! The moves of one game, kept until it is proved, and replayed as often as they are asked for.
//!
//! What enters are the plies of a main line; what leaves are the same plies. Cost: four bytes a ply.

use crate::board::{Move, Position};
use crate::notation::{Check, Lineage, MoveText, Notation, Ply, san::San};

/// The moves of one game.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Where the first move is made; `None` before it.
    start: Option<Box<Position>>,
    moves: Vec<Move>,
    san_bytes: usize,
}

impl Score {
    /// Forgets the game.
    pub fn clear(&mut self) {
        self.start = None;
        self.moves.clear();
        self.san_bytes = 0;
    }

    /// Adds a ply, which follows the one added last.
    pub fn push(&mut self, ply: &Ply<'_>) {
        if self.start.is_none() {
            self.start = Some(Box::new(*ply.before()));
        }
        self.moves.push(ply.mv());
        let mut text = MoveText::default();
        San.encode(ply, &mut text);
        self.san_bytes += text.bytes_count() + 1;
    }

    /// How many plies.
    pub fn plies_count(&self) -> usize {
        self.moves.len()
    }

    /// How long the game is in SAN, each text with what separates it from the next.
    pub fn san_bytes(&self) -> usize {
        self.san_bytes
    }

    /// Has the game a history from the initial array?
    pub fn has_history(&self) -> bool {
        self.start.as_deref().is_some_and(|start| Lineage::of(start).is_some())
    }

    /// Shows every ply again, from the first on.
    pub fn replay(&self, mut visit: impl FnMut(&Ply<'_>)) {
        let Some(start) = self.start.as_deref() else { return };
        let (mut before, mut lineage) = (*start, Lineage::of(start));
        for &mv in &self.moves {
            let after = before.play(mv);
            let check = Check::of(&after);
            visit(&Ply::new(&before, mv, &after, check).with_lineage(lineage.as_ref()));
            lineage = lineage.map(|lineage| lineage.after(mv));
            before = after;
        }
    }
}
