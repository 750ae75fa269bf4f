//! The pairs of a bucket, added up.
//!
//! In: the occurrences of a bucket in some blocks. Out: its pairs with their sums, in the order of the keys. Invariant:
//! two pairs are one if and only if their keys are equal; hashes decide nothing but the order. Cost: a copy, which
//! makes what is far apart in the blocks near in a processor's cache; a sort of 16 bytes per occurrence; of those with
//! a hash that fewer occurrences have than a pair must have games, nothing more. A hostile archive, in which many
//! positions have one hash, costs a look-up per occurrence.

use std::collections::HashMap;

use super::block_pairs::{BlockPairs, GameEntry};
use super::key::ChessKey;
use super::pair::{Pair, Sums};

/// Pairs of one hash that are compared one by one; there are rarely more moves of a position.
const COMPARED_MAX: usize = 32;

/// The pairs of some blocks of an archive, and where they begin there.
#[derive(Debug)]
pub(super) struct PlacedPairs {
    pub(super) pairs: BlockPairs,
    /// The index of the archive, and what precedes the job there, in bytes.
    pub(super) base: (u32, u64),
}

/// An occurrence, copied.
struct Copied {
    key: ChessKey,
    ply: u16,
    game: GameEntry,
    /// The index of its block.
    block: u32,
}

/// The pairs of a bucket of at least so many games, in order.
pub(super) fn added_up(
    blocks: &[PlacedPairs],
    bucket: usize,
    games_min: u64,
) -> Vec<Pair<ChessKey>> {
    let count = blocks.iter().map(|block| block.pairs.count(bucket)).sum();
    let mut copied: Vec<Copied> = Vec::with_capacity(count);
    for (placed, block) in blocks.iter().zip(0..) {
        let pairs = placed.pairs.pairs(bucket);
        copied.extend(pairs.map(|(key, ply, game)| Copied { key, ply, game: *game, block }));
    }
    let mut places: Vec<(u64, u32)> = copied.iter().map(|it| it.key.hash).zip(0..).collect();
    places.sort_unstable_by_key(|(hash, _)| *hash);
    let (mut pairs, mut indexes) = (Vec::new(), HashMap::new());
    for places in places.chunk_by(|a, b| a.0 == b.0) {
        if (places.len() as u64) < games_min {
            continue;
        }
        let occurrences = places.iter().map(|(_, place)| &copied[*place as usize]);
        let start = pairs.len();
        for Copied { key, ply, game, block } in occurrences {
            let sums = Sums::of(game, key.turn(), *ply, blocks[*block as usize].base);
            add(Pair { key: *key, sums }, start, &mut pairs, &mut indexes);
        }
        if pairs.len() > start + 1 {
            pairs[start..].sort_unstable();
        }
        if games_min > 1 {
            remove_rare(&mut pairs, start, games_min);
        }
    }
    pairs
}

/// Adds a pair to those from `start` on, all of one hash. `indexes`: where those are that are too many to be compared
/// one by one.
#[inline]
fn add(
    pair: Pair<ChessKey>,
    start: usize,
    pairs: &mut Vec<Pair<ChessKey>>,
    indexes: &mut HashMap<ChessKey, usize>,
) {
    let compared = start..pairs.len().min(start + COMPARED_MAX);
    let is_full = compared.len() == COMPARED_MAX;
    let found = pairs[compared].iter().position(|other| other.key == pair.key);
    let found = found.map(|index| start + index);
    let found = match (found, is_full) {
        // Those of another hash are other keys.
        (None, true) => indexes.get(&pair.key).copied(),
        (found, _) => found,
    };
    match found {
        Some(index) => pairs[index].sums.add(&pair.sums),
        None => {
            if is_full {
                indexes.insert(pair.key, pairs.len());
            }
            pairs.push(pair);
        }
    }
}

/// Removes the pairs from `start` on that have fewer games.
fn remove_rare(pairs: &mut Vec<Pair<ChessKey>>, start: usize, games_min: u64) {
    let mut kept = start;
    for at in start..pairs.len() {
        if pairs[at].sums.games >= games_min {
            pairs.swap(kept, at);
            kept += 1;
        }
    }
    pairs.truncate(kept);
}
