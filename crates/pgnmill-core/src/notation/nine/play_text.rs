//! The writer of the play notation of Chess 99.
//!
//! In: a [`Ply99`]. Out: origin, arrival, what is captured, promotion, suffixes: `ab9×R=B+`, `c=Nb7×R`, `Qe21×K!`. Of
//! the
//! arrival only what changes is written. `!`: the own king is in check after the play; `+`: the other king.

use crate::chess::rules::{Play99, Position99, Role99, Square99};

use super::super::{MoveText, Ply99};
use super::{TAKES, gives_check, letter};

pub(super) fn push_file(square: Square99, text: &mut MoveText) {
    text.push(b'a' + square.file());
}

pub(super) fn push_rank(square: Square99, text: &mut MoveText) {
    text.push(b'1' + square.rank());
}

pub(super) fn push_square(square: Square99, text: &mut MoveText) {
    push_file(square, text);
    push_rank(square, text);
}

/// Castling: the files of the king, the partner with `partner_letter`, and, if the castling is long, its file.
pub(super) fn write_castling(play: Play99, partner_letter: u8, text: &mut MoveText) {
    let (king, partner) = (play.origin(), play.target());
    let is_east = partner.file() > king.file();
    text.push(b'K');
    push_file(king, text);
    text.push(if is_east { b'a' + king.file() + 1 } else { b'a' + king.file() - 1 });
    text.push(b'&');
    text.push(partner_letter);
    if partner.file().abs_diff(king.file()) > 1 {
        push_file(partner, text);
    }
}

/// The role of the king's partner in castling.
pub(super) fn partner(position: &Position99, play: Play99) -> Role99 {
    position.piece(play.target()).map_or(Role99::Rook, |(_, role)| role)
}

/// Writes a play without suffixes.
pub(super) fn write_body(position: &Position99, play: Play99, text: &mut MoveText) {
    let (origin, target) = (play.origin(), play.target());
    if play.is_castling() {
        let letter = letter(partner(position, play)).unwrap_or(b'R');
        return write_castling(play, letter, text);
    }
    let promotion = play.promotion().and_then(letter);
    if play.is_late_promotion() {
        push_file(origin, text);
        text.push(b'=');
        promotion.into_iter().for_each(|letter| text.push(letter));
        if origin != target {
            push_square(target, text);
            write_taken(position, play, text);
        }
        return;
    }
    match letter(position.mover(play)) {
        None if origin.file() != target.file() => {
            push_file(origin, text);
            push_square(target, text);
        }
        None if origin.rank().abs_diff(target.rank()) == 2 => {
            push_square(origin, text);
            push_rank(target, text);
        }
        None => push_square(target, text),
        Some(letter) => {
            text.push(letter);
            push_square(origin, text);
            if target.file() != origin.file() {
                push_file(target, text);
            }
            if target.rank() != origin.rank() {
                push_rank(target, text);
            }
        }
    }
    write_taken(position, play, text);
    if let Some(letter) = promotion {
        text.push(b'=');
        text.push(letter);
    }
}

/// Writes what a play captures; a pawn has no letter.
fn write_taken(position: &Position99, play: Play99, text: &mut MoveText) {
    let Some(role) = position.captured(play) else { return };
    text.push_bytes(if play.is_en_passant() { b"*" } else { TAKES });
    letter(role).into_iter().for_each(|letter| text.push(letter));
}

/// Writes a play.
pub(in super::super) fn write(ply: &Ply99<'_>, text: &mut MoveText) {
    write_body(ply.before(), ply.play(), text);
    if ply.after().is_in_check(ply.color()) {
        text.push(b'!');
    }
    if gives_check(ply) {
        text.push(b'+');
    }
}
