//! The rows of a job: those made last in memory, those before them compressed as soon as they are many.
//!
//! In: [`Rows`], game by game. Out: the same rows in the order of the games, piece by piece. Of a game of very many
//! plies the text is kept until its turn comes ([`LongGame`]). A job is a piece of text of some size, and rows of tiny
//! games need more than a hundred times the memory of their text; so do the plies of a long compressed frame.
//! Invariants: a game's rows are in one piece, but for such a game; a job that needs less than [`PIECE_BYTES_MAX`] is
//! one piece, which is never compressed. Cost: none for such a job; for others compression, about a tenth of the time
//! that writing a file takes.

use pgnmill_io::error::{Error, Result};
use pgnmill_state::{Loader, State};

use crate::engine::Part;
use crate::engine::packed::Chunk;

use super::long_game::LongGame;
use super::rows::Rows;

/// The memory of the rows that are not compressed, not counting those of the last game: more than the plies of an
/// ordinary job need with all columns.
const PIECE_BYTES_MAX: u64 = if cfg!(test) { 1 << 10 } else { 96 << 20 };
/// How often the memory is measured, in rows.
const ROWS_BETWEEN: usize = if cfg!(test) { 4 } else { 1 << 13 };

/// Rows before the last ones of a job.
#[derive(Clone, Debug)]
enum Piece {
    /// Those of some games.
    Packed(Chunk),
    /// Those of a game, to be made.
    Long(Box<LongGame>),
}

/// The rows of a job.
#[derive(Clone, Debug, Default)]
pub struct JobRows {
    before: Vec<Piece>,
    pub(super) last: Rows,
}

impl Part for JobRows {
    fn clear(&mut self) {
        self.before.clear();
        self.last.clear();
    }
}

impl JobRows {
    /// A game was added, whose first row is this one of `last`.
    pub(super) fn game_added(&mut self, first_row: usize) {
        let rows = self.last.rows_count();
        // To compress the rows of a very long game would need twice their memory at once.
        let is_many = |bytes| (PIECE_BYTES_MAX..4 * PIECE_BYTES_MAX).contains(&bytes);
        if rows / ROWS_BETWEEN > first_row / ROWS_BETWEEN && is_many(self.last.bytes()) {
            self.pack();
        }
    }

    /// A game was read whose rows are made later.
    pub(super) fn add_long(&mut self, game: LongGame) {
        if self.last.games_count() > 0 {
            self.pack();
        }
        self.before.push(Piece::Long(Box::new(game)));
    }

    #[cold]
    fn pack(&mut self) {
        let mut bytes = Vec::new();
        self.last.save(&mut bytes);
        self.last.clear();
        self.before.push(Piece::Packed(Chunk::of(&bytes)));
    }

    /// Calls `take` with the rows of some games, or a part of those of one, each time, in order.
    ///
    /// # Errors
    /// Those of `take`; not enough memory.
    pub fn pieces(self, mut take: impl FnMut(Rows) -> Result<()>) -> Result<()> {
        for piece in self.before {
            let chunk = match piece {
                Piece::Packed(chunk) => chunk,
                Piece::Long(game) => {
                    game.parts(&mut take)?;
                    continue;
                }
            };
            let rows = Loader::new(&chunk.unpack()?).value();
            // It was made from rows.
            take(
                rows.ok_or_else(|| Error::usage("a bug in this program: rows are not as packed"))?,
            )?;
        }
        if self.last.games_count() > 0 { take(self.last) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::buffer::Buffer;
    use super::super::kind::Kind;
    use super::*;

    /// Games of some rows, with a text each and a number per row.
    fn add(rows: &mut JobRows, game: usize) -> (String, usize) {
        let (text, count) = (format!("game {game}").repeat(1 + game % 7), game * 5 % 3);
        let last = &mut rows.last;
        if last.columns.is_empty() {
            last.columns = vec![Buffer::new(Kind::Text), Buffer::new(Kind::Int32)];
        }
        last.columns[0].text((!game.is_multiple_of(4)).then_some(&text));
        (0..count)
            .for_each(|row| last.columns[1].int32(row.is_multiple_of(2).then_some(game as i32)));
        let first_row = last.rows_count();
        last.game_ends.push((first_row + count) as u32);
        last.game_bytes.push(game as u32);
        rows.game_added(first_row);
        (if game.is_multiple_of(4) { String::new() } else { text }, count)
    }

    #[test]
    fn pieces_are_the_rows_in_their_order() {
        for games in [0, 1, 10, 3_000] {
            let mut rows = JobRows::default();
            let wanted: Vec<(String, usize)> =
                (0..games).map(|game| add(&mut rows, game)).collect();
            let (mut found, mut pieces) = (Vec::new(), 0);
            rows.pieces(|rows| {
                pieces += 1;
                assert!(rows.bytes() < 2 * PIECE_BYTES_MAX);
                let (Buffer::Text(texts), Buffer::Int32(numbers)) =
                    (&rows.columns[0], &rows.columns[1])
                else {
                    unreachable!()
                };
                let mut row = 0;
                for (game, &end) in rows.game_ends.iter().enumerate() {
                    let number = rows.game_bytes[game] as i32;
                    for at in row..end as usize {
                        let is_some = (at - row).is_multiple_of(2);
                        assert_eq!(numbers.get(at), is_some.then_some(number));
                    }
                    let text = texts.get(game).unwrap_or_default().into_owned();
                    found.push((text, end as usize - row));
                    row = end as usize;
                }
                Ok(())
            })
            .unwrap();
            assert_eq!(found, wanted);
            assert_eq!(pieces > 1, games > 1_000);
        }
    }
}
