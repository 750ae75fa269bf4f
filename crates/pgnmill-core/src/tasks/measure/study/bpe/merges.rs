//! Byte-pair encoding of a piece: the tokens that its bytes become.
//!
//! In: bytes, and the ranks of a vocabulary. Out: the tokens, which together are the bytes. The rule is tiktoken's: a
//! piece that is a token is one; otherwise each byte is a token, and of all adjacent pairs that make a token the one of
//! the lowest rank is joined, the first of these, until there is none. Cost: n · log n for n bytes, in a queue of
//! pairs; a text that is looked up is no longer than the longest token.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::ranks::Ranks;

/// No pair begins here.
const NONE: u32 = u32::MAX;

/// A token, by the index of its first byte.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// After its last byte.
    end: usize,
    /// The beginning of the one before.
    previous: usize,
    /// The rank of this token with the next one; [`NONE`] if they make no token, or if it was joined to the one before.
    pair: u32,
}

/// How many tokens a piece has.
pub(super) fn tokens_count(ranks: &Ranks, piece: &[u8]) -> u64 {
    let mut count = 0;
    visit_tokens(ranks, piece, |_| count += 1);
    count
}

/// Calls `visit` with each token of a piece, in order.
pub(super) fn visit_tokens<'p>(ranks: &Ranks, piece: &'p [u8], mut visit: impl FnMut(&'p [u8])) {
    if ranks.get(piece).is_some() {
        return visit(piece);
    }
    let parts = joined(ranks, piece);
    let mut begin = 0;
    while let Some(part) = parts.get(begin) {
        visit(piece.get(begin..part.end).unwrap_or_default());
        begin = part.end;
    }
}

/// The parts of a piece after all joins: from the first on, each begins where the one before ends.
fn joined(ranks: &Ranks, piece: &[u8]) -> Vec<Part> {
    let rank = |begin: usize, end: usize| {
        piece.get(begin..end).and_then(|pair| ranks.get(pair)).unwrap_or(NONE)
    };
    let part = |begin: usize| Part {
        end: begin + 1,
        previous: begin.saturating_sub(1),
        pair: rank(begin, begin + 2),
    };
    let mut parts: Vec<Part> = (0..piece.len()).map(part).collect();
    let queued = |(begin, part): (usize, &Part)| (part.pair != NONE).then_some((part.pair, begin));
    let mut queue: BinaryHeap<Reverse<(u32, usize)>> =
        parts.iter().enumerate().filter_map(queued).map(Reverse).collect();
    while let Some(Reverse((pair, begin))) = queue.pop() {
        // Texts of different pairs have different ranks: it is the pair that was queued, or there is another one now.
        if parts[begin].pair != pair {
            continue;
        }
        let middle = parts[begin].end;
        let end = parts[middle].end;
        parts[middle].pair = NONE;
        parts[begin].end = end;
        let next = parts.get_mut(end).map(|next| {
            next.previous = begin;
            next.end
        });
        let previous = parts[begin].previous;
        let joined = [
            (begin, next.map_or(NONE, |after| rank(begin, after))),
            (previous, if begin > 0 { rank(previous, end) } else { NONE }),
        ];
        for (begin, pair) in joined.into_iter().take(if begin > 0 { 2 } else { 1 }) {
            parts[begin].pair = pair;
            if pair != NONE {
                queue.push(Reverse((pair, begin)));
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgnmill_dice::Dice;
    use std::collections::HashMap;

    /// The rule, literally.
    fn naive(ranks: &HashMap<Vec<u8>, u32>, piece: &[u8]) -> Vec<Vec<u8>> {
        if piece.is_empty() || ranks.contains_key(piece) {
            return Vec::from_iter((!piece.is_empty()).then(|| piece.to_vec()));
        }
        let mut tokens: Vec<Vec<u8>> = piece.iter().map(|&byte| vec![byte]).collect();
        loop {
            let joined = |at: &usize| ranks.get(&tokens[at - 1..=*at].concat()).copied();
            let best = (1..tokens.len()).filter_map(|at| Some((joined(&at)?, at))).min();
            let Some((_, at)) = best else { return tokens };
            let last = tokens.remove(at);
            tokens[at - 1].extend(last);
        }
    }

    /// All bytes, and texts over a small alphabet: joined from others, or any, in any order of ranks.
    fn vocabulary(dice: &mut Dice, size: usize, alphabet: &[u8]) -> HashMap<Vec<u8>, u32> {
        let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
        let mut known: Vec<Vec<u8>> = alphabet.iter().map(|&byte| vec![byte]).collect();
        for _ in 0..size {
            let any = |dice: &mut Dice| known[dice.below(known.len())].clone();
            let token = [any(&mut *dice), any(&mut *dice)].concat();
            if token.len() < 40 && !tokens.contains(&token) {
                known.push(token.clone());
                tokens.push(token);
            }
        }
        let mut ranks: Vec<u32> = (0..tokens.len() as u32).map(|rank| rank * 3).collect();
        if dice.below(2) == 0 {
            (0..ranks.len()).for_each(|at| ranks.swap(at, dice.below(at + 1)));
        }
        tokens.into_iter().zip(ranks).collect()
    }

    #[test]
    fn tokens_are_those_of_the_rule_taken_literally() {
        let mut dice = Dice::new(2);
        for round in 0..60 {
            let alphabet = &b"ab c1N\xc3\xa9"[..1 + dice.below(8)];
            let size = dice.below(60);
            let tokens = vocabulary(&mut dice, size, alphabet);
            let ranks = Ranks::of(tokens.clone());
            for _ in 0..40 {
                let length = dice.below(if round % 10 == 0 { 300 } else { 30 });
                let piece: Vec<u8> =
                    (0..length).map(|_| alphabet[dice.below(alphabet.len())]).collect();
                let expected = naive(&tokens, &piece);
                let mut found: Vec<&[u8]> = Vec::new();
                visit_tokens(&ranks, &piece, |token| found.push(token));
                assert_eq!(found, expected, "{piece:?}");
                assert_eq!(tokens_count(&ranks, &piece), found.len() as u64);
            }
        }
    }

    /// A piece of a megabyte ends in time: of one byte that is joined everywhere, and of one that never is.
    #[test]
    fn a_long_piece_takes_no_longer_than_its_length() {
        let mut tokens: HashMap<Vec<u8>, u32> =
            (0..=255).map(|byte| (vec![byte], u32::from(byte))).collect();
        tokens.extend((1..10).map(|power| (vec![b'a'; 1 << power], 256 + power)));
        let ranks = Ranks::of(tokens);
        assert_eq!(tokens_count(&ranks, &vec![b'a'; 1 << 20]), 1 << 11);
        assert_eq!(tokens_count(&ranks, &vec![b'b'; 1 << 20]), 1 << 20);
    }
}
