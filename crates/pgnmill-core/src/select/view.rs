//! What an expression is evaluated on: the tag pairs of one game, and the facts of its moves where they are known.
//!
//! In: a game. Out: values, each known, missing, or to be known later, when the moves are read.

use std::borrow::Cow;
use std::ops::Range;

use crate::facts::{Fact, Needs, ReadGame};
use crate::pgn::tag_numbers::{date_interval, rating, time};
use crate::pgn::{Tag, TagIndex, TagPair, known_text};
use crate::replay::Verdict;

use super::moves::MoveFacts;
use super::truth::Known;
use super::watch::Watch;

/// Where the value of a tag pair is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// In the index.
    Tag(Tag),
    /// Among those that have no place in it.
    Other(usize),
}

/// The names of the tag pairs that an expression reads.
#[derive(Clone, Debug, Default)]
pub(super) struct TagNames {
    names: Vec<(Box<[u8]>, Slot)>,
    others: usize,
}

impl TagNames {
    /// The slot of a name, which is added if it is not yet known.
    pub(super) fn slot(&mut self, name: &str) -> Slot {
        if let Some(slot) = self.find(name.as_bytes()) {
            return slot;
        }
        let slot = Tag::of(name).map_or(Slot::Other(self.others), Slot::Tag);
        self.others += usize::from(slot == Slot::Other(self.others));
        self.names.push((name.as_bytes().into(), slot));
        slot
    }

    /// The slot of a name in a text.
    #[inline]
    fn find(&self, name: &[u8]) -> Option<Slot> {
        self.names.iter().find(|(known, _)| **known == *name).map(|(_, slot)| *slot)
    }

    /// Is there none?
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// An index for the values of these names.
    pub(super) fn tags(&self) -> RequiredTags {
        RequiredTags { index: TagIndex::default(), others: vec![None; self.others] }
    }

    /// Keeps the value of a tag pair if it is required; of several with one name the last counts.
    #[inline]
    pub(super) fn keep(&self, text: &[u8], pair: &TagPair, tags: &mut RequiredTags) {
        match self.find(&text[pair.name.clone()]) {
            Some(Slot::Tag(tag)) => tags.index.put(tag as usize, &pair.value),
            Some(Slot::Other(at)) => tags.others[at] = Some(pair.value.clone()),
            None => {}
        }
    }
}

/// The tag pairs that an expression reads; the memory is used again from game to game.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequiredTags {
    pub(crate) index: TagIndex,
    /// The spans of values that have no place in the index.
    pub(crate) others: Vec<Option<Range<usize>>>,
}

impl RequiredTags {
    /// Empties it. `base`: an offset in the text, not after that of the first tag pair.
    #[inline]
    pub(crate) fn clear(&mut self, base: usize) {
        self.index = TagIndex::new(base);
        self.others.fill(None);
    }
}

/// The game on which an expression is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct GameView<'g> {
    /// The text of the tag pairs.
    pub(crate) text: &'g [u8],
    /// The game, as far as it was read.
    pub(crate) game: ReadGame<'g>,
    /// The spans of values that have no place in the index.
    pub(crate) others: &'g [Option<Range<usize>>],
    /// The facts of its moves; `None` if they were not read.
    pub(crate) moves: Option<&'g MoveFacts>,
    /// What is met of the expression.
    pub(crate) watch: &'g Watch,
}

impl<'g> GameView<'g> {
    fn bytes(&self, slot: Slot) -> Option<&'g [u8]> {
        match slot {
            Slot::Tag(tag) => self.game.tags.bytes(tag),
            Slot::Other(at) => self.others[at].clone().map(|span| &self.text[span]),
        }
    }

    /// A value of text; `None` if it is absent, empty or of question marks.
    pub(super) fn text(&self, slot: Slot) -> Option<Cow<'g, [u8]>> {
        self.bytes(slot).and_then(known_text)
    }

    pub(super) fn number(&self, slot: Slot) -> Option<f64> {
        rating(self.bytes(slot)?).value().map(f64::from)
    }

    /// The first and the last day that a date can be.
    pub(super) fn date(&self, slot: Slot) -> Option<(i32, i32)> {
        date_interval(self.bytes(slot)?)
    }

    pub(super) fn time(&self, slot: Slot) -> Option<i32> {
        time(self.bytes(slot)?).value()
    }

    /// A fact: `value` gives it.
    pub(super) fn fact<T>(
        &self,
        fact: &Fact,
        value: impl FnOnce(&ReadGame<'g>) -> Option<T>,
    ) -> Known<T> {
        match (fact.needs, self.game.played) {
            (Needs::Moves | Needs::Opening | Needs::Verdict, None) => Known::Later,
            (Needs::Moves | Needs::Opening, Some(played))
                if played.verdict == Verdict::Rejected =>
            {
                Known::Missing
            }
            _ => Known::of(value(&self.game)),
        }
    }
}
