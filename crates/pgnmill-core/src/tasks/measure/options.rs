//! The options of a measurement, and its part of a job.
//!
//! In: notations and dimensions. Out: [`Measured`]. Invariant: what was not requested is `None` or empty. Cost: a
//! tally is emptied and used again.

use std::sync::Arc;

use crate::engine::Part;
use crate::notation::NOTATIONS;

use super::game_rows::GameRows;
use super::study::{
    BpeTokens, Characters, ErrorDraws, Errors, GameMoves, Information, Studied, Units, Vocabularies,
};
use super::tally::{
    ArchiveFacts, Clusters, Dimensions, GameLengths, OtherGame, Products, Selection, Tally,
};

/// Measures games.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Keep a row for each game.
    pub per_game: bool,
    /// The notations.
    pub selection: Selection,
    /// The dimensions to break down by.
    pub keys: Dimensions,
    /// The products of dimensions to break down by; their dimensions are in `keys`.
    pub products: Products,
    /// Of one in so many games, a power of two, the moves are compared with those of others.
    pub repeats_of_one_in: u64,
    /// Count how games differ, with these clusters.
    pub clusters: Clusters,
    /// Count the occurrences of each text.
    pub information: bool,
    /// Keep the moves of every game, for compression and codes.
    pub moves: bool,
    /// Make errors in the texts of games, and count what they do.
    pub errors: Option<ErrorDraws>,
    /// Count the occurrences of each character.
    pub writing: bool,
    /// Count the tokens of movetext in these vocabularies, if there are any.
    pub vocabularies: Arc<Vocabularies>,
}

impl Default for Measure {
    fn default() -> Measure {
        Measure {
            per_game: false,
            selection: Selection::default(),
            keys: Dimensions::default(),
            products: Products::default(),
            repeats_of_one_in: 1,
            clusters: Clusters::default(),
            information: false,
            moves: false,
            errors: None,
            writing: false,
            vocabularies: Arc::default(),
        }
    }
}

impl Measure {
    /// The counts of no game.
    pub fn new_tally(&self) -> Tally {
        let tally = Tally::new(self.keys, self.selection);
        tally.with_clusters(self.clusters).with_products(self.products)
    }

    /// The notations whose texts are counted and compressed, if requested.
    pub fn studied(&self) -> Studied {
        Studied::of(self.selection.iter().map(|index| NOTATIONS[index].info().name))
    }
}

/// The measurements of a job.
#[derive(Debug, Default)]
pub struct Measured {
    /// Lengths in groups, if a game was measured.
    pub tally: Option<Tally>,
    /// What the measured games tell of their origin.
    pub archive: ArchiveFacts,
    /// The fingerprints of games that are long enough to be compared.
    pub fingerprints: Vec<u64>,
    /// Counts of each text, if requested.
    pub information: Option<Information>,
    /// Rows of games, if requested.
    pub rows: GameRows,
    /// The moves of games, if requested for compression or codes.
    pub moves: Vec<GameMoves>,
    /// What errors do, if requested.
    pub errors: Option<Errors>,
    /// Counts of each character, if requested.
    pub characters: Option<Characters>,
    /// Tokens of movetext, if requested.
    pub tokens: Option<BpeTokens>,
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

/// The buffers that a worker keeps from job to job.
#[derive(Debug, Default)]
pub struct Buffers {
    pub(super) lengths: GameLengths,
    pub(super) moves: GameMoves,
    pub(super) other: OtherGame,
    pub(super) units: Units,
}
