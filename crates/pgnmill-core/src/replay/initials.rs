//! With what tokens begin that can be moves in other letters than the English, or in digits.
//!
//! In: a token. Out: its first character, if only a piece letter can begin it; whether it is two squares in digits.
//! Cost:
//! one pass over the token.

use crate::notation;

use super::special_tokens::{ResultWord, is_null_move};
use super::suffixes::is_suffix;

/// Four or five digits, 1 to 8: the squares of a move, and the piece of a promotion.
pub(super) fn is_two_squares(token: &[u8]) -> bool {
    matches!(token.len(), 4 | 5) && token.iter().all(|byte| matches!(byte, b'1'..=b'8'))
}

/// The first character of a token, if the token can be a move only where that character begins a piece letter.
pub(super) fn piece_character(token: &[u8]) -> Option<&[u8]> {
    let bytes = match *token.first()? {
        // `X` can be a capture in any letters.
        b'X' => return None,
        first if first.is_ascii_uppercase() => 1,
        first if first.is_ascii() => return None,
        0xf0.. => 4,
        0xe0.. => 3,
        _ => 2,
    };
    // Most moves end with a rank, and nothing else does that begins with a capital, or with another letter than a dash
    // or a variation selector.
    let is_letter = match *token {
        [0xe2, second, ..] => second == 0x99,
        [first, ..] => first < 0x80 || first >= 0xc2 && first != 0xef,
        [] => false,
    };
    if is_letter && matches!(token.last(), Some(b'1'..=b'8')) {
        return Some(&token[..bytes.min(token.len())]);
    }
    let is_other = is_null_move(token)
        || is_suffix(token)
        || ResultWord::of(token).is_some()
        || !notation::begins_with_piece_letter(token);
    if is_other { None } else { Some(&token[..bytes.min(token.len())]) }
}
