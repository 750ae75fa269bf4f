//! The position in which a game begins, from its tag pairs.
//!
//! In: a [`TagSection`]. Out: the starting position, from which the game is replayed by its rules, or the fault
//! that rejects the game before its first move.

use std::fmt;
use std::ops::Range;

use crate::chess::rules::{AnyPosition, AnyVariant, Chess99, RulesKind, Standard, TableRules};
use crate::chess::{FenError, FenNotes};
use crate::pgn::Tag;
use crate::pgn::deviation::{Deviation, Profile, quoted};

use super::foreign::Moves;
use super::notes::deviate;
use super::visitor::{Erased, GameVisitor};
use super::{GameStart, History, Replayer, TagSection, fen_fault};

/// Why the tag pairs give no position from which the game can be replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError {
    /// The fault.
    pub kind: Deviation,
    /// The span of the tag value that causes it.
    pub text: Range<usize>,
    /// The reason, for a person.
    pub detail: String,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for SetupError {}

impl TagSection {
    /// The ruleset of the game: that of its `Variant` tag pair, else `default`.
    ///
    /// # Errors
    /// The tag pair names a ruleset that is not known.
    pub fn rules_in(&self, text: &[u8], default: RulesKind) -> Result<RulesKind, SetupError> {
        let Some(variant) = self.span(Tag::Variant) else { return Ok(default) };
        RulesKind::of_tag(&text[variant.clone()]).ok_or_else(|| {
            let name = quoted(&text[variant.clone()]);
            let detail = format!("the variant {name} is none that is known");
            SetupError { kind: Deviation::VariantUnknown, text: variant, detail }
        })
    }

    /// The position in which the game begins, under the rules of [`TagSection::rules`]. Calls `note` for each deviation
    /// with which the game can still be replayed.
    ///
    /// # Errors
    /// The tag pairs contradict each other, or have a FEN record without a legal position.
    pub fn initial_position(
        &self,
        text: &[u8],
        note: impl FnMut(Deviation),
    ) -> Result<AnyPosition, SetupError> {
        let (initial, rules) = (AnyPosition::initial, self.rules);
        self.position_of(text, || initial(rules), |fen| AnyPosition::from_fen(fen, rules), note)
    }

    /// The initial position of a game, of any type. `initial`: that of a game without a record; `read`: reads a record.
    pub(super) fn position_of<P>(
        &self,
        text: &[u8],
        initial: impl FnOnce() -> P,
        read: impl FnOnce(&[u8]) -> Result<(P, FenNotes), FenError>,
        mut note: impl FnMut(Deviation),
    ) -> Result<P, SetupError> {
        if !self.has_setup() {
            return Ok(initial());
        }
        if self.record_is_void {
            note(Deviation::FenNotUsed);
            return Ok(initial());
        }
        let setup = self.span(Tag::SetUp).filter(|value| &text[value.clone()] == b"1");
        let Some(fen) = self.span(Tag::Fen) else {
            return match setup {
                Some(value) => {
                    let detail =
                        "SetUp says that a FEN tag pair gives the position, but there is none";
                    let (kind, detail) = (Deviation::SetupWithoutFen, detail.to_string());
                    Err(SetupError { kind, text: value, detail })
                }
                None => Ok(initial()),
            };
        };
        if setup.is_none() {
            note(Deviation::FenWithoutSetup);
        }
        match read(&text[fen.clone()]) {
            Ok((position, notes)) => {
                deviations(notes).for_each(&mut note);
                Ok(position)
            }
            Err(error) => {
                let detail = fen_fault::explain(error, &text[fen.clone()], self.rules);
                Err(SetupError { kind: kind_of(error), text: fen, detail })
            }
        }
    }
}

