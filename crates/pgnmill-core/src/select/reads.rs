//! What an expression reads of a game: tag pairs, and facts of the moves.
//!
//! In: the fields of an expression, one after the other. Out: typed nodes, and the sum of what they require. Invariant:
//! a name of a tag pair has one slot, however often it occurs.

use super::moves::{Demand, MoveCount, MoveFlag, Target};
use super::node::{BoolNode, NumberNode, TextNode, Typed};
use super::view::TagNames;
use crate::facts::{Fact, Needs, Value};

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
        self.demand.annotations = true;
        Typed::Number(NumberNode::Count(count))
    }

    pub(super) fn text_of_moves(&mut self, node: TextNode, of_last: bool) -> Typed {
        self.demand.moves = true;
        self.demand.last |= of_last;
        Typed::Text(node)
    }

    /// The node of a fact.
    pub(super) fn fact(&mut self, fact: &'static Fact) -> Typed {
        for tag in fact.tags {
            self.tags.slot(tag.name());
        }
        self.demand.moves |= fact.needs != Needs::Tags;
        self.demand.opening |= fact.needs == Needs::Opening;
        match fact.value {
            Value::Int(_) | Value::Real(_) => Typed::Number(NumberNode::Fact(fact)),
            Value::Text(_) | Value::Name(..) | Value::Grouped => Typed::Text(TextNode::Fact(fact)),
        }
    }
}
