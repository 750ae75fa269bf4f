//! A row of a table of positions: a move, and what became of it.
//!
//! In: the values of columns by their names, of any format. Out: a [`PositionRow`]. Invariant: sums are divided as they
//! are where a table has means. Cost: some texts.

use pgnmill_core::tasks::export::date_text;
use pgnmill_core::tasks::positions::mean;

use super::flaw::Flaw;

/// The columns without which a file is no table of positions.
pub(super) const REQUIRED: [&str; 7] = ["fen", "uci", "san", "games", "white", "draws", "black"];

/// All that is read.
pub(super) const COLUMNS: [&str; 21] = [
    "rules",
    "fen",
    "hash",
    "uci",
    "san",
    "ply",
    "games",
    "white",
    "draws",
    "black",
    "score",
    "rating_mean",
    "opponent_rating_mean",
    "rating_sum",
    "opponent_rating_sum",
    "rated_games",
    "first_date",
    "last_date",
    "sample_archive",
    "sample_offset",
    "sample_ratings",
];

/// A move in a position. A Polyglot book has `book_move` and `weight` and nothing else; a table has neither.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PositionRow {
    /// The move.
    pub uci: String,
    /// The move.
    pub san: String,
    /// The smallest number of plies after which a game was there.
    pub ply: Option<u64>,
    /// Games with this move.
    pub games: Option<u64>,
    /// Games that White won.
    pub white: Option<u64>,
    /// Drawn games.
    pub draws: Option<u64>,
    /// Games that Black won.
    pub black: Option<u64>,
    /// Points of the side to move per game with a result.
    pub score: Option<f64>,
    /// The mean rating of the side to move.
    pub rating_mean: Option<f64>,
    /// That of the other side.
    pub opponent_rating_mean: Option<f64>,
    /// Games in which both ratings are numbers.
    pub rated_games: Option<u64>,
    /// The first of the complete dates, as `2024-11-30`.
    pub first_date: Option<String>,
    /// The last one.
    pub last_date: Option<String>,
    /// The archive of a game with this move.
    pub sample_archive: Option<String>,
    /// The offset of this game in the text of its archive.
    pub sample_offset: Option<u64>,
    /// The move in Polyglot's 16 bits.
    pub book_move: Option<u16>,
    /// The weight of the move in a book.
    pub weight: Option<u16>,
}

/// A value of a column.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) enum Value {
    #[default]
    Null,
    Text(String),
    Signed(i64),
    Unsigned(u64),
    Real(f64),
    /// Days since 1970-01-01.
    Date(i32),
}

impl Value {
    fn text(self) -> Result<Option<String>, &'static str> {
        match self {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            _ => Err("is no text"),
        }
    }

    fn date(self) -> Result<Option<String>, &'static str> {
        match self {
            Value::Date(days) => Ok(Some(date_text(days))),
            other => other.text().map_err(|_| "is no date"),
        }
    }

    fn count(self) -> Result<Option<u64>, &'static str> {
        match self {
            Value::Null => Ok(None),
            Value::Unsigned(number) => Ok(Some(number)),
            Value::Signed(number) => u64::try_from(number).map(Some).map_err(|_| "is negative"),
            Value::Text(text) => text.parse().map(Some).map_err(|_| "is no number"),
            _ => Err("is no number"),
        }
    }

    fn sum(self) -> Result<Option<i64>, &'static str> {
        match self {
            Value::Null => Ok(None),
            Value::Signed(number) => Ok(Some(number)),
            Value::Unsigned(number) => i64::try_from(number).map(Some).map_err(|_| "is too great"),
            Value::Text(text) => text.parse().map(Some).map_err(|_| "is no number"),
            _ => Err("is no number"),
        }
    }

    fn real(self) -> Result<Option<f64>, &'static str> {
        let number = match self {
            Value::Null => return Ok(None),
            Value::Real(number) => number,
            Value::Signed(number) => number as f64,
            Value::Unsigned(number) => number as f64,
            Value::Text(text) => text.parse().map_err(|_| "is no number")?,
            Value::Date(_) => return Err("is no number"),
        };
        if number.is_finite() { Ok(Some(number)) } else { Err("is no number") }
    }
}

impl PositionRow {
    /// The row of which `value` gives the values of columns, null for a column that the table does not have.
    pub(super) fn of(
        mut value: impl FnMut(&'static str) -> Result<Value, Flaw>,
    ) -> Result<PositionRow, Flaw> {
        /// The value of a column in a type.
        macro_rules! read {
            ($name:literal as $kind:ident) => {
                value($name)?.$kind().map_err(|why| Flaw::new(format_args!("{} {why}", $name)))?
            };
        }
        let rated_games = read!("rated_games" as count);
        let rating_sum = read!("rating_sum" as sum);
        let opponent_sum = read!("opponent_rating_sum" as sum);
        let of_sum = |sum: Option<i64>| mean(sum?, rated_games?);
        Ok(PositionRow {
            uci: read!("uci" as text).ok_or_else(|| Flaw::new("a move is missing"))?,
            san: read!("san" as text).unwrap_or_default(),
            ply: read!("ply" as count),
            games: read!("games" as count),
            white: read!("white" as count),
            draws: read!("draws" as count),
            black: read!("black" as count),
            score: read!("score" as real),
            rating_mean: read!("rating_mean" as real).or(of_sum(rating_sum)),
            opponent_rating_mean: read!("opponent_rating_mean" as real).or(of_sum(opponent_sum)),
            rated_games,
            first_date: read!("first_date" as date),
            last_date: read!("last_date" as date),
            sample_archive: read!("sample_archive" as text),
            sample_offset: read!("sample_offset" as count),
            book_move: None,
            weight: None,
        })
    }
}
