//! The null moves of a game: they are no plies, and their depth is not reported with them.
//!
//! In: the text of a game, from an offset on. Out: their number in the main line. Cost: a scan of the text, only for
//! games that have null moves.

use super::is_null_move;
use crate::notation::Digits;
use crate::pgn::{TokenKind, Tokens};

/// The number of null moves of the main line from `start` on.
pub fn null_moves(text: &[u8], start: usize, digits: Digits) -> usize {
    let (mut depth, mut count) = (0_usize, 0);
    for token in Tokens::new(text, start, digits) {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Move if depth == 0 && is_null_move(&text[token.start..token.end]) => {
                count += 1;
            }
            TokenKind::Result if depth == 0 => break,
            _ => {}
        }
    }
    count
}
