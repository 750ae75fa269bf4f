//! The record of a position on the board of a table (`boards.md`).
//!
//! In: `placement side [passed] clock number`. Out: a position and notes; and its record. The lines of the placement
//! are files from their last rank down (Gliński, as the pages that draw this board have it), or ranks from west to
//! east with `|` between levels, the highest first (Raumschach, ours). Vacant cells are counted in one number. The
//! field of the cell that was passed over is there only where pawns make double steps; a castling field, which no such
//! ruleset has, is read. Invariant: what is written is read as the same position, without notes. Cost: one pass over
//! the cells.

use std::fmt;

use super::cell::{Cell, times};
use super::position::TablePosition;
use super::table::{BoardTable, KING, Lines, PAWN};
use crate::chess::fen::read_clock;
use crate::chess::{Color, FenError, FenNotes};

/// Reads a record.
pub(super) fn read(
    table: &'static BoardTable,
    record: &[u8],
) -> Result<(TablePosition, FenNotes), FenError> {
    let mut fields = record.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let (mut notes, mut position) = (FenNotes::default(), TablePosition::empty(table));
    let placement = fields.next().ok_or(FenError::Board)?;
    read_placement(&mut position, placement).map_err(|_| FenError::Board)?;
    let side = fields.next();
    notes.side_upper_case = matches!(side, Some(b"W" | b"B"));
    position.turn = match side {
        None | Some(b"w" | b"W") => Color::White,
        Some(b"b" | b"B") => Color::Black,
        Some(_) => return Err(FenError::Turn),
    };
    let mut rest: Vec<&[u8]> = fields.collect();
    // With as many fields as in chess the first is that of castling.
    if rest.len() == 4 {
        rest.remove(0);
    }
    let passed = match (table.has_en_passant(), rest.first()) {
        (true, Some(_)) => rest.remove(0),
        // A dash where a ruleset with double steps has the cell that was passed over.
        (false, Some(&b"-")) if rest.len() == 3 => rest.remove(0),
        _ => b"-",
    };
    notes.fields_missing = rest.len() < 2;
    notes.fields_extra = rest.len() > 2;
    let counter = |index: usize, usual: &'static [u8]| rest.get(index).copied().unwrap_or(usual);
    position.clock = read_clock(counter(0, b"0"), &mut notes)?;
    let number = read_clock(counter(1, b"1"), &mut notes)?;
    notes.counters_style |= number == 0;
    position.number = number.max(1);
    read_passed(&mut position, passed, &mut notes)?;
    check(&position)?;
    Ok((position, notes))
}

/// Why a placement cannot be read, for a person; `None` if it can.
pub(crate) fn placement_fault(table: &'static BoardTable, placement: &[u8]) -> Option<String> {
    read_placement(&mut TablePosition::empty(table), placement).err()
}

/// Reads the pieces.
///
/// # Errors
/// The reason, for a person.
fn read_placement(position: &mut TablePosition, field: &[u8]) -> Result<(), String> {
    let table = position.table();
    let levels: Vec<&[u8]> = field.split(|&byte| byte == b'|').collect();
    if levels.len() != table.levels_count() {
        return Err(match table.levels {
            [] => "there is a `|`, and the board has one level".to_string(),
            all => format!("there are {} levels instead of {}", levels.len(), all.len()),
        });
    }
    for (level, text) in levels.into_iter().enumerate() {
        let lines: Vec<&[u8]> = text.split(|&byte| byte == b'/').collect();
        let name = line_names(table, level);
        for (index, line) in lines.iter().enumerate().take(table.lines_count()) {
            read_line(position, (level, index), line)
                .map_err(|reason| reason.replace("{line}", &name(index)))?;
        }
        if lines.len() != table.lines_count() {
            let (kind, of) = match table.lines {
                Lines::Files => ("files", String::new()),
                Lines::Ranks => ("ranks", level_name(table, level)),
            };
            let (count, whole) = (lines.len(), table.lines_count());
            return Err(format!("there are {count} {kind}{of} instead of {whole}"));
        }
    }
    Ok(())
}

/// ` on level A`, or nothing if the board has one level.
fn level_name(table: &BoardTable, level: usize) -> String {
    let letter = table.levels.iter().rev().nth(level);
    letter.map_or(String::new(), |&letter| format!(" on level {}", char::from(letter)))
}

/// The names of the lines of a level.
fn line_names(table: &BoardTable, level: usize) -> impl Fn(usize) -> String + '_ {
    move |line| match table.lines {
        Lines::Files => format!("file {}", char::from(table.files[line])),
        Lines::Ranks => format!("rank {}{}", table.lines_count() - line, level_name(table, level)),
    }
}

