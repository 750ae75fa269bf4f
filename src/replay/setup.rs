//! What the tag pairs of one game say about its start: position, rules, notation, result.
//!
//! What enters is the text at a game's first byte; what leaves is a [`TagSection`], and from it the position in
//! which the game begins. Values are places in the text; nothing is copied.

use std::ops::Range;

use crate::board::{FenError, Position};
use crate::fault::{Deviation, DeviationSet, quoted};
use crate::pgn::{NOTATION_TAG, ROSTER, TagPair, Token, TokenKind};

use super::record;

/// The tag pairs that matter here, as places in the text.
#[derive(Clone, Debug, Default)]
pub struct TagSection {
    /// How many tag pairs.
    pub count: usize,
    /// The byte after the last tag pair's bracket.
    pub end: usize,
    /// Values by name, where the pair stands.
    pub event: Option<Range<usize>>,
    /// The `Site` value.
    pub site: Option<Range<usize>>,
    /// The `White` value.
    pub white: Option<Range<usize>>,
    /// The `Black` value.
    pub black: Option<Range<usize>>,
    /// The `Result` value.
    pub result: Option<Range<usize>>,
    /// The `MoveNotation` value.
    pub notation: Option<Range<usize>>,
    /// What a writer takes out to remove the `MoveNotation` pair: the pair and the line end before it, or, if it
    /// is the first pair, the line end after it.
    pub notation_pair: Option<Range<usize>>,
    fen: Option<Range<usize>>,
    setup: Option<Range<usize>>,
    variant: Option<Range<usize>>,
    roster: u8,
}

impl TagSection {
    /// Takes in one tag pair. Says what is odd about where it stands.
    pub(super) fn add(&mut self, text: &[u8], start: usize, pair: &TagPair) -> DeviationSet {
        let name = &text[pair.name.clone()];
        let mut odd = DeviationSet::EMPTY;
        let word = text.get(pair.name.start..).and_then(|rest| rest.first_chunk::<8>());
        let short = match (word, name.len()) {
            (Some(&word), 1..=8) => {
                Some(u64::from_le_bytes(word) & u64::MAX >> (64 - 8 * name.len()))
            }
            _ => short_name(name),
        };
        let slot = match short {
            Some(EVENT) => self.roster_slot(0, &mut odd),
            Some(SITE) => self.roster_slot(1, &mut odd),
            Some(DATE) => self.roster_slot(2, &mut odd),
            Some(ROUND) => self.roster_slot(3, &mut odd),
            Some(WHITE) => self.roster_slot(4, &mut odd),
            Some(BLACK) => self.roster_slot(5, &mut odd),
            Some(RESULT) => self.roster_slot(6, &mut odd),
            Some(FEN) => Some(&mut self.fen),
            Some(SET_UP | SETUP) => Some(&mut self.setup),
            Some(VARIANT) => Some(&mut self.variant),
            _ if name == NOTATION_TAG => {
                self.notation_pair = Some(removable(text, self.count, self.end, start, pair.end));
                Some(&mut self.notation)
            }
            _ => None,
        };
        if let Some(slot) = slot {
            *slot = Some(pair.value.clone());
        }
        let same_line = self.count > 0 && !text[self.end..start].iter().any(|b| is_line_end(*b));
        if same_line {
            odd.add(Deviation::TagsOnOneLine);
        }
        self.count += 1;
        self.end = pair.end;
        odd
    }

    /// Where the value of a tag of the roster is kept, if it is; a second pair of the name is odd.
    #[inline(always)]
    fn roster_slot(
        &mut self,
        index: usize,
        odd: &mut DeviationSet,
    ) -> Option<&mut Option<Range<usize>>> {
        if self.roster >> index & 1 != 0 {
            odd.add(Deviation::TagDuplicate);
        }
        self.roster |= 1 << index;
        match ROSTER[index] {
            b"Event" => Some(&mut self.event),
            b"Site" => Some(&mut self.site),
            b"White" => Some(&mut self.white),
            b"Black" => Some(&mut self.black),
            b"Result" => Some(&mut self.result),
            _ => None,
        }
    }

    /// Are all seven tags of the roster there?
    pub(super) fn has_roster(&self) -> bool {
        self.roster == 0x7f
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
        let variant = self.variant.clone().unwrap_or(0..0);
        let chess960 = match read_variant(&text[variant.clone()]) {
            Some(chess960) => chess960,
            None => {
                let name = quoted(&text[variant.clone()]);
                let why = format!("the variant {name} is neither chess nor Chess960");
                return Err((Deviation::VariantUnknown, variant, why));
            }
        };
        let setup = self.setup.clone().filter(|value| &text[value.clone()] == b"1");
        let Some(fen) = self.fen.clone() else {
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
                if notes.rights_impossible {
                    note(Deviation::FenRightsImpossible);
                }
                if notes.en_passant_impossible {
                    note(Deviation::FenEnPassantImpossible);
                }
                if notes.fields_missing {
                    note(Deviation::FenFieldsMissing);
                }
                Ok(position.with_chess960(chess960))
            }
            Err(error) => {
                let why = record::words(error, &text[fen.clone()]);
                Err((fen_fault(error), fen, why))
            }
        }
    }
}

/// A tag name of up to eight bytes as one word, so that names are compared as numbers.
#[inline(always)]
const fn short_name(name: &[u8]) -> Option<u64> {
    if name.len() > 8 {
        return None;
    }
    let (mut word, mut i) = (0, 0);
    while i < name.len() {
        word |= (name[i] as u64) << (8 * i);
        i += 1;
    }
    Some(word)
}

macro_rules! short_names {
    ($($constant:ident $name:literal)*) => {
        $(const $constant: u64 = match short_name($name) {
            Some(word) => word,
            None => 0,
        };)*
    };
}

short_names! {
    EVENT b"Event" SITE b"Site" DATE b"Date" ROUND b"Round" WHITE b"White" BLACK b"Black" RESULT b"Result"
    FEN b"FEN" SET_UP b"SetUp" SETUP b"Setup" VARIANT b"Variant"
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
