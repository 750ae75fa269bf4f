//! What the tag pairs of one game say about its start: position, rules, notation, result.
//!
//! What enters is the text at a game's first byte; what leaves is a [`TagSection`], and from it the position in
//! which the game begins. Values are places in the text; nothing is copied.

use std::ops::Range;

use crate::chess::{FenError, FenNotes, Position};
use crate::pgn::deviation::{Deviation, DeviationSet, quoted};
use crate::pgn::{NOTATION_TAG, ROSTER, TagPair, Token, TokenKind};

use super::record;

/// The tag pairs that matter here, as places in the text.
#[derive(Clone, Debug, Default)]
pub struct TagSection {
    /// How many tag pairs.
    pub count: usize,
    /// The byte after the last tag pair's bracket.
    pub end: usize,
    /// Where the last tag pair begins.
    pub last_start: usize,
    /// The `MoveNotation` value.
    pub notation: Option<Range<usize>>,
    /// What a writer takes out to remove the `MoveNotation` pair: the pair and the line end before it, or, if it
    /// is the first pair, the line end after it.
    pub notation_pair: Option<Range<usize>>,
    /// The pairs that were read though they are damaged, in order: a writer puts canonical ones in their place.
    pub repaired: Vec<TagPair>,
    /// The value of a second `MoveNotation` pair that says the same, and what a writer takes out to remove it.
    pub notation_again: Option<(Range<usize>, Range<usize>)>,
    /// The value of a `MoveNotation` pair that says otherwise, or is the third.
    pub notation_against: Option<Range<usize>>,
    /// Where the values stand of the names that are known here, by slot; the roster's come first.
    values: [Option<Range<usize>>; SLOTS],
    roster: u8,
}

impl TagSection {
    /// Where the `Event` value stands.
    pub fn event(&self) -> Option<Range<usize>> {
        self.values[0].clone()
    }

    /// Where the `Site` value stands.
    pub fn site(&self) -> Option<Range<usize>> {
        self.values[1].clone()
    }

    /// Where the `White` value stands.
    pub fn white(&self) -> Option<Range<usize>> {
        self.values[4].clone()
    }

    /// Where the `Black` value stands.
    pub fn black(&self) -> Option<Range<usize>> {
        self.values[5].clone()
    }

    /// Where the `Result` value stands.
    pub fn result(&self) -> Option<Range<usize>> {
        self.values[6].clone()
    }

    /// Takes in a tag pair of which nothing is odd, the first or on a line of its own: its name's slot, if it has one.
    /// Says whether it did; a second pair of a name of the roster it leaves alone.
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

