//! A random share of games: a hash of each game's own text decides.
//!
//! In: the text of a game. Out: whether it is taken. Invariant: the same games are taken by every command, for any
//! number of threads, in any container and however games are divided among archives and runs; of games with the same
//! text all are taken or none. Cost: a hash of the tag pairs and the first 1,024 bytes of the movetext.
//!
//! ```
//! use pgnmill_core::select::Share;
//! let game = b"[Event \"a\"]\n\n1. e4 *";
//! assert!(Share::of(1.0, 0).takes(game, 11) && !Share::of(0.0, 0).takes(game, 11));
//! ```

use crate::pgn::BYTE_ORDER_MARK;

/// Bytes of the movetext that decide, with the tag pairs, whether a game is taken.
const MOVETEXT_BYTES: usize = 1024;

/// Some of all games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    seed: u64,
    /// The largest number of a game that is taken; none is if it is `None`.
    number_max: Option<u64>,
}

impl Share {
    /// A fraction of the games, from 0 to 1.
    pub fn of(fraction: f64, seed: u64) -> Share {
        // 2^64: the product saturates for 1.
        let numbers = (fraction * 18_446_744_073_709_551_616.0) as u64;
        Share { seed, number_max: numbers.checked_sub(1) }
    }

    /// The games whose numbers with this seed are at most `number_max`.
    pub fn to(number_max: Option<u64>, seed: u64) -> Share {
        Share { seed, number_max }
    }

    /// Whether a game is taken. `text`: that of the game; `tags_end`: where its tag pairs end in it.
    pub fn takes(&self, text: &[u8], tags_end: usize) -> bool {
        self.number_max.is_some_and(|most| number(self.seed, text, tags_end) <= most)
    }

    /// Whether what has this number is taken.
    pub(crate) fn takes_number(&self, number: u64) -> bool {
        self.number_max.is_some_and(|most| mixed(number ^ mixed(self.seed)) <= most)
    }
}

/// The number of a game, a hash of its tag pairs and the beginning of its movetext.
pub(crate) fn number(seed: u64, text: &[u8], tags_end: usize) -> u64 {
    let end = text.len().min(tags_end.saturating_add(MOVETEXT_BYTES));
    let game = text[..end].trim_ascii();
    let game = game.strip_prefix(BYTE_ORDER_MARK).unwrap_or(game).trim_ascii();
    let (words, rest) = game.as_chunks::<8>();
    let hash =
        words.iter().fold(game.len() as u64, |hash, word| with(hash, u64::from_le_bytes(*word)));
    let hash = rest.iter().fold(hash, |hash, &byte| with(hash, byte.into()));
    mixed(hash ^ mixed(seed))
}

/// A hash of numbers, and of one more.
#[inline(always)]
pub(crate) fn with(hash: u64, number: u64) -> u64 {
    // The odd number nearest to 2^64 divided by the golden ratio.
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    (hash ^ number).wrapping_mul(MULTIPLIER).rotate_left(29)
}

/// SplitMix64 (Steele, Lea, Flood, 2014): a bijection whose bits all depend on each other.
pub(crate) fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_has_the_expected_size_and_another_seed_has_other_games() {
        let draws = 20_000;
        let game = |number: usize| format!("[Event \"{number}\"]\n\n1. e4 e5 *\n");
        let taken = |share: Share| -> Vec<usize> {
            let takes = |number: &usize| {
                let text = game(*number);
                share.takes(text.as_bytes(), text.find(']').unwrap() + 1)
            };
            (0..draws).filter(takes).collect()
        };
        for fraction in [0.001, 0.1, 0.5, 0.99] {
            let expected = draws as f64 * fraction;
            let count = taken(Share::of(fraction, 3)).len() as f64;
            assert!((count - expected).abs() < 5.0 * expected.sqrt(), "{count} of {expected}");
        }
        // Of two independent halves a quarter of all is in both.
        let (one, other) = (taken(Share::of(0.5, 1)), taken(Share::of(0.5, 2)));
        let both = one.iter().filter(|number| other.contains(number)).count();
        assert!(both.abs_diff(draws / 4) < 400, "{both}");
        // A smaller share is a part of a larger one.
        let (small, large) = (taken(Share::of(0.1, 7)), taken(Share::of(0.2, 7)));
        assert!(small.iter().all(|number| large.contains(number)));
        assert_eq!(taken(Share::of(0.0, 0)).len() + taken(Share::to(None, 0)).len(), 0);
        assert_eq!(taken(Share::of(1.0, 0)).len(), draws);
    }

    #[test]
    fn what_is_around_a_game_does_not_matter() {
        let (bare, padded) = (b"[A \"1\"]\n\n*".as_slice(), b"\xef\xbb\xbf\n[A \"1\"]\n\n*\n\n");
        assert_eq!(number(5, bare, 7), number(5, padded, 11));
        assert_ne!(number(5, bare, 7), number(6, bare, 7));
    }
}
