//! The pairs of a run: what fits into the memory, the rest in sorted runs on disk.
//!
//! In: the parts of jobs, in any order. Out: the pairs with their sums, in the order of their keys, in batches of whole
//! positions. Invariants: the batches do not depend on the memory or the number of threads; no two pairs have equal
//! keys. Memory: that of [`Limits::spill`] and the parts that are in flight. Disk: a pair for each time that the memory
//! was full, compressed, in a file without a name.
//!
//! A bucket is added up on a worker; one into which the keys of a hostile archive all fall is written in parts, none of
//! which takes more than a part of the memory.

use std::fmt;
use std::sync::Arc;

use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::is_stopped;

use super::super::sorter::{Sorter, Spill};
use super::block_pairs::{BUCKETS_COUNT, OtherOccurrence};
use super::bucket::{PlacedPairs, added_up};
use super::key::{ChessKey, OtherKey};
use super::pair::{Pair, Sums};
use super::task::Counted;
use crate::chess::rules::RulesKind;
use crate::engine::{Base, Ordered, Pool};

/// Pairs of a batch of a merge, about.
const BATCH_PAIRS: usize = 1 << 14;
/// The pairs of a bucket take at most this part of the memory.
const BUCKET_PART: usize = 8;

/// What ends the work on pairs before its end, besides the end of the process.
#[derive(Clone)]
pub struct Stop(Arc<dyn Fn() -> bool + Send + Sync>);

impl Stop {
    /// That of a run which ends when `is_stopped`.
    pub fn when(is_stopped: impl Fn() -> bool + Send + Sync + 'static) -> Stop {
        Stop(Arc::new(is_stopped))
    }

    /// Is the work to end?
    ///
    /// # Errors
    /// If so, [`pgnmill_io::error::ErrorKind::Interrupted`].
    pub(super) fn check(&self) -> Result<()> {
        if is_stopped() || (self.0)() { Err(Error::interrupted()) } else { Ok(()) }
    }
}

impl Default for Stop {
    fn default() -> Stop {
        Stop::when(|| false)
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stop")
    }
}

/// What bounds the pairs.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Where pairs are written that exceed the memory, `bytes_max`.
    pub spill: Spill,
    /// Pairs of fewer games are left out.
    pub games_min: u64,
    /// What ends the work.
    pub stop: Stop,
}

/// The pairs that were counted.
#[derive(Debug)]
pub struct Pairs {
    limits: Limits,
    blocks: Vec<PlacedPairs>,
    /// The memory of the blocks.
    bytes: usize,
    runs: Option<Sorter<Pair<ChessKey>>>,
    others: Sorter<Pair<OtherKey>>,
    has_chess960: bool,
    other_rules: Option<u8>,
}

impl Pairs {
    /// No pairs.
    pub fn new(limits: Limits) -> Pairs {
        let bytes_max = limits.spill.bytes_max / 8;
        let others = Sorter::new(&Spill { bytes_max, ..limits.spill.clone() });
        let (blocks, runs, has_chess960, other_rules) = (Vec::new(), None, false, None);
        Pairs { limits, blocks, bytes: 0, runs, others, has_chess960, other_rules }
    }

    /// Adds the pairs of a job of the archive of this index, which takes its memory.
    ///
    /// # Errors
    /// A temporary file that cannot be written.
    pub fn add(&mut self, part: &mut Counted, archive: u32, base: Base, pool: &Pool) -> Result<()> {
        let base = (archive, base.offset);
        for mut pairs in part.take() {
            self.has_chess960 |= pairs.has_chess960;
            for OtherOccurrence { key, ply, game } in pairs.others.drain(..) {
                if let Some(game) = pairs.games.get(game as usize) {
                    let sums = Sums::of(game, key.turn(), ply, base);
                    self.other_rules.get_or_insert(key.rules);
                    self.others.push(Pair { key, sums })?;
                }
            }
            self.bytes += pairs.bytes();
            self.blocks.push(PlacedPairs { pairs, base });
        }
        // What is added up of some buckets is in memory beside the occurrences.
        let bytes_max = self.limits.spill.bytes_max / 5 * 2;
        if self.bytes > bytes_max { self.write_runs(pool) } else { Ok(()) }
    }

    /// Are there pairs of another ruleset than chess?
    pub fn has_other_rules(&self) -> bool {
        self.has_chess960 || self.other_rules.is_some()
    }

