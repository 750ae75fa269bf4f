//! One game that was read: its tag pairs and verdict, and a played move.
//!
//! In: the record of a game and its text. Out: values that are computed on request. Invariant: all references borrow
//! from the reader. Cost: a tag pair is read again in each call; a played move contains two positions. The movetext
//! is read in `visitor.rs`.

use crate::chess::{Move, Position};
use crate::notation::{self, Check, Lineage, MoveText, Notation, Ply};
use crate::pgn::{self, Outcome, TagPairs};
use crate::replay::{GameFault, Verdict};

use super::record::{GameRecord, PlyRecord};

/// One game: borrowed from the reader until the next one is read.
#[derive(Clone, Copy, Debug)]
pub struct Game<'g> {
    /// The text that was replayed, of which the game is a part.
    pub(super) text: &'g [u8],
    pub(super) record: &'g GameRecord,
    pub(super) plies: &'g [PlyRecord],
    pub(super) offset: u64,
    pub(super) number: u64,
}

impl<'g> Game<'g> {
    /// The text of the game in the archive, tag pairs and movetext. For a game longer than
    /// [`GAME_BYTES_MAX`](pgnmill_io::archive::GAME_BYTES_MAX): its first part.
    pub fn text(&self) -> &'g [u8] {
        &self.text[self.record.span.clone()]
    }

    /// Offset of the game's first byte in the text of the archive, that is after decompression.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The number of the game in the archive, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Accepted, repaired or rejected.
    pub fn verdict(&self) -> Verdict {
        self.record.verdict
    }

    /// The reason for which the game was rejected. Its ranges are relative to the text that was replayed, not to
    /// [`Game::text`]; use [`Game::fault_text`].
    pub fn fault(&self) -> Option<&'g GameFault> {
        self.record.fault.as_ref()
    }

    /// The offending text of a rejected game.
    pub fn fault_text(&self) -> Option<&'g [u8]> {
        self.fault().map(|fault| &self.text[fault.text.clone()])
    }

    /// The notation of the game's moves.
    pub fn notation(&self) -> &'static dyn Notation {
        self.record.notation
    }

    /// The result of the movetext; if it has none, that of the `Result` tag pair.
    pub fn result(&self) -> Option<Outcome> {
        self.record.result
    }

    /// The tag pairs, in order.
    pub fn tags(&self) -> Tags<'g> {
        let section = self.record.span.start..self.record.tags_end;
        Tags { text: self.text, pairs: TagPairs::new(self.text, section) }
    }

    /// The value of the tag pair with this name; of several the last, as in selections and tables.
    pub fn tag(&self, name: &str) -> Option<String> {
        self.tags().filter(|tag| tag.name == name).last().map(|tag| tag.value)
    }

    /// The position before the first move; `None` if the tag pairs have no valid one, which is a fault, and in games of
    /// other rules than those of chess, which have no moves here: see [`Game::text`] and `export`.
    pub fn start(&self) -> Option<Position> {
        self.record.start
    }
}

/// A tag pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// The name.
    pub name: String,
    /// The value, without escapes, in UTF-8: bytes that are not are read as Windows-1252.
    pub value: String,
}

/// The tag pairs of a game.
#[derive(Clone, Debug)]
pub struct Tags<'g> {
    text: &'g [u8],
    pairs: TagPairs<'g>,
}

impl<'g> Iterator for Tags<'g> {
    type Item = Tag;

    fn next(&mut self) -> Option<Tag> {
        let pair = self.pairs.next()?;
        let name = pgn::decode(&self.text[pair.name]);
        Some(Tag { name, value: pgn::tag_value(&self.text[pair.value]) })
    }
}

/// A move that was played, with the positions before and after it.
#[derive(Clone, Copy, Debug)]
pub struct PlayedMove<'g> {
    /// The position before the move.
    pub before: Position,
    /// The move.
    pub mv: Move,
    /// The position after it.
    pub after: Position,
    /// The text of the move in the archive.
    pub text: &'g [u8],
    /// Depth in variations; 0 is the main line.
    pub depth: usize,
    pub(super) lineage: Option<Lineage>,
}

impl PlayedMove<'_> {
    /// Is it a move of White?
    pub fn is_white(&self) -> bool {
        self.before.turn() == crate::chess::Color::White
    }

    /// The move in a notation; in SAN if the notation requires a history that the game does not have.
    pub fn text_in(&self, notation: &dyn Notation) -> MoveText {
        let ply = Ply::new(&self.before, self.mv, &self.after, Check::of(&self.after));
        let mut text = MoveText::default();
        if notation.needs_lineage() && self.lineage.is_none() {
            notation::SAN.encode_ply(&ply, &mut text);
        } else {
            notation.encode_ply(&ply.with_lineage(self.lineage.as_ref()), &mut text);
        }
        text
    }
}
