//! What an expression is evaluated on: the tag pairs of one game, and the facts of its moves where they are known.
//!
//! In: a game. Out: values, each known, missing, or to be known later, when the moves are read.

use std::borrow::Cow;
use std::ops::Range;

use crate::pgn::tag_numbers::{Read, date_interval, rating, time};
use crate::pgn::tag_value;

use super::moves::MoveFacts;

/// The names of the tag pairs that an expression reads; a *slot* is an index in it.
#[derive(Clone, Debug, Default)]
pub(super) struct TagNames(Vec<Box<[u8]>>);

impl TagNames {
    /// The slot of a name, which is added if it is not yet known.
    pub(super) fn slot(&mut self, name: &str) -> usize {
        let known = self.0.iter().position(|known| **known == *name.as_bytes());
        known.unwrap_or_else(|| {
            self.0.push(name.as_bytes().into());
            self.0.len() - 1
        })
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The slot of a name in a text.
    #[inline]
    pub(super) fn find(&self, name: &[u8]) -> Option<usize> {
        self.0.iter().position(|known| **known == *name)
    }
}

/// The game on which an expression is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct GameView<'g> {
    /// The text of the tag pairs.
    pub(crate) text: &'g [u8],
    /// The spans of their values in it, by slot.
    pub(crate) tags: &'g [Option<Range<usize>>],
    /// The name of the archive.
    pub(crate) archive: &'g str,
    /// The length of the game's text; `None` if its end is not known.
    pub(crate) game_bytes: Option<usize>,
    /// The facts of its moves; `None` if they were not read.
    pub(crate) moves: Option<&'g MoveFacts>,
}

impl<'g> GameView<'g> {
    pub(super) fn bytes(&self, slot: usize) -> Option<&'g [u8]> {
        self.tags[slot].clone().map(|span| &self.text[span])
    }

    /// A value of text; `None` if it is absent, empty or of question marks.
    pub(super) fn text(&self, slot: usize) -> Option<Cow<'g, str>> {
        let bytes = self.bytes(slot)?;
        let is_unknown = bytes.iter().all(|byte| *byte == b'?' || *byte <= b' ');
        (!is_unknown).then(|| tag_value(bytes))
    }

    pub(super) fn number(&self, slot: usize) -> Option<f64> {
        match rating(self.bytes(slot)?) {
            Read::Value(number) => Some(f64::from(number)),
            Read::Unknown | Read::Unreadable => None,
        }
    }

    /// The first and the last day that a date can be.
    pub(super) fn date(&self, slot: usize) -> Option<(i32, i32)> {
        date_interval(self.bytes(slot)?)
    }

    pub(super) fn time(&self, slot: usize) -> Option<i32> {
        time(self.bytes(slot)?).value()
    }
}
