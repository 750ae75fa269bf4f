//! How often each text, each number of legal moves and each rank among them occurs.
//!
//! Input: the moves of valid games; output: counts that add up, from which entropies and the lengths of codes are
//! derived when the tables are written. Texts and ranks are counted in two halves of the games, so that one can be
//! coded with the frequencies of the other. Invariants: integers only; merging is adding, in any order; the half of a
//! game follows from its moves, so that a game and what repeats it are in one. Memory is bounded by the texts of the
//! notations, some ten thousand each, whatever the archive. Cost: writing a ply in every notation and listing its legal
//! moves; some ten thousand instructions.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use pgnmill_state::state;

use crate::notation::MoveText;
use crate::tables::legal_moves::LEGAL_MOVES_MAX;

use super::rank::rank;
use super::{GameMoves, Studied, notations};

/// Longest text of the notations that are studied, in bytes; a test checks them.
const TOKEN_BYTES_MAX: usize = 16;

/// A text, filled up with zeros.
type Token = u128;
type Frequencies = HashMap<Token, Halves, BuildHasherDefault<Mix>>;

/// How often something occurs in each half of the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Halves(pub [u64; 2]);

state!(Halves = counts);

impl Halves {
    /// In both.
    pub fn sum(self) -> u64 {
        self.0[0].saturating_add(self.0[1])
    }

    /// Of a row: all, and those of the first half. `None` if there are more in the first half.
    fn of_row(all: u64, first: u64) -> Option<Halves> {
        Some(Halves([first, all.checked_sub(first)?]))
    }

    /// Adds; `None` if a sum does not fit.
    fn plus(self, other: Halves) -> Option<Halves> {
        let [first, second] = [0, 1].map(|half| self.0[half].checked_add(other.0[half]));
        let sum = Halves([first?, second?]);
        sum.0[0].checked_add(sum.0[1]).map(|_| sum)
    }
}

/// The counts of many games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Information {
    /// By index of the notation in the registry, of those that are studied.
    tokens: BTreeMap<usize, Frequencies>,
    /// By number of legal moves.
    legal_moves: Vec<u64>,
    /// By rank among them, from 0.
    ranks: Vec<Halves>,
}

state!(Information { tokens, legal_moves, ranks });

impl Default for Information {
    fn default() -> Information {
        Information::of(Studied::ALL)
    }
}

fn count(counts: &mut Vec<u64>, place: usize, more: u64) {
    if counts.len() <= place {
        counts.resize(place + 1, 0);
    }
    counts[place] += more;
}

/// The counts at a place, which is added if it is new.
fn at(counts: &mut Vec<Halves>, place: usize) -> &mut Halves {
    if counts.len() <= place {
        counts.resize(place + 1, Halves::default());
    }
    &mut counts[place]
}

fn add(sum: &mut Halves, more: Halves) {
    sum.0.iter_mut().zip(more.0).for_each(|(sum, more)| *sum += more);
}

/// Adds to one of the counts; returns whether the sum fits.
fn count_checked(counts: &mut Vec<u64>, place: usize, more: u64) -> bool {
    let fits = counts.get(place).is_none_or(|sum| sum.checked_add(more).is_some());
    if fits {
        count(counts, place, more);
    }
    fits
}

fn token_of(text: &MoveText) -> Token {
    let mut bytes = [0; TOKEN_BYTES_MAX];
    let text = text.as_bytes();
    let length = text.len().min(TOKEN_BYTES_MAX);
    bytes[..length].copy_from_slice(&text[..length]);
    Token::from_le_bytes(bytes)
}

fn text_of(token: Token) -> String {
    let bytes = token.to_le_bytes();
    let length = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}

impl Information {
    /// Nothing counted yet, of these notations.
    pub fn of(studied: Studied) -> Information {
        let tokens = studied.iter().map(|(place, _)| (place, Frequencies::default())).collect();
        Information { tokens, legal_moves: Vec::new(), ranks: Vec::new() }
    }

    /// Adds a valid game, or a part of one; `half`: that of the game, 0 or 1.
    pub fn add(&mut self, game: &GameMoves, half: usize) {
        game.replay(|ply| {
            for (&place, tokens) in &mut self.tokens {
                let notation = notations()[place];
                let mut text = MoveText::default();
                notation.encode_ply(ply, &mut text);
                // The text is empty in a game that the notation cannot write.
                if text.bytes_count() > 0 {
                    tokens.entry(token_of(&text)).or_default().0[half % 2] += 1;
                }
            }
            let rank = rank(ply.before(), ply.mv());
            count(&mut self.legal_moves, rank.legal, 1);
            at(&mut self.ranks, rank.before).0[half % 2] += 1;
        });
    }

