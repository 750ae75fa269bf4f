//! The pairs of a bucket, added up.
//!
//! In: the occurrences of a bucket in some blocks. Out: its pairs with their sums, in the order of the keys.
//! Invariant: two pairs are one if and only if their keys are equal; hashes decide nothing but the order, and which
//! pairs have too few games for certain ([`Frequent`]). Cost: a copy, which makes what is far apart in the blocks
//! near in a processor's cache; a sort of 16 bytes per occurrence; of most occurrences whose hash fewer have than a
//! pair must have games, a look at the hash alone. A hostile archive, in which many positions have one hash, costs a
//! look-up per occurrence.

use std::collections::HashMap;

use super::block_pairs::{BlockPairs, GameEntry, Occurrence};
use super::key::ChessKey;
use super::pair::{Pair, Sums};

/// Pairs of one hash that are compared one by one; there are rarely more moves of a position.
const COMPARED_MAX: usize = 32;

/// Counts of a bucket for each of its hashes, so that few hashes share one.
const COUNTS_PER_HASH: usize = 8;
/// Counts at most: as many bytes as are near to a processor.
const COUNTS_MAX: usize = 1 << 18;

/// The pairs of some blocks of an archive, and where they begin there.
#[derive(Debug)]
pub(super) struct PlacedPairs {
    pub(super) pairs: BlockPairs,
    /// The index of the archive, and what precedes the job there, in bytes.
    pub(super) base: (u32, u64),
}

/// The occurrences of a bucket, near to each other.
#[derive(Default)]
struct Copied {
    pairs: Vec<Occurrence>,
    /// The game of each.
    games: Vec<GameEntry>,
    /// The index of the block of each.
    blocks: Vec<u32>,
}

impl Copied {
    /// Those that may have so many games as a pair must have.
    fn of(blocks: &[PlacedPairs], bucket: usize, games_min: u64) -> Copied {
        let count = blocks.iter().map(|block| block.pairs.count(bucket)).sum();
        let frequent = Frequent::of(blocks, bucket, count, games_min);
        let (mut copied, mut indexes) = (Copied::default(), Vec::new());
        for (placed, block) in blocks.iter().zip(0..) {
            frequent.find(placed.pairs.hashes(bucket), &mut indexes);
            let start = copied.pairs.len();
            copied.pairs.extend(placed.pairs.pairs(bucket, indexes.iter().map(|at| *at as usize)));
            copied.blocks.resize(copied.pairs.len(), block);
            // A loop of its own, so that these look-ups, which are far from each other, are made at the same time.
            let games = copied.pairs[start..].iter().map(|pair| placed.pairs.games[pair.game()]);
            copied.games.extend(games);
        }
        copied
    }

    /// The sums of an occurrence.
    fn sums(&self, at: usize, blocks: &[PlacedPairs]) -> Pair<ChessKey> {
        let (key, base) = (self.pairs[at].key(), blocks[self.blocks[at] as usize].base);
        let sums = Sums::of(&self.games[at], key.turn(), self.pairs[at].ply(), base);
        Pair { key, sums }
    }
}

/// Which hashes of a bucket may have so many occurrences as a pair must have games: counts by the last bits of the
/// hash, since the first ones are those of the bucket. A hash that is not among them has fewer; some that are have
/// fewer, too.
struct Frequent {
    /// Occurrences, up to [`u8::MAX`]; a power of two of them. None: all hashes may have so many.
    counts: Vec<u8>,
    games_min: u8,
}

impl Frequent {
    fn of(blocks: &[PlacedPairs], bucket: usize, count: usize, games_min: u64) -> Frequent {
        let games_min = games_min.min(u8::MAX.into()) as u8;
        let length = if games_min > 1 { (count * COUNTS_PER_HASH).next_power_of_two() } else { 0 };
        let mut counts = vec![0_u8; length.min(COUNTS_MAX)];
        if let Some(mask) = counts.len().checked_sub(1) {
            for block in blocks {
                for hash in block.pairs.hashes(bucket) {
                    let count = &mut counts[*hash as usize & mask];
                    *count = count.saturating_add(1);
                }
            }
        }
        Frequent { counts, games_min }
    }

    /// The indexes of the hashes that may have so many.
    fn find(&self, hashes: &[u64], indexes: &mut Vec<u32>) {
        indexes.clear();
        let Some(mask) = self.counts.len().checked_sub(1) else {
            indexes.extend(0..hashes.len() as u32);
            return;
        };
        // Without a branch, which would be mispredicted for every third hash.
        indexes.resize(hashes.len(), 0);
        let mut count = 0;
        for (hash, at) in hashes.iter().zip(0..) {
            indexes[count] = at;
            count += usize::from(self.counts[*hash as usize & mask] >= self.games_min);
        }
        indexes.truncate(count);
    }
}

/// The pairs of a bucket of at least so many games, in order.
pub(super) fn added_up(
    blocks: &[PlacedPairs],
    bucket: usize,
    games_min: u64,
) -> Vec<Pair<ChessKey>> {
    let copied = Copied::of(blocks, bucket, games_min);
    let mut places: Vec<(u64, u32)> = copied.pairs.iter().map(Occurrence::hash).zip(0..).collect();
    places.sort_unstable_by_key(|(hash, _)| *hash);
    let (mut pairs, mut indexes) = (Vec::new(), HashMap::new());
    for places in places.chunk_by(|a, b| a.0 == b.0) {
        if (places.len() as u64) < games_min {
            continue;
        }
        let start = pairs.len();
        for (_, place) in places {
            add(copied.sums(*place as usize, blocks), start, &mut pairs, &mut indexes);
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
