//! The index of a game's tag pairs: every reader of tag values asks it.
//!
//! In: tag pairs in order. Out: the values of those that are in [`Tag`], as spans, texts, numbers, dates and times.
//! Invariants: of several pairs with one name the last counts, as in python-chess, whose headers are a dictionary; any
//! bytes have a result. Cost: eight bytes per name; a value is read again in each call.
//!
//! ```
//! use pgnmill_core::pgn::{Tag, TagIndex};
//! let text = b"[White \"a\"]\n[White \"b\"]\n[WhiteElo \"+2400\"]\n";
//! let index = TagIndex::of(text, 0..text.len());
//! let tags = index.values(text);
//! assert_eq!((tags.bytes(Tag::White), tags.rating(Tag::WhiteElo)), (Some(&b"b"[..]), Some(2400)));
//! ```

use std::borrow::Cow;
use std::ops::Range;

use super::tag_names::{Tag, slot_of_name};
use super::tag_numbers::{rating, year_and_month};
use super::{TagPair, TagPairs, tag_value, tag_value_bytes};

/// The span of a value, from the base of its index; `(0, 0)`: there is none, since a value never begins there.
type Span = (u32, u32);

/// The spans of a game's tag values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TagIndex {
    base: usize,
    spans: [Span; Tag::COUNT],
}

impl Default for TagIndex {
    fn default() -> TagIndex {
        TagIndex::new(0)
    }
}

impl TagIndex {
    /// An index without values. `base`: an offset in the text, not after that of the first tag pair.
    #[inline(always)]
    pub fn new(base: usize) -> TagIndex {
        TagIndex { base, spans: [(0, 0); Tag::COUNT] }
    }

    /// The index of the tag pairs that begin in `section` of the text.
    pub fn of(text: &[u8], section: Range<usize>) -> TagIndex {
        let mut index = TagIndex::new(section.start);
        TagPairs::new(text, section).for_each(|pair| index.add(text, &pair));
        index
    }

    /// Adds a tag pair, if it has a place.
    #[inline]
    pub fn add(&mut self, text: &[u8], pair: &TagPair) {
        if let Some(slot) = slot_of_name(text, pair.name.clone()) {
            self.put(slot, &pair.value);
        }
    }

    /// Adds a value. `slot`: that of its name.
    #[inline(always)]
    pub(crate) fn put(&mut self, slot: usize, value: &Range<usize>) {
        // A game is 16 MiB long at most; a value that is further away has no place.
        let end = u32::try_from(value.end.wrapping_sub(self.base));
        if let (Some(known), Ok(end)) = (self.spans.get_mut(slot), end) {
            *known = (end - value.len() as u32, end);
        }
    }

    /// The span of a value.
    #[inline]
    pub fn span(&self, tag: Tag) -> Option<Range<usize>> {
        let (start, end) = self.spans[tag as usize];
        (start > 0).then(|| self.base + start as usize..self.base + end as usize)
    }

    /// The values in the text.
    pub fn values<'g>(&'g self, text: &'g [u8]) -> TagValues<'g> {
        TagValues { text, index: self }
    }
}

/// The tag values of a game.
#[derive(Clone, Copy, Debug)]
pub struct TagValues<'g> {
    text: &'g [u8],
    index: &'g TagIndex,
}

impl<'g> TagValues<'g> {
    /// A value as it is written, with its escapes.
    #[inline]
    pub fn bytes(self, tag: Tag) -> Option<&'g [u8]> {
        self.index.span(tag).map(|span| &self.text[span])
    }

    /// A value without escapes, in UTF-8.
    pub fn text(self, tag: Tag) -> Option<String> {
        self.bytes(tag).map(tag_value)
    }

    /// The bytes of the same; `None` also if it is empty or of question marks, which stand for what is unknown (PGN
    /// standard 8.1.1).
    pub fn known_text(self, tag: Tag) -> Option<Cow<'g, [u8]>> {
        self.bytes(tag).and_then(known_text)
    }

    /// A rating, or a difference of ratings with its sign.
    pub fn rating(self, tag: Tag) -> Option<i16> {
        rating(self.bytes(tag)?).value()
    }

    /// The year of `Date`, or of `UTCDate` where `Date` has none, from 1400 to 2100, and its month if that is known.
    pub fn year_and_month(self) -> Option<(i32, Option<i32>)> {
        year_and_month([Tag::Date, Tag::UtcDate].map(|tag| self.bytes(tag)))
    }

    /// The value of the first of `Date` and `UTCDate` that has a year from 1400 to 2100, without spaces around it.
    pub fn date(self) -> Option<&'g [u8]> {
        let values = [Tag::Date, Tag::UtcDate].into_iter().filter_map(|tag| self.bytes(tag));
        values.map(<[u8]>::trim_ascii).find(|value| year_and_month([Some(*value)]).is_some())
    }
}

/// The bytes of a value without escapes, in UTF-8; `None` if it is empty or of question marks.
pub(crate) fn known_text(value: &[u8]) -> Option<Cow<'_, [u8]>> {
    let is_unknown = value.iter().all(|byte| *byte == b'?' || *byte <= b' ');
    (!is_unknown).then(|| tag_value_bytes(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_place() {
        for (slot, tag) in Tag::ALL.into_iter().enumerate() {
            let text = format!("[{} \"{slot}\"]", tag.name());
            let index = TagIndex::of(text.as_bytes(), 0..text.len());
            let value = index.values(text.as_bytes()).bytes(tag);
            assert_eq!(value, Some(slot.to_string().as_bytes()), "{tag:?}");
            assert_eq!(Tag::ALL.into_iter().filter(|&tag| index.span(tag).is_some()).count(), 1);
        }
    }

    #[test]
    fn of_several_pairs_with_one_name_the_last_counts() {
        let text = b"  [B \"1\"]\n[ECO \"B1\"]\n; [ECO \"no\"]\n[Setup \"1\"]\n[ECO \"C\\\"2\"]\n[White \"\"]";
        let index = TagIndex::of(text, 2..text.len());
        let tags = index.values(text);
        assert_eq!(tags.text(Tag::Eco).as_deref(), Some("C\"2"));
        assert_eq!(tags.bytes(Tag::SetUp), Some(&b"1"[..]));
        assert_eq!((tags.bytes(Tag::White), tags.bytes(Tag::Black)), (Some(&b""[..]), None));
    }
}
