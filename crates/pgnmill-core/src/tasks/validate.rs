//! The task that validates games: every move is replayed.
//!
//! In: games. Out: no part of its own, only the facts that all tasks have in common. Cost: the replay alone.

use crate::engine::{BlockGames, BlockVisitor, MovesUse, Task};
use crate::replay::NoPlies;

/// Validates games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Validate;

/// Ignores all plies and games.
#[derive(Debug)]
struct Ignore;

impl BlockVisitor for Ignore {
    type Reads = NoPlies;
}

impl Task for Validate {
    type Context = ();
    type Part = ();

    fn moves(&self) -> MovesUse {
        MovesUse::Checked
    }

    fn visit(&self, games: BlockGames<'_, '_>, (): &mut (), (): &mut ()) {
        games.visit(Ignore);
    }
}
