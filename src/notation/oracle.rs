//! The slow universal decoder: write every legal move and compare.
//!
//! It needs nothing but a writer, so that a notation is complete once it can write, and it is what the fast
//! decoders are proved against. Cost: one encoding for every legal move.

use crate::board::{Move, Position};
use crate::fault::{Deviation, DeviationSet};

use super::{DecodeError, Mark, Notation, Reading, write};

/// The legal move whose canonical text this is.
///
/// # Errors
/// [`DecodeError::Illegal`] if there is none, [`DecodeError::Ambiguous`] if there are several, which the laws forbid.
///
/// ```
/// use pgnmill::board::Position;
/// use pgnmill::notation::{self, oracle};
/// let long = notation::find("long").unwrap();
/// let mv = oracle::decode(long, b"e2-e4", &Position::initial()).unwrap();
/// assert_eq!(mv.target().to_string(), "e4");
/// ```
pub fn decode(
    notation: &dyn Notation,
    text: &[u8],
    position: &Position,
) -> Result<Move, DecodeError> {
    let mut found = None;
    for mv in position.legal_moves() {
        if write(notation, position, mv).as_bytes() == text {
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
    match decode(notation, text, position) {
        Ok(mv) => Ok(Reading { mv, mark: Mark::Silent, deviations: DeviationSet::EMPTY }),
        Err(DecodeError::Ambiguous) => Err(Deviation::MoveAmbiguous),
        Err(_) => Err(Deviation::MoveIllegal),
    }
}
