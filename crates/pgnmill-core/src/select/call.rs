//! A call of a function: what makes its node from its arguments.
//!
//! In: the trees of the arguments, as many as the function has parameters. Out: nodes with a type, or a [`Fault`] that
//! states what is required. Invariant: what a call reads of a game is in its [`Reads`]. Cost: that of the arguments.

use std::ops::Range;

use super::error::Fault;
use super::node::{BoolNode, NumberNode, TextNode, Typed};
use super::parser::{Node, Tree};
use super::reads::Reads;
use super::target::Target;

/// A call of a function.
pub(super) struct Call<'c> {
    /// One for each parameter.
    pub(super) arguments: &'c [Tree],
    /// Where the call is.
    pub(super) whole: &'c Range<usize>,
    pub(super) reads: &'c mut Reads,
    /// What makes a node of an argument: the compiler.
    pub(super) value: fn(&Tree, &mut Reads) -> Result<Typed, Fault>,
    /// What refuses a word without quotes where a text is meant: it knows the names of all functions, this one's too.
    pub(super) refuse_unquoted: fn(&Tree) -> Result<(), Fault>,
}

impl<'c> Call<'c> {
    fn value(&mut self, index: usize) -> Result<(Typed, &'c Range<usize>), Fault> {
        let tree = &self.arguments[index];
        Ok(((self.value)(tree, self.reads)?, &tree.span))
    }

    /// The argument as a number.
    pub(super) fn number(&mut self, index: usize) -> Result<NumberNode, Fault> {
        let (value, span) = self.value(index)?;
        value.into_number(span)
    }

    /// The argument as a text.
    pub(super) fn text(&mut self, index: usize) -> Result<TextNode, Fault> {
        let (value, span) = self.value(index)?;
        value.into_text(span)
    }

    /// The argument as a text that is usually one in quotes: a word without them is refused as such.
    pub(super) fn part(&mut self, index: usize) -> Result<TextNode, Fault> {
        (self.refuse_unquoted)(&self.arguments[index])?;
        self.text(index)
    }

    /// The argument as a text in quotes. `what`: what it is.
    pub(super) fn literal(&self, index: usize, what: &str) -> Result<&'c str, Fault> {
        let tree = &self.arguments[index];
        match &tree.node {
            Node::Text(text) => Ok(text),
            _ => Err(Fault::new(tree.span.clone(), format!("{what} in quotes is required here"))),
        }
    }

    /// An argument that cannot be read.
    pub(super) fn fault(&self, index: usize, message: String) -> Fault {
        Fault::new(self.arguments[index].span.clone(), message)
    }

    /// Is the target reached in the main line?
    pub(super) fn reached(&mut self, target: Target) -> Result<BoolNode, Fault> {
        self.reads.reached(target, self.whole)
    }

    /// This node, of which it is known afterwards whether it was ever true.
    pub(super) fn watched(&mut self, node: BoolNode) -> BoolNode {
        self.reads.watched(node, self.whole)
    }
}
