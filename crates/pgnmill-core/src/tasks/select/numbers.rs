//! The task of the reading before a sample of so many games: the number of each selected game.
//!
//! In: the games of a selection. Out: [`GameNumbers`], of which the smallest are those of the sample. Cost: a hash per
//! game; moves are read only where a condition requires them.

use crate::engine::{BlockGames, BlockVisitor, GamePlace, MovesUse, Part, Task};
use crate::replay::{Game, NoPlies};
use crate::select::share;

/// Numbers the games.
#[derive(Clone, Copy, Debug)]
pub struct NumberGames {
    /// Which numbers they have.
    pub seed: u64,
}

/// The numbers of the games of a job.
#[derive(Debug, Default)]
pub struct GameNumbers(pub Vec<u64>);

impl Part for GameNumbers {
    fn clear(&mut self) {
        self.0.clear();
    }
}

#[derive(Debug)]
struct NumberVisitor<'b> {
    seed: u64,
    part: &'b mut GameNumbers,
}

impl BlockVisitor for NumberVisitor<'_> {
    type Reads = NoPlies;

    fn end(&mut self, text: &[u8], game: &Game<'_>, _: GamePlace) {
        let tags_end = game.tags.end.clamp(game.span.start, game.span.end) - game.span.start;
        self.part.0.push(share::number(self.seed, &text[game.span.clone()], tags_end));
    }
}

impl Task for NumberGames {
    type Context = ();
    type Part = GameNumbers;

    fn moves(&self) -> MovesUse {
        MovesUse::Unread
    }

    fn visit(&self, games: BlockGames<'_, '_>, (): &mut (), part: &mut GameNumbers) {
        games.visit(NumberVisitor { seed: self.seed, part });
    }
}