    /// The first ruleset that is neither chess nor Chess960, by name.
    pub fn first_other_rules(&self) -> Option<&'static str> {
        let index = usize::from(self.other_rules?);
        RulesKind::NAMES.get(index).copied()
    }

    /// Into how many parts blocks are divided, so that the pairs of no bucket exceed a part of the memory: more than
    /// one only where the keys of many games begin with the same bits.
    fn parts_count(&self) -> usize {
        let bytes = |bucket: usize| {
            let counts = self.blocks.iter().map(|block| block.pairs.count(bucket));
            counts.sum::<usize>() * size_of::<Pair<ChessKey>>()
        };
        let most = (0..BUCKETS_COUNT).map(bytes).max().unwrap_or(0);
        most.div_ceil((self.limits.spill.bytes_max / BUCKET_PART).max(1)).max(1)
    }

    /// Writes what is in memory as sorted runs: one, unless a bucket is too large.
    fn write_runs(&mut self, pool: &Pool) -> Result<()> {
        let count = self.blocks.len().div_ceil(self.parts_count()).max(1);
        let mut blocks = std::mem::take(&mut self.blocks);
        self.bytes = 0;
        let bytes_max = self.limits.spill.bytes_max / 2;
        let mut runs = match self.runs.take() {
            Some(runs) => runs,
            None => Sorter::new(&Spill { bytes_max, ..self.limits.spill.clone() }),
        };
        while !blocks.is_empty() {
            let rest = blocks.split_off(count.min(blocks.len()));
            let mut run = runs.begin_run()?;
            let take = |pairs: Vec<_>| pairs.iter().try_for_each(|pair| run.push(pair));
            each_bucket(blocks, (1, &self.limits.stop), pool, |pairs| pairs, take)?;
            let range = run.finish()?;
            runs.end_run(range);
            blocks = rest;
        }
        self.runs = Some(runs);
        Ok(())
    }

    /// Calls `write` with what `of_chess` and `of_others` make of batches of pairs, in order: those of chess and
    /// Chess960, then all others. A batch has whole positions; a pair has the games that it must have.
    ///
    /// # Errors
    /// A temporary file that cannot be written or read; those of `write`.
    pub fn finish<T: Send + 'static>(
        mut self,
        pool: &Pool,
        of_chess: impl Fn(Vec<Pair<ChessKey>>) -> T + Send + Sync + 'static,
        of_others: impl Fn(Vec<Pair<OtherKey>>) -> T,
        mut write: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        if self.runs.is_none() && self.parts_count() == 1 {
            let limits = (self.limits.games_min, &self.limits.stop);
            each_bucket(self.blocks, limits, pool, of_chess, &mut write)?;
        } else {
            self.write_runs(pool)?;
            let Some(runs) = self.runs.take() else { return Ok(()) };
            let sorted = runs.finish_unless(&|| self.limits.stop.check())?;
            write_chess(Merged::of(sorted), &self.limits, pool, of_chess, &mut write)?;
        }
        let check = || self.limits.stop.check();
        let merged = Merged::of(self.others.finish_unless(&check)?);
        batches(merged, &self.limits, OtherKey::has_position_of, |batch| write(of_others(batch)))
    }
}

/// Calls `write` with what `of_chess` makes of batches of pairs of chess and Chess960, on the workers, in order.
pub(super) fn write_chess<T: Send + 'static>(
    pairs: impl Iterator<Item = Result<Pair<ChessKey>>>,
    limits: &Limits,
    pool: &Pool,
    of_chess: impl Fn(Vec<Pair<ChessKey>>) -> T + Send + Sync + 'static,
    mut write: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let of_chess = Arc::new(of_chess);
    let mut in_flight = Ordered::new(pool.threads() + 1);
    batches(pairs, limits, ChessKey::has_position_of, |batch| {
        while in_flight.is_full() {
            in_flight.take().map_or(Ok(()), &mut write)?;
        }
        let of = Arc::clone(&of_chess);
        in_flight.give(pool, move || of(batch));
        Ok(())
    })?;
    while let Some(made) = in_flight.take() {
        write(made)?;
    }
    Ok(())
}

