//! A game at its end, for the functions that write its columns.

use std::ops::Range;

use crate::chess::Position;
use crate::chess::rules::AnyPosition;
use crate::facts::ReadGame;
use crate::replay::Game;

use super::annotations::Annotations;
use super::tag_values::OtherTags;

/// A game that was accepted or repaired.
#[derive(Debug)]
pub struct GameFacts<'g> {
    /// The text that was replayed.
    pub text: &'g [u8],
    /// The game.
    pub game: &'g Game<'g>,
    /// The game, as facts are computed from it.
    pub read: ReadGame<'g>,
    /// Its tag pairs that have no column of their own, if they are requested.
    pub(super) others: &'g OtherTags,
    /// What annotates its plies.
    pub annotations: &'g Annotations,
    /// The position after its last move, if it is requested, of a game of chess.
    pub last: Option<&'g Position>,
    /// The same of a game of other rules than those of chess.
    pub other_last: Option<&'g AnyPosition>,
    /// Write line ends of the movetext as spaces.
    pub one_line: bool,
}

impl<'g> GameFacts<'g> {
    /// The bytes of the movetext, with comments and result, without whitespace around them.
    pub fn movetext(&self) -> &'g [u8] {
        self.text[movetext_span(self.game)].trim_ascii()
    }
}

/// The bytes of a game before its movetext: tag pairs, perhaps after a byte order mark.
pub(super) fn tag_section(game: &Game<'_>) -> Range<usize> {
    game.span.start..game.tags.end.clamp(game.span.start, game.span.end)
}

/// The bytes after its tag pairs.
pub(super) fn movetext_span(game: &Game<'_>) -> Range<usize> {
    tag_section(game).end..game.span.end
}
