//! The record of a position of Chess 99 (`chess99.md`, 4).
//!
//! In: `placement side passed [number]`, or six fields as in chess. Out: a position and notes; and its record.

use std::fmt;

use super::board::{Position99, ahead, first_rank, last_rank};
use super::square::{Role99, SIDE, Square99};
use crate::chess::fen::read_clock;
use crate::chess::{Color, FenError, FenNotes};

/// Reads a record.
pub(super) fn read(record: &[u8]) -> Result<(Position99, FenNotes), FenError> {
    let mut fields = record.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let mut notes = FenNotes::default();
    let mut position = Position99::empty();
    read_pieces(&mut position, fields.next().ok_or(FenError::Board)?, &mut notes)?;
    let side = fields.next();
    notes.side_upper_case = matches!(side, Some(b"W" | b"B"));
    position.turn = match side {
        None | Some(b"w" | b"W") => Color::White,
        Some(b"b" | b"B") => Color::Black,
        Some(_) => return Err(FenError::Turn),
    };
    let rest: Vec<&[u8]> = fields.collect();
    notes.fields_missing = rest.is_empty();
    notes.fields_extra = rest.len() > 4;
    // Six fields: rights, the square, a clock, the number.
    let (passed, number) = match rest[..] {
        [] => (&b"-"[..], &b"1"[..]),
        [passed] => (passed, &b"1"[..]),
        [passed, number] => (passed, number),
        [_, passed, _] => (passed, &b"1"[..]),
        [_, passed, clock, number, ..] => {
            read_clock(clock, &mut notes)?;
            (passed, number)
        }
    };
    let number = read_clock(number, &mut notes)?;
    notes.counters_style |= number == 0;
    position.number = number.max(1);
    read_passed(&mut position, passed, &mut notes)?;
    check(&position)?;
    Ok((position, notes))
}

fn read_pieces(
    position: &mut Position99,
    field: &[u8],
    notes: &mut FenNotes,
) -> Result<(), FenError> {
    let (mut file, mut rank) = (0, SIDE as i8 - 1);
    let mut last = b'/';
    for &byte in field {
        notes.digits_adjacent |= last.is_ascii_digit() && byte.is_ascii_digit();
        last = byte;
        match byte {
            b'/' => {
                if file != SIDE as i8 {
                    return Err(FenError::Board);
                }
                (file, rank) = (0, rank - 1);
            }
            b'1'..=b'9' => file += (byte - b'0') as i8,
            _ => {
                let role = Role99::from_letter(byte.to_ascii_uppercase()).ok_or(FenError::Board)?;
                let square = Square99::at(file, rank).ok_or(FenError::Board)?;
                let color = if byte < b'a' { Color::White } else { Color::Black };
                position.put(square, Some((color, role)));
                file += 1;
            }
        }
        if file > SIDE as i8 || rank < 0 {
            return Err(FenError::Board);
        }
    }
    if file == SIDE as i8 && rank == 0 { Ok(()) } else { Err(FenError::Board) }
}

/// Reads the square passed over; one that fits no play of a pawn over two squares is dropped.
fn read_passed(
    position: &mut Position99,
    field: &[u8],
    notes: &mut FenNotes,
) -> Result<(), FenError> {
    if field == b"-" {
        return Ok(());
    }
    let square = match *field {
        [file, rank] => Square99::from_ascii(file, rank).ok_or(FenError::EnPassant)?,
        _ => return Err(FenError::EnPassant),
    };
    let owner = position.turn.other();
    let beyond = square.step((0, ahead(owner)));
    let arrived = beyond.and_then(|beyond| {
        let is_last = beyond.rank() == last_rank(owner);
        let (color, role) = position.piece(beyond)?;
        Some(
            color == owner
                && (role == Role99::Pawn || is_last && Role99::PROMOTIONS.contains(&role)),
        )
    });
    let origin = square.step((0, -ahead(owner)));
    let can_start = origin.is_some_and(|origin| {
        position.piece(origin).is_none() && origin.rank() != first_rank(owner)
    });
    if arrived == Some(true) && position.piece(square).is_none() && can_start {
        position.passed = Some(square);
    } else {
        notes.en_passant_impossible = true;
    }
    Ok(())
}

/// Refuses a position without exactly one king per side, or with a pawn on its own first rank.
fn check(position: &Position99) -> Result<(), FenError> {
    for color in [Color::White, Color::Black] {
        let kings =
            position.pieces().filter(|&(_, owner, role)| (owner, role) == (color, Role99::King));
        if kings.count() != 1 {
            return Err(FenError::NoKing);
        }
        let mut pawns =
            position.pieces().filter(|&(_, owner, role)| (owner, role) == (color, Role99::Pawn));
        if pawns.any(|(square, ..)| square.rank() == first_rank(color)) {
            return Err(FenError::PawnOnBackRank);
        }
    }
    Ok(())
}

/// The record: `placement side passed number`.
impl fmt::Display for Position99 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..SIDE as i8).rev() {
            let mut gap = 0;
            for file in 0..SIDE as i8 {
                let piece = Square99::at(file, rank).and_then(|square| self.piece(square));
                let Some((color, role)) = piece else {
                    gap += 1;
                    continue;
                };
                if gap > 0 {
                    write!(f, "{gap}")?;
                    gap = 0;
                }
                let letter = role.letter() as char;
                let is_white = color == Color::White;
                write!(f, "{}", if is_white { letter } else { letter.to_ascii_lowercase() })?;
            }
            if gap > 0 {
                write!(f, "{gap}")?;
            }
            f.write_str(if rank > 0 { "/" } else { " " })?;
        }
        f.write_str(if self.turn == Color::White { "w " } else { "b " })?;
        match self.passed {
            Some(square) => write!(f, "{square} {}", self.number),
            None => write!(f, "- {}", self.number),
        }
    }
}
