//! The rows of the table of positions, and its columns.
//!
//! In: pairs of whole positions, in order. Out: the values of its columns. Invariant: within a position the move of
//! more games comes first, then the order of `uci`. Cost: a position is unpacked once, a move is played once for its
//! check; no allocation per row.

use super::super::export::{Buffer, Column, Fixed, Kind, Source, Texts};
use super::key::{ChessKey, OtherKey};
use super::pair::{Pair, Sums};
use super::stored_row::StoredRow;
use crate::chess::Color;
use crate::chess::rules::RulesKind;
use crate::notation::MoveText;

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
}

/// The values of rows, column by column.
#[derive(Debug)]
pub struct Rows<'a> {
    shape: Shape,
    /// The names of the archives.
    archives: &'a [String],
    /// Positions of the rows.
    pub positions: u64,
    /// The rows.
    pub rows: usize,
    /// The sum of the digests of the rows, of sums alone.
    pub digest: u64,
    rules: Texts,
    fen: Texts,
    hash: Fixed<i64>,
    ply: Fixed<i32>,
    uci: Texts,
    san: Texts,
    /// Games, those that White won, drawn ones, those that Black won.
    counts: [Fixed<i64>; 4],
    score: Fixed<f64>,
    rating_means: [Fixed<f64>; 2],
    rating_sums: [Fixed<i64>; 2],
    rated_games: Fixed<i64>,
    dates: [Fixed<i32>; 2],
    sample_archive: Texts,
    sample_offset: Fixed<i64>,
    sample_ratings: Fixed<i32>,
}

/// A text as a value of a column.
fn push_text(texts: &mut Texts, text: &[u8]) {
    texts.extend(text);
    texts.end_row(true);
}

/// The name of the archive of the sample.
fn archive_of<'a>(archives: &'a [String], sums: &Sums) -> &'a [u8] {
    archives.get(sums.sample.archive as usize).map_or(&[], |it| it.as_bytes())
}

