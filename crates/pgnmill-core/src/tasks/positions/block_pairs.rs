//! The pairs of the games of a block, in buckets by their keys.
//!
//! In: games that are counted, and their occurrences. Out: the occurrences of a bucket. Invariant: the order of the
//! buckets is that of the keys. Cost: two passes, one over the hashes. Memory: 48 bytes for each pair of chess, 32 for
//! each game; of a bucket its end.

use std::ops::Range;

use super::key::{ChessKey, OtherKey};
use crate::pgn::Outcome;

/// Buckets: enough that one of some million plies is in a processor's cache.
pub(super) const BUCKETS_COUNT: usize = 256;

/// What all pairs of a game have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameEntry {
    /// Offset in the text of the job, in bytes.
    pub(super) offset: u64,
    /// The complete date, in days since 1970-01-01.
    pub(super) date: Option<i32>,
    /// White's and Black's.
    pub(super) ratings: [Option<i16>; 2],
    /// The result.
    pub(super) outcome: Option<Outcome>,
}

/// A pair of a game of chess: its hash, and the rest of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    hash: u64,
    rest: Rest,
}

/// What a pair has besides its hash: 40 bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Rest {
    planes: [u64; 4],
    /// The index of its game in the block.
    game: u32,
    mv: u16,
    /// Plies before it.
    ply: u16,
}

/// A pair of a game of another ruleset.
#[derive(Clone, Debug)]
pub(super) struct OtherOccurrence {
    pub(super) key: OtherKey,
    /// Plies before it.
    pub(super) ply: u16,
    /// The index of its game in the block.
    pub(super) game: u32,
}

impl Occurrence {
    #[inline(always)]
    pub(super) fn new(key: ChessKey, ply: u16, game: u32) -> Occurrence {
        let ChessKey { hash, planes, mv } = key;
        Occurrence { hash, rest: Rest { planes, game, mv, ply } }
    }

    pub(super) fn key(&self) -> ChessKey {
        self.rest.key(self.hash)
    }

    #[inline(always)]
    pub(super) fn is_of(&self, key: &ChessKey) -> bool {
        self.hash == key.hash && self.rest.mv == key.mv && self.rest.planes == key.planes
    }

    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// The index of its game in the block.
    pub(super) fn game(&self) -> usize {
        self.rest.game as usize
    }

    /// Plies before it.
    pub(super) fn ply(&self) -> u16 {
        self.rest.ply
    }

    /// An order in which the plies of a pair are in theirs.
    pub(super) fn order(&self) -> (u64, [u64; 4], u16, u16) {
        let Rest { planes, mv, ply, .. } = self.rest;
        (self.hash, planes, mv, ply)
    }
}

impl Rest {
    fn key(&self, hash: u64) -> ChessKey {
        ChessKey { hash, planes: self.planes, mv: self.mv }
    }
}

/// The pairs of some games, in the order of the games.
#[derive(Debug, Default)]
pub(super) struct Unsorted {
    pub(super) chess: Vec<Occurrence>,
    pub(super) others: Vec<OtherOccurrence>,
    pub(super) games: Vec<GameEntry>,
    pub(super) has_chess960: bool,
}

impl Unsorted {
    pub(super) fn clear(&mut self) {
        self.chess.clear();
        self.others.clear();
        self.games.clear();
        self.has_chess960 = false;
    }

    /// Removes the pairs behind those of the games: of a game that is rejected, or not selected.
    fn remove_open(&mut self) {
        let count = self.games.len() as u32;
        while self.chess.last().is_some_and(|it| it.rest.game >= count) {
            self.chess.pop();
        }
        while self.others.last().is_some_and(|it| it.game >= count) {
            self.others.pop();
        }
    }

    /// Takes all pairs, and keeps the memory of those of chess.
    pub(super) fn take(&mut self) -> Option<BlockPairs> {
        self.remove_open();
        let games = std::mem::take(&mut self.games);
        let others = std::mem::take(&mut self.others);
        let has_chess960 = std::mem::take(&mut self.has_chess960);
        let block =
            (!games.is_empty()).then(|| BlockPairs::new(games, &self.chess, others, has_chess960));
        self.chess.clear();
        block
    }

    /// Adds other games, which it takes.
    pub(super) fn append(&mut self, other: &mut Unsorted) {
        other.remove_open();
        let before = self.games.len() as u32;
        let of_game = |game: u32| game.saturating_add(before);
        self.chess.extend(other.chess.iter().map(|Occurrence { hash, rest }| {
            let rest = Rest { game: of_game(rest.game), ..*rest };
            Occurrence { hash: *hash, rest }
        }));
        let others = other.others.drain(..);
        self.others.extend(others.map(|it| OtherOccurrence { game: of_game(it.game), ..it }));
        self.games.append(&mut other.games);
        self.has_chess960 |= other.has_chess960;
        other.clear();
    }
}

