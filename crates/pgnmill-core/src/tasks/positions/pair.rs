//! What is known of a pair: sums over its games.
//!
//! In: games, one by one, or the sums of other games. Out: the same sums in whatever order and parts they are added.
//! Invariant: only integers, minima and maxima are kept; a mean is divided once, when it is written. Cost: some
//! additions.

use std::cmp::Reverse;

use pgnmill_state::{Loader, State, state};

use super::super::sorter::Stored;
use super::block_pairs::GameEntry;
use super::key::{ChessKey, OtherKey};
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

/// The dates of games of which none has a complete one.
pub const NO_DATES: [i32; 2] = [i32::MAX, i32::MIN];

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
            dates: game.date.map_or(NO_DATES, |date| [date, date]),
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

/// The facts of one game as bits: most pairs have one game, and those of a run on disk are millions.
mod of_one_game {
    pub(super) const IS: u8 = 1;
    /// A result: that of White, a draw, that of Black, or none, in two bits.
    pub(super) const OUTCOME_SHIFT: u8 = 1;
    pub(super) const RATINGS: u8 = 1 << 3;
    pub(super) const DATE: u8 = 1 << 4;
    /// One rating alone.
    pub(super) const SAMPLE_RATINGS: u8 = 1 << 5;
    pub(super) const FAR_OFFSET: u8 = 1 << 6;
    pub(super) const ARCHIVE: u8 = 1 << 7;
}

impl Sums {
    /// Are they those of one game, as [`Sums::of`] makes them?
    fn is_of_one_game(&self) -> bool {
        let ratings = [self.rating_sum, self.opponent_rating_sum];
        let [first, last] = self.dates;
        let are_ratings = match self.rated_games {
            0 => ratings == [0, 0],
            1 => {
                ratings.iter().all(|&rating| i16::try_from(rating).is_ok())
                    && ratings[0] + ratings[1] == i64::from(self.sample.ratings)
            }
            _ => false,
        };
        self.games == 1
            && self.white + self.draws + self.black <= 1
            && are_ratings
            && (first == last || [first, last] == NO_DATES)
    }

    fn save_one_game(&self, out: &mut Vec<u8>) {
        let Sample { ratings, archive, offset } = self.sample;
        let outcome = match (self.white, self.draws, self.black) {
            (1, ..) => 0,
            (_, 1, _) => 1,
            (.., 1) => 2,
            _ => 3,
        };
        let near = u32::try_from(offset);
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        out.push(
            of_one_game::IS
                | outcome << of_one_game::OUTCOME_SHIFT
                | flag(self.rated_games == 1, of_one_game::RATINGS)
                | flag(self.dates != NO_DATES, of_one_game::DATE)
                | flag(self.rated_games == 0 && ratings != 0, of_one_game::SAMPLE_RATINGS)
                | flag(near.is_err(), of_one_game::FAR_OFFSET)
                | flag(archive != 0, of_one_game::ARCHIVE),
        );
        self.ply.save(out);
        if self.rated_games == 1 {
            [self.rating_sum as i16, self.opponent_rating_sum as i16]
                .iter()
                .for_each(|it| it.save(out));
        } else if ratings != 0 {
            ratings.save(out);
        }
        if self.dates != NO_DATES {
            self.dates[0].save(out);
        }
        match near {
            Ok(near) => near.save(out),
            Err(_) => offset.save(out),
        }
        if archive != 0 {
            archive.save(out);
        }
    }

    fn load_one_game(flags: u8, from: &mut Loader<'_>) -> Option<Sums> {
        let has = |flag: u8| flags & flag != 0;
        let outcome = flags >> of_one_game::OUTCOME_SHIFT & 3;
        let is = |number: u8| u64::from(outcome == number);
        let ply = from.value()?;
        let (mut ratings, mut sums) = (0, [0; 2]);
        if has(of_one_game::RATINGS) {
            let [own, other]: [i16; 2] = [from.value()?, from.value()?];
            ratings = i32::from(own) + i32::from(other);
            sums = [i64::from(own), i64::from(other)];
        } else if has(of_one_game::SAMPLE_RATINGS) {
            ratings = from.value()?;
        }
        let dates = match has(of_one_game::DATE) {
            true => [from.value()?; 2],
            false => NO_DATES,
        };
        let offset = match has(of_one_game::FAR_OFFSET) {
            true => from.value()?,
            false => u64::from(from.value::<u32>()?),
        };
        let archive = if has(of_one_game::ARCHIVE) { from.value()? } else { 0 };
        Some(Sums {
            games: 1,
            white: is(0),
            draws: is(1),
            black: is(2),
            rated_games: u64::from(has(of_one_game::RATINGS)),
            rating_sum: sums[0],
            opponent_rating_sum: sums[1],
            ply,
            dates,
            sample: Sample { ratings, archive, offset },
        })
    }
}

/// Some 15 bytes if they are of one game; else all numbers.
impl State for Sums {
    fn save(&self, out: &mut Vec<u8>) {
        if self.is_of_one_game() {
            return self.save_one_game(out);
        }
        out.push(0);
        let Sums { games, white, draws, black, rated_games, .. } = self;
        [games, white, draws, black, rated_games].iter().for_each(|count| count.save(out));
        [self.rating_sum, self.opponent_rating_sum].iter().for_each(|sum| sum.save(out));
        (self.ply, self.dates).save(out);
        self.sample.save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<Sums> {
        let flags: u8 = from.value()?;
        if flags & of_one_game::IS != 0 {
            return Sums::load_one_game(flags, from);
        }
        let mut count = || from.value();
        let [games, white, draws, black, rated_games] =
            [count()?, count()?, count()?, count()?, count()?];
        let [rating_sum, opponent_rating_sum] = [from.value()?, from.value()?];
        let (ply, dates) = from.value()?;
        let sample = from.value()?;
        Some(Sums {
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
        })
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

    fn load(from: &mut Loader<'_>) -> Option<Pair<K>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever sums there are come back, those of one game in few bytes.
    #[test]
    fn saved_sums_come_back() {
        let mut random = 3_u64;
        let mut below = |limit: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % limit
        };
        let outcomes = [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Unknown];
        let mut few_bytes = 0;
        for _ in 0..5_000 {
            let mut sum: Option<Sums> = None;
            for _ in 0..1 + below(3) {
                let ratings =
                    [0, 1].map(|_| [None, Some(0), Some(2_700), Some(i16::MAX)][below(4) as usize]);
                let game = GameEntry {
                    offset: below(3) << (4 + below(40)),
                    date: [None, Some(-40_000), Some(20_000)][below(3) as usize],
                    ratings,
                    outcome: (below(5) > 0).then(|| outcomes[below(4) as usize]),
                };
                let turn = [Color::White, Color::Black][below(2) as usize];
                let base = (below(2) as u32 * 70_000, below(2) << 33);
                let other = Sums::of(&game, turn, below(65_536) as u16, base);
                match &mut sum {
                    Some(sum) => sum.add(&other),
                    None => sum = Some(other),
                }
            }
            let Some(sum) = sum else { continue };
            let mut bytes = Vec::new();
            sum.save(&mut bytes);
            few_bytes += usize::from(bytes.len() < 24);
            let mut from = Loader::new(&bytes);
            assert_eq!((Sums::load(&mut from), from.left()), (Some(sum), 0));
            for end in 0..bytes.len() {
                assert_eq!(Sums::load(&mut Loader::new(&bytes[..end])), None, "{end}");
            }
        }
        assert!((1_000..4_000).contains(&few_bytes), "{few_bytes}");
    }
}
