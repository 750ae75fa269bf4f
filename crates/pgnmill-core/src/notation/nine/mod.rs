//! The notations of Chess 99, on nine by nine squares (`docs/reference/chess99.md`, section 6).
//!
//! In: a [`Ply99`], or a text and a position. Out: a text, or the play that it means. Four notations can write these
//! games, each by a [`Nine`]. Invariant: no two plays of a position share a text. Cost: a reader writes each play of
//! the position, at most some hundred, and compares.
//!
//! * `chess99`: origin, arrival, what is captured, promotion, suffixes: `ab9×R=B+`, `c=Nb7×R`, `Qe21×K!`. Of the
//!   arrival only what changes is written. `!`: the own king is in check after the play; `+`: the other king.
//! * `uci`: `e2e4`, `b8b9=B`, `e5b8*`, `c9=Nd7`, `K:e9d9&a9`.
//! * `long`: `Bc1-a3`, `Qd4xf4`, `b8-b9B`, `Bf8xb4ep`, `c9N-d7`, castling as in the play notation.
//! * `geographical`: `P5-n2`, `AxP6e.p.`, `P3-n=B`, late `P3=N-ssw`, in place `P3=N`, castling `Kef&A`. The paladin has
//!   the letter `A`, a pawn `P`; numbers are counted from west to east, then from north to south, per side and letter.

mod play_reader;

use crate::chess::Color;
use crate::chess::rules::{Chess99, Play99, Position99, Role99, Rules, Square99};
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::{CheckSuffix, MoveText, Ply99, Reading, algebraic};

/// The texts of a notation in Chess 99.
#[derive(Debug)]
pub(super) struct Nine {
    /// Adds the canonical text of a ply.
    pub(super) encode: fn(&Ply99<'_>, &mut MoveText),
    /// Reads any text of a play.
    pub(super) read: fn(&[u8], &Position99) -> Result<Reading<Play99>, Deviation>,
}

/// The play notation.
pub(super) static PLAY: Nine = Nine { encode: encode_play, read: play_reader::read };

/// The wire form.
pub(super) static UCI: Nine = Nine {
    encode: |ply, text| encode(ply, write_uci, false, text),
    read: |text, position| read(text, position, write_uci, false),
};

/// Long algebraic notation.
pub(super) static LONG: Nine = Nine {
    encode: |ply, text| encode(ply, write_long, true, text),
    read: |text, position| read(text, position, write_long, true),
};

/// Geographical notation.
pub(super) static GEOGRAPHICAL: Nine = Nine {
    encode: |ply, text| encode(ply, write_geographical, true, text),
    read: |text, position| read(text, position, write_geographical, true),
};

/// The symbol for a capture.
const TAKES: &[u8] = "×".as_bytes();

/// The letter of a piece in plays, where the paladin has `P` and a pawn none.
fn letter(role: Role99) -> Option<u8> {
    match role {
        Role99::Pawn => None,
        Role99::Paladin => Some(b'P'),
        role => Some(role.letter()),
    }
}

/// Is the other king in check after a play?
fn gives_check(ply: &Ply99<'_>) -> bool {
    ply.after().is_in_check(ply.after().turn())
}

/// Writes a play without its check suffix.
type Write = fn(&Position99, Play99, &mut MoveText);

/// The play whose text without a check suffix this is.
fn find(body: &[u8], position: &Position99, write: Write) -> Option<Play99> {
    let mut found = None;
    Chess99::visit_legal(position, &mut |play| {
        let mut text = MoveText::default();
        write(position, play, &mut text);
        if text.as_bytes() == body {
            found = Some(play);
        }
        found.is_some()
    });
    found
}

/// The canonical text in a notation whose only suffix is `+`, or that has none.
fn encode(ply: &Ply99<'_>, write: Write, writes_check: bool, text: &mut MoveText) {
    write(ply.before(), ply.play(), text);
    if writes_check && gives_check(ply) {
        text.push(b'+');
    }
}

/// Reads a text in such a notation.
fn read(
    text: &[u8],
    position: &Position99,
    write: Write,
    writes_check: bool,
) -> Result<Reading<Play99>, Deviation> {
    let (body, suffix) = match writes_check {
        true => algebraic::split_check_suffix(text),
        false => (text, CheckSuffix::Unspecified),
    };
    let mv = find(body, position, write).ok_or(Deviation::MoveIllegal)?;
    let mut deviations = DeviationSet::EMPTY;
    let mut after = *position;
    Chess99::play_into(position, mv, &mut after);
    let ply = Ply99::new(position, mv, &after);
    match suffix {
        CheckSuffix::Unspecified => {}
        CheckSuffix::None if gives_check(&ply) => deviations.add(Deviation::CheckMarkMissing),
        CheckSuffix::None => {}
        _ if !gives_check(&ply) => deviations.add(Deviation::CheckMarkExtra),
        CheckSuffix::Check => {}
        _ => deviations.add(Deviation::CheckMarkStyle),
    }
    Ok(Reading { mv, check_suffix: CheckSuffix::Unspecified, deviations })
}

fn push_file(square: Square99, text: &mut MoveText) {
    text.push(b'a' + square.file());
}

fn push_rank(square: Square99, text: &mut MoveText) {
    text.push(b'1' + square.rank());
}

fn push_square(square: Square99, text: &mut MoveText) {
    push_file(square, text);
    push_rank(square, text);
}

/// Castling: the files of the king, the partner with `partner_letter`, and, if the castling is long, its file.
fn write_castling(play: Play99, partner_letter: u8, text: &mut MoveText) {
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
fn partner(position: &Position99, play: Play99) -> Role99 {
    position.piece(play.target()).map_or(Role99::Rook, |(_, role)| role)
}

/// Writes a play in the play notation, without suffixes.
fn write_play(position: &Position99, play: Play99, text: &mut MoveText) {
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

/// The canonical text in the play notation.
fn encode_play(ply: &Ply99<'_>, text: &mut MoveText) {
    write_play(ply.before(), ply.play(), text);
    if ply.after().is_in_check(ply.color()) {
        text.push(b'!');
    }
    if gives_check(ply) {
        text.push(b'+');
    }
}

/// The square beside the king on the side of its partner, where it arrives in castling.
fn beside(king: Square99, partner: Square99) -> Square99 {
    let step = if partner.file() > king.file() { 1 } else { -1 };
    king.step((step, 0)).unwrap_or(partner)
}

/// Writes the wire form of a play.
fn write_uci(_: &Position99, play: Play99, text: &mut MoveText) {
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
fn write_long(position: &Position99, play: Play99, text: &mut MoveText) {
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

/// Writes a play in Geographical notation, without its check suffix.
fn write_geographical(position: &Position99, play: Play99, text: &mut MoveText) {
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
