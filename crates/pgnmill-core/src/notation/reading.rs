//! What a reader finds in a text: the move, the check suffix, the deviations from the canonical text.

use arrayvec::ArrayVec;

use crate::chess::Move;
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::{Check, MOVE_TEXT_BYTES_MAX};

/// A text that was read.
#[derive(Clone, Copy, Debug)]
pub struct Reading<M = Move> {
    /// The move: legal in the position.
    pub mv: M,
    /// The check suffix of the text.
    pub check_suffix: CheckSuffix,
    /// The deviations from the canonical text, except its check suffix.
    pub deviations: DeviationSet,
}

impl Reading {
    /// The reading of a canonical text without a check suffix.
    #[inline(always)]
    pub(crate) fn canonical(mv: Move) -> Reading {
        Reading { mv, check_suffix: CheckSuffix::Unspecified, deviations: DeviationSet::EMPTY }
    }

    /// The reading of a text whose body, without its check suffix, is canonical or that of another writer.
    #[inline]
    pub(crate) fn of_body(mv: Move, check_suffix: CheckSuffix, canonical: bool) -> Reading {
        let deviations = if canonical {
            DeviationSet::EMPTY
        } else {
            DeviationSet::of(Deviation::NotationVariant)
        };
        Reading { mv, check_suffix, deviations }
    }
}

/// The check suffix of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckSuffix {
    /// The notation has none, or the text's suffix was handled already.
    Unspecified,
    /// No suffix.
    None,
    /// The suffix for check.
    Check,
    /// The suffix for mate.
    Mate,
    /// Check, in another style: a dagger, `ch`.
    CheckStyle,
    /// Mate or double check, in another style: `++`, `mate`, a double dagger.
    MateStyle,
    /// The only suffix of a notation that does not distinguish mate from check.
    CheckOrMate,
}

impl CheckSuffix {
    /// The deviation of the suffix from the effect of the move.
    #[inline(always)]
    pub fn deviation(self, check: Check) -> Option<Deviation> {
        match (self, check) {
            (CheckSuffix::Unspecified, _)
            | (CheckSuffix::None, Check::None)
            | (CheckSuffix::Check, Check::Check)
            | (CheckSuffix::Mate, Check::Mate)
            | (CheckSuffix::CheckOrMate, Check::Check | Check::Mate) => None,
            (CheckSuffix::None, _) => Some(Deviation::CheckMarkMissing),
            (_, Check::None) => Some(Deviation::CheckMarkExtra),
            _ => Some(Deviation::CheckMarkStyle),
        }
    }
}

/// Splits `+` or `#` off, the canonical suffixes of most notations.
#[inline(always)]
pub(super) fn split_symbol(text: &[u8]) -> (&[u8], CheckSuffix) {
    match *text {
        [ref body @ .., b'+'] => (body, CheckSuffix::Check),
        [ref body @ .., b'#'] => (body, CheckSuffix::Mate),
        _ => (text, CheckSuffix::None),
    }
}

/// A text without its spaces.
///
/// # Errors
/// [`Deviation::MoveUnreadable`]: it is longer than any text of a move.
pub(super) fn without_spaces(text: &[u8]) -> Result<ArrayVec<u8, MOVE_TEXT_BYTES_MAX>, Deviation> {
    let mut joined = ArrayVec::new();
    for &byte in text.iter().filter(|&&byte| byte != b' ') {
        joined.try_push(byte).map_err(|_| Deviation::MoveUnreadable)?;
    }
    Ok(joined)
}
