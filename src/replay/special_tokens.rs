//! Words in a move's place that are no usual move.
//!
//! In: a word, or the text behind it. Out: what it says: nobody moves, a side resigns; or where a move with
//! something stuck to it ends. Nothing is looked up on the board but the move of a pawn that does not say what it becomes.

use crate::chess::{Position, Role};
use crate::notation::{Notation, Reading};
use crate::pgn::deviation::Deviation;

/// `e8(Q)`: the brackets are not part of the word. Returns where they end.
pub(super) fn bracketed_promotion(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at..at + 3)? {
        [b'(', letter, b')'] if letter.is_ascii_alphabetic() => Some(at + 3),
        _ => None,
    }
}

/// `h6*`: where the move ends to which a result is stuck.
pub(super) fn stuck_result(word: &[u8]) -> Option<usize> {
    let results = ["*", "1-0", "0-1", "1/2-1/2"];
    let stuck = results.into_iter().find(|result| word.ends_with(result.as_bytes()))?;
    Some(word.len() - stuck.len()).filter(|&end| end > 0)
}

/// The move with a queen, where the run allows that the piece be missing.
pub(super) fn promote_to_queen(
    word: &[u8],
    notation: &dyn Notation,
    position: &Position,
) -> Option<Reading> {
    let mut text = [0u8; 16];
    let body = text.get_mut(..word.len() + 2)?;
    // The piece comes before the check suffix.
    let step = word.iter().rposition(|byte| !b"+#".contains(byte))? + 1;
    body[..step].copy_from_slice(&word[..step]);
    body[step..step + 2].copy_from_slice(b"=Q");
    body[step + 2..].copy_from_slice(&word[step..]);
    let mut reading = notation.read(body, position).ok()?;
    reading.deviations.add(Deviation::PromotionPieceMissing);
    (reading.mv.role() == Role::Pawn).then_some(reading)
}

/// `Resigns`, `White resigns`: words in a result's place. It is the side to move that resigns; whether this is the word
/// that says so.
pub(super) fn resignation(word: &[u8]) -> Option<bool> {
    match word {
        b"White" | b"Black" | b"white" | b"black" => Some(false),
        b"Resigns" | b"resigns" | b"resigns." | b"Resigns." => Some(true),
        _ => None,
    }
}

/// Does a word say that nobody moves?
pub(crate) fn is_null_move(word: &[u8]) -> bool {
    matches!(word, b"--" | b"Z0" | b"@@@@" | b"0000" | b"null" | b"pass")
}
