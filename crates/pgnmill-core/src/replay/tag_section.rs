//! The tag pairs of one game, as spans of its text; nothing is copied.
//!
//! In: tag pairs in order, from the general reader or from the fast path. Out: a [`TagSection`]: the spans of the
//! values that matter here, what is damaged or duplicate, and what a writer removes to replace the `MoveNotation`
//! pair.

use std::ops::Range;

use crate::chess::rules::RulesKind;
use crate::pgn::deviation::{Deviation, DeviationSet};
use crate::pgn::tag_names::slot_of_name;
use crate::pgn::{NOTATION_TAG, ROSTER, Tag, TagIndex, TagPair, line_end};

/// A bit for each tag of the roster.
const ROSTER_BITS: u8 = 0x7f;

/// The tag pairs of one game.
#[derive(Clone, Debug, Default)]
pub struct TagSection {
    /// The ruleset of the game.
    pub rules: RulesKind,
    /// The number of tag pairs.
    pub count: usize,
    /// The byte after the last tag pair: its bracket, or the comma of a list behind it.
    pub end: usize,
    /// The offset of the last tag pair.
    pub last_start: usize,
    /// The `MoveNotation` value.
    pub notation: Option<Range<usize>>,
    /// What a writer removes to drop the `MoveNotation` pair: the pair and the line end before it, or, if it is the
    /// first pair, the line end after it.
    pub notation_pair: Option<Range<usize>>,
    /// The damaged pairs that were read, in order: a writer replaces them by canonical ones.
    pub repaired: Vec<TagPair>,
    /// The value of a second `MoveNotation` pair that equals the first, and what a writer removes to drop it.
    pub notation_again: Option<(Range<usize>, Range<usize>)>,
    /// The value of a `MoveNotation` pair that differs, or is the third.
    pub notation_against: Option<Range<usize>>,
    /// The FEN record does not give the position: `[SetUp "0"]` is beside it, and the game is legal from the usual
    /// position alone.
    pub record_is_void: bool,
    /// The values.
    pub index: TagIndex,
    roster: u8,
}

impl TagSection {
    /// A section of which only the end is known.
    pub(crate) fn ending_at(end: usize) -> TagSection {
        TagSection { end, ..TagSection::default() }
    }

    /// A section without pairs, in which those from byte `start` on are read.
    #[inline(always)]
    pub(super) fn starting_at(start: usize, rules: RulesKind) -> TagSection {
        TagSection { rules, end: start, index: TagIndex::new(start), ..TagSection::default() }
    }

    /// The span of a value.
    #[inline]
    pub fn span(&self, tag: Tag) -> Option<Range<usize>> {
        self.index.span(tag)
    }

    /// Is it a game of chess from its starting position?
    pub(crate) fn is_usual_start(&self) -> bool {
        self.rules == RulesKind::Chess && !self.has_setup()
    }

    /// Does any tag pair decide the starting position or the rules?
    pub(crate) fn has_setup(&self) -> bool {
        [Tag::Fen, Tag::SetUp, Tag::Variant].into_iter().any(|tag| self.span(tag).is_some())
    }

    /// Adds a tag pair without deviations that is the first or on a line of its own. `slot`: that of its name. Returns
    /// `false`, and adds nothing, for the second pair of a name of the roster.
    #[inline(always)]
    pub(super) fn add_usual(
        &mut self,
        slot: Option<usize>,
        value: Range<usize>,
        pair: Range<usize>,
    ) -> bool {
        if let Some(slot) = slot {
            // The roster's slots are the first.
            let bit = (1u64 << (slot & 63)) as u8 & ROSTER_BITS;
            if self.roster & bit != 0 {
                return false;
            }
            self.roster |= bit;
            self.index.put(slot, &value);
        }
        self.count += 1;
        (self.last_start, self.end) = (pair.start, pair.end);
        true
    }

    /// Adds a tag pair that begins at `start`. Returns the deviations of its position among the pairs.
    pub(super) fn add(&mut self, text: &[u8], start: usize, pair: &TagPair) -> DeviationSet {
        let name = &text[pair.name.clone()];
        let mut deviations = DeviationSet::EMPTY;
        if let Some(slot) = slot_of_name(text, pair.name.clone()) {
            if slot < ROSTER.len() {
                if self.roster >> slot & 1 != 0 {
                    deviations.add(Deviation::TagDuplicate);
                }
                self.roster |= 1 << slot;
            }
            self.index.put(slot, &pair.value);
        } else if name == NOTATION_TAG {
            let value = pair.value.clone();
            let removable = removable(text, self.count, self.end, start, pair.end);
            match &self.notation {
                None => (self.notation, self.notation_pair) = (Some(value), Some(removable)),
                Some(first)
                    if self.notation_again.is_none()
                        && text[first.clone()] == text[value.clone()] =>
                {
                    deviations.add(Deviation::TagDuplicate);
                    self.notation_again = Some((value, removable));
                }
                Some(_) => self.notation_against = Some(value),
            }
        }
        use Deviation::{TagBracket, TagQuote, TagUnterminated};
        if matches!(pair.deviation, Some(TagBracket | TagQuote | TagUnterminated)) {
            self.repaired.push(pair.clone());
        }
        let same_line = self.count > 0 && !text[self.end..start].iter().any(|b| is_line_end(*b));
        if same_line {
            deviations.add(Deviation::TagsOnOneLine);
        }
        self.count += 1;
        self.end = pair.end;
        self.last_start = start;
        deviations
    }

    /// Are all seven tags of the roster present?
    pub(super) fn has_roster(&self) -> bool {
        self.roster == ROSTER_BITS
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// What a writer removes to drop a pair; see [`TagSection::notation_pair`].
fn removable(text: &[u8], count: usize, before: usize, start: usize, end: usize) -> Range<usize> {
    if count > 0 {
        let only_line_end = matches!(&text[before..start], b"\n" | b"\r" | b"\r\n");
        // Before another pair on its line it was written there.
        let is_before_pair = text.get(end) == Some(&b'[');
        return if only_line_end && !is_before_pair { before..end } else { start..end };
    }
    start..end + line_end::len(&text[end..])
}
