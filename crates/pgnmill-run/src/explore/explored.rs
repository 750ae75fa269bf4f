//! The answer of a table of positions.
//!
//! In: the requested position, its moves, or a tree. Out: its name, the sum of its moves, a record per move:
//! the line from the requested position, the columns of the table, the share of the games. Invariant: all
//! records have the same fields; what a table does not have is null. Cost: the length of the text.

use pgnmill_columns::PositionRow;
use pgnmill_core::chess::{Color, Position, Role, Square};
use pgnmill_core::openings::{Opening, Openings};
use pgnmill_core::tasks::positions::record_of;
use serde_json::Value;

use super::requested_position::RequestedPosition;
use super::tree::{ExploredMove, MoveTree, games_of};
use crate::text::records::Records;

/// The fields of a record.
const FIELDS: [&str; 23] = [
    "line",
    "rules",
    "fen",
    "eco",
    "opening",
    "ply",
    "uci",
    "san",
    "games",
    "share",
    "white",
    "draws",
    "black",
    "score",
    "rating_mean",
    "opponent_rating_mean",
    "rated_games",
    "first_date",
    "last_date",
    "sample_archive",
    "sample_offset",
    "weight",
    "depth",
];

/// What was played in a position.
#[derive(Debug)]
pub struct Explored {
    /// The position.
    pub requested: RequestedPosition,
    /// Its moves.
    pub tree: MoveTree,
    /// Were the moves after its moves requested, too?
    pub is_tree: bool,
    /// Is it that of a book, which has weights in place of games?
    pub is_book: bool,
}

impl Explored {
    /// Is the position in the table?
    pub fn is_found(&self) -> bool {
        !self.tree.rows.is_empty()
    }

    /// The name of the position: its opening, or the last one before it.
    pub fn name(&self) -> String {
        match self.requested.opening {
            Some(opening) => format!("{} ({})", opening.name, opening.eco),
            None if self.requested.is_start => "The starting position".to_string(),
            None => "A position without a name".to_string(),
        }
    }

    /// Is it a position of chess without castling rights in which a king and a rook of his are where they begin?
    pub fn is_without_rights(&self) -> bool {
        let is_home = |position: &Position| {
            [Color::White, Color::Black].into_iter().any(|color| {
                let at = |file| Square::at(file, color.rank(0));
                let rooks = position.role(Role::Rook) & position.color(color);
                position.king(color) == at(4) && [0, 7].into_iter().any(|file| rooks.has(at(file)))
            })
        };
        self.requested.position.chess().is_some_and(|it| it.castling_bits() == 0 && is_home(it))
    }

    /// Its record, without the move clocks.
    pub fn record(&self) -> String {
        record_of(&self.requested.position)
    }

    /// The sum of all moves of the position. Of a book `games` is that of the weights, and the results are null.
    pub fn total(&self) -> PositionRow {
        let rows = &self.tree.rows;
        let sum = |of: fn(&PositionRow) -> Option<u64>| {
            rows.iter().map(of).try_fold(0_u64, |sum, count| Some(sum.saturating_add(count?)))
        };
        let rated = sum(|row| row.rated_games).filter(|rated| *rated > 0);
        let ratings =
            rows.iter().filter_map(|row| Some(row.rating_mean? * row.rated_games? as f64));
        let ratings: f64 = ratings.sum();
        PositionRow {
            games: Some(self.tree.games),
            white: sum(|row| row.white),
            draws: sum(|row| row.draws),
            black: sum(|row| row.black),
            rating_mean: rated.map(|rated| ratings / rated as f64),
            last_date: rows.iter().filter_map(|row| row.last_date.clone()).max(),
            ..PositionRow::default()
        }
    }

    /// The share of a move, of the games of the requested position.
    pub fn share(&self, of: &ExploredMove) -> Option<f64> {
        let games = self.tree.games;
        (games > 0).then(|| games_of(&of.row) as f64 / games as f64)
    }

    /// The opening of the position in which a move was played; of a first move as [`RequestedPosition::opening`].
    pub fn opening(&self, of: &ExploredMove, before: &[&ExploredMove]) -> Option<&'static Opening> {
        if before.is_empty() {
            return self.requested.opening;
        }
        let position = of.before.chess().filter(|position| !position.is_chess960())?;
        Openings::standard().find(position)
    }

    /// The moves, each after those that lead to it.
    pub fn records(&self) -> Records {
        let mut records = Records::of(&FIELDS);
        self.tree.visit(|of, before| records.add(self.values(of, before)));
        records
    }

    fn values(&self, of: &ExploredMove, before: &[&ExploredMove]) -> [Value; FIELDS.len()] {
        let row = &of.row;
        let line: Vec<&str> = before.iter().copied().chain([of]).map(ExploredMove::text).collect();
        let opening = self.opening(of, before);
        [
            line.into(),
            of.before.rules().name().into(),
            of.record().into(),
            opening.map(|opening| opening.eco).into(),
            opening.map(|opening| opening.name).into(),
            row.ply.into(),
            row.uci.as_str().into(),
            row.san.as_str().into(),
            row.games.into(),
            self.share(of).into(),
            row.white.into(),
            row.draws.into(),
            row.black.into(),
            row.score.into(),
            row.rating_mean.into(),
            row.opponent_rating_mean.into(),
            row.rated_games.into(),
            row.first_date.clone().into(),
            row.last_date.clone().into(),
            row.sample_archive.clone().into(),
            row.sample_offset.into(),
            row.weight.into(),
            (before.len() + 1).into(),
        ]
    }
}
