//! What an expression reads of a game: tag pairs, and facts of the moves.
//!
//! In: the fields of an expression, one after the other. Out: typed nodes, and the sum of what they require. Invariant:
//! a name of a tag pair has one slot, however often it occurs.

use std::ops::Range;
use std::sync::Arc;

use regex::Regex;

use crate::chess::{Color, Role};

use super::error::Fault;
use super::moves::{Demand, MoveCount, MoveFlag, TARGETS_MAX};
use super::node::{BoolNode, NumberNode, TextNode, Typed};
use super::position_set::PositionSet;
use super::target::Target;
use super::view::{Slot, TagNames};
use super::watch::{Parts, WATCHED_MAX};
use crate::facts::{self, Fact, Needs, Value};

/// Warnings of an expression, at most.
const WARNINGS_MAX: usize = 5;

/// What an expression reads of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    pub(super) tags: TagNames,
    pub(super) demand: Demand,
    pub(super) targets: Vec<Target>,
    /// Is something read that neither tag pairs nor moves have?
    pub(super) others: bool,
    /// The positions of files, by their names.
    pub(super) files: Vec<(String, PositionSet)>,
    /// What comments are searched for.
    pub(super) comments: Vec<Regex>,
    /// What is watched.
    pub(super) parts: Parts,
    /// What is probably not meant.
    pub(super) warnings: Vec<String>,
    /// The names of tag pairs, their slots, and whether they are known.
    pub(super) named: Vec<(String, Slot, bool)>,
    /// The number of regular expressions, and their size in bytes, about.
    pub(super) regexes: usize,
    pub(super) regex_bytes: usize,
}

impl Reads {
    /// All of the expression was added.
    pub(super) fn settle(&mut self) {
        self.demand.targets = Arc::from(&self.targets[..]);
        self.demand.lines = self.targets.iter().any(|target| target.line().is_some());
        self.demand.keys = self.targets.iter().any(Target::has_keys);
        self.demand.boards = self.targets.iter().any(|it| it.line().is_none() && !it.has_keys());
        self.demand.comments = Arc::from(&self.comments[..]);
    }

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

    /// The pieces of a role in the last position.
    pub(super) fn pieces(&mut self, color: Color, role: Role) -> Typed {
        self.demand.moves = true;
        self.demand.last = true;
        Typed::Number(NumberNode::Pieces(color, role))
    }

    /// Is the target reached in the main line? `span`: where the condition is.
    ///
    /// # Errors
    /// More targets than an expression may have.
    pub(super) fn reached(
        &mut self,
        target: Target,
        span: &Range<usize>,
    ) -> Result<BoolNode, Fault> {
        if self.targets.len() == TARGETS_MAX {
            let message = format!("there are more than {TARGETS_MAX} positions and signatures");
            return Err(Fault::new(span.clone(), message));
        }
        self.targets.push(target);
        self.demand.moves = true;
        let node = BoolNode::Reached(self.targets.len() - 1);
        Ok(self.watched(node, span))
    }

    /// This node, of which it is known afterwards whether it was ever true.
    pub(super) fn watched(&mut self, node: BoolNode, span: &Range<usize>) -> BoolNode {
        match self.parts.add(std::iter::once(span.clone())) {
            Some(part) => BoolNode::Watched(part, Box::new(node)),
            None => node,
        }
    }

    /// Adds a warning, once; only the first ones of many.
    pub(super) fn warn(&mut self, warning: String) {
        if self.warnings.len() < WARNINGS_MAX && !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// The slot of a tag pair; whether a game has it is watched.
    pub(super) fn tag(&mut self, name: &str, is_known: bool) -> Slot {
        let slot = self.tags.slot(name);
        if self.named.len() < WATCHED_MAX && !self.named.iter().any(|(known, ..)| known == name) {
            self.named.push((name.to_string(), slot, is_known));
        }
        slot
    }

    /// Whether a side has won, as the result of the game says.
    pub(super) fn won(&mut self, side: Color) -> Typed {
        match facts::find("outcome") {
            Some(fact) => {
                self.fact(fact);
                Typed::Bool(BoolNode::Won(fact, side))
            }
            None => Typed::Bool(BoolNode::Literal(false)),
        }
    }

    /// The node of a fact.
    pub(super) fn fact(&mut self, fact: &'static Fact) -> Typed {
        for tag in fact.tags {
            self.tags.slot(tag.name());
        }
        self.demand.moves |= fact.needs != Needs::Tags;
        self.others |= fact.needs == Needs::Tags && fact.tags.is_empty();
        self.demand.opening |= fact.needs == Needs::Opening;
        match fact.value {
            Value::Int(_) | Value::Real(_) => Typed::Number(NumberNode::Fact(fact)),
            Value::Text(_) | Value::Name(..) | Value::Grouped => Typed::Text(TextNode::Fact(fact)),
        }
    }
}
