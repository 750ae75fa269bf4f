//! One game that was read: its tag pairs and verdict, and a played move.
//!
//! In: the record of a game and its text. Out: values that are computed on request. Invariant: all references borrow
//! from the reader. Cost: a tag pair is read again in each call; a played move contains two positions. The movetext
//! is read in `visitor.rs`.

use crate::chess::rules::{AnyPosition, Extras};
use crate::chess::{Move, Position};
use crate::notation::{self, Check, Lineage, MoveText, Notation, Ply};
use crate::pgn::deviation::Deviation;
use crate::pgn::{self, Outcome, TagPairs};
use crate::replay::{GameFault, Verdict, write_variant};

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

    /// The position before the first move; `None` if the tag pairs have no valid one, which is a fault, and in Chess
    /// 99.
    /// In a game of a variant it is the board: see [`Game::start_of_rules`].
    pub fn start(&self) -> Option<Position> {
        self.record.start
    }

    /// The position before the first move, with what the ruleset of a variant adds to the board; `None` as in
    /// [`Game::start`].
    pub fn start_of_rules(&self) -> Option<AnyPosition> {
        self.start().map(|start| of_rules(start, self.record.extras))
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

/// A position, with what the ruleset of a variant adds to the board.
pub(super) fn of_rules(board: Position, extras: Option<Extras>) -> AnyPosition {
    match extras {
        None => AnyPosition::Chess(board),
        Some(extras) => AnyPosition::Variant(extras.with(board)),
    }
}

/// A move that was played, with the positions before and after it.
///
/// In a game of a variant the positions are the board, with the side to move, castling rights and counters; what is
/// legal there, pockets and checks are in [`PlayedMove::before_of_rules`] and [`PlayedMove::after_of_rules`].
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
    /// What a variant adds, before and after the move.
    pub(super) extras: Option<[Extras; 2]>,
}

impl PlayedMove<'_> {
    /// Is it a move of White?
    pub fn is_white(&self) -> bool {
        self.before.turn() == crate::chess::Color::White
    }

    /// The position before the move, of the ruleset of the game.
    pub fn before_of_rules(&self) -> AnyPosition {
        of_rules(self.before, self.extras.map(|extras| extras[0]))
    }

    /// The position after the move, of the ruleset of the game.
    pub fn after_of_rules(&self) -> AnyPosition {
        of_rules(self.after, self.extras.map(|extras| extras[1]))
    }

    /// The move in a notation.
    ///
    /// # Errors
    /// The notation has no text for the move of a variant, or requires a history that the game does not have.
    pub fn written(&self, notation: &dyn Notation) -> Result<MoveText, Deviation> {
        match self.before_of_rules() {
            AnyPosition::Variant(before) => {
                write_variant(notation, &before, self.mv, self.lineage.as_ref())
            }
            _ if notation.needs_lineage() && self.lineage.is_none() => {
                Err(Deviation::NotationNeedsInitialArray)
            }
            _ => Ok(self.text_in(notation)),
        }
    }

    /// The move in a notation; in SAN if the notation requires a history that the game does not have, or has no text
    /// for
    /// a move of a variant.
    pub fn text_in(&self, notation: &dyn Notation) -> MoveText {
        if self.extras.is_some() {
            return self
                .written(notation)
                .or_else(|_| self.written(notation::SAN))
                .unwrap_or_default();
        }
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
