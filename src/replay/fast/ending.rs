//! How games end: nearly all with a result in the standard's form (PGN standard 8.2.6), and nothing but blanks behind it.
//!
//! In: the text of a game, and where its last token may stand. Out: that result, or nothing where the end is any other, which
//! the tokens of `moves.rs` then read; and whether a result contradicts the board. Cost: the last sixteen bytes as one
//! number, compared with four; which of the four it is nobody can guess, so no branch depends on it.

use std::ops::Range;

use crate::chess::{Color, Position};
use crate::pgn::Outcome;

/// A result and the blanks behind it have no more bytes, or it is no usual end.
const ENDING_BYTES_MAX: usize = 16;

const OUTCOMES: [Outcome; 4] =
    [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Unknown];

/// The text of a result, as the lowest bytes of a word, the bytes that hold it, and how many they are.
const RESULTS: [(u64, u64, usize); OUTCOMES.len()] = {
    let mut results = [(0, 0, 0); OUTCOMES.len()];
    let mut i = 0;
    while i < results.len() {
        let text = OUTCOMES[i].canonical().as_bytes();
        let (mut word, mut at) = (0, 0);
        while at < text.len() {
            word |= (text[at] as u64) << (8 * at);
            at += 1;
        }
        results[i] = (word, u64::MAX >> (64 - 8 * text.len()), text.len());
        i += 1;
    }
    results
};

/// The result that stands at `at`, behind a blank, if nothing but blanks follows it up to the end of the text.
#[inline(always)]
pub(in crate::replay) fn usual_end(text: &[u8], at: usize) -> Option<(Outcome, Range<usize>)> {
    let last: &[u8; ENDING_BYTES_MAX] = text.last_chunk()?;
    let before = ENDING_BYTES_MAX.checked_sub(text.len().checked_sub(at)?)?;
    if before == ENDING_BYTES_MAX || at == 0 || text[at - 1] > b' ' {
        return None;
    }
    // Behind the end come zeros, which are blanks.
    let rest = u128::from_le_bytes(*last) >> (8 * before);
    let mut found = OUTCOMES.len();
    for (index, (word, mask, _)) in RESULTS.into_iter().enumerate() {
        if rest as u64 & mask == word {
            found = index;
        }
    }
    let (_, _, len) = *RESULTS.get(found)?;
    const HIGH: u128 = u128::from_ne_bytes([0x80; 16]);
    const TO_HIGH: u128 = u128::from_ne_bytes([0x7f - b' '; 16]);
    let behind = rest >> (8 * len);
    // A byte beyond ASCII may carry into the next, but is seen itself.
    if (behind | behind.wrapping_add(TO_HIGH)) & HIGH != 0 {
        return None;
    }
    Some((OUTCOMES[found], at..at + len))
}

/// The outcome where one side has lost.
pub(in crate::replay) fn lost_by(side: Color) -> Outcome {
    match side {
        Color::White => Outcome::BlackWins,
        Color::Black => Outcome::WhiteWins,
    }
}

/// Who resigns where a word says that somebody does: the side that is named before it, else the side to move.
pub(in crate::replay) fn resigning(text: &[u8], at: usize, turn: Color) -> Color {
    let before = text[..at].trim_ascii_end();
    let named =
        |names: [&[u8]; 2]| before.len() < at && names.iter().any(|name| before.ends_with(name));
    if named([b"White", b"white"]) {
        Color::White
    } else if named([b"Black", b"black"]) {
        Color::Black
    } else {
        turn
    }
}

/// Is the game decided on the board otherwise than the result says?
pub(in crate::replay) fn contradicts(position: &Position, outcome: Outcome) -> bool {
    if position.has_legal_move() {
        return false;
    }
    outcome != if position.in_check() { lost_by(position.turn()) } else { Outcome::Draw }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{Digits, TokenKind, Tokens};

    /// What it takes is what the tokens say: a result, and then none.
    #[test]
    fn a_usual_end_is_the_last_token() {
        let (mut taken, mut left) = (0, 0);
        for result in ["1-0", "0-1", "1/2-1/2", "*", "1/2", "1-1", "e4", ""] {
            for at in 0..=result.len() + 5 {
                for byte in 0..=255u8 {
                    let mut text = format!("1. e4 e5 2. Nf3 {result}\r\n \n").into_bytes();
                    let start = 16;
                    if let Some(changed) = text.get_mut(start - 1 + at) {
                        *changed = byte;
                    }
                    let Some((outcome, place)) = usual_end(&text, start) else {
                        left += 1;
                        continue;
                    };
                    let mut tokens = Tokens::new(&text, start, Digits::Never);
                    let token = tokens.next().expect("a token");
                    assert_eq!((token.kind, token.start), (TokenKind::Result, start));
                    assert_eq!(token.start..token.end, place);
                    assert_eq!(Outcome::from_canonical(&text[place]), Some(outcome));
                    assert_eq!(tokens.next(), None, "{text:?}");
                    taken += 1;
                }
            }
        }
        assert!(taken > 500 && left > 5_000, "{taken} {left}");
    }

    #[test]
    fn no_end_is_found_where_there_is_none() {
        let text = b"1. e4 e5 2. Nf3 1-0\n\n";
        assert_eq!(usual_end(text, 16), Some((Outcome::WhiteWins, 16..19)));
        for at in (0..30).filter(|&at| at != 16) {
            assert_eq!(usual_end(text, at), None, "{at}");
        }
        assert_eq!(usual_end(b"e4 *\n", 3), None, "shorter than what is looked at");
    }
}
