//! The slow universal decoder: write every legal move and compare.
//!
//! It requires nothing but a writer: the decoders are tested against it. Cost: one encoding per legal move.

use crate::chess::{Move, Position};

use super::{DecodeError, Lineage, Notation, write_in};

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
pub fn decode<N: Notation + ?Sized>(
    notation: &N,
    text: &[u8],
    position: &Position,
) -> Result<Move, DecodeError> {
    decode_in(notation, text, position, None)
}

/// [`decode`] with the history of the game.
///
/// # Errors
/// As [`decode`]; [`DecodeError::Malformed`] if the notation requires a history and there is none.
pub fn decode_in<N: Notation + ?Sized>(
    notation: &N,
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