/// Adds up all buckets on the workers; calls `take` with what `of` makes of the pairs of each that have so many games,
/// in order.
fn each_bucket<T: Send + 'static>(
    blocks: Vec<PlacedPairs>,
    (games_min, stop): (u64, &Stop),
    pool: &Pool,
    of: impl Fn(Vec<Pair<ChessKey>>) -> T + Send + Sync + 'static,
    mut take: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let (blocks, of) = (Arc::new(blocks), Arc::new(of));
    let mut in_flight = Ordered::new(pool.threads() + 1);
    for bucket in 0..BUCKETS_COUNT {
        stop.check()?;
        while in_flight.is_full() {
            in_flight.take().map_or(Ok(()), &mut take)?;
        }
        let (blocks, of) = (Arc::clone(&blocks), Arc::clone(&of));
        in_flight.give(pool, move || of(added_up(&blocks, bucket, games_min)));
    }
    while let Some(made) = in_flight.take() {
        take(made)?;
    }
    Ok(())
}

/// Sorted pairs, of which equal ones are added up.
pub(super) struct Merged<S, K> {
    sorted: S,
    next: Option<Pair<K>>,
}

impl<S, K> Merged<S, K> {
    pub(super) fn of(sorted: S) -> Merged<S, K> {
        Merged { sorted, next: None }
    }
}

impl<S: Iterator<Item = Result<Pair<K>>>, K: Eq> Iterator for Merged<S, K> {
    type Item = Result<Pair<K>>;

    fn next(&mut self) -> Option<Result<Pair<K>>> {
        let mut pair = match self.next.take() {
            Some(pair) => pair,
            None => match self.sorted.next()? {
                Ok(pair) => pair,
                Err(error) => return Some(Err(error)),
            },
        };
        for other in self.sorted.by_ref() {
            match other {
                Ok(other) if other.key == pair.key => pair.sums.add(&other.sums),
                Ok(other) => {
                    self.next = Some(other);
                    break;
                }
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok(pair))
    }
}

/// Divides pairs into batches of whole positions.
pub(super) fn batches<K>(
    pairs: impl Iterator<Item = Result<Pair<K>>>,
    limits: &Limits,
    is_same: fn(&K, &K) -> bool,
    mut write: impl FnMut(Vec<Pair<K>>) -> Result<()>,
) -> Result<()> {
    let mut batch: Vec<Pair<K>> = Vec::with_capacity(BATCH_PAIRS);
    for (number, pair) in pairs.enumerate() {
        let pair = pair?;
        // Those that are left out, too: they can be nearly all.
        if number.is_multiple_of(BATCH_PAIRS) {
            limits.stop.check()?;
        }
        if pair.sums.games < limits.games_min {
            continue;
        }
        let is_full = batch.len() >= BATCH_PAIRS;
        if is_full && batch.last().is_some_and(|last| !is_same(&last.key, &pair.key)) {
            write(std::mem::replace(&mut batch, Vec::with_capacity(BATCH_PAIRS)))?;
        }
        batch.push(pair);
    }
    if batch.is_empty() { Ok(()) } else { write(batch) }
}

#[cfg(test)]
mod tests {
    use super::super::block_pairs::{BlockPairs, GameEntry, Occurrence};
    use super::*;
    use crate::chess::Position;

    /// The pairs of random games, from positions that all have the same hash; and the games of each.
    fn occurrences(count: usize) -> Vec<ChessKey> {
        let mut random = 7_u64;
        let mut keys = Vec::new();
        while keys.len() < count {
            let mut position = Position::initial();
            for _ in 0..30 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let mv = moves[(random >> 33) as usize % moves.len().min(4)];
                let mut key = ChessKey::new(&position, mv, 0);
                key.hash = 5;
                keys.push(key);
                position = position.play(mv);
            }
        }
        keys
    }

    /// A block of one game of each of these pairs.
    fn block(keys: &[ChessKey], offset: u64) -> BlockPairs {
        let (date, outcome) = (None, None);
        let game = GameEntry { offset, date, ratings: [Some(2000), None], outcome };
        let occurrences: Vec<Occurrence> =
            keys.iter().zip(0..).map(|(key, game)| Occurrence::new(*key, 3, game)).collect();
        BlockPairs::new(vec![game; keys.len()], &occurrences, Vec::new(), false)
    }

