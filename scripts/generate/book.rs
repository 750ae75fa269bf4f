//! The openings: lines of `openings.txt`, and the name of the longest that a game follows.

use pgnmill_core::chess::{Move, Position};
use pgnmill_core::notation;

use super::chance::Chance;

const LINES: &str = include_str!("openings.txt");

/// One line of the book.
#[derive(Debug)]
pub(super) struct Opening {
    weight: u64,
    /// The code of the Encyclopaedia of Chess Openings.
    pub(super) eco: &'static str,
    /// Its name.
    pub(super) name: &'static str,
    /// Its moves.
    pub(super) moves: Vec<Move>,
}

/// All lines.
#[derive(Debug)]
pub(super) struct Book(Vec<Opening>);

impl Book {
    /// Reads the book.
    ///
    /// # Panics
    /// If a line cannot be read or a move in it is not legal.
    pub(super) fn open() -> Book {
        let lines = LINES.lines().filter(|line| !line.starts_with('#'));
        Book(lines.map(|line| opening(line).unwrap_or_else(|| panic!("{line}"))).collect())
    }

    /// A random line, by weight.
    pub(super) fn choose(&self, chance: &mut Chance) -> &Opening {
        &self.0[chance.weighted(self.0.iter().map(|opening| opening.weight))]
    }

    /// The longest line that the game begins with.
    pub(super) fn name(&self, game: &[Move]) -> Option<&Opening> {
        let begins = |opening: &&Opening| game.starts_with(&opening.moves);
        self.0.iter().filter(begins).max_by_key(|opening| opening.moves.len())
    }
}

fn opening(line: &'static str) -> Option<Opening> {
    let mut fields = line.split('|').map(str::trim);
    let weight = fields.next()?.parse().ok()?;
    let (eco, name, texts) = (fields.next()?, fields.next()?, fields.next()?);
    let san = notation::find("san")?;
    let mut position = Position::initial();
    let mut moves = Vec::new();
    for text in texts.split(' ') {
        let mv = san.decode(&position, text.as_bytes()).ok()?;
        position = position.play(mv);
        moves.push(mv);
    }
    Some(Opening { weight, eco, name, moves })
}
