//! Tokens in the place of a move that are no usual move.
//!
//! In: a token, or the text after it. Out: whether it is a null move or a resignation, or where a move ends to which
//! something is stuck. Only a promotion whose piece is not written needs the position.

use crate::chess::{Position, Role};
use crate::notation::{Notation, Reading};
use crate::pgn::deviation::Deviation;

/// `e8(Q)`: the brackets are not part of the token. Returns where they end.
pub(super) fn bracketed_promotion(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at..at + 3)? {
        [b'(', letter, b')'] if letter.is_ascii_alphabetic() => Some(at + 3),
        _ => None,
    }
}

/// `h6*`: where the move ends.
pub(super) fn stuck_result(token: &[u8]) -> Option<usize> {
    let results = ["*", "1-0", "0-1", "1/2-1/2"];
    let stuck = results.into_iter().find(|result| token.ends_with(result.as_bytes()))?;
    Some(token.len() - stuck.len()).filter(|&end| end > 0)
}

/// Reads a promotion without its piece as one to a queen.
pub(super) fn promote_to_queen(
    token: &[u8],
    notation: &dyn Notation,
    position: &Position,
) -> Option<Reading> {
    let mut text = [0u8; 16];
    let body = text.get_mut(..token.len() + 2)?;
    // The piece comes before the check suffix.
    let step = token.iter().rposition(|byte| !b"+#".contains(byte))? + 1;
    body[..step].copy_from_slice(&token[..step]);
    body[step..step + 2].copy_from_slice(b"=Q");
    body[step + 2..].copy_from_slice(&token[step..]);
    let mut reading = notation.read(body, position).ok()?;
    reading.deviations.add(Deviation::PromotionPieceMissing);
    (reading.mv.role() == Role::Pawn).then_some(reading)
}

/// `White resigns`, `Resigns`: tokens in the place of a result. Returns whether this is the one that ends the game, for
/// tokens of a resignation.
pub(super) fn resignation(token: &[u8]) -> Option<bool> {
    match token {
        b"White" | b"Black" | b"white" | b"black" => Some(false),
        b"Resigns" | b"resigns" | b"resigns." | b"Resigns." => Some(true),
        _ => None,
    }
}

/// Is the token a null move?
pub fn is_null_move(token: &[u8]) -> bool {
    matches!(token, b"--" | b"Z0" | b"@@@@" | b"0000" | b"null" | b"pass")
}
