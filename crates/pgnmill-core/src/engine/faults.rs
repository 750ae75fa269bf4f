//! The faults of a job, packed.
//!
//! In: rejected games and damage, in the order of the job's text, with offsets relative to it. Out: the same rows.
//! Cost: see [`super::packed`].

use pgnmill_io::error::Result;

use crate::pgn::ValueFault;
use crate::pgn::deviation::Deviation;

use super::packed::Packed;

/// The kind of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// The deviation for which a game is rejected, or damage.
    Deviation(Deviation),
    /// A value that a task could not read, in a game that is not rejected.
    Value(ValueFault),
}

impl FaultKind {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Deviation(deviation) => deviation.name(),
            FaultKind::Value(fault) => fault.name(),
        }
    }

    /// A small number: the deviations, then the kinds of values.
    fn code(self) -> u8 {
        match self {
            FaultKind::Deviation(deviation) => deviation as u8,
            FaultKind::Value(fault) => (Deviation::ALL.len() + fault as usize) as u8,
        }
    }

    /// The kind with this code.
    fn from_code(code: u8) -> FaultKind {
        let code = usize::from(code);
        // Every code is an index into one of these tables.
        let value = || ValueFault::ALL[(code - Deviation::ALL.len()) % ValueFault::COUNT];
        let deviation = Deviation::ALL.get(code).copied().map(FaultKind::Deviation);
        deviation.unwrap_or_else(|| FaultKind::Value(value()))
    }
}

/// A rejected game, damage, or a value that could not be read: a row of `faults.csv`.
#[derive(Clone, Debug)]
pub struct FaultRow {
    /// The kind.
    pub kind: FaultKind,
    /// Offset of the offending text in the job's text.
    pub offset: u64,
    /// Line ends before it in the job's text.
    pub lines: u64,
    /// Bytes between it and the preceding line end.
    pub column: u64,
    /// Games before this one, or before the damage, in the job.
    pub game: u64,
    /// The ply at which it occurs, from 1; 0 before the first move.
    pub ply: u32,
    /// The beginning of the offending text.
    pub text: String,
    /// The reason.
    pub detail: String,
    /// The position as FEN, if the fault is in a move; else empty.
    pub fen: String,
    /// Values of tag pairs.
    pub names: Names,
}

/// Tag values that identify a game; empty if the pair is missing.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The `Event` value.
    pub event: String,
    /// The `Site` value.
    pub site: String,
    /// The `White` value.
    pub white: String,
    /// The `Black` value.
    pub black: String,
}

/// Rows in their order, packed.
#[derive(Clone, Debug, Default)]
pub struct FaultRows {
    packed: Packed,
    count: u64,
    /// Offset, lines, column and game of the last row that was added: they are written as differences.
    last: [u64; 4],
}

impl FaultRows {
    /// Adds a row.
    pub(super) fn add(&mut self, row: &FaultRow) {
        let packed = &mut self.packed;
        packed.byte(row.kind.code());
        let numbers = [row.offset, row.lines, row.column, row.game];
        for (number, last) in numbers.into_iter().zip(self.last) {
            // Zigzag of the difference: a column can be less than the preceding one.
            let difference = number.wrapping_sub(last) as i64;
            packed.number((difference << 1 ^ difference >> 63) as u64);
        }
        packed.number(row.ply.into());
        let Names { event, site, white, black } = &row.names;
        for text in [&row.text, &row.detail, &row.fen, event, site, white, black] {
            packed.text(text);
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
    pub fn visit(&self, mut visit: impl FnMut(&FaultRow) -> Result<()>) -> Result<()> {
        let mut last = [0_u64; 4];
        self.packed.visit(|row| {
            let kind = row.byte();
            for value in &mut last {
                let number = row.number();
                let difference = (number >> 1) as i64 ^ -((number & 1) as i64);
                *value = value.wrapping_add(difference as u64);
            }
            let [offset, lines, column, game] = last;
            let ply = row.number() as u32;
            let [text, detail, fen, event, site, white, black] =
                std::array::from_fn(|_| row.text());
            let names = Names { event, site, white, black };
            let kind = FaultKind::from_code(kind);
            visit(&FaultRow { kind, offset, lines, column, game, ply, text, detail, fen, names })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_out_as_they_went_in() {
        let mut rows = FaultRows::default();
        let mut expected = Vec::new();
        for number in 0..20_000_u64 {
            let name = |what: &str| format!("{what} {}", number % 97);
            let row = FaultRow {
                kind: FaultKind::from_code(
                    (number as usize % (Deviation::ALL.len() + ValueFault::COUNT)) as u8,
                ),
                offset: number * number * number,
                lines: number / 3,
                column: u64::MAX / (1 + number % 100),
                game: number + u64::from(number > 500) * (u64::MAX / 2),
                ply: u32::MAX - number as u32,
                text: "♔".repeat(number as usize % 7),
                detail: name("detail"),
                fen: String::new(),
                names: Names { event: name("event"), black: name("black"), ..Names::default() },
            };
            rows.add(&row);
            expected.push(format!("{row:?}"));
        }
        let mut found = Vec::new();
        let visited = rows.visit(|row| {
            found.push(format!("{row:?}"));
            Ok(())
        });
        assert!(visited.is_ok() && rows.count() == 20_000);
        assert!(found == expected);
    }
}
