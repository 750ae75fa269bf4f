//! Descriptive notation of the Romance languages: the texts of English descriptive in other letters and another order.
//!
//! In: a ply and a [`Lettering`]; out: its text, with `+` and `#`. What disambiguates a move is what disambiguates it
//! in English, so that the length follows from the English one: less the hyphen before a square. A language is a file
//! and a line of the registry.

use crate::chess::Board;
use crate::pgn::deviation::Deviation;

use super::super::body::{Body, Checks};
use super::super::ply::Step;
use super::super::{Described, Facts, Info, Length, Lineage, MoveText, Reading, Requires};
use super::lettering::Lettering;
use super::{reader, writer};

/// What all alphabets have besides letters of pieces.
macro_rules! alphabet_of_all {
    () => {
        "12345678x/=O-p.+#"
    };
}
pub(super) use alphabet_of_all as ALPHABET_OF_ALL;

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

    #[inline(always)]
    fn computed_length(&self, facts: &Facts<'_>) -> Option<Length> {
        let hyphen = u8::from(!facts.shape.is_capture());
        let body = facts.shape.castling_or(facts.descriptive[0].saturating_sub(hyphen));
        Some(Length::ascii(body + facts.check))
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