/// The pairs of a block.
#[derive(Debug)]
pub(super) struct BlockPairs {
    pub(super) games: Vec<GameEntry>,
    pub(super) others: Vec<OtherOccurrence>,
    pub(super) has_chess960: bool,
    /// In the order of the buckets, as what follows.
    hashes: Vec<u64>,
    rests: Vec<Rest>,
    /// Where the buckets end.
    ends: Vec<u32>,
}

/// The bucket of a hash: its first bits.
#[inline(always)]
fn bucket_of(hash: u64) -> usize {
    (hash >> (64 - BUCKETS_COUNT.trailing_zeros())) as usize
}

impl BlockPairs {
    pub(super) fn new(
        games: Vec<GameEntry>,
        chess: &[Occurrence],
        others: Vec<OtherOccurrence>,
        has_chess960: bool,
    ) -> BlockPairs {
        let mut ends = vec![0; BUCKETS_COUNT];
        chess.iter().for_each(|it| ends[bucket_of(it.hash)] += 1);
        let mut end = 0;
        let mut next: Vec<u32> = Vec::with_capacity(BUCKETS_COUNT);
        for count in &mut ends {
            next.push(end);
            end += *count;
            *count = end;
        }
        let (mut hashes, mut rests) = (vec![0; chess.len()], vec![Rest::default(); chess.len()]);
        for Occurrence { hash, rest } in chess {
            let place = &mut next[bucket_of(*hash)];
            (hashes[*place as usize], rests[*place as usize]) = (*hash, *rest);
            *place += 1;
        }
        BlockPairs { games, others, has_chess960, hashes, rests, ends }
    }

    /// The memory that it occupies, without that of the other rulesets.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.hashes.len() * size_of::<Occurrence>()
            + self.games.capacity() * size_of::<GameEntry>()
            + self.ends.len() * size_of::<u32>()
    }

    /// The number of the pairs of a bucket.
    pub(super) fn count(&self, bucket: usize) -> usize {
        self.bucket(bucket).len()
    }

    /// The indexes of the pairs of a bucket.
    fn bucket(&self, bucket: usize) -> Range<usize> {
        let start = bucket.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        start..self.ends[bucket] as usize
    }

    /// The hashes of the pairs of a bucket.
    pub(super) fn hashes(&self, bucket: usize) -> &[u64] {
        &self.hashes[self.bucket(bucket)]
    }

    /// The pairs of these indexes within a bucket.
    pub(super) fn pairs(
        &self,
        bucket: usize,
        indexes: impl IntoIterator<Item = usize>,
    ) -> impl Iterator<Item = Occurrence> {
        let range = self.bucket(bucket);
        let (hashes, rests) = (&self.hashes[range.clone()], &self.rests[range]);
        let pair = |at: usize| Some(Occurrence { hash: *hashes.get(at)?, rest: *rests.get(at)? });
        indexes.into_iter().filter_map(pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    /// Blocks of any number of games, of which the last one may be rejected: a game has its own pairs.
    #[test]
    fn a_game_has_its_own_pairs() {
        let position = Position::initial();
        let moves = position.legal_moves();
        let game = |offset| GameEntry { offset, date: None, ratings: [None; 2], outcome: None };
        let (mut all, mut expected) = (Unsorted::default(), Vec::new());
        for (number, &mv) in (0_u64..).zip(moves.iter().cycle().take(50)) {
            let mut block = Unsorted::default();
            for index in 0..number % 3 {
                let key = ChessKey::new(&position, mv, number << 58);
                block.chess.push(Occurrence::new(key, 7, index as u32));
                block.games.push(game(number * 10 + index));
                expected.push((number * 10 + index, key));
            }
            let open = block.games.len() as u32;
            let key = ChessKey::new(&position, mv, 9);
            block.chess.push(Occurrence::new(key, 8, open));
            all.append(&mut block);
        }
        let block = all.take().unwrap();
        let bucket = |bucket| block.pairs(bucket, 0..block.count(bucket));
        let pairs = (0..BUCKETS_COUNT).flat_map(bucket);
        let mut found: Vec<_> =
            pairs.map(|pair| (block.games[pair.game()].offset, pair.key())).collect();
        found.sort_unstable_by_key(|it| it.0);
        assert_eq!(found, expected);
        assert!(all.chess.is_empty() && all.take().is_none());
    }
}