impl<'a> Rows<'a> {
    /// No rows. `archives`: the names of the archives of the run.
    pub fn new(shape: Shape, archives: &'a [String]) -> Rows<'a> {
        Rows {
            shape,
            archives,
            positions: 0,
            rows: 0,
            digest: 0,
            rules: Texts::default(),
            fen: Texts::default(),
            hash: Fixed::default(),
            ply: Fixed::default(),
            uci: Texts::default(),
            san: Texts::default(),
            counts: Default::default(),
            score: Fixed::default(),
            rating_means: Default::default(),
            rating_sums: Default::default(),
            rated_games: Fixed::default(),
            dates: Default::default(),
            sample_archive: Texts::default(),
            sample_offset: Fixed::default(),
            sample_ratings: Fixed::default(),
        }
    }

    /// Adds the rows of pairs of chess and Chess960: of whole positions, in order.
    pub fn add_chess(&mut self, pairs: &[Pair<ChessKey>]) {
        let (mut fen, mut moves) = (Vec::new(), Vec::new());
        for group in pairs.chunk_by(|a, b| a.key.has_position_of(&b.key)) {
            let first = &group[0].key;
            let position = first.position();
            fen.clear();
            first.write_fen(&position, &mut fen);
            moves.clear();
            moves.extend(group.iter().map(|Pair { key, sums }| {
                let [uci, san] = key.moves(&position);
                (uci, san, sums)
            }));
            let rank = |it: &(MoveText, MoveText, &Sums)| std::cmp::Reverse(it.2.games);
            moves.sort_unstable_by(|a, b| {
                rank(a).cmp(&rank(b)).then_with(|| a.0.as_bytes().cmp(b.0.as_bytes()))
            });
            self.positions += 1;
            for (uci, san, sums) in &moves {
                self.add(
                    &StoredRow {
                        rules: first.rules().index(),
                        hash: Some(first.hash),
                        fen: &fen,
                        uci: uci.as_bytes(),
                        san: san.as_bytes(),
                        sums: **sums,
                        archive: archive_of(self.archives, sums),
                    },
                    first.turn(),
                );
            }
        }
    }

    /// Adds the rows of pairs of the other rulesets: of whole positions, in order.
    pub fn add_others(&mut self, mut pairs: Vec<Pair<OtherKey>>) {
        for group in pairs.chunk_by_mut(|a, b| a.key.has_position_of(&b.key)) {
            group.sort_unstable_by(|a, b| {
                let by_games = b.sums.games.cmp(&a.sums.games);
                by_games.then_with(|| a.key.uci.cmp(&b.key.uci))
            });
            self.positions += 1;
            for Pair { key, sums } in group {
                self.add(
                    &StoredRow {
                        rules: key.rules.into(),
                        hash: None,
                        fen: key.fen.as_bytes(),
                        uci: key.uci.as_bytes(),
                        san: key.san.as_bytes(),
                        sums: *sums,
                        archive: archive_of(self.archives, sums),
                    },
                    key.turn(),
                );
            }
        }
    }

    /// Adds a row of a position in which this side is to move.
    fn add(&mut self, row: &StoredRow<'_>, turn: Color) {
        self.rows += 1;
        if self.shape.sums {
            self.digest = self.digest.wrapping_add(row.digest());
        }
        if self.shape.rules {
            let rules = RulesKind::NAMES.get(row.rules).map_or(&b""[..], |it| it.as_bytes());
            push_text(&mut self.rules, rules);
        }
        push_text(&mut self.fen, row.fen);
        self.hash.push(row.hash.map(u64::cast_signed));
        push_text(&mut self.uci, row.uci);
        push_text(&mut self.san, row.san);
        self.add_sums(turn, &row.sums);
        push_text(&mut self.sample_archive, row.archive);
    }

    fn add_sums(&mut self, turn: Color, sums: &Sums) {
        self.ply.push(Some(sums.ply.into()));
        let counts = [sums.games, sums.white, sums.draws, sums.black];
        for (values, count) in self.counts.iter_mut().zip(counts) {
            values.push(Some(count.cast_signed()));
        }
        let (points, games) = sums.points(turn);
        self.score.push((games > 0).then(|| points as f64 / (2 * games) as f64));
        let ratings = [sums.rating_sum, sums.opponent_rating_sum];
        if self.shape.sums {
            self.rating_sums.iter_mut().zip(ratings).for_each(|(it, sum)| it.push(Some(sum)));
            self.sample_ratings.push(Some(sums.sample.ratings));
        } else {
            let means = self.rating_means.iter_mut().zip(ratings);
            means.for_each(|(it, sum)| it.push(mean(sum, sums.rated_games)));
        }
        self.rated_games.push(Some(sums.rated_games.cast_signed()));
        let dates = sums.dates();
        for (values, which) in self.dates.iter_mut().zip([0, 1]) {
            values.push(dates.map(|dates: [i32; 2]| dates[which]));
        }
        self.sample_offset.push(Some(sums.sample.offset.cast_signed()));
    }

    /// The columns of [`Shape::columns`].
    pub fn into_buffers(self) -> Vec<Buffer> {
        let mut buffers = Vec::new();
        buffers.extend(self.shape.rules.then_some(Buffer::Text(self.rules)));
        buffers.extend([
            Buffer::Text(self.fen),
            Buffer::Int64(self.hash),
            Buffer::Int32(self.ply),
            Buffer::Text(self.uci),
            Buffer::Text(self.san),
        ]);
        buffers.extend(self.counts.map(Buffer::Int64));
        buffers.push(Buffer::Float64(self.score));
        match self.shape.sums {
            true => buffers.extend(self.rating_sums.map(Buffer::Int64)),
            false => buffers.extend(self.rating_means.map(Buffer::Float64)),
        }
        buffers.push(Buffer::Int64(self.rated_games));
        buffers.extend(self.dates.map(Buffer::Int32));
        buffers.extend([Buffer::Text(self.sample_archive), Buffer::Int64(self.sample_offset)]);
        buffers.extend(self.shape.sums.then_some(Buffer::Int32(self.sample_ratings)));
        buffers
    }
}

/// A mean of ratings.
pub fn mean(sum: i64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}
