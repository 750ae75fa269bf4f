//! The task that copies games: byte for byte, or with edits of tag pairs and annotations.
//!
//! In: the games of a selection. Out: [`Rewritten`] text, as a conversion has it; or [`Copied`], from which a consumer
//! takes some games. Invariants: moves are not read, so games have no verdict and those that would be rejected are
//! copied too; text between games is not copied; a [`Joiner`](crate::engine::Joiner) keeps the games apart. Cost: one
//! copy of the selected games.

mod numbers;
mod one_by_one;
mod sorted;

pub use numbers::{GameNumbers, NumberGames};
pub use one_by_one::{Copied, CopiedGame, CopiedPiece, CopyGames};
pub use sorted::SortedGame;

use std::borrow::Cow;

use crate::engine::{BlockGames, BlockVisitor, GamePlace, MovesUse, Task, TextPiece};
use crate::notation::{self, Notation};
use crate::pgn::{Digits, utf8};
use crate::replay::{Game, NoPlies};

use super::convert::Rewritten;
use super::edits::adapt_piece;
pub use super::edits::{Edits, FIXED_TAGS};

/// Copies the selected games.
#[derive(Clone, Debug, Default)]
pub struct Select {
    /// What is changed in their text.
    pub edits: Edits,
}

/// Edits the text of games.
#[derive(Clone, Copy, Debug)]
struct Editor<'b> {
    edits: &'b Edits,
    from: Option<&'static dyn Notation>,
}

impl Editor<'_> {
    /// The edited text of a game, and the piece that it is.
    fn edited<'t>(
        self,
        text: &'t [u8],
        game: &Game<'_>,
        game_place: GamePlace,
    ) -> (Cow<'t, [u8]>, TextPiece) {
        let mut piece = TextPiece::game(text, game, game_place.offset);
        let own = &text[game.span.clone()];
        if self.edits.is_none() {
            return (Cow::Borrowed(own), piece);
        }
        let named = game.tags.notation.clone().and_then(|name| utf8(&text[name]));
        let notation = named.as_deref().and_then(notation::find).or(self.from);
        let digits = notation.map_or(Digits::Never, |notation| notation.info().digits);
        let tags_end = game.tags.end.clamp(game.span.start, game.span.end) - game.span.start;
        let edited = self.edits.apply(own, tags_end, digits);
        adapt_piece(&mut piece, &edited);
        (Cow::Owned(edited), piece)
    }
}

/// Copies the games of a block.
#[derive(Debug)]
struct Copies<'b> {
    part: &'b mut Rewritten,
    editor: Editor<'b>,
}

impl BlockVisitor for Copies<'_> {
    type Reads = NoPlies;

    fn end(&mut self, text: &[u8], game: &Game<'_>, game_place: GamePlace) {
        let (own, piece) = self.editor.edited(text, game, game_place);
        self.part.push_game(&own, &piece);
    }

    fn copy(&mut self, text: &[u8], piece: TextPiece) {
        self.part.push(text, &piece);
    }
}

impl Task for Select {
    type Context = ();
    type Part = Rewritten;

    fn moves(&self) -> MovesUse {
        MovesUse::Unread
    }

    fn visit(&self, games: BlockGames<'_, '_>, (): &mut (), part: &mut Rewritten) {
        let settings = games.settings();
        games.visit(Copies { part, editor: Editor { edits: &self.edits, from: settings.from } });
    }
}
