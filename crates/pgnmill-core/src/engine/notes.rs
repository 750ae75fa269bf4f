//! The notes and repairs of a job, packed: a job of tiny games has a few of them every two bytes.
//!
//! In: the notes of each game, in the order of the job's text, with offsets relative to it. Out: the same rows. Cost:
//! about ten bytes per row and its texts; tag values once per game.

use pgnmill_io::error::Result;

use crate::pgn::deviation::{Class, Deviation};

use super::faults::Names;
use super::packed::Packed;

/// A row of the table of notes and repairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteRow {
    /// The deviation; `None` for the last row of a game with too many: its `written` is the number of omitted rows.
    pub kind: Option<Deviation>,
    /// Note or repair; `None` if `kind` is.
    pub class: Option<Class>,
    /// Offset of its text in the job's text.
    pub offset: u64,
    /// Line ends before it in the job's text.
    pub lines: u64,
    /// Bytes between it and the preceding line end.
    pub column: u64,
    /// Games before this one in the job.
    pub game: u64,
    /// The ply at which it occurs, from 1; 0 before the first move.
    pub ply: u32,
    /// The text in the archive.
    pub written: String,
    /// The canonical text; empty if there is none.
    pub canonical: String,
}

/// Rows in their order, packed.
#[derive(Clone, Debug, Default)]
pub struct NoteRows {
    packed: Packed,
    /// The last row that was added, without its texts: numbers are stored as differences.
    last: NoteRow,
}

impl NoteRows {
    /// Begins the rows of a game.
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
            _ => OMITTED,
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

    /// Calls `visit` with each row and the tag values of its game.
    ///
    /// # Errors
    /// That of `visit`; not enough memory.
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

// The first byte of a packed row.
const GAME: u8 = 0;
const NOTE: u8 = 1;
const REPAIR: u8 = 2;
const OMITTED: u8 = 3;

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