/// Reads one line.
///
/// # Errors
/// The reason, with `{line}` for the name of the line.
fn read_line(
    position: &mut TablePosition,
    (level, index): (usize, usize),
    line: &[u8],
) -> Result<(), String> {
    let table = position.table();
    let width = table.line(level, index).count();
    let mut cells = table.line(level, index);
    let (mut at, mut count) = (0, 0_usize);
    while let Some(&byte) = line.get(at) {
        if byte.is_ascii_digit() {
            let digits = line[at..].iter().take_while(|byte| byte.is_ascii_digit());
            let number = digits.clone().fold(0_usize, |number, digit| {
                number.saturating_mul(10).saturating_add(usize::from(digit - b'0'))
            });
            if number == 0 || byte == b'0' {
                return Err("a number of vacant cells on {line} is 0 or begins with 0".to_string());
            }
            at += digits.count();
            count = count.saturating_add(number);
            if number <= width {
                cells.by_ref().take(number).for_each(drop);
            }
            continue;
        }
        let Some(row) = table.row_of(byte.to_ascii_uppercase()) else {
            return Err(format!("`{}` on {{line}} is no piece", byte.escape_ascii()));
        };
        let color = if byte.is_ascii_uppercase() { Color::White } else { Color::Black };
        if let Some(cell) = cells.next() {
            position.put(cell, Some((color, row)));
        }
        (at, count) = (at + 1, count.saturating_add(1));
    }
    if count == width {
        return Ok(());
    }
    let text = line.escape_ascii();
    Err(format!("{{line}}, `{text}`, has {count} cells instead of {width}"))
}

/// Reads the cell passed over; one that fits no double step is dropped.
fn read_passed(
    position: &mut TablePosition,
    field: &[u8],
    notes: &mut FenNotes,
) -> Result<(), FenError> {
    if field == b"-" {
        return Ok(());
    }
    let table = position.table();
    let cell = table.cell_named(field).ok_or(FenError::EnPassant)?;
    let owner = position.turn.other();
    let step = table.pawn.steps.first().copied().unwrap_or_default();
    let back = table.step(cell, times(BoardTable::of_side(step, owner), -1));
    let is_start = |back: Cell| position.is_vacant(back) && table.is_double(back, owner);
    let can_pass = back.is_some_and(is_start) && position.is_vacant(cell);
    position.passed = Some(cell);
    let passer = position.passer().and_then(|passer| position.row(passer));
    if passer != Some((owner, PAWN)) || !can_pass {
        position.passed = None;
        notes.en_passant_impossible = true;
    }
    Ok(())
}

/// Refuses a position without exactly one king per side, with a pawn on a cell on which it promotes, or in which the
/// king of the side that waits can be captured.
fn check(position: &TablePosition) -> Result<(), FenError> {
    for color in [Color::White, Color::Black] {
        let of = |row| position.pieces().filter(move |&(_, owner, it)| (owner, it) == (color, row));
        if of(KING).count() != 1 {
            return Err(FenError::NoKing);
        }
        if of(PAWN).any(|(cell, ..)| position.table().is_last(cell, color)) {
            return Err(FenError::PawnOnBackRank);
        }
    }
    match position.is_in_check(position.turn.other()) {
        true => Err(FenError::SideNotToMoveInCheck),
        false => Ok(()),
    }
}

/// The record.
impl fmt::Display for TablePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = self.table();
        for level in 0..table.levels_count() {
            for line in 0..table.lines_count() {
                if line > 0 || level > 0 {
                    f.write_str(if line > 0 { "/" } else { "|" })?;
                }
                let mut gap = 0;
                for cell in table.line(level, line) {
                    let Some((color, letter)) = self.piece(cell) else {
                        gap += 1;
                        continue;
                    };
                    if gap > 0 {
                        write!(f, "{gap}")?;
                        gap = 0;
                    }
                    let letter = char::from(letter);
                    let is_white = color == Color::White;
                    write!(f, "{}", if is_white { letter } else { letter.to_ascii_lowercase() })?;
                }
                if gap > 0 {
                    write!(f, "{gap}")?;
                }
            }
        }
        f.write_str(if self.turn == Color::White { " w" } else { " b" })?;
        match self.passed {
            Some(cell) => write!(f, " {}", table.name_of(cell))?,
            None if table.has_en_passant() => f.write_str(" -")?,
            None => {}
        }
        write!(f, " {} {}", self.clock, self.number)
    }
}
