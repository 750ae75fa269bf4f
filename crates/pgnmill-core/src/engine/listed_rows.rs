//! The rows of a job, packed: rejected games, damage, values that could not be read; or notes and repairs, of which a
//! job of tiny games has a few every two bytes.
//!
//! In: rows in the order of the job's text, with offsets relative to it. Out: the same rows. Cost: about ten bytes per
//! row and its texts; tag values once for all adjacent rows that have the same; see [`super::packed`].

use std::borrow::Cow;

use pgnmill_io::error::Result;

use crate::pgn::ValueFault;
use crate::pgn::deviation::Deviation;

use super::packed::{Packed, Unpacked};

/// The kind of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowKind {
    /// The deviation for which a game is rejected, or damage.
    Fault(Deviation),
    /// A value that a task could not read, in a game that is not rejected.
    Value(ValueFault),
    /// A deviation that is noted.
    Note(Deviation),
    /// A deviation that is repaired.
    Repair(Deviation),
    /// The last row of a game with too many notes and repairs: its text is the number of omitted rows.
    Omitted,
}

impl RowKind {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            RowKind::Fault(kind) | RowKind::Note(kind) | RowKind::Repair(kind) => kind.name(),
            RowKind::Value(fault) => fault.name(),
            RowKind::Omitted => "left-out",
        }
    }

    /// Two small numbers; the first is not [`NAMES`].
    fn code(self) -> [u8; 2] {
        match self {
            RowKind::Fault(kind) => [1, kind as u8],
            RowKind::Value(fault) => [2, fault as u8],
            RowKind::Note(kind) => [3, kind as u8],
            RowKind::Repair(kind) => [4, kind as u8],
            RowKind::Omitted => [5, 0],
        }
    }

    /// The kind with this code.
    fn of([what, number]: [u8; 2]) -> RowKind {
        // Every number is an index into one of these tables.
        let deviation = || Deviation::ALL[usize::from(number) % Deviation::ALL.len()];
        match what {
            1 => RowKind::Fault(deviation()),
            2 => RowKind::Value(ValueFault::ALL[usize::from(number) % ValueFault::COUNT]),
            3 => RowKind::Note(deviation()),
            4 => RowKind::Repair(deviation()),
            _ => RowKind::Omitted,
        }
    }
}

/// A row of `faults.csv` or of `notes.csv`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedRow {
    /// The kind.
    pub kind: RowKind,
    /// Offset of its text in the job's text.
    pub offset: u64,
    /// Line ends before it in the job's text.
    pub lines: u64,
    /// Bytes between it and the preceding line end.
    pub column: u64,
    /// Games before this one, or before the damage, in the job.
    pub game: u64,
    /// The ply at which it occurs, from 1; 0 before the first move.
    pub ply: u32,
    /// The text in the archive, or its beginning.
    pub text: String,
    /// The reason; of a note or repair the canonical text, empty if there is none.
    pub detail: String,
    /// Of a fault after a comment that holds another opening brace: how many line ends before the fault the comment
    /// begins, and in which column, from 1. See [`ListedRow::reason`].
    pub comment: Option<[u64; 2]>,
    /// The position as FEN, if a fault is in a move; else empty.
    pub fen: String,
    /// Values of tag pairs.
    pub names: Names,
}

/// Tag values that identify a game; empty if the pair is missing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// The `Event` value.
    pub event: String,
    /// The `Site` value.
    pub site: String,
    /// The `White` value.
    pub white: String,
    /// The `Black` value.
    pub black: String,
    /// The `Date` value.
    pub date: String,
}

impl ListedRow {
    /// The detail as tables and messages have it, where `line` is the line of the row in its archive, from 1: a
    /// comment before a fault that may have swallowed moves is named by its place.
    pub fn reason(&self, line: u64) -> Cow<'_, str> {
        let Some([before, column]) = self.comment else { return Cow::Borrowed(&self.detail) };
        let (detail, line) = (&self.detail, line.saturating_sub(before));
        let comment = format!("the comment that begins at {line}:{column} holds another `{{`");
        Cow::Owned(format!("{detail}; {comment}"))
    }

    /// A row of this kind, at the beginning, without texts.
    pub(super) fn of(kind: RowKind) -> ListedRow {
        ListedRow {
            kind,
            offset: 0,
            lines: 0,
            column: 0,
            game: 0,
            ply: 0,
            text: String::new(),
            detail: String::new(),
            comment: None,
            fen: String::new(),
            names: Names::default(),
        }
    }
}

/// The first byte of tag values, which are those of the rows after them.
const NAMES: u8 = 0;

