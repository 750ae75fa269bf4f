//! The rows of the table of positions, and its columns.
//!
//! In: pairs of whole positions, in order. Out: rows in the order of the table, and buffers of their values.
//! Invariant: within a position the move of more games comes first, then the order of `uci`. Cost: a position is
//! unpacked once, a move is played once for its check.

use super::super::export::{Buffer, Column, Kind, Source};
use super::key::{ChessKey, OtherKey};
use super::pair::{Pair, Sums};
use crate::chess::Color;
use crate::chess::rules::RulesKind;

/// A row: what was played in a position.
#[derive(Clone, Debug)]
pub struct Row {
    /// The index of the ruleset.
    pub rules: u8,
    /// The Polyglot key, of chess and Chess960.
    pub hash: Option<u64>,
    /// The record of the position without its move clocks.
    pub fen: String,
    /// The move.
    pub uci: String,
    /// The move.
    pub san: String,
    /// The side to move.
    pub turn: Color,
    /// Its games.
    pub sums: Sums,
}

/// The rows of pairs of whole positions.
pub trait RowsOf: Sized {
    /// The rows, in the order of the table.
    fn rows(pairs: Vec<Pair<Self>>) -> Vec<Row>;
}

impl RowsOf for ChessKey {
    fn rows(pairs: Vec<Pair<ChessKey>>) -> Vec<Row> {
        let mut rows = Vec::with_capacity(pairs.len());
        for group in pairs.chunk_by(|a, b| a.key.has_position_of(&b.key)) {
            let first = &group[0].key;
            let (position, fen, start) = (first.position(), first.fen(), rows.len());
            rows.extend(group.iter().map(|Pair { key, sums }| {
                let [uci, san] = key.moves(&position);
                Row {
                    rules: key.rules().index() as u8,
                    hash: Some(key.hash),
                    fen: fen.clone(),
                    uci,
                    san,
                    turn: key.turn(),
                    sums: *sums,
                }
            }));
            order(&mut rows[start..]);
        }
        rows
    }
}

impl RowsOf for OtherKey {
    fn rows(pairs: Vec<Pair<OtherKey>>) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::with_capacity(pairs.len());
        let mut start = 0;
        for Pair { key, sums } in pairs {
            let turn = key.turn();
            let OtherKey { rules, fen, uci, san } = key;
            if rows.last().is_some_and(|last| (last.rules, &last.fen) != (rules, &fen)) {
                order(&mut rows[start..]);
                start = rows.len();
            }
            rows.push(Row { rules, hash: None, fen, uci, san, turn, sums });
        }
        order(&mut rows[start..]);
        rows
    }
}

/// Puts the moves of a position in order.
fn order(rows: &mut [Row]) {
    rows.sort_unstable_by(|a, b| b.sums.games.cmp(&a.sums.games).then_with(|| a.uci.cmp(&b.uci)));
}

/// What the table has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The column `rules`: not all rows are of chess.
    pub rules: bool,
    /// Sums in place of means, so that tables can be added.
    pub sums: bool,
}

const NO_RATINGS: &str = "no game has two ratings";
const NO_DATE: &str = "no game has a complete date";

