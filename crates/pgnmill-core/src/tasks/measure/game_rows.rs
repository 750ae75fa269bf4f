//! The rows of the measured games of a job, packed.
//!
//! In: rows in the order of the job's text, with offsets relative to it. Out: the same rows. Cost: see
//! [`crate::engine::packed`].

use pgnmill_io::error::Result;

use crate::tasks::measure::tally::GameRow;

use crate::engine::packed::Packed;

/// Rows in their order, packed.
#[derive(Clone, Debug, Default)]
pub struct GameRows {
    packed: Packed,
    /// Offset and game of the last row that was added: they are stored as differences.
    last: (u64, u64),
}

impl GameRows {
    /// Adds a row.
    pub(crate) fn add(&mut self, row: &GameRow) {
        let packed = &mut self.packed;
        packed.number(row.offset.wrapping_sub(self.last.0));
        packed.number(row.game.wrapping_sub(self.last.1));
        packed.number(row.plies);
        packed.number(row.characters.len() as u64);
        row.characters.iter().for_each(|&characters| packed.number(characters.into()));
        packed.end_row();
        self.last = (row.offset, row.game);
    }

    /// Calls `visit` with each row.
    ///
    /// # Errors
    /// That of `visit`; not enough memory.
    pub fn visit(&self, mut visit: impl FnMut(&GameRow) -> Result<()>) -> Result<()> {
        let (mut offset, mut game) = (0_u64, 0_u64);
        self.packed.visit(|row| {
            offset = offset.wrapping_add(row.number());
            game = game.wrapping_add(row.number());
            let (plies, count) = (row.number(), row.number());
            let characters = (0..count).map(|_| row.number() as u32).collect();
            visit(&GameRow { offset, game, plies, characters })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_out_as_they_went_in() {
        let mut rows = GameRows::default();
        let mut expected = Vec::new();
        for number in 0..20_000_u32 {
            let row = GameRow {
                offset: u64::from(number) * u64::from(number),
                game: u64::from(number) * 2,
                plies: u64::from(number % 300),
                characters: (0..number % 80).map(|index| u32::MAX >> (index % 32)).collect(),
            };
            rows.add(&row);
            expected.push(row);
        }
        let mut found = Vec::new();
        let visited = rows.visit(|row| {
            found.push(row.clone());
            Ok(())
        });
        assert!(visited.is_ok());
        assert!(found == expected);
    }
}
