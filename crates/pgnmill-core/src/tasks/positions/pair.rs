//! What is known of a pair: sums over its games.
//!
//! In: games, one by one, or the sums of other games. Out: the same sums in whatever order and parts they are added.
//! Invariant: only integers, minima and maxima are kept; a mean is divided once, when it is written. Cost: some
//! additions.

use std::cmp::Reverse;

use pgnmill_state::{State, state};

use super::super::sorter::Stored;
use super::key::{ChessKey, OtherKey};
use super::task::GameEntry;
use crate::chess::Color;
use crate::pgn::Outcome;

/// The game that a row names as an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The sum of both ratings; one that is no number is none.
    pub ratings: i32,
    /// The index of its archive among those of the run.
    pub archive: u32,
    /// Offset of the game in the text of the archive, in bytes.
    pub offset: u64,
}

state!(Sample { ratings, archive, offset });

impl Sample {
    /// The one with the higher ratings; of equals the first one.
    fn better(self, other: Sample) -> Sample {
        let rank = |it: Sample| (it.ratings, Reverse((it.archive, it.offset)));
        if rank(other) > rank(self) { other } else { self }
    }
}

/// Sums over the games of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sums {
    /// The games.
    pub games: u64,
    /// Games that White won.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// Games in which both ratings are numbers.
    pub rated_games: u64,
    /// The ratings of the side to move in these games.
    pub rating_sum: i64,
    /// The ratings of the other side.
    pub opponent_rating_sum: i64,
    /// The smallest number of plies after which a game was there.
    pub ply: u16,
    /// The first and the last of the complete dates, in days since 1970-01-01; empty if there is none.
    pub dates: [i32; 2],
    /// An example.
    pub sample: Sample,
}

state!(Sums {
    games,
    white,
    draws,
    black,
    rated_games,
    rating_sum,
    opponent_rating_sum,
    ply,
    dates,
    sample,
});

impl Sums {
    /// Those of one game. `base`: the index of its archive, and what precedes its job there, in bytes.
    #[inline]
    pub(super) fn of(game: &GameEntry, turn: Color, ply: u16, base: (u32, u64)) -> Sums {
        let is = |outcome| u64::from(game.outcome == Some(outcome));
        let [white, black] = game.ratings;
        let sums = match (white, black, turn) {
            (Some(white), Some(black), Color::White) => Some((white, black)),
            (Some(white), Some(black), Color::Black) => Some((black, white)),
            _ => None,
        };
        let ratings = sums.unwrap_or_default();
        let sample = Sample {
            ratings: i32::from(white.unwrap_or(0)) + i32::from(black.unwrap_or(0)),
            archive: base.0,
            offset: base.1 + game.offset,
        };
        Sums {
            games: 1,
            white: is(Outcome::WhiteWins),
            draws: is(Outcome::Draw),
            black: is(Outcome::BlackWins),
            rated_games: u64::from(sums.is_some()),
            rating_sum: ratings.0.into(),
            opponent_rating_sum: ratings.1.into(),
            ply,
            dates: game.date.map_or([i32::MAX, i32::MIN], |date| [date, date]),
            sample,
        }
    }

    /// Adds those of other games.
    #[inline]
    pub fn add(&mut self, other: &Sums) {
        self.games += other.games;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.rated_games += other.rated_games;
        self.rating_sum += other.rating_sum;
        self.opponent_rating_sum += other.opponent_rating_sum;
        self.ply = self.ply.min(other.ply);
        self.dates = [self.dates[0].min(other.dates[0]), self.dates[1].max(other.dates[1])];
        self.sample = self.sample.better(other.sample);
    }

    /// The first and the last complete date.
    pub fn dates(&self) -> Option<[i32; 2]> {
        (self.dates[0] <= self.dates[1]).then_some(self.dates)
    }

    /// The points of the side to move, doubled, and the games with a result.
    pub fn points(&self, turn: Color) -> (u64, u64) {
        let won = if turn == Color::White { self.white } else { self.black };
        (2 * won + self.draws, self.white + self.draws + self.black)
    }
}

/// A pair with its sums. The order is that of the keys.
#[derive(Clone, Debug)]
pub struct Pair<K> {
    /// The position and the move.
    pub key: K,
    /// The sums.
    pub sums: Sums,
}

impl<K: State> State for Pair<K> {
    fn save(&self, out: &mut Vec<u8>) {
        self.key.save(out);
        self.sums.save(out);
    }

    fn load(from: &mut pgnmill_state::Loader<'_>) -> Option<Pair<K>> {
        Some(Pair { key: from.value()?, sums: from.value()? })
    }
}

impl<K: Ord> Ord for Pair<K> {
    fn cmp(&self, other: &Pair<K>) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

impl<K: Ord> PartialOrd for Pair<K> {
    fn partial_cmp(&self, other: &Pair<K>) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Eq> PartialEq for Pair<K> {
    fn eq(&self, other: &Pair<K>) -> bool {
        self.key == other.key
    }
}

impl<K: Eq> Eq for Pair<K> {}

impl Stored for Pair<ChessKey> {}

impl Stored for Pair<OtherKey> {
    fn memory_bytes(&self) -> usize {
        let OtherKey { fen, uci, san, .. } = &self.key;
        size_of::<Self>() + fen.capacity() + uci.capacity() + san.capacity()
    }
}