impl Shape {
    /// The columns.
    pub fn columns(self) -> Vec<Column> {
        let column = |name, kind, doc| Column::new(name, kind, Source::Row, doc);
        let mut columns = Vec::new();
        if self.rules {
            columns.push(
                column(
                    "rules",
                    Kind::Text,
                    "the ruleset of the position, by the names of the dimension `rules`",
                )
                .example("chess960"),
            );
        }
        columns.extend([
            column("fen", Kind::Text, "the position: its FEN record without the move clocks")
                .example("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"),
            column("hash", Kind::UInt64, "the Polyglot key of this record")
                .null("neither chess nor Chess960")
                .example("5060803636482931868"),
            column(
                "ply",
                Kind::UInt16,
                "the smallest number of plies after which a game was there",
            )
            .unit("plies")
            .example("0"),
            column("uci", Kind::Text, "the move").example("e2e4"),
            column("san", Kind::Text, "the move").example("e4"),
            column(
                "games",
                Kind::UInt64,
                "games; each counts once for a move, however often it repeats it",
            )
            .example("31210"),
            column("white", Kind::UInt64, "games that White won").example("12001"),
            column("draws", Kind::UInt64, "drawn games").example("10444"),
            column("black", Kind::UInt64, "games that Black won").example("8764"),
            column("score", Kind::Float64, "points of the side to move per game with a result")
                .null("no game has a result")
                .example("0.55"),
        ]);
        columns.extend(match self.sums {
            false => [
                column("rating_mean", Kind::Float64, "the mean rating of the side to move, of the games in which both ratings are numbers"),
                column("opponent_rating_mean", Kind::Float64, "that of the other side"),
            ]
            .map(|column| column.null(NO_RATINGS).example("2541.7")),
            true => [
                column("rating_sum", Kind::Int64, "the sum of the ratings of the side to move, of the games in which both ratings are numbers"),
                column("opponent_rating_sum", Kind::Int64, "that of the other side"),
            ]
            .map(|column| column.example("79325000")),
        });
        columns.extend([
            column("rated_games", Kind::UInt64, "games in which both ratings are numbers").example("31209"),
            column("first_date", Kind::Date, "the first of the complete dates").null(NO_DATE).example("1851-06-21"),
            column("last_date", Kind::Date, "the last of the complete dates").null(NO_DATE).example("2024-11-30"),
            column("sample_archive", Kind::Text, "the archive of the game with the highest sum of ratings; of equals the first one").example("masters.pgn"),
            column("sample_offset", Kind::UInt64, "offset of this game in the text of its archive; the command `explain` shows the game there").unit("bytes").example("611"),
        ]);
        if self.sums {
            columns.push(
                column("sample_ratings", Kind::Int32, "the sum of the ratings of this game")
                    .example("5700"),
            );
        }
        columns
    }

    /// The values of rows, column by column. `archives`: the names of the archives.
    pub fn buffers(self, rows: &[Row], archives: &[String]) -> Vec<Buffer> {
        let mut buffers: Vec<Buffer> =
            self.columns().iter().map(|column| Buffer::new(column.kind)).collect();
        for row in rows {
            let mut next = buffers.iter_mut();
            let mut with = |write: &dyn Fn(&mut Buffer)| next.next().map_or((), write);
            let Row { sums, .. } = row;
            if self.rules {
                let name = RulesKind::NAMES.get(usize::from(row.rules)).copied();
                with(&|it| it.text(name));
            }
            with(&|it| it.text(Some(&row.fen)));
            with(&|it| it.uint64(row.hash));
            with(&|it| it.int32(Some(sums.ply.into())));
            with(&|it| it.text(Some(&row.uci)));
            with(&|it| it.text(Some(&row.san)));
            for count in [sums.games, sums.white, sums.draws, sums.black] {
                with(&|it| it.uint64(Some(count)));
            }
            with(&|it| it.float64(row.score()));
            for sum in [sums.rating_sum, sums.opponent_rating_sum] {
                match self.sums {
                    true => with(&|it| it.int64(Some(sum))),
                    false => with(&|it| it.float64(mean(sum, sums.rated_games))),
                }
            }
            with(&|it| it.uint64(Some(sums.rated_games)));
            let dates = sums.dates();
            with(&|it| it.int32(dates.map(|dates| dates[0])));
            with(&|it| it.int32(dates.map(|dates| dates[1])));
            let archive = archives.get(sums.sample.archive as usize).map_or("", String::as_str);
            with(&|it| it.text(Some(archive)));
            with(&|it| it.uint64(Some(sums.sample.offset)));
            if self.sums {
                with(&|it| it.int32(Some(sums.sample.ratings)));
            }
        }
        buffers
    }
}

impl Row {
    /// Points of the side to move per game with a result.
    pub fn score(&self) -> Option<f64> {
        let (points, games) = self.sums.points(self.turn);
        (games > 0).then(|| points as f64 / (2 * games) as f64)
    }
}

/// A mean of ratings.
pub fn mean(sum: i64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}
