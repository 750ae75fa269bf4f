//! The slow universal decoder: write every legal move and compare.
//!
//! It requires nothing but a writer, so that a notation is complete once it can write, and the fast decoders are tested
//! against it. Cost: one encoding per legal move.

use crate::chess::{Move, Position};
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::{CheckSuffix, DecodeError, Lineage, Notation, Reading, write_in};

/// The legal move whose canonical text this is.
///
/// # Errors
/// [`DecodeError::Illegal`] if there is none, [`DecodeError::Ambiguous`] if there are several, which the laws forbid.
///
/// ```
/// use pgnmill_core::chess::Position;
/// use pgnmill_core::notation::{self, oracle};
/// let long = notation::find("long").unwrap();
/// let mv = oracle::decode(long, b"e2-e4", &Position::initial()).unwrap();
/// assert_eq!(mv.target().to_string(), "e4");
/// ```
pub fn decode(
    notation: &dyn Notation,
    text: &[u8],
    position: &Position,
) -> Result<Move, DecodeError> {
    decode_in(notation, text, position, None)
}

/// [`decode`] with the history of the game.
///
/// # Errors
/// As [`decode`]; [`DecodeError::Malformed`] if the notation requires a history and there is none.
pub fn decode_in(
    notation: &dyn Notation,
    text: &[u8],
    position: &Position,
    lineage: Option<&Lineage>,
) -> Result<Move, DecodeError> {
    if notation.needs_lineage() && lineage.is_none() {
        return Err(DecodeError::Malformed);
    }
    let mut found = None;
    for mv in position.legal_moves() {
        if write_in(notation, position, mv, lineage).as_bytes() == text {
            if found.is_some() {
                return Err(DecodeError::Ambiguous);
            }
            found = Some(mv);
        }
    }
    found.ok_or(DecodeError::Illegal)
}

/// [`decode`] as a reading without deviations.
///
/// # Errors
/// [`Deviation::MoveIllegal`] or [`Deviation::MoveAmbiguous`].
pub fn read(
    notation: &dyn Notation,
    text: &[u8],
    position: &Position,
) -> Result<Reading, Deviation> {
    read_in(notation, text, position, None)
}

/// [`read`] with the history of the game.
///
/// # Errors
/// As [`read`]; [`Deviation::NotationNeedsInitialArray`] if the notation requires a history and there is none.
pub fn read_in(
    notation: &dyn Notation,
    text: &[u8],
    position: &Position,
    lineage: Option<&Lineage>,
) -> Result<Reading, Deviation> {
    if notation.needs_lineage() && lineage.is_none() {
        return Err(Deviation::NotationNeedsInitialArray);
    }
    match decode_in(notation, text, position, lineage) {
        Ok(mv) => Ok(Reading {
            mv,
            check_suffix: CheckSuffix::Unspecified,
            deviations: DeviationSet::EMPTY,
        }),
        Err(DecodeError::Ambiguous) => Err(Deviation::MoveAmbiguous),
        Err(_) => Err(Deviation::MoveIllegal),
    }
}
