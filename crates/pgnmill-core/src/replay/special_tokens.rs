//! Tokens in the place of a move that are no usual move.
//!
//! In: a token, or the text around it. Out: whether it is a null move or a word of a result, or where a move ends to
//! which something is stuck. Only a promotion whose piece is not written needs the position.

use std::ops::Range;

use crate::chess::{Color, Position, Role};
use crate::notation::{Notation, Reading};
use crate::pgn::Outcome;
use crate::pgn::deviation::Deviation;

use super::game_end::lost_by;

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

/// A word in the place of a result: `White resigns`, `Black wins`, `draw agreed`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ResultWord {
    /// `White`, `Black`.
    Side(Color),
    /// `draw`, before `agreed`; alone it is a result.
    Draw,
    /// `resigns`, perhaps after a side.
    Resigns,
    /// `wins`, `won`, after a side.
    Wins,
    /// `agreed`, after `draw`.
    Agreed,
}

impl ResultWord {
    /// The word that a token is.
    pub(super) fn of(token: &[u8]) -> Option<ResultWord> {
        use ResultWord::{Agreed, Draw, Resigns, Side, Wins};
        let words: [(&[u8], ResultWord); 8] = [
            (b"white", Side(Color::White)),
            (b"black", Side(Color::Black)),
            (b"draw", Draw),
            (b"resigns", Resigns),
            (b"resigned", Resigns),
            (b"wins", Wins),
            (b"won", Wins),
            (b"agreed", Agreed),
        ];
        let bare = token.strip_suffix(b".").unwrap_or(token);
        let found = words.into_iter().find(|(word, _)| bare.eq_ignore_ascii_case(word));
        // A full stop ends the last word.
        found.map(|(_, word)| word).filter(|word| word.is_last() || bare.len() == token.len())
    }

    /// Can it be the last one?
    pub(super) fn is_last(self) -> bool {
        !matches!(self, ResultWord::Side(_) | ResultWord::Draw)
    }

    /// Can this word be the next one?
    pub(super) fn precedes(self, next: ResultWord) -> bool {
        use ResultWord::{Agreed, Draw, Resigns, Side, Wins};
        matches!((self, next), (Side(_), Resigns | Wins) | (Draw, Agreed))
    }

    /// Is it whole after the word `before`, if one is there?
    pub(super) fn follows(self, before: Option<ResultWord>) -> bool {
        matches!(self, ResultWord::Resigns) || before.is_some_and(|before| before.precedes(self))
    }

    /// The outcome with this last word, after the word `before`. `turn`: the side to move, which resigns if none is
    /// named.
    pub(super) fn outcome(self, before: Option<ResultWord>, turn: Color) -> Outcome {
        let side = match before {
            Some(ResultWord::Side(side)) => side,
            _ => turn,
        };
        match self {
            ResultWord::Wins => lost_by(side.other()),
            ResultWord::Agreed => Outcome::Draw,
            _ => lost_by(side),
        }
    }
}

/// The word before byte `at`, with whitespace between.
pub(super) fn result_word_before(text: &[u8], at: usize) -> Option<ResultWord> {
    let before = text[..at].trim_ascii_end();
    let letters = before.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let word = &before[before.len() - letters..];
    if before.len() < at { ResultWord::of(word) } else { None }
}

/// `\$14`, `Nf3\$14`: where the backslash is, if the token ends with one and the number of a NAG follows.
pub(super) fn nag_escape(text: &[u8], token: &Range<usize>) -> Option<usize> {
    let is_nag = matches!(text[token.end..], [b'$', b'0'..=b'9', ..]);
    (text[token.clone()].ends_with(b"\\") && is_nag).then(|| token.end - 1)
}

/// Is the token a null move?
pub fn is_null_move(token: &[u8]) -> bool {
    matches!(token, b"--" | b"Z0" | b"@@@@" | b"0000" | b"null" | b"pass")
}
