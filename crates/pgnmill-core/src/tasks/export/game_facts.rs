//! A game at its end, for the functions that write its columns.

use std::borrow::Cow;
use std::ops::Range;

use crate::chess::Position;
use crate::pgn::Outcome;
use crate::replay::Game;

use super::annotations::Annotations;
use super::tag_values::{TagColumn, TagValues};

/// A game that was accepted or repaired.
#[derive(Debug)]
pub struct GameFacts<'g> {
    /// The text that was replayed.
    pub text: &'g [u8],
    /// The game.
    pub game: &'g Game<'g>,
    /// Its tag pairs.
    pub(super) tags: &'g TagValues,
    /// What annotates its plies.
    pub annotations: &'g Annotations,
    /// The position after its last move, if it is requested.
    pub last: Option<&'g Position>,
    /// Write line ends of the movetext as spaces.
    pub one_line: bool,
}

impl<'g> GameFacts<'g> {
    /// The value of a tag pair.
    pub(super) fn tag(&self, column: TagColumn) -> Option<Cow<'g, str>> {
        self.tags.get(self.text, column)
    }

    /// The bytes of the value of a tag pair, with its escapes.
    pub(super) fn tag_bytes(&self, column: TagColumn) -> Option<&'g [u8]> {
        self.tags.span(column).map(|span| &self.text[span])
    }

    /// The result token; if there is none, the `Result` tag pair.
    pub fn outcome(&self) -> Outcome {
        let result = self.game.result.clone().or_else(|| self.game.tags.result());
        result.and_then(|span| Outcome::from_any(&self.text[span])).unwrap_or(Outcome::Unknown)
    }

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