    /// Positions of one hash, or of few, are as many pairs as they are.
    #[test]
    fn pairs_do_not_depend_on_hashes() {
        let mut keys = occurrences(3_000);
        let mut games = std::collections::BTreeMap::<(String, String), u64>::new();
        for key in &keys {
            let [uci, _] = key.moves(&key.position());
            *games.entry((key.fen(), uci.to_string())).or_default() += 1;
        }
        assert!(games.len() > 500 && games.values().any(|&games| games > 15));
        for hashes in [1, 2, 100] {
            for key in &mut keys {
                // A position has one hash.
                key.hash =
                    key.planes.iter().fold(0, |sum: u64, plane| sum.wrapping_add(*plane)) % hashes;
            }
            let placed = |keys: &[ChessKey]| PlacedPairs { pairs: block(keys, 0), base: (0, 0) };
            let blocks: Vec<_> = keys.chunks(700).map(placed).collect();
            for games_min in [1, 3] {
                let pairs = added_up(&blocks, 0, games_min);
                let records = pairs.iter().map(|pair| (pair.key.hash, pair.key.fen()));
                assert!(records.is_sorted(), "of one hash they are in the order of the records");
                let found = pairs.iter().map(|Pair { key, sums }| {
                    ((key.fen(), key.moves(&key.position())[0].to_string()), sums.games)
                });
                let found: std::collections::BTreeMap<_, _> = found.collect();
                let mut expected = games.clone();
                expected.retain(|_, games| *games >= games_min);
                assert!(pairs.len() == found.len() && found == expected, "{hashes} {games_min}");
            }
        }
    }

    /// A memory so small that each job is a run, or that a bucket is heavy: the same batches.
    #[test]
    fn batches_do_not_depend_on_the_memory() {
        let pool = Pool::new(2).unwrap();
        let keys = occurrences(5_000);
        let mut expected = None;
        for bytes_max in [1 << 30, 1 << 20, 200_000, 10_000] {
            let spill =
                Spill { directory: std::env::temp_dir(), name: "positions".into(), bytes_max };
            let mut pairs = Pairs::new(Limits { spill, games_min: 2, stop: Stop::default() });
            for (number, keys) in keys.chunks(60).enumerate() {
                let mut part = Counted::of(block(keys, 0));
                let base = Base { offset: number as u64, ..Base::default() };
                pairs.add(&mut part, 0, base, &pool).unwrap();
            }
            let mut found = Vec::new();
            let of = |pairs: Vec<Pair<ChessKey>>| -> Vec<(String, Sums)> {
                let text = |pair: &Pair<ChessKey>| format!("{:?}", pair.key);
                pairs.iter().map(|pair| (text(pair), pair.sums)).collect()
            };
            let take = |made: Vec<_>| {
                found.extend(made);
                Ok(())
            };
            pairs.finish(&pool, of, |_| Vec::new(), take).unwrap();
            assert!(found.len() > 200 && found == *expected.get_or_insert_with(|| found.clone()));
        }
    }

    /// The work ends at the first check that requires it, also where no pair has enough games; with runs on disk, and
    /// without.
    #[test]
    fn the_work_ends_at_the_first_check_that_requires_it() {
        use std::sync::atomic::{AtomicUsize, Ordering};

        use pgnmill_io::error::ErrorKind;

        let pool = Pool::new(2).unwrap();
        // More than a batch, so that there is a check between two.
        let keys = occurrences(20_000);
        for bytes_max in [1 << 30, 100_000] {
            let finish = |limit: usize| {
                let checks = Arc::new(AtomicUsize::new(0));
                let count = Arc::clone(&checks);
                let stop = Stop::when(move || count.fetch_add(1, Ordering::Relaxed) >= limit);
                let spill =
                    Spill { directory: std::env::temp_dir(), name: "positions".into(), bytes_max };
                let mut pairs = Pairs::new(Limits { spill, games_min: u64::MAX, stop });
                let added = keys.chunks(5_000).try_for_each(|keys| {
                    pairs.add(&mut Counted::of(block(keys, 0)), 0, Base::default(), &pool)
                });
                let ended = added.and_then(|()| pairs.finish(&pool, |_| (), |_| (), |()| Ok(())));
                (ended, checks.load(Ordering::Relaxed))
            };
            let (ended, checks_count) = finish(usize::MAX);
            assert!(ended.is_ok() && checks_count > 10, "{checks_count}");
            for limit in [0, 1, checks_count / 2, checks_count - 1] {
                let (ended, checks) = finish(limit);
                let error = ended.expect_err("an end before the end");
                assert!(matches!(error.kind(), ErrorKind::Interrupted), "{error}");
                assert_eq!(checks, limit + 1);
            }
        }
    }
}
