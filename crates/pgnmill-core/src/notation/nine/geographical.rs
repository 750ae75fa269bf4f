//! Chess 99 in Geographical notation: the piece with its number, the direction, the steps.
//!
//! In: a play. Out: `P5-n2`, `AxP6e.p.`, `P3-n=B`, late `P3=N-ssw`, in place `P3=N`, castling `Kef&A`. The paladin has
//! the
//! letter `A`, a pawn `P`; numbers are counted from west to east, then from north to south, per side and letter.

use crate::chess::Color;
use crate::chess::rules::{Play99, Position99, Role99, Square99};

use super::super::MoveText;
use super::play_text::{partner, write_castling};

/// A piece: its letter, and its number if its side has several.
fn write_piece(
    position: &Position99,
    (color, role): (Color, Role99),
    square: Square99,
    text: &mut MoveText,
) {
    text.push(role.letter());
    let alike = position.pieces().filter(|&(_, owner, other)| (owner, other) == (color, role));
    let place = |square: Square99| (square.file(), u8::MAX - square.rank());
    let (mut count, mut number) = (0, 1);
    for (other, ..) in alike {
        count += 1;
        number += u8::from(place(other) < place(square));
    }
    if count < 2 {
        return;
    }
    if number > 9 {
        text.push(b'0' + number / 10);
    }
    text.push(b'0' + number % 10);
}

/// The direction, north and south first, the longer leg of a knight's move twice; then the steps.
fn write_wind(origin: Square99, target: Square99, text: &mut MoveText) {
    let north = target.rank() as i8 - origin.rank() as i8;
    let east = target.file() as i8 - origin.file() as i8;
    let is_knight = north != 0 && east != 0 && north.abs() != east.abs();
    let leg =
        |steps: i8| if is_knight { steps.unsigned_abs() } else { steps.unsigned_abs().min(1) };
    for _ in 0..leg(north) {
        text.push(if north > 0 { b'n' } else { b's' });
    }
    for _ in 0..leg(east) {
        text.push(if east > 0 { b'e' } else { b'w' });
    }
    let steps = north.unsigned_abs().max(east.unsigned_abs());
    if !is_knight && steps > 1 {
        text.push(b'0' + steps);
    }
}

/// Writes a play without its check suffix.
pub(in super::super) fn write(position: &Position99, play: Play99, text: &mut MoveText) {
    let (origin, target) = (play.origin(), play.target());
    if play.is_castling() {
        return write_castling(play, partner(position, play).letter(), text);
    }
    let Some(piece) = position.piece(origin) else { return };
    let push_promotion = |text: &mut MoveText| {
        if let Some(role) = play.promotion() {
            text.push(b'=');
            text.push(role.letter());
        }
    };
    write_piece(position, piece, origin, text);
    if play.is_late_promotion() {
        push_promotion(text);
    }
    if origin == target {
        return;
    }
    match position.captured(play) {
        Some(role) => {
            let square = if play.is_en_passant() { position.passer() } else { Some(target) };
            text.push(b'x');
            write_piece(position, (piece.0.other(), role), square.unwrap_or(target), text);
        }
        None => {
            text.push(b'-');
            write_wind(origin, target, text);
        }
    }
    if play.is_en_passant() {
        text.push_bytes(b"e.p.");
    }
    if !play.is_late_promotion() {
        push_promotion(text);
    }
}
