//! Descriptive notation of the Romance languages: the texts of English descriptive in other letters and another order.
//!
//! In: a ply and a [`Lettering`]; out: its text, with `+` and `#`. What disambiguates a move is what disambiguates it
//! in English, so that the length follows from the English one: less the hyphen before a square. A language is a file
//! and a line of the registry.

use crate::chess::Board;
use crate::pgn::deviation::Deviation;

use super::super::body::{Body, Checks};
use super::super::ply::Step;
use super::super::{
    Check, Described, Facts, Info, Length, Lineage, MoveText, Reading, Requires, Shape,
};
use super::lettering::Lettering;
use super::{DESCRIPTIVE, reader, writer};

/// What all alphabets have besides letters of pieces.
macro_rules! alphabet_of_all {
    () => {
        "12345678x/=O-p.+#"
    };
}
pub(super) use alphabet_of_all as ALPHABET_OF_ALL;

/// By how much a text is shorter than in English: the hyphen before a square, and `+` for `ch`, `#` for `mate`.
#[inline(always)]
fn shorter(shape: Shape) -> u8 {
    let has_hyphen = !shape.is_capture() && shape.castling().is_none();
    let suffix = match shape.check() {
        Check::None => 0,
        Check::Check => 1,
        Check::Mate => 3,
    };
    u8::from(has_hyphen) + suffix
}

/// Descriptive notation of a language.
#[derive(Debug)]
pub(in crate::notation) struct Romance {
    pub(super) info: &'static Info,
    pub(super) lettering: &'static Lettering,
}

impl Described for Romance {
    fn info(&self) -> &'static Info {
        self.info
    }

    fn requires(&self) -> Requires {
        Requires::Descriptive
    }

    fn shorter_than_descriptive(&self, shape: Shape) -> Option<u8> {
        Some(shorter(shape))
    }

    #[inline(always)]
    fn computed_length(&self, facts: &Facts<'_>) -> Option<Length> {
        let english = DESCRIPTIVE.computed_length(facts)?.characters;
        Some(Length::ascii(english.saturating_sub(shorter(facts.shape))))
    }
}

impl Body for Romance {
    const CHECKS: Checks = Checks::Symbols;

    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        writer::write(step.before, step.mv, None, self.lettering, text);
        Ok(())
    }

    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        _lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let found = reader::read(text, position, None, self.lettering)?;
        Ok(found.reading(self, text, position, None))
    }
}
