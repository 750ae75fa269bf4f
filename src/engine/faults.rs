//! The faults of a report, packed.
//!
//! In: rejected games and damage, places relative to the report's text, in its order. Out: the same. Cost: see [`super::packed`].

use crate::error::Result;
use crate::pgn::deviation::Deviation;

use super::packed::Packed;

/// A rejected game, or damage, as it goes to `faults.csv`.
#[derive(Clone, Debug)]
pub struct FaultRow {
    /// What it is.
    pub kind: Deviation,
    /// Where the offending text begins: bytes from the beginning of the report's text.
    pub offset: u64,
    /// Line ends before it in the report's text.
    pub lines: u64,
    /// Bytes between it and the line end before it.
    pub column: u64,
    /// Games before this one, or before the damage, in the report.
    pub game: u64,
    /// The ply it stands at, from 1; 0 before the first move.
    pub ply: u32,
    /// The offending text, its beginning.
    pub text: String,
    /// Why.
    pub detail: String,
    /// The position there as FEN, where the fault is in the moves.
    pub fen: String,
    /// What the tag pairs say, as far as they do.
    pub names: Names,
}

/// What a game's tag pairs say of it; empty where they do not.
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
        packed.byte(row.kind as u8);
        let places = [row.offset, row.lines, row.column, row.game];
        for (place, last) in places.into_iter().zip(self.last) {
            // The zigzag of the difference: a column can be less than the one before.
            let difference = place.wrapping_sub(last) as i64;
            packed.number((difference << 1 ^ difference >> 63) as u64);
        }
        packed.number(row.ply.into());
        let Names { event, site, white, black } = &row.names;
        for text in [&row.text, &row.detail, &row.fen, event, site, white, black] {
            packed.text(text);
        }
        packed.end_row();
        self.last = places;
        self.count += 1;
    }

    /// How many rows there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Calls `visit` with each row.
    ///
    /// # Errors
    /// That of `visit`; memory that is not there.
    pub fn visit(&self, mut visit: impl FnMut(&FaultRow) -> Result<()>) -> Result<()> {
        let mut last = [0_u64; 4];
        self.packed.visit(|row| {
            let kind = row.byte();
            for place in &mut last {
                let number = row.number();
                let difference = (number >> 1) as i64 ^ -((number & 1) as i64);
                *place = place.wrapping_add(difference as u64);
            }
            let [offset, lines, column, game] = last;
            let ply = row.number() as u32;
            let [text, detail, fen, event, site, white, black] =
                std::array::from_fn(|_| row.text());
            let names = Names { event, site, white, black };
            // Every kind that was packed is one of these.
            let kind = Deviation::ALL.get(usize::from(kind)).copied();
            let kind = kind.unwrap_or(Deviation::ALL[0]);
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
                kind: Deviation::ALL[number as usize % Deviation::ALL.len()],
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
