//! What the tag pairs of games with equal moves state about players, date and result, and which of these games are one.
//!
//! In: the descriptions of all games with the same moves and the same initials. Out: which of them are of one game.
//! Rule: two descriptions are compatible if nothing in one contradicts the other: each word of a name is equal or
//! one is the initial of the other, and at least one word is equal in full; the dates can be the same day; times and
//! results are equal or unknown. That is not transitive: `A, 1960` and `A, 1961` contradict each other, and `A,
//! ????` is compatible with both. So a description that is compatible with two that contradict each other is of
//! neither game. Invariant: the answer does not depend on the order. Cost: quadratic in at most [`DESCRIPTIONS_MAX`]
//! descriptions; of more, equal ones alone are one.

use pgnmill_state::state;

use super::names::WORDS_COUNT;

/// The descriptions that are compared with each other.
pub(super) const DESCRIPTIONS_MAX: usize = 64;

/// What the tag pairs of a game state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Description {
    /// White's and Black's words: hashes, 0 for an initial.
    pub names: [[u64; WORDS_COUNT]; 2],
    /// The first and the last day that the date can be, in days since 1970-01-01.
    pub days: [i32; 2],
    /// The second of the day (UTC); -1 if it is not known.
    pub time: i32,
    /// The result, from 1; 0 if it is not known.
    pub result: u8,
}

state!(Description { names, days, time, result });

impl Default for Description {
    /// Nothing is stated.
    fn default() -> Description {
        let names = [[0; WORDS_COUNT]; 2];
        Description { names, days: [i32::MIN, i32::MAX], time: -1, result: 0 }
    }
}

impl Description {
    /// Whether both can be of one game, if the initials are equal.
    pub fn is_compatible(&self, other: &Description) -> bool {
        let is_same = |(one, other): (&[u64; WORDS_COUNT], &[u64; WORDS_COUNT])| {
            let pairs = || one.iter().zip(other);
            let contradicts = |(&one, &other): (&u64, &u64)| one != other && one != 0 && other != 0;
            let in_full = |(&one, &other): (&u64, &u64)| one == other && one != 0;
            one == other || (!pairs().any(contradicts) && pairs().any(in_full))
        };
        let is_equal =
            |one: i32, other: i32, unknown: i32| one == other || one == unknown || other == unknown;
        self.names.iter().zip(&other.names).all(is_same)
            && self.days[0] <= other.days[1]
            && other.days[0] <= self.days[1]
            && is_equal(self.time, other.time, -1)
            && is_equal(self.result.into(), other.result.into(), 0)
    }
}

/// Which descriptions are of the same game: pairs of a game and the first one of its class, if that is another.
///
/// `games`: descriptions, all different, each with the first game that has it.
pub(super) fn united(games: &[(Description, u64)]) -> Vec<(u64, u64)> {
    if games.len() > DESCRIPTIONS_MAX {
        return Vec::new();
    }
    let compatible = |(one, _): &(Description, u64)| {
        let bits = games.iter().enumerate();
        bits.fold(0_u64, |mask, (bit, (other, _))| {
            mask | u64::from(one.is_compatible(other)) << bit
        })
    };
    let masks: Vec<u64> = games.iter().map(compatible).collect();
    let bits = |mask: u64| (0..games.len()).filter(move |bit| mask >> bit & 1 != 0);
    // Clear: what it is compatible with is compatible among itself.
    let is_clear = |mask: u64| bits(mask).all(|bit| mask & !masks[bit] == 0);
    let clear = bits(u64::MAX).fold(0, |clear, bit| clear | u64::from(is_clear(masks[bit])) << bit);
    let first = |bit: usize| bits(masks[bit] & clear).map(|bit| games[bit].1).min();
    let pairs = bits(clear).filter_map(|bit| Some((games[bit].1, first(bit)?)));
    pairs.filter(|(game, first)| game != first).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(names: [u64; 2], days: [i32; 2], result: u8) -> Description {
        let name = [names[0], names[1], 0];
        Description { names: [name, [1, 2, 0]], days, time: -1, result }
    }

    #[test]
    fn nothing_contradicts_what_is_unknown() {
        let full = described([5, 6], [10, 10], 1);
        for other in [
            full,
            described([0, 6], [10, 10], 1),
            described([5, 0], [0, 31], 1),
            described([5, 6], [10, 10], 0),
            Description { time: 7, ..full },
        ] {
            assert!(full.is_compatible(&other) && other.is_compatible(&full), "{other:?}");
        }
        for other in [
            described([7, 6], [10, 10], 1),
            described([0, 0], [10, 10], 1),
            described([5, 6], [11, 31], 1),
            described([5, 6], [10, 10], 2),
        ] {
            assert!(!full.is_compatible(&other) && !other.is_compatible(&full), "{other:?}");
        }
        let (early, late) = (Description { time: 7, ..full }, Description { time: 8, ..full });
        assert!(!early.is_compatible(&late) && early.is_compatible(&early));
    }

    #[test]
    fn what_could_be_of_two_games_is_of_neither() {
        let [one, other] = [described([5, 6], [10, 10], 1), described([5, 6], [20, 20], 1)];
        let vague = described([5, 6], [0, 31], 1);
        assert_eq!(united(&[(one, 3), (vague, 1)]), [(3, 1)]);
        assert_eq!(united(&[(one, 3), (vague, 1), (other, 2)]), []);
        // A vaguer one is compatible with both, and so is not clear itself.
        let vaguer = described([0, 6], [0, 31], 0);
        assert_eq!(united(&[(one, 3), (vague, 4), (vaguer, 5)]), [(4, 3), (5, 3)]);
        let many: Vec<(Description, u64)> =
            (0..65).map(|at| (described([5, 6], [0, 31 + at], 1), at as u64)).collect();
        assert_eq!(united(&many), []);
        assert_eq!(united(&many[1..]).len(), 63);
    }
}
