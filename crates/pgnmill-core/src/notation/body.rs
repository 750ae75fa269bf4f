//! A notation for eight by eight squares: one body for the boards of chess and of its variants.
//!
//! In: a [`Step`] on any [`Board`], or a text and a position. Out: the body of the text, which is the text without its
//! check suffix; or the move, with the deviations of the text. From a [`Body`] follows the whole [`Notation`]: texts
//! of chess, of the variants and, with [`Body::NINE`] and [`Body::BOARDS`], of Chess 99 and of boards that are given
//! by a table. Invariant: `read` of a text that was written gives the move, without deviations. Cost: both methods are
//! compiled for each board, so that chess has no branch for variants.
//!
//! Example: `uci.rs`.

use crate::chess::rules::{Play99, Position99, TableMove, TablePosition, VariantPosition};
use crate::chess::{Board, Move, Position};
use crate::pgn::deviation::Deviation;

use super::boards::BoardTexts;
use super::fitting::UniqueMove;
use super::nine::Nine;
use super::ply::Step;
use super::{
    AT_ONCE_BYTES, AtOnce, Check, CheckSuffix, Described, Lineage, MoveText, Notation, Ply, Ply99,
    Reading, TablePly, VariantPly,
};

/// How a notation writes what a move does to the other king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Checks {
    /// Not at all.
    Unwritten,
    /// `+` and `#`.
    Symbols,
    /// `ch` and `mate`.
    Words,
    /// `+` for an attack on the king, whether or not the game is over.
    Attack,
}

impl Checks {
    #[inline(always)]
    fn write<B: Board>(self, ply: &Ply<'_, B>, text: &mut MoveText) {
        match (self, ply.check()) {
            (Checks::Attack, _) if !B::IS_STANDARD => {
                if ply.after().in_check() {
                    text.push(b'+');
                }
            }
            (Checks::Unwritten, _) | (_, Check::None) => {}
            (Checks::Symbols, Check::Check) | (Checks::Attack, _) => text.push(b'+'),
            (Checks::Symbols, Check::Mate) => text.push(b'#'),
            (Checks::Words, Check::Check) => text.push_bytes(b"ch"),
            (Checks::Words, Check::Mate) => text.push_bytes(b"mate"),
        }
    }
}

/// A notation whose texts follow from the pieces and the rules of any [`Board`].
pub(super) trait Body: Described {
    /// The check suffix that is written after the body.
    const CHECKS: Checks = Checks::Unwritten;

    /// The texts on nine by nine squares.
    const NINE: Option<&'static Nine> = None;

    /// The texts on boards that are given by a table.
    const BOARDS: Option<&'static BoardTexts> = None;

    /// Adds the body of the canonical text to `text`. Allocates nothing.
    ///
    /// # Errors
    /// [`Deviation::MoveNotExpressible`] if the notation has no text for the move, such as a drop;
    /// [`Deviation::NotationNeedsInitialArray`] if it requires a history and there is none. `text` is then undefined.
    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation>;

    /// Reads any text that has exactly one legal reading; by default only canonical ones, by writing all legal moves.
    ///
    /// # Errors
    /// The fault, if the text has no reading or several.
    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let mut unique = UniqueMove::default();
        for &mv in position.legal_list().as_ref() {
            let (after, mut written) = (position.after(mv), MoveText::default());
            let ply = Ply::new(position, mv, &after, position.effect(mv).into());
            let is_written = encode(self, &ply.with_lineage(lineage), &mut written).is_ok();
            if is_written && written.as_bytes() == text {
                unique.add(mv);
            }
        }
        unique.answer().map(Reading::canonical)
    }

    /// See [`Notation::read_at_once`].
    #[inline(always)]
    fn read_at_once(
        &self,
        window: &[u8; AT_ONCE_BYTES],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Option<AtOnce> {
        AtOnce::of(window, |text| self.read(text, position, lineage))
    }

    /// The reading of `body` as this step: of another writer unless it is canonical.
    fn reading_of<B: Board>(
        &self,
        body: &[u8],
        step: Step<'_, B>,
        check_suffix: CheckSuffix,
    ) -> Reading {
        let mut canonical = MoveText::default();
        let written = self.write(step, &mut canonical);
        let is_canonical = written.is_ok() && canonical.as_bytes() == body;
        Reading::of_body(step.mv, check_suffix, is_canonical)
    }
}

#[inline(always)]
fn encode<N: Body + ?Sized, B: Board>(
    notation: &N,
    ply: &Ply<'_, B>,
    text: &mut MoveText,
) -> Result<(), Deviation> {
    notation.write(ply.step(), text)?;
    N::CHECKS.write(ply, text);
    Ok(())
}

impl<N: Body> Notation for N {
    #[inline]
    fn encode_ply(&self, ply: &Ply<'_>, text: &mut MoveText) {
        // In chess all moves have texts. Without the history that it requires a notation writes nothing.
        let _ = encode(self, ply, text);
    }

    fn encode_variant(&self, ply: &VariantPly<'_>, text: &mut MoveText) -> Result<(), Deviation> {
        encode(self, ply, text)
    }

    fn encode_99(&self, ply: &Ply99<'_>, text: &mut MoveText) -> Result<(), Deviation> {
        let nine = N::NINE.ok_or(Deviation::NotationNotForBoard)?;
        (nine.encode)(ply, text);
        Ok(())
    }

    #[inline]
    fn read_in(
        &self,
        text: &[u8],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        Body::read(self, text, position, lineage)
    }

    fn read_at_once(
        &self,
        window: &[u8; AT_ONCE_BYTES],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Option<AtOnce> {
        Body::read_at_once(self, window, position, lineage)
    }

    fn read_variant(
        &self,
        text: &[u8],
        position: &VariantPosition,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        Body::read(self, text, position, lineage)
    }

    fn read_99(&self, text: &[u8], position: &Position99) -> Result<Reading<Play99>, Deviation> {
        let nine = N::NINE.ok_or(Deviation::NotationNotForBoard)?;
        (nine.read)(text, position)
    }

    fn encode_table(&self, ply: &TablePly<'_>, text: &mut MoveText) -> Result<(), Deviation> {
        N::BOARDS.ok_or(Deviation::NotationNotForBoard)?.encode(ply, text);
        Ok(())
    }

    fn read_table(
        &self,
        text: &[u8],
        position: &TablePosition,
    ) -> Result<Reading<TableMove>, Deviation> {
        N::BOARDS.ok_or(Deviation::NotationNotForBoard)?.read(text, position)
    }
}

/// Refuses a drop, for the notations that have none.
#[inline(always)]
pub(super) fn refuse_drop<B: Board>(mv: Move) -> Result<(), Deviation> {
    match !B::IS_STANDARD && mv.is_drop() {
        true => Err(Deviation::MoveNotExpressible),
        false => Ok(()),
    }
}