    /// Takes in one tag pair. Says what is odd about where it stands.
    pub(super) fn add(&mut self, text: &[u8], start: usize, pair: &TagPair) -> DeviationSet {
        let name = &text[pair.name.clone()];
        let mut odd = DeviationSet::EMPTY;
        let word = text.get(pair.name.start..).and_then(|rest| rest.first_chunk());
        let short = match (word, name.len()) {
            (Some(word), 1..=NAME_BYTES_MAX) => Some(name_word(word, name.len())),
            _ => short_name(name),
        };
        if let Some(slot) = short.and_then(slot_of) {
            let slot = slot % SLOTS;
            if slot < ROSTER.len() {
                if self.roster >> slot & 1 != 0 {
                    odd.add(Deviation::TagDuplicate);
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
                    odd.add(Deviation::TagDuplicate);
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
            odd.add(Deviation::TagsOnOneLine);
        }
        self.count += 1;
        self.end = pair.end;
        self.last_start = start;
        odd
    }

    /// Are all seven tags of the roster there?
    pub(super) fn has_roster(&self) -> bool {
        self.roster == ROSTER_BITS
    }

    /// The position in which the game begins; `note` hears what is odd but can be played on.
    ///
    /// # Errors
    /// The fault, with words that explain it.
    pub fn initial_position(
        &self,
        text: &[u8],
        mut note: impl FnMut(Deviation),
    ) -> Result<Position, (Deviation, Range<usize>, String)> {
        let [.., fen, setup, variant, _] = &self.values;
        if fen.is_none() && setup.is_none() && variant.is_none() {
            return Ok(Position::initial());
        }
        let variant = variant.clone().unwrap_or(0..0);
        let chess960 = match read_variant(&text[variant.clone()]) {
            Some(chess960) => chess960,
            None => {
                let name = quoted(&text[variant.clone()]);
                let why = format!("the variant {name} is neither chess nor Chess960");
                return Err((Deviation::VariantUnknown, variant, why));
            }
        };
        let setup = setup.clone().filter(|value| &text[value.clone()] == b"1");
        let Some(fen) = fen.clone() else {
            return match setup {
                Some(value) => {
                    let why =
                        "SetUp says that a FEN tag pair gives the position, but there is none";
                    Err((Deviation::SetupWithoutFen, value, why.to_string()))
                }
                None => Ok(Position::initial().with_chess960(chess960)),
            };
        };
        if setup.is_none() {
            note(Deviation::FenWithoutSetup);
        }
        match Position::from_fen(&text[fen.clone()]) {
            Ok((position, notes)) => {
                odd_in_fen(notes).for_each(&mut note);
                Ok(position.with_chess960(chess960))
            }
            Err(error) => {
                let why = record::words(error, &text[fen.clone()]);
                Err((fen_fault(error), fen, why))
            }
        }
    }
}

/// No name that means something, and no common one, is longer.
pub(super) const NAME_BYTES_MAX: usize = 16;

/// The name of `len` bytes, 1 to [`NAME_BYTES_MAX`], that these begin with, as one word, so that names are compared as numbers.
#[inline(always)]
pub(super) fn name_word(bytes: &[u8; NAME_BYTES_MAX], len: usize) -> u128 {
    u128::from_le_bytes(*bytes) & NAME_MASKS[len]
}

/// The bits of so many bytes; a shift of so wide a word takes longer than a look.
static NAME_MASKS: [u128; NAME_BYTES_MAX + 1] = {
    let mut masks = [0; NAME_BYTES_MAX + 1];
    let mut len = 1;
    while len < masks.len() {
        masks[len] = u128::MAX >> (128 - 8 * len);
        len += 1;
    }
    masks
};

/// The same of a whole name, if it is not longer.
#[inline(always)]
const fn short_name(name: &[u8]) -> Option<u128> {
    if name.len() > NAME_BYTES_MAX {
        return None;
    }
    let (mut word, mut i) = (0, 0);
    while i < name.len() {
        word |= (name[i] as u128) << (8 * i);
        i += 1;
    }
    Some(word)
}

/// A bit for each tag of the roster.
const ROSTER_BITS: u8 = 0x7f;

/// How many values are kept: the roster's, the position's, whether it is set up, the variant's, and one that says nothing.
const SLOTS: usize = ROSTER.len() + 4;

/// The names that mean something, each with its slot; then some that are common, so that they are known to be names.
const NAMED: [(&[u8], u8); 36] = [
    (ROSTER[0], 0),
    (ROSTER[1], 1),
    (ROSTER[2], 2),
    (ROSTER[3], 3),
    (ROSTER[4], 4),
    (ROSTER[5], 5),
    (ROSTER[6], 6),
    (b"FEN", 7),
    (b"SetUp", 8),
    (b"Setup", 8),
    (b"Variant", 9),
    (b"ECO", 10),
    (b"WhiteElo", 10),
    (b"BlackElo", 10),
    (b"UTCDate", 10),
    (b"UTCTime", 10),
    (b"Opening", 10),
    (b"PlyCount", 10),
    (b"Variation", 10),
    (b"EventDate", 10),
    (b"EventType", 10),
    (b"Annotator", 10),
    (b"TimeControl", 10),
    (b"Termination", 10),
    (b"WhiteRatingDiff", 10),
    (b"BlackRatingDiff", 10),
    (b"WhiteTitle", 10),
    (b"BlackTitle", 10),
    (b"WhiteFideId", 10),
    (b"BlackFideId", 10),
    (b"WhiteTeam", 10),
    (b"BlackTeam", 10),
    (b"GameStartTime", 10),
    (b"GameEndTime", 10),
    (b"GameDuration", 10),
    (b"SourceDate", 10),
];

/// [`NOTATION_TAG`], which is no common name.
pub(super) const NOTATION_NAME: u128 = match short_name(NOTATION_TAG) {
    Some(word) => word,
    None => panic!("it has few bytes"),
};

const HASH_BITS: u32 = 8;

#[inline(always)]
const fn hash(word: u128, factor: u64) -> usize {
    let folded = word as u64 ^ ((word >> 64) as u64).rotate_left(23);
    (folded.wrapping_mul(factor) >> (64 - HASH_BITS)) as usize
}

/// The names as words, each where its hash says, with its slot.
type SlotsHash = [(u128, u8); 1 << HASH_BITS];

const fn slots_hash(factor: u64) -> Option<SlotsHash> {
    let mut table = [(0, 0); 1 << HASH_BITS];
    let mut i = 0;
    while i < NAMED.len() {
        if let Some(word) = short_name(NAMED[i].0) {
            let place = hash(word, factor);
            if table[place].0 != 0 {
                return None;
            }
            table[place] = (word, NAMED[i].1);
        }
        i += 1;
    }
    Some(table)
}

/// The first factor that gives every name a place of its own.
const SLOTS_FACTOR: u64 = {
    let mut factor = 0x9e37_79b9_7f4a_7c15;
    while slots_hash(factor).is_none() {
        factor = factor.wrapping_mul(0x5851_f42d_4c95_7f2d);
    }
    factor
};

/// The slot of a name, if it is one that is known.
#[inline(always)]
pub(super) fn slot_of(word: u128) -> Option<usize> {
    let (known, slot) = SLOTS_HASH[hash(word, SLOTS_FACTOR)];
    (word == known).then_some(usize::from(slot))
}

/// See [`SlotsHash`].
static SLOTS_HASH: SlotsHash = match slots_hash(SLOTS_FACTOR) {
    Some(table) => table,
    None => panic!("the factor was found above"),
};

/// The names of what is odd about a record.
fn odd_in_fen(notes: FenNotes) -> impl Iterator<Item = Deviation> {
    let named = [
        (notes.rights_impossible, Deviation::FenRightsImpossible),
        (notes.en_passant_impossible, Deviation::FenEnPassantImpossible),
        (notes.fields_missing, Deviation::FenFieldsMissing),
        (notes.fields_extra, Deviation::FenFieldsExtra),
        (notes.digits_adjacent, Deviation::FenDigitsAdjacent),
        (notes.side_upper_case, Deviation::FenSideUpperCase),
        (notes.rights_style, Deviation::FenRightsStyle),
        (notes.counters_style, Deviation::FenCountersStyle),
    ];
    named.into_iter().filter(|(met, _)| *met).map(|(_, odd)| odd)
}

fn fen_fault(error: FenError) -> Deviation {
    match error {
        FenError::NoKing => Deviation::FenNoKing,
        FenError::SideNotToMoveInCheck => Deviation::FenSideNotToMoveInCheck,
        FenError::PawnOnBackRank => Deviation::FenPawnOnBackRank,
        _ => Deviation::FenUnreadable,
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// What goes when a pair is removed; see [`TagSection::notation_pair`].
fn removable(text: &[u8], count: usize, before: usize, start: usize, end: usize) -> Range<usize> {
    if count > 0 {
        let only_line_end = matches!(&text[before..start], b"\n" | b"\r" | b"\r\n");
        return if only_line_end { before..end } else { start..end };
    }
    let line_end = match &text[end..] {
        [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r', ..] => 1,
        _ => 0,
    };
    start..end + line_end
}

/// Is it chess (`false`) or Chess960 (`true`)? `None` for any other variant. Letters alone count, in any case.
fn read_variant(value: &[u8]) -> Option<bool> {
    const CHESS: &[&str] =
        &["", "standard", "normal", "chess", "fromposition", "regular", "orthodox"];
    const CHESS960: &[&str] = &[
        "chess960",
        "960",
        "fischerandom",
        "fischerrandom",
        "fischerandomchess",
        "fischerrandomchess",
        "frc",
        "dfrc",
        "doublefischerrandom",
        "chess960dfrc",
        "chess9lx",
        "freestyle",
        "freestylechess",
        "wildfr",
    ];
    let mut name = [0u8; 24];
    let mut len = 0;
    for byte in value.iter().filter(|byte| byte.is_ascii_alphanumeric()) {
        *name.get_mut(len)? = byte.to_ascii_lowercase();
        len += 1;
    }
    // A name of other letters than ASCII's is a variant that nobody here knows.
    if value.iter().any(|byte| !byte.is_ascii()) {
        return None;
    }
    let is = |known: &&str| known.as_bytes() == &name[..len];
    if CHESS.iter().any(is) { Some(false) } else { CHESS960.iter().any(is).then_some(true) }
}

/// May a token stand between tag pairs?
pub(super) fn is_between_tags(token: Token) -> bool {
    matches!(token.kind, TokenKind::Escape | TokenKind::LineComment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_told_apart_by_their_letters() {
        for chess in ["", "Standard", "normal", "From Position"] {
            assert_eq!(read_variant(chess.as_bytes()), Some(false), "{chess}");
        }
        for chess960 in ["Chess960", "chess 960", "Fischerandom", "wild/fr", "FRC"] {
            assert_eq!(read_variant(chess960.as_bytes()), Some(true), "{chess960}");
        }
        for other in ["Crazyhouse", "atomic", "Three-check", "a name longer than any that is known"]
        {
            assert_eq!(read_variant(other.as_bytes()), None, "{other}");
        }
    }
}
