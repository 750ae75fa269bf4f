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

/// So many bytes of text are read at once.
pub(crate) const AT_ONCE_BYTES: usize = 16;

/// A move that was read at once: see [`Notation::read_at_once`](super::Notation::read_at_once).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AtOnce {
    /// The move.
    pub mv: Move,
    /// The check suffix of the text.
    pub check_suffix: CheckSuffix,
    /// The bytes of the text.
    pub bytes: u8,
}

impl AtOnce {
    /// Reads the text up to the first whitespace of a window, if it ends there and is read without deviations.
    #[inline(always)]
    pub(crate) fn of(
        window: &[u8; AT_ONCE_BYTES],
        read: impl FnOnce(&[u8]) -> Result<Reading, Deviation>,
    ) -> Option<AtOnce> {
        let bytes = window.iter().position(|&byte| byte <= b' ')?;
        let Reading { mv, check_suffix, deviations } = read(&window[..bytes]).ok()?;
        deviations.is_empty().then_some(AtOnce { mv, check_suffix, bytes: bytes as u8 })
    }

    /// Reads a window that begins with four bytes and whitespace as a text without a check suffix.
    #[inline(always)]
    pub(crate) fn four(
        window: &[u8; AT_ONCE_BYTES],
        read: impl FnOnce([u8; 4]) -> Option<Move>,
    ) -> Option<AtOnce> {
        let [a, b, c, d, 0..=b' ', ..] = *window else { return None };
        let mv = read([a, b, c, d])?;
        Some(AtOnce { mv, check_suffix: CheckSuffix::Unspecified, bytes: 4 })
    }

    /// A move whose body ends before byte `end` of a window, with `+`, `#` or no check suffix after it.
    #[inline(always)]
    pub(crate) fn with_symbol(
        window: &[u8; AT_ONCE_BYTES],
        mv: Move,
        end: usize,
    ) -> Option<AtOnce> {
        let (check_suffix, bytes) = match *window.get(end)? {
            0..=b' ' => (CheckSuffix::None, end),
            b'+' => (CheckSuffix::Check, end + 1),
            b'#' => (CheckSuffix::Mate, end + 1),
            _ => return None,
        };
        let is_end = *window.get(bytes)? <= b' ';
        is_end.then_some(AtOnce { mv, check_suffix, bytes: bytes as u8 })
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
