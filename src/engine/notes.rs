//! The notes and repairs of a report, packed: a job of tiny games has a few of them every two bytes.
//!
//! In: the notes of each game, places relative to the report's text, in its order. Out: the same, one row after the other.
//! Cost: some ten bytes a row and its texts, those that tag pairs say of the game once a game.

use crate::error::Result;
use crate::pgn::deviation::{Class, Deviation};

use super::faults::Names;
use super::packed::Packed;

/// A row of the table of notes and repairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteRow {
    /// What it is; `None` for the row that ends a game of too many, whose `written` is the number of those left out.
    pub kind: Option<Deviation>,
    /// Note or repair, of a row that has a kind.
    pub class: Option<Class>,
    /// Where its text begins: bytes from the beginning of the report's text.
    pub offset: u64,
    /// Line ends before it in the report's text.
    pub lines: u64,
    /// Bytes between it and the line end before it.
    pub column: u64,
    /// Games before this one in the report.
    pub game: u64,
    /// The ply it stands at, from 1; 0 before the first move.
    pub ply: u32,
    /// What is written there.
    pub written: String,
    /// The canonical text for it; empty where there is none.
    pub canonical: String,
}

/// Rows in their order, packed.
#[derive(Clone, Debug, Default)]
pub struct NoteRows {
    packed: Packed,
    /// The last row that was added, but for its texts: numbers are written as differences.
    last: NoteRow,
}

impl NoteRows {
    /// A game with rows begins.
    pub(super) fn add_game(&mut self, names: &Names) {
        self.packed.byte(GAME);
        for name in [&names.event, &names.site, &names.white, &names.black] {
            self.packed.text(name);
        }
        self.packed.end_row();
    }

    /// Adds a row of the game that was added last.
    pub(super) fn add(&mut self, row: &NoteRow) {
        let class = match row.class {
            Some(Class::Note) => NOTE,
            Some(Class::Repair) => REPAIR,
            _ => LEFT_OUT,
        };
        let packed = &mut self.packed;
        packed.byte(class);
        if let Some(kind) = row.kind {
            packed.byte(kind as u8);
        }
        packed.number(row.offset.wrapping_sub(self.last.offset));
        packed.number(row.lines.wrapping_sub(self.last.lines));
        packed.number(row.game.wrapping_sub(self.last.game));
        packed.number(row.column);
        packed.number(row.ply.into());
        packed.text(&row.written);
        packed.text(&row.canonical);
        packed.end_row();
        let NoteRow { offset, lines, game, .. } = *row;
        self.last = NoteRow { offset, lines, game, ..NoteRow::default() };
    }

    /// Calls `visit` with each row, and with what the tag pairs of its game say.
    ///
    /// # Errors
    /// That of `visit`; memory that is not there.
    pub fn visit(&self, mut visit: impl FnMut(&NoteRow, &Names) -> Result<()>) -> Result<()> {
        let (mut row, mut names) = (NoteRow::default(), Names::default());
        self.packed.visit(|packed| {
            let what = packed.byte();
            if what == GAME {
                let [event, site, white, black] = std::array::from_fn(|_| packed.text());
                names = Names { event, site, white, black };
                return Ok(());
            }
            row.class = match what {
                NOTE => Some(Class::Note),
                REPAIR => Some(Class::Repair),
                _ => None,
            };
            let kind = row.class.map(|_| packed.byte());
            row.kind = kind.and_then(|kind| Deviation::ALL.get(usize::from(kind)).copied());
            row.offset = row.offset.wrapping_add(packed.number());
            row.lines = row.lines.wrapping_add(packed.number());
            row.game = row.game.wrapping_add(packed.number());
            row.column = packed.number();
            row.ply = packed.number() as u32;
            row.written = packed.text();
            row.canonical = packed.text();
            visit(&row, &names)
        })
    }
}

/// What a packed row begins with.
const GAME: u8 = 0;
const NOTE: u8 = 1;
const REPAIR: u8 = 2;
const LEFT_OUT: u8 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_out_as_they_went_in() {
        let mut rows = NoteRows::default();
        let mut expected = Vec::new();
        let mut row = NoteRow::default();
        for number in 0..300u64 {
            let name = |what: &str| format!("{what} {number}");
            let names = Names {
                event: name("event"),
                site: String::new(),
                white: "x".repeat(number as usize),
                black: name("black"),
            };
            rows.add_game(&names);
            for count in 0..number % 4 {
                let class = [Class::Note, Class::Repair][(number % 2) as usize];
                let kind = Deviation::ALL[number as usize % Deviation::ALL.len()];
                row = NoteRow {
                    kind: (count < 2).then_some(kind),
                    class: (count < 2).then_some(class),
                    offset: row.offset + number * number * number,
                    lines: row.lines + number,
                    column: number << count,
                    game: number,
                    ply: u32::MAX - number as u32,
                    written: name("♔"),
                    canonical: "y".repeat(count as usize),
                };
                rows.add(&row);
                expected.push((row.clone(), names.event.clone(), names.white.clone()));
            }
        }
        let mut found = Vec::new();
        let visited = rows.visit(|row, names| {
            found.push((row.clone(), names.event.clone(), names.white.clone()));
            Ok(())
        });
        assert!(visited.is_ok());
        assert_eq!(found, expected);
    }
}
