//! The options of a measurement, and what it makes of a job.

use crate::engine::Part;
use crate::notation::NOTATIONS;

use super::game_rows::GameRows;
use super::study::{GameMoves, Information, Studied};
use super::tally::{Dimensions, GameLengths, Selection, Tally};

/// Measures games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measure {
    /// Keep a row for each game too.
    pub per_game: bool,
    /// The notations.
    pub selection: Selection,
    /// The dimensions to break down by.
    pub keys: Dimensions,
    /// One game in so many is measured, drawn by its own text.
    pub sample: u64,
    /// Count how often each text occurs.
    pub information: bool,
    /// Keep the moves of every game, to be compressed.
    pub moves: bool,
}

impl Measure {
    /// The notations whose texts are studied, if any are.
    pub fn studied(self) -> Studied {
        Studied::of(self.selection.iter().map(|place| NOTATIONS[place].info().name))
    }
}

impl Default for Measure {
    fn default() -> Measure {
        Measure {
            per_game: false,
            selection: Selection::default(),
            keys: Dimensions::default(),
            sample: 1,
            information: false,
            moves: false,
        }
    }
}

/// What was measured in a job.
#[derive(Debug, Default)]
pub struct Measured {
    /// What notations cost, if a game was measured.
    pub tally: Option<Tally>,
    /// How often each text occurs, if it was requested.
    pub information: Option<Information>,
    /// Games, if rows were requested.
    pub rows: GameRows,
    /// The moves of games, if they are to be compressed.
    pub moves: Vec<GameMoves>,
}

impl Part for Measured {
    fn clear(&mut self) {
        let mut tally = self.tally.take();
        if let Some(tally) = &mut tally {
            tally.clear();
        }
        *self = Measured { tally, ..Measured::default() };
    }
}

/// What a worker keeps from job to job.
#[derive(Debug, Default)]
pub struct Buffers {
    pub(super) lengths: GameLengths,
    pub(super) moves: GameMoves,
}
