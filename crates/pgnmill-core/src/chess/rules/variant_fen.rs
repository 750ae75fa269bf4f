//! Records of positions of the Lichess variants (`variants.md`, 2).
//!
//! In: a FEN record, with pockets (`…RNBQKBNR[QNp]`, or a ninth part), marks of promoted pieces (`Q~`), numbers of
//! checks (`3+3` that are still needed, `+0+0` that were given). Out: a position, and notes, as of chess. Cost: that of
//! a record of chess.

use super::Start;
use super::crazyhouse::{PIECES_MAX, pocket_pieces};
use super::variant::Variant;
use super::variant_position::{CHECKS_MAX, VariantPosition};
use crate::chess::clocks::Clocks;
use crate::chess::fen::read_clock;
use crate::chess::{Bitboard, Color, FenError, FenNotes, Position, Role, Square};

impl<V: Variant> Start for V {
    fn initial(chess960: bool) -> VariantPosition {
        match V::from_fen(V::INITIAL.as_bytes(), chess960) {
            Ok((position, _)) => position,
            Err(error) => unreachable!("{}: {error}", V::INITIAL),
        }
    }

    fn from_fen(record: &[u8], chess960: bool) -> Result<(VariantPosition, FenNotes), FenError> {
        read::<V>(record, chess960)
    }
}

/// Reads the record of a position of a variant.
pub(super) fn read<V: Variant>(
    record: &[u8],
    chess960: bool,
) -> Result<(VariantPosition, FenNotes), FenError> {
    let mut fields: Vec<&[u8]> =
        record.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).collect();
    let mut notes = FenNotes::default();
    let base = Position { boards: [0; 8], castling: Bitboard::EMPTY, ..Position::initial() };
    let mut position = VariantPosition::of(base, V::KIND);
    let has_checks = V::COUNTS_CHECKS && take_checks(&mut fields, &mut position.checks)?;
    let field = |index: usize| fields.get(index).copied();
    read_pieces::<V>(&mut position, field(0).ok_or(FenError::Board)?, &mut notes)?;
    let base = &mut position.base;
    notes.side_upper_case = matches!(field(1), Some(b"W" | b"B"));
    base.turn = match field(1) {
        None | Some(b"w" | b"W") => Color::White,
        Some(b"b" | b"B") => Color::Black,
        Some(_) => return Err(FenError::Turn),
    };
    notes.fields_missing = fields.len() < 6 || V::COUNTS_CHECKS && !has_checks;
    notes.fields_extra = fields.len() > 6;
    read_rights::<V>(base, field(2).unwrap_or(b"-"), &mut notes)?;
    base.read_en_passant(field(3).unwrap_or(b"-"), &mut notes)?;
    let halfmove = read_clock(field(4).unwrap_or(b"0"), &mut notes)?;
    let fullmove = read_clock(field(5).unwrap_or(b"1"), &mut notes)?;
    notes.counters_style |= fullmove == 0;
    base.clocks = Clocks::new(halfmove, fullmove.max(1));
    V::check_record(&position)?;
    position.base.checkers = V::checkers(&position);
    position.base = position.base.with_chess960(chess960);
    Ok((position, notes))
}

/// Castling rights; where there is no castling they are dropped.
fn read_rights<V: Variant>(
    base: &mut Position,
    field: &[u8],
    notes: &mut FenNotes,
) -> Result<(), FenError> {
    base.read_rights(field, notes)?;
    if !V::CASTLES && base.castling.has_any() {
        notes.rights_impossible = true;
        base.castling = Bitboard::EMPTY;
    }
    Ok(())
}

/// The pieces and the pockets.
fn read_pieces<V: Variant>(
    position: &mut VariantPosition,
    field: &[u8],
    notes: &mut FenNotes,
) -> Result<(), FenError> {
    let slashes = field.iter().filter(|&&byte| byte == b'/').count();
    let (board, pocket) = match field.iter().position(|&byte| byte == b'[') {
        Some(open) => {
            let inner = field[open + 1..].strip_suffix(b"]").ok_or(FenError::Pocket)?;
            (&field[..open], Some(inner))
        }
        None if slashes == 8 => {
            let last = field.iter().rposition(|&byte| byte == b'/').unwrap_or(field.len());
            (&field[..last], Some(&field[last + 1..]))
        }
        None => (field, None),
    };
    if !V::HAS_POCKETS && pocket.is_some() {
        return Err(FenError::Pocket);
    }
    let plain: Vec<u8> = board.iter().copied().filter(|&byte| byte != b'~').collect();
    position.base.read_pieces(&plain, notes)?;
    if plain.len() != board.len() {
        read_promoted::<V>(position, board)?;
    }
    for &letter in pocket.filter(|&pocket| pocket != b"-").unwrap_or_default() {
        let role = Role::from_letter(letter.to_ascii_uppercase()).ok_or(FenError::Pocket)?;
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let count = position.pockets[color.index()].get_mut(role.index());
        let count = count.ok_or(FenError::Pocket)?;
        *count = count.checked_add(1).ok_or(FenError::Pocket)?;
    }
    if V::HAS_POCKETS && pocket_pieces(position) > PIECES_MAX {
        return Err(FenError::Pocket);
    }
    Ok(())
}

/// The pieces that `~` marks; the board itself is known to be readable.
fn read_promoted<V: Variant>(position: &mut VariantPosition, board: &[u8]) -> Result<(), FenError> {
    let (mut file, mut rank, mut last) = (0, 7_u8, None);
    for &byte in board {
        let mut square = None;
        match byte {
            b'~' => {
                let marked: Square = last.ok_or(FenError::Board)?;
                let role = position.base.role_at(marked);
                if !V::HAS_POCKETS || matches!(role, Some(Role::Pawn | Role::King) | None) {
                    return Err(FenError::Board);
                }
                position.promoted |= Bitboard::of(marked);
            }
            b'/' => (file, rank) = (0, rank.saturating_sub(1)),
            b'1'..=b'8' => file += byte - b'0',
            _ => {
                square = Some(Square::at(file, rank));
                file += 1;
            }
        }
        last = square;
    }
    Ok(())
}

/// Takes the field with the checks out of the others and reads it. Returns whether there is one.
fn take_checks(fields: &mut Vec<&[u8]>, given: &mut [u8; 2]) -> Result<bool, FenError> {
    // `3+3` in the fifth place, `+0+0` in the last.
    let has_plus = |field: &&[u8]| field.contains(&b'+');
    let Some(at) = fields.iter().skip(4).position(has_plus) else { return Ok(false) };
    let field = fields.remove(at + 4);
    let digit = |byte: u8| match byte.wrapping_sub(b'0') {
        number @ 0..=CHECKS_MAX => Ok(number),
        _ => Err(FenError::Checks),
    };
    *given = match *field {
        [white, b'+', black] => [CHECKS_MAX - digit(white)?, CHECKS_MAX - digit(black)?],
        [b'+', white, b'+', black] => [digit(white)?, digit(black)?],
        _ => return Err(FenError::Checks),
    };
    Ok(true)
}