/// Rows in their order, packed.
#[derive(Clone, Debug, Default)]
pub struct ListedRows {
    packed: Packed,
    count: u64,
    /// Offset, lines, column and game of the last row that was added: they are written as differences.
    last: [u64; 4],
    /// The tag values of the last row.
    names: Names,
}

impl ListedRows {
    /// Adds a row.
    pub(super) fn add(&mut self, row: &ListedRow) {
        let packed = &mut self.packed;
        if row.names != self.names {
            let Names { event, site, white, black, date } = &row.names;
            packed.byte(NAMES);
            [event, site, white, black, date].into_iter().for_each(|name| packed.text(name));
            packed.end_row();
            self.names.clone_from(&row.names);
        }
        row.kind.code().into_iter().for_each(|byte| packed.byte(byte));
        let numbers = [row.offset, row.lines, row.column, row.game];
        for (number, last) in numbers.into_iter().zip(self.last) {
            // Zigzag of the difference: a column can be less than the preceding one.
            let difference = number.wrapping_sub(last) as i64;
            packed.number((difference << 1 ^ difference >> 63) as u64);
        }
        packed.number(row.ply.into());
        [&row.text, &row.detail, &row.fen].into_iter().for_each(|text| packed.text(text));
        if let RowKind::Fault(_) = row.kind {
            let [before, column] = row.comment.unwrap_or_default();
            packed.number(column);
            packed.number(before);
        }
        packed.end_row();
        self.last = numbers;
        self.count += 1;
    }

    /// The number of rows.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Calls `visit` with each row.
    ///
    /// # Errors
    /// That of `visit`; not enough memory.
    pub fn visit(&self, mut visit: impl FnMut(&ListedRow) -> Result<()>) -> Result<()> {
        let mut row = ListedRow::of(RowKind::Omitted);
        self.packed.visit(|packed| {
            let what = packed.byte();
            if what == NAMES {
                let [event, site, white, black, date] = std::array::from_fn(|_| packed.text());
                row.names = Names { event, site, white, black, date };
                return Ok(());
            }
            row.kind = RowKind::of([what, packed.byte()]);
            let ListedRow { offset, lines, column, game, .. } = &mut row;
            [offset, lines, column, game].into_iter().for_each(|number| advance(number, packed));
            row.ply = packed.number() as u32;
            [row.text, row.detail, row.fen] = std::array::from_fn(|_| packed.text());
            row.comment = None;
            if let RowKind::Fault(_) = row.kind {
                let [column, before] = std::array::from_fn(|_| packed.number());
                // Columns are counted from 1.
                row.comment = (column > 0).then_some([before, column]);
            }
            visit(&row)
        })
    }
}

/// Adds the next difference to a number.
fn advance(number: &mut u64, packed: &mut Unpacked<'_>) {
    let difference = packed.number();
    let difference = (difference >> 1) as i64 ^ -((difference & 1) as i64);
    *number = number.wrapping_add(difference as u64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_out_as_they_went_in() {
        let mut rows = ListedRows::default();
        let mut expected = Vec::new();
        for number in 0..20_000_u64 {
            let name = |what: &str| format!("{what} {}", number % 97);
            let deviation = Deviation::ALL[number as usize % Deviation::ALL.len()];
            let game = number / 4;
            let row = ListedRow {
                kind: match number % 5 {
                    0 => RowKind::Fault(deviation),
                    1 => RowKind::Value(ValueFault::ALL[number as usize % ValueFault::COUNT]),
                    2 => RowKind::Note(deviation),
                    3 => RowKind::Repair(deviation),
                    _ => RowKind::Omitted,
                },
                offset: number * number * number,
                lines: number / 3,
                column: u64::MAX / (1 + number % 100),
                game: game + u64::from(number > 500) * (u64::MAX / 2),
                ply: u32::MAX - number as u32,
                text: "♔".repeat(number as usize % 7),
                detail: name("detail"),
                comment: (number % 15 == 0).then_some([number / 7, number + 1]),
                fen: "8".repeat(number as usize % 3),
                // Adjacent rows have the same, or others, or none.
                names: match game % 3 {
                    0 => Names::default(),
                    _ => Names {
                        event: format!("event {game}"),
                        black: "x".repeat(game as usize % 50),
                        date: format!("{game}.01.??"),
                        ..Names::default()
                    },
                },
            };
            rows.add(&row);
            expected.push(row);
        }
        let mut found = Vec::new();
        let visited = rows.visit(|row| {
            found.push(row.clone());
            Ok(())
        });
        assert!(visited.is_ok() && rows.count() == 20_000);
        assert!(found == expected);
    }
}