    /// Adds a row of `tokens.csv`: plies, and those of the first half. Returns whether there is such a notation, it
    /// could have such a text, the sum fits, and there is memory for it.
    pub fn add_tokens(&mut self, notation: &str, token: &str, [plies, first]: [u64; 2]) -> bool {
        let place = notations().iter().position(|other| other.info().name == notation);
        let mut text = MoveText::default();
        text.push_bytes(token.as_bytes());
        let fits = (1..=TOKEN_BYTES_MAX).contains(&token.len());
        let tokens = place.filter(|_| fits).and_then(|place| self.tokens.get_mut(&place));
        let (Some(tokens), Some(more)) = (tokens, Halves::of_row(plies, first)) else {
            return false;
        };
        if tokens.try_reserve(1).is_err() {
            return false;
        }
        let sum = tokens.entry(token_of(&text)).or_default();
        let together = sum.plus(more);
        *sum = together.unwrap_or(*sum);
        together.is_some()
    }

    /// Adds a row of `legal_moves.csv`. Returns whether a position could have so many and the sum fits.
    pub fn add_legal_moves(&mut self, legal_moves: usize, plies: u64) -> bool {
        (1..=LEGAL_MOVES_MAX).contains(&legal_moves)
            && count_checked(&mut self.legal_moves, legal_moves, plies)
    }

    /// Adds a row of `ranks.csv`, from 1. Returns whether there can be such a rank and the sum fits.
    pub fn add_ranks(&mut self, rank: usize, [plies, first]: [u64; 2]) -> bool {
        let more = Halves::of_row(plies, first);
        let Some(more) = more.filter(|_| (1..=LEGAL_MOVES_MAX).contains(&rank)) else {
            return false;
        };
        let sum = at(&mut self.ranks, rank - 1);
        let together = sum.plus(more);
        *sum = together.unwrap_or(*sum);
        together.is_some()
    }

    /// Adds what another counted.
    pub fn merge(&mut self, other: &Information) {
        for (place, theirs) in &other.tokens {
            let mine = self.tokens.entry(*place).or_default();
            for (&token, &more) in theirs {
                add(mine.entry(token).or_default(), more);
            }
        }
        for (place, &more) in other.legal_moves.iter().enumerate() {
            count(&mut self.legal_moves, place, more);
        }
        for (place, &more) in other.ranks.iter().enumerate() {
            add(at(&mut self.ranks, place), more);
        }
    }

    /// The notations with their texts, the most frequent first, those that are as frequent by their bytes.
    pub fn tokens(&self) -> impl Iterator<Item = (&'static str, Vec<(String, Halves)>)> {
        self.tokens.iter().map(|(&place, tokens)| {
            let notation = notations()[place];
            let mut tokens: Vec<(String, Halves)> =
                tokens.iter().map(|(&token, &plies)| (text_of(token), plies)).collect();
            tokens.sort_unstable_by(|(left, many), (right, more)| {
                more.sum().cmp(&many.sum()).then_with(|| left.cmp(right))
            });
            (notation.info().name, tokens)
        })
    }

    /// Numbers of legal moves, and how many plies had them.
    pub fn legal_moves(&self) -> impl Iterator<Item = (usize, u64)> {
        self.legal_moves.iter().copied().enumerate().filter(|(_, plies)| *plies > 0)
    }

    /// Ranks among the legal moves, from 1, and how many moves had them; see [`rank()`].
    pub fn ranks(&self) -> impl Iterator<Item = (usize, Halves)> {
        let ranks = self.ranks.iter().copied().enumerate();
        ranks.map(|(before, plies)| (before + 1, plies)).filter(|(_, plies)| plies.sum() > 0)
    }
}

/// A hash of short texts: their words, multiplied and folded. The keys are move texts: an attacker cannot make more
/// than a few thousand collide.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u128(u128::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.write_u128(u128::from(word));
    }

    fn write_u128(&mut self, word: u128) {
        // Digits of the golden ratio and of the square root of two.
        let low = (word as u64 ^ self.0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let high = ((word >> 64) as u64).wrapping_mul(0x6a09_e667_f3bc_c909);
        let mixed = u128::from(low ^ high.rotate_left(32)) * 0x9e37_79b9_7f4a_7c15;
        self.0 = mixed as u64 ^ (mixed >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_hold_every_text() {
        for notation in notations() {
            assert!(notation.info().bytes_max <= TOKEN_BYTES_MAX, "{}", notation.info().name);
        }
        for text in ["e4", "", "♖xe7+", "QR/QB4xQBP/B5ch"] {
            let mut written = MoveText::default();
            written.push_bytes(text.as_bytes());
            assert_eq!(text_of(token_of(&written)), text);
        }
    }
}
