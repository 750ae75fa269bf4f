//! The task that validates games: every move is replayed, and nothing is made of it.
//!
//! Out: the facts that all tasks have in common. Cost: the replay alone.

use crate::engine::{BlockVisitor, Settings, Task};

/// Validates games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Validate;

/// Makes nothing of a game.
#[derive(Debug)]
pub struct Nothing;

impl BlockVisitor for Nothing {}

impl Task for Validate {
    type Context = ();
    type Part = ();
    type Visitor<'b> = Nothing;

    fn visitor<'b>(&'b self, _: &'b Settings, (): &'b mut (), (): &'b mut ()) -> Nothing {
        Nothing
    }
}
