//! The usual end of a game: a result in the standard's form (PGN standard 8.2.6), then only whitespace.
//!
//! In: the text of a game, and the offset at which its last token may begin. Out: that result, or `None` for any
//! other end, which the general loop then reads. Cost: the last sixteen bytes as one number, compared with four.
//! Which of the four it is cannot be predicted, so no branch depends on it.

use std::ops::Range;

use crate::pgn::Outcome;

/// A result and the whitespace after it have at most so many bytes, or it is no usual end.
const ENDING_BYTES_MAX: usize = 16;

const OUTCOMES: [Outcome; 4] =
    [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Unknown];

/// The text of a result as the lowest bytes of a number, the mask of these bytes, and their count.
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

/// The result at byte `at`, after whitespace, if only whitespace follows it up to the end of the text.
#[inline(always)]
pub(in crate::replay) fn usual_end(text: &[u8], at: usize) -> Option<(Outcome, Range<usize>)> {
    let last: &[u8; ENDING_BYTES_MAX] = text.last_chunk()?;
    let before = ENDING_BYTES_MAX.checked_sub(text.len().checked_sub(at)?)?;
    if before == ENDING_BYTES_MAX || at == 0 || text[at - 1] > b' ' {
        return None;
    }
    // After the end come zeros, which count as whitespace.
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
    let after = rest >> (8 * len);
    // A byte beyond ASCII may carry into the next, but sets its own high bit.
    if (after | after.wrapping_add(TO_HIGH)) & HIGH != 0 {
        return None;
    }
    Some((OUTCOMES[found], at..at + len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{Digits, TokenKind, Tokens};

    /// What is read is what the tokens are: a result, and then none.
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
        assert_eq!(usual_end(b"e4 *\n", 3), None, "shorter than what is compared");
    }
}
