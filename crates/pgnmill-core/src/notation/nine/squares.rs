//! Chess 99 in the notations that give both squares: `uci` and `long`.
//!
//! In: a play. Out: `e2e4`, `b8b9=B`, `e5b8*`, `c9=Nd7`, `K:e9d9&a9`; or `Bc1-a3`, `Qd4xf4`, `b8-b9B`, `Bf8xb4ep`,
//! `c9N-d7`,
//! castling as in the play notation. Neither has a suffix here.

use crate::chess::rules::{Play99, Position99, Role99, Square99};

use super::super::MoveText;
use super::letter;
use super::play_text::{partner, push_square, write_castling};

/// The square beside the king on the side of its partner, where it arrives in castling.
fn beside(king: Square99, partner: Square99) -> Square99 {
    let step = if partner.file() > king.file() { 1 } else { -1 };
    king.step((step, 0)).unwrap_or(partner)
}

/// Writes the wire form of a play.
pub(in super::super) fn write_uci(_: &Position99, play: Play99, text: &mut MoveText) {
    let (origin, target) = (play.origin(), play.target());
    if play.is_castling() {
        text.push_bytes(b"K:");
        push_square(origin, text);
        push_square(beside(origin, target), text);
        text.push(b'&');
        return push_square(target, text);
    }
    push_square(origin, text);
    let promotion = play.promotion().map(Role99::letter);
    let push_promotion = |text: &mut MoveText| {
        if let Some(letter) = promotion {
            text.push(b'=');
            text.push(letter);
        }
    };
    if play.is_late_promotion() {
        push_promotion(text);
    }
    if origin != target {
        push_square(target, text);
    }
    if !play.is_late_promotion() {
        push_promotion(text);
    }
    if play.is_en_passant() {
        text.push(b'*');
    }
}

/// Writes a play in long algebraic notation.
pub(in super::super) fn write_long(position: &Position99, play: Play99, text: &mut MoveText) {
    let (origin, target) = (play.origin(), play.target());
    if play.is_castling() {
        let letter = letter(partner(position, play)).unwrap_or(b'R');
        return write_castling(play, letter, text);
    }
    let promotion = play.promotion().and_then(letter);
    letter(position.mover(play)).into_iter().for_each(|letter| text.push(letter));
    push_square(origin, text);
    if play.is_late_promotion() {
        promotion.into_iter().for_each(|letter| text.push(letter));
    }
    if origin != target {
        text.push(if position.captured(play).is_some() { b'x' } else { b'-' });
        push_square(target, text);
    }
    if !play.is_late_promotion() {
        promotion.into_iter().for_each(|letter| text.push(letter));
    }
    if play.is_en_passant() {
        text.push_bytes(b"ep");
    }
}
