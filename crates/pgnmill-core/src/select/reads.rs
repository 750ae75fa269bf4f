//! What an expression reads of a game: tag pairs, and facts of the moves.
//!
//! In: the fields of an expression, one after the other. Out: typed nodes, and the sum of what they require. Invariant:
//! a name of a tag pair has one slot, however often it occurs.

use super::moves::{Demand, MoveCount, MoveFlag, Target};
use super::node::{BoolNode, NumberNode, TextNode, Typed};
use super::view::TagNames;

/// What an expression reads of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    pub(super) tags: TagNames,
    pub(super) demand: Demand,
    pub(super) targets: Vec<Target>,
    /// The number of regular expressions, and their size in bytes, about.
    pub(super) regexes: usize,
    pub(super) regex_bytes: usize,
}

impl Reads {
    pub(super) fn flag(&mut self, flag: MoveFlag, of_last: bool) -> Typed {
        self.demand.moves = true;
        self.demand.last |= of_last;
        self.demand.plies |= !of_last;
        Typed::Bool(BoolNode::Flag(flag))
    }

    pub(super) fn count(&mut self, count: MoveCount) -> Typed {
        self.demand.moves = true;
        self.demand.annotations |= !matches!(count, MoveCount::Plies | MoveCount::VariationPlies);
        Typed::Number(NumberNode::Count(count))
    }

    pub(super) fn text_of_moves(&mut self, node: TextNode, of_last: bool) -> Typed {
        self.demand.moves = true;
        self.demand.last |= of_last;
        Typed::Text(node)
    }

    pub(super) fn opening(&mut self, node: TextNode) -> Typed {
        (self.demand.moves, self.demand.opening) = (true, true);
        Typed::Text(node)
    }

    pub(super) fn slots<const N: usize>(&mut self, names: [&str; N]) -> [usize; N] {
        names.map(|name| self.tags.slot(name))
    }

    pub(super) fn ratings(&mut self, of: fn(f64, f64) -> f64) -> Typed {
        Typed::Number(NumberNode::Ratings(of, self.slots(["WhiteElo", "BlackElo"])))
    }
}