impl Replayer<'_> {
    /// A game whose tag pairs decide where it begins, or by which rules.
    #[inline(never)]
    pub(super) fn play_set_up(
        &mut self,
        text: &[u8],
        tags: &mut TagSection,
        place: &GameStart,
        visitor: &mut dyn GameVisitor,
    ) -> usize {
        if self.state.fault.is_none() {
            tags.record_is_void = self.is_record_void(text, tags, place);
        }
        self.play_from(text, tags, place, visitor)
    }

    /// Does `[SetUp "0"]` mean what the standard says, though a FEN record is beside it: has the game a fault from the
    /// record, and none from the usual position? No option of the run decides it, so that each reads the same moves.
    fn is_record_void(&self, text: &[u8], tags: &TagSection, place: &GameStart) -> bool {
        let is_zero = tags.span(Tag::SetUp).is_some_and(|value| &text[value] == b"0");
        if !is_zero || tags.span(Tag::Fen).is_none() {
            return false;
        }
        let profile = Profile::lenient();
        let has_fault = |record_is_void| {
            let mut replayer = Replayer::new(&profile, self.forced, History::Optional);
            (replayer.level, replayer.fast_path) = (self.level, self.fast_path);
            (replayer.is_usual_start, replayer.result_tag) = (false, self.result_tag.clone());
            let mut tags = tags.clone();
            tags.record_is_void = record_is_void;
            replayer.play_from(text, &tags, place, &mut Erased(&mut Moves::default()));
            replayer.state.fault.is_some()
        };
        has_fault(false) && !has_fault(true)
    }

    /// A game from the position of its tag pairs, by their rules.
    fn play_from(
        &mut self,
        text: &[u8],
        tags: &TagSection,
        place: &GameStart,
        visitor: &mut dyn GameVisitor,
    ) -> usize {
        match self.start(text, place.start, tags) {
            AnyPosition::Chess(position) => {
                self.play_game::<Standard>(text, tags, place, &position, visitor)
            }
            AnyPosition::Variant(position) => {
                self.play_game::<AnyVariant>(text, tags, place, &position, visitor)
            }
            AnyPosition::Chess99(position) => {
                self.play_game::<Chess99>(text, tags, place, &position, visitor)
            }
            AnyPosition::Table(position) => {
                self.play_game::<TableRules>(text, tags, place, &position, visitor)
            }
        }
    }

    /// Finds the ruleset that the `Variant` tag pair names.
    #[cold]
    pub(super) fn find_rules(&mut self, text: &[u8], tags: &mut TagSection) {
        match tags.rules_in(text, self.rules) {
            Ok(rules) => tags.rules = rules,
            Err(SetupError { kind, text, detail }) => self.fail(kind, text, 0, || detail),
        }
    }

    /// The position in which the game begins; that of chess if there is a fault.
    fn start(&mut self, text: &[u8], start: usize, tags: &TagSection) -> AnyPosition {
        // Without a known ruleset no record has a meaning.
        if self.state.fault.as_ref().is_some_and(|fault| fault.kind == Deviation::VariantUnknown) {
            return AnyPosition::initial(tags.rules);
        }
        let position = tags.initial_position(text, |kind| {
            deviate(&mut self.counts, &mut self.state, self.profile, kind, start..start, 0);
        });
        position.unwrap_or_else(|SetupError { kind, text, detail }| {
            self.fail(kind, text, 0, || detail);
            AnyPosition::initial(tags.rules)
        })
    }
}

/// The deviations of a record that was read.
pub(super) fn deviations(notes: FenNotes) -> impl Iterator<Item = Deviation> {
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
    named.into_iter().filter(|(found, _)| *found).map(|(_, kind)| kind)
}

/// The fault of a record that was not read.
pub(super) fn kind_of(error: FenError) -> Deviation {
    match error {
        FenError::NoKing => Deviation::FenNoKing,
        FenError::SideNotToMoveInCheck => Deviation::FenSideNotToMoveInCheck,
        FenError::PawnOnBackRank => Deviation::FenPawnOnBackRank,
        FenError::Impossible => Deviation::FenImpossible,
        _ => Deviation::FenUnreadable,
    }
}
