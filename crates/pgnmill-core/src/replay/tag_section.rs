//! The tag pairs of one game, as spans of its text; nothing is copied.
//!
//! In: tag pairs in order, from the general reader or from the fast path. Out: a [`TagSection`]: the spans of the
//! values that matter here, what is damaged or duplicate, and what a writer removes to replace the `MoveNotation`
//! pair.

use std::ops::Range;

use crate::chess::rules::RulesKind;
use crate::pgn::deviation::{Deviation, DeviationSet};
use crate::pgn::{NOTATION_TAG, ROSTER, TagPair, line_end};

use super::tag_names::{NAME_BYTES_MAX, SLOTS, name_number, short_name, slot_of};

/// A bit for each tag of the roster.
const ROSTER_BITS: u8 = 0x7f;

/// The tag pairs of one game.
#[derive(Clone, Debug, Default)]
pub struct TagSection {
    /// The ruleset of the game.
    pub rules: RulesKind,
    /// The number of tag pairs.
    pub count: usize,
    /// The byte after the last tag pair's bracket.
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
    /// The spans of values by slot; see [`slot_of`].
    values: [Option<Range<usize>>; SLOTS],
    roster: u8,
}

impl TagSection {
    /// A section of which only the end is known.
    pub(crate) fn ending_at(end: usize) -> TagSection {
        TagSection { end, ..TagSection::default() }
    }

    /// The span of the `Event` value.
    pub fn event(&self) -> Option<Range<usize>> {
        self.values[0].clone()
    }

    /// The span of the `Site` value.
    pub fn site(&self) -> Option<Range<usize>> {
        self.values[1].clone()
    }

    /// The span of the `White` value.
    pub fn white(&self) -> Option<Range<usize>> {
        self.values[4].clone()
    }

    /// The span of the `Black` value.
    pub fn black(&self) -> Option<Range<usize>> {
        self.values[5].clone()
    }

    /// The span of the `FEN` value.
    pub(super) fn fen(&self) -> Option<Range<usize>> {
        self.values[7].clone()
    }

    /// The span of the `SetUp` value.
    pub(super) fn setup(&self) -> Option<Range<usize>> {
        self.values[8].clone()
    }

    /// The span of the `Variant` value.
    pub(super) fn variant(&self) -> Option<Range<usize>> {
        self.values[9].clone()
    }

    /// Does any tag pair decide the starting position or the rules?
    pub(super) fn has_setup(&self) -> bool {
        self.values[7..10].iter().any(Option::is_some)
    }

    /// The span of the `Result` value.
    pub fn result(&self) -> Option<Range<usize>> {
        self.values[6].clone()
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
            let slot = slot % SLOTS;
            // The roster's slots are the first.
            let bit = (1u64 << slot) as u8 & ROSTER_BITS;
            if self.roster & bit != 0 {
                return false;
            }
            self.roster |= bit;
            self.values[slot] = Some(value);
        }
        self.count += 1;
        (self.last_start, self.end) = (pair.start, pair.end);
        true
    }

    /// Adds a tag pair that begins at `start`. Returns the deviations of its position among the pairs.
    pub(super) fn add(&mut self, text: &[u8], start: usize, pair: &TagPair) -> DeviationSet {
        let name = &text[pair.name.clone()];
        let mut deviations = DeviationSet::EMPTY;
        let bytes = text.get(pair.name.start..).and_then(|rest| rest.first_chunk());
        let short = match (bytes, name.len()) {
            (Some(bytes), 1..=NAME_BYTES_MAX) => Some(name_number(bytes, name.len())),
            _ => short_name(name),
        };
        if let Some(slot) = short.and_then(slot_of) {
            let slot = slot % SLOTS;
            if slot < ROSTER.len() {
                if self.roster >> slot & 1 != 0 {
                    deviations.add(Deviation::TagDuplicate);
                }
                self.roster |= 1 << slot;
            }
            self.values[slot] = Some(pair.value.clone());
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
        if matches!(pair.deviation, Some(Deviation::TagQuote | Deviation::TagUnterminated)) {
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
        return if only_line_end { before..end } else { start..end };
    }
    start..end + line_end::len(&text[end..])
}
