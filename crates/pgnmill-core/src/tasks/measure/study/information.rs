//! How often each text, each number of legal moves and each rank among them occurs.
//!
//! Input: the moves of valid games; output: counts that add up, from which entropies and the lengths of codes are
//! derived when the tables are written. Invariants: integers only; merging is adding, in any order. Memory is bounded
//! by the texts of the notations, some ten thousand each, whatever the archive. Cost: writing a ply in every notation
//! and listing its legal moves; some ten thousand instructions.

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
type Frequencies = HashMap<Token, u64, BuildHasherDefault<Mix>>;

/// The counts of many games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Information {
    /// By index of the notation in the registry, of those that are studied.
    tokens: BTreeMap<usize, Frequencies>,
    /// By number of legal moves.
    legal_moves: Vec<u64>,
    /// By rank among them, from 0.
    ranks: Vec<u64>,
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

    /// Adds a valid game.
    pub fn add(&mut self, game: &GameMoves) {
        game.replay(|ply| {
            for (&place, tokens) in &mut self.tokens {
                let notation = notations()[place];
                let mut text = MoveText::default();
                notation.encode_ply(ply, &mut text);
                // The text is empty in a game that the notation cannot write.
                if text.bytes_count() > 0 {
                    *tokens.entry(token_of(&text)).or_default() += 1;
                }
            }
            let rank = rank(ply.before(), ply.mv());
            count(&mut self.legal_moves, rank.legal, 1);
            count(&mut self.ranks, rank.before, 1);
        });
    }

    /// Adds a row of `tokens.csv`. Returns whether there is such a notation, it could have such a text, the sum
    /// fits, and there is memory for it.
    pub fn add_tokens(&mut self, notation: &str, token: &str, plies: u64) -> bool {
        let place = notations().iter().position(|other| other.info().name == notation);
        let mut text = MoveText::default();
        text.push_bytes(token.as_bytes());
        let fits = (1..=TOKEN_BYTES_MAX).contains(&token.len());
        match place.filter(|_| fits).and_then(|place| self.tokens.get_mut(&place)) {
            Some(tokens) => {
                if tokens.try_reserve(1).is_err() {
                    return false;
                }
                let sum = tokens.entry(token_of(&text)).or_default();
                let together = sum.checked_add(plies);
                *sum = together.unwrap_or(*sum);
                together.is_some()
            }
            None => false,
        }
    }

    /// Adds a row of `legal_moves.csv`. Returns whether a position could have so many and the sum fits.
    pub fn add_legal_moves(&mut self, legal_moves: usize, plies: u64) -> bool {
        (1..=LEGAL_MOVES_MAX).contains(&legal_moves)
            && count_checked(&mut self.legal_moves, legal_moves, plies)
    }

    /// Adds a row of `ranks.csv`, from 1. Returns whether there can be such a rank and the sum fits.
    pub fn add_ranks(&mut self, rank: usize, plies: u64) -> bool {
        (1..=LEGAL_MOVES_MAX).contains(&rank) && count_checked(&mut self.ranks, rank - 1, plies)
    }

    /// Adds what another counted.
    pub fn merge(&mut self, other: &Information) {
        for (place, theirs) in &other.tokens {
            let mine = self.tokens.entry(*place).or_default();
            for (&token, &more) in theirs {
                *mine.entry(token).or_default() += more;
            }
        }
        for (place, &more) in other.legal_moves.iter().enumerate() {
            count(&mut self.legal_moves, place, more);
        }
        for (place, &more) in other.ranks.iter().enumerate() {
            count(&mut self.ranks, place, more);
        }
    }

    /// The notations with their texts, the most frequent first, those that are as frequent by their bytes.
    pub fn tokens(&self) -> impl Iterator<Item = (&'static str, Vec<(String, u64)>)> {
        self.tokens.iter().map(|(&place, tokens)| {
            let notation = notations()[place];
            let mut tokens: Vec<(String, u64)> =
                tokens.iter().map(|(&token, &plies)| (text_of(token), plies)).collect();
            tokens.sort_unstable_by(|(left, many), (right, more)| {
                more.cmp(many).then_with(|| left.cmp(right))
            });
            (notation.info().name, tokens)
        })
    }

    /// Numbers of legal moves, and how many plies had them.
    pub fn legal_moves(&self) -> impl Iterator<Item = (usize, u64)> {
        self.legal_moves.iter().copied().enumerate().filter(|(_, plies)| *plies > 0)
    }

    /// Ranks among the legal moves, from 1, and how many moves had them; see [`rank()`].
    pub fn ranks(&self) -> impl Iterator<Item = (usize, u64)> {
        let ranks = self.ranks.iter().copied().enumerate();
        ranks.map(|(before, plies)| (before + 1, plies)).filter(|(_, plies)| *plies > 0)
    }
}

/// A hash of short texts: their words, multiplied and folded. The keys are move texts: an attacker cannot make more
/// than a few thousand collide.
#[derive(Clone, Copy, Debug, Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u128(u128::from(byte));
        }
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
