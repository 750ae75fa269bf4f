//! Notations that break the laws, to test that the suite detects it.

use super::breach::{Exception, judge};
use super::*;
use crate::chess::Board;
use crate::chess::rules::{Play99, Position99, VariantKind, VariantPosition};
use crate::notation::body::Body;
use crate::notation::ply::Step;
use crate::notation::{CheckSuffix, Described, Info, Needs, Ply99, Reading, VariantPly};
use crate::pgn::deviation::{Deviation, DeviationSet};

/// Writes the arrival square alone, so that several pieces share a text.
#[derive(Debug)]
struct ArrivalOnly;

/// Writes both squares; reads any capital letter as if it were a small one and calls that
/// canonical, and takes `e2e4x` for what it is not.
#[derive(Debug)]
struct Careless;

/// Computes wrong lengths.
#[derive(Debug)]
struct Boastful;

const fn info(name: &'static str, characters_max: usize) -> Info {
    Info {
        name,
        title: "Broken",
        source: "none",
        about: "Breaks a law.",
        alphabet: "abcdefgh1234567",
        characters_max,
        bytes_max: characters_max,
        needs: Needs::Board,
        writes_check: false,
        digits: Digits::Never,
        examples: &[],
        exceptions: "",
    }
}

static ARRIVAL_ONLY: Info = info("arrival-only", 2);
static CARELESS: Info = info("careless", 3);
static BOASTFUL: Info = info("boastful", 4);

impl Described for ArrivalOnly {
    fn info(&self) -> &'static Info {
        &ARRIVAL_ONLY
    }
}

impl Body for ArrivalOnly {
    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        text.push_square(step.mv.target());
        Ok(())
    }
}

impl Described for Careless {
    fn info(&self) -> &'static Info {
        &CARELESS
    }
}

impl Notation for Careless {
    fn encode_ply(&self, ply: &Ply<'_>, text: &mut MoveText) {
        UCI.encode_ply(ply, text);
    }

    fn encode_variant(&self, ply: &VariantPly<'_>, text: &mut MoveText) -> Result<(), Deviation> {
        UCI.encode_variant(ply, text)
    }

    fn encode_99(&self, ply: &Ply99<'_>, text: &mut MoveText) -> Result<(), Deviation> {
        UCI.encode_99(ply, text)
    }

    fn read_in(
        &self,
        text: &[u8],
        position: &Position,
        _: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let text = text.to_ascii_lowercase();
        let mv = oracle::decode(self, &text, position).map_err(|_| Deviation::MoveIllegal)?;
        Ok(Reading { mv, check_suffix: CheckSuffix::Unspecified, deviations: DeviationSet::EMPTY })
    }

    fn read_variant(
        &self,
        text: &[u8],
        position: &VariantPosition,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        UCI.read_variant(text, position, lineage)
    }

    fn read_99(&self, text: &[u8], position: &Position99) -> Result<Reading<Play99>, Deviation> {
        UCI.read_99(text, position)
    }

    fn decode(&self, position: &Position, text: &[u8]) -> Result<Move, DecodeError> {
        let text = text.strip_suffix(b"x").unwrap_or(text);
        oracle::decode(self, text, position)
    }
}

impl Described for Boastful {
    fn info(&self) -> &'static Info {
        &BOASTFUL
    }

    fn computed_length(&self, _: &Facts<'_>) -> Option<Length> {
        Some(Length::ascii(2))
    }
}

impl Body for Boastful {
    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        text.push_square(step.mv.origin());
        text.push_square(step.mv.target());
        Ok(())
    }
}

const TWO_KNIGHTS: &str = "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1";

fn laws_of(breaches: &[Breach]) -> Vec<Law> {
    let mut laws: Vec<Law> = breaches.iter().map(|breach| breach.law).collect();
    laws.sort_unstable();
    laws.dedup();
    laws
}

#[test]
fn texts_that_are_shared_too_long_or_of_other_letters_are_caught() {
    let position = positions::read(TWO_KNIGHTS);
    let shared = try_writing(&[&ArrivalOnly], &position);
    assert_eq!(laws_of(&shared), [Law::Injective, Law::RoundTrip]);
    let long = try_writing(&[&Careless], &position);
    assert_eq!(laws_of(&long), [Law::Bounded]);
    let boasted = try_writing(&[&Boastful], &position);
    assert_eq!(laws_of(&boasted), [Law::Length]);
    let lines = judge(&[Law::Bounded], long, &[]).join("\n");
    for part in ["careless breaks Bounded", TWO_KNIGHTS, "Knight g1f3", "\"g1f3\""] {
        assert!(lines.contains(part), "{lines}");
    }
}

#[test]
fn decoders_that_differ_from_the_oracle_are_caught() {
    let mut breaches = Vec::new();
    let tried = try_mutants(&Careless, &positions::read(TWO_KNIGHTS), 2_000, &mut breaches);
    assert!(tried >= 2_000);
    assert_eq!(laws_of(&breaches), [Law::Agreement, Law::Honest]);
}

#[test]
fn exceptions_cover_what_they_name_and_must_be_needed() {
    let exception = |notation, covers| Exception {
        notation,
        law: Law::Injective,
        why: "the arrival square does not tell the knights apart",
        covers,
    };
    let breaches = || {
        let mut breaches = try_writing(&[&ArrivalOnly], &positions::read(TWO_KNIGHTS));
        breaches.retain(|breach| breach.law == Law::Injective);
        breaches
    };
    let judge = |exceptions: &[Exception]| judge(&[Law::Injective], breaches(), exceptions);
    assert!(judge(&[exception("arrival-only", |_, _| true)]).is_empty());
    let king_only: fn(&Position, Option<Move>) -> bool =
        |_, mv| mv.is_some_and(|mv| mv.role() == crate::chess::Role::King);
    assert!(!judge(&[exception("arrival-only", king_only)]).is_empty());
    let unneeded =
        judge(&[exception("arrival-only", |_, _| true), exception("careless", |_, _| true)]);
    assert_eq!(unneeded.len(), 1, "{unneeded:?}");
}

/// A notation that can only write is read by writing, in variants, too.
#[test]
fn a_body_without_a_reader_is_read_by_writing() {
    let position = VariantKind::Antichess.initial(false);
    let legal = position.legal_moves();
    assert!(legal.len() > 15);
    for &mv in &legal {
        let mut text = MoveText::default();
        let after = position.play(mv);
        let ply = VariantPly::new(&position, mv, &after, Check::None);
        Boastful.encode_variant(&ply, &mut text).expect("both squares");
        let read = Boastful.read_variant(text.as_bytes(), &position, None);
        assert_eq!(read.map(|reading| reading.mv), Ok(mv), "{text}");
        let read = ArrivalOnly.read_variant(&text.as_bytes()[2..], &position, None);
        let rivals = legal.iter().filter(|other| other.target() == mv.target()).count();
        let expected = if rivals == 1 { Ok(mv) } else { Err(Deviation::MoveAmbiguous) };
        assert_eq!(read.map(|reading| reading.mv), expected, "{text}");
    }
    let read = Boastful.read_variant(b"e2e5", &position, None);
    assert_eq!(read.map(|reading| reading.mv), Err(Deviation::MoveIllegal));
}
