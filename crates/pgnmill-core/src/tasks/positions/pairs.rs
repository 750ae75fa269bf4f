//! The pairs of a run: what fits into the memory, the rest in sorted runs on disk.
//!
//! In: the parts of jobs, in any order. Out: the pairs with their sums, in the order of their keys, in batches of whole
//! positions. Invariants: the batches do not depend on the memory, the seed of the look-up or the number of threads; no
//! two pairs have equal keys. Memory: [`Limits::memory_bytes`] and the parts that are in flight. Disk: a pair for each
//! time that the memory was full, compressed, in a file without a name.
//!
//! A bucket is added up on a worker, in a table of its own; one into which the keys of a hostile archive all fall is
//! written in parts, none of which takes more than a part of the memory.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::is_stopped;

use super::super::sorter::{Sorted, Sorter, Spill, Stored};
use super::key::{ChessKey, OtherKey};
use super::pair::{Pair, Sums};
use super::task::{Counted, GameEntry, Occurrence};
use crate::chess::rules::RulesKind;
use crate::engine::{Base, Ordered, Pool};

/// Pairs of a batch of a merge, about.
const BATCH_PAIRS: usize = 1 << 14;
/// Buckets: enough that one of some million plies is in a processor's cache.
const BUCKETS_COUNT: usize = 256;
/// The pairs of a bucket take at most this part of the memory.
const BUCKET_PART: usize = 8;

/// What bounds the pairs.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Where pairs are written that exceed the memory, `bytes_max`.
    pub spill: Spill,
    /// Pairs of fewer games are left out.
    pub games_min: u64,
}

/// The occurrences of a job.
#[derive(Debug)]
struct JobPairs {
    occurrences: Vec<Occurrence<ChessKey>>,
    games: Vec<GameEntry>,
    /// The index of the archive, and what precedes the job there, in bytes.
    base: (u32, u64),
    /// Where the buckets end, once the occurrences are in the order of the buckets.
    ends: Vec<u32>,
}

/// The bucket of a key: its first bits, so that the order of the buckets is that of the keys.
#[inline(always)]
fn bucket_of(key: &ChessKey) -> usize {
    (key.hash >> (64 - BUCKETS_COUNT.trailing_zeros())) as usize
}

impl JobPairs {
    fn bytes(&self) -> usize {
        self.occurrences.capacity() * size_of::<Occurrence<ChessKey>>()
            + self.games.capacity() * size_of::<GameEntry>()
    }

    /// Puts the occurrences in the order of their buckets.
    fn in_buckets(self) -> JobPairs {
        let mut ends = vec![0; BUCKETS_COUNT];
        self.occurrences.iter().for_each(|it| ends[bucket_of(&it.key)] += 1);
        let mut end = 0;
        let mut next: Vec<u32> = Vec::with_capacity(BUCKETS_COUNT);
        for count in &mut ends {
            next.push(end);
            end += *count;
            *count = end;
        }
        let mut occurrences = self.occurrences.clone();
        for it in self.occurrences {
            let place = &mut next[bucket_of(&it.key)];
            occurrences[*place as usize] = it;
            *place += 1;
        }
        JobPairs { occurrences, ends, ..self }
    }

    /// The occurrences of a bucket.
    fn bucket(&self, bucket: usize) -> &[Occurrence<ChessKey>] {
        let start = bucket.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.occurrences[start..self.ends[bucket] as usize]
    }
}

/// The pairs of a bucket, in any order.
fn added_up(jobs: &[JobPairs], bucket: usize, seed: u64) -> Vec<Pair<ChessKey>> {
    let mut table = Table { pairs: Vec::new(), places: Vec::new(), seed, bits: u64::MAX };
    let count: usize = jobs.iter().map(|job| job.bucket(bucket).len()).sum();
    table.resize(count.min(1 << 16));
    for job in jobs {
        for Occurrence { key, ply, game } in job.bucket(bucket) {
            if let Some(game) = job.games.get(*game as usize) {
                table.add(*key, &Sums::of(game, key.turn(), *ply, job.base));
            }
        }
    }
    table.pairs
}

/// Pairs in order. They are large: what is sorted is where they are.
fn sorted(pairs: &[Pair<ChessKey>]) -> Vec<Pair<ChessKey>> {
    let mut places: Vec<(u64, u32)> =
        pairs.iter().zip(0..).map(|(pair, place)| (pair.key.hash, place)).collect();
    places.sort_unstable_by(|a, b| {
        let [first, second] = [a, b].map(|(_, place)| &pairs[*place as usize].key);
        a.0.cmp(&b.0).then_with(|| first.cmp(second))
    });
    places.into_iter().map(|(_, place)| pairs[place as usize].clone()).collect()
}

/// Pairs, found by their keys: a table of places in a list, with open addressing.
struct Table {
    pairs: Vec<Pair<ChessKey>>,
    /// Indexes of pairs, plus one; a power of two of them, of which less than half are taken.
    places: Vec<u32>,
    seed: u64,
    /// The bits of a key that count when it is looked up: fewer in tests.
    bits: u64,
}

impl Table {
    /// Makes room for so many pairs.
    fn resize(&mut self, pairs_count: usize) {
        self.places = vec![0; (2 * pairs_count).next_power_of_two().max(16)];
        for index in 0..self.pairs.len() {
            let place = self.place_of(&self.pairs[index].key);
            self.places[place] = index as u32 + 1;
        }
    }

    /// Where a key is, or is to be.
    #[inline]
    fn place_of(&self, key: &ChessKey) -> usize {
        let mask = self.places.len() - 1;
        let mut place = (key.look_up_bits(self.seed) & self.bits) as usize & mask;
        while let Some(index) = self.places[place].checked_sub(1)
            && self.pairs[index as usize].key != *key
        {
            place = (place + 1) & mask;
        }
        place
    }

    #[inline]
    fn add(&mut self, key: ChessKey, sums: &Sums) {
        let place = self.place_of(&key);
        match self.places[place].checked_sub(1) {
            Some(index) => self.pairs[index as usize].sums.add(sums),
            None => {
                self.pairs.push(Pair { key, sums: *sums });
                self.places[place] = self.pairs.len() as u32;
                if 2 * self.pairs.len() >= self.places.len() {
                    self.resize(2 * self.pairs.len());
                }
            }
        }
    }
}

/// The pairs that were counted.
#[derive(Debug)]
pub struct Pairs {
    limits: Limits,
    jobs: Vec<JobPairs>,
    bytes: usize,
    runs: Option<Sorter<Pair<ChessKey>>>,
    others: Sorter<Pair<OtherKey>>,
    has_chess960: bool,
    other_rules: Option<u8>,
    seed: u64,
}

impl Pairs {
    /// No pairs.
    pub fn new(limits: Limits) -> Pairs {
        let bytes_max = limits.spill.bytes_max / 8;
        let others = Sorter::new(&Spill { bytes_max, ..limits.spill.clone() });
        let seed = RandomState::new().build_hasher().finish();
        let (jobs, runs, has_chess960, other_rules) = (Vec::new(), None, false, None);
        Pairs { limits, jobs, bytes: 0, runs, others, has_chess960, other_rules, seed }
    }

    /// Adds the pairs of a job of the archive of this index, which takes its memory.
    ///
    /// # Errors
    /// A temporary file that cannot be written.
    pub fn add(&mut self, part: &mut Counted, archive: u32, base: Base, pool: &Pool) -> Result<()> {
        let base = (archive, base.offset);
        self.has_chess960 |= std::mem::take(&mut part.has_chess960);
        for Occurrence { key, ply, game } in part.others.drain(..) {
            if let Some(game) = part.games.get(game as usize) {
                let sums = Sums::of(game, key.turn(), ply, base);
                self.other_rules.get_or_insert(key.rules);
                self.others.push(Pair { key, sums })?;
            }
        }
        let (occurrences, games) =
            (std::mem::take(&mut part.chess), std::mem::take(&mut part.games));
        let job = JobPairs { occurrences, games, base, ends: Vec::new() };
        self.bytes += job.bytes();
        self.jobs.push(job);
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

    /// The jobs, each in the order of its buckets.
    fn take_jobs(&mut self, pool: &Pool) -> Vec<JobPairs> {
        self.bytes = 0;
        let (mut jobs, mut in_flight) = (Vec::new(), Ordered::new(pool.threads() + 1));
        for job in std::mem::take(&mut self.jobs) {
            while in_flight.is_full() {
                jobs.extend(in_flight.take());
            }
            in_flight.give(pool, move || job.in_buckets());
        }
        jobs.extend(std::iter::from_fn(|| in_flight.take()));
        jobs
    }

    /// Into how many parts jobs are divided, so that the pairs of no bucket exceed a part of the memory: more than one
    /// only where the keys of many games begin with the same bits.
    fn parts_count(&self, jobs: &[JobPairs]) -> usize {
        let bytes = |bucket: usize| {
            let counts = jobs.iter().map(|job| job.bucket(bucket).len());
            counts.sum::<usize>() * size_of::<Pair<ChessKey>>()
        };
        let most = (0..BUCKETS_COUNT).map(bytes).max().unwrap_or(0);
        most.div_ceil((self.limits.spill.bytes_max / BUCKET_PART).max(1)).max(1)
    }

    /// Writes what is in memory as sorted runs: one, unless a bucket is too large.
    fn write_runs(&mut self, pool: &Pool) -> Result<()> {
        let mut jobs = self.take_jobs(pool);
        let count = jobs.len().div_ceil(self.parts_count(&jobs)).max(1);
        let bytes_max = self.limits.spill.bytes_max / 2;
        let mut runs = match self.runs.take() {
            Some(runs) => runs,
            None => Sorter::new(&Spill { bytes_max, ..self.limits.spill.clone() }),
        };
        while !jobs.is_empty() {
            let rest = jobs.split_off(count.min(jobs.len()));
            let mut run = runs.begin_run()?;
            each_bucket(
                jobs,
                self.seed,
                pool,
                |pairs| sorted(&pairs),
                |pairs| pairs.iter().try_for_each(|pair: &Pair<ChessKey>| run.push(pair)),
            )?;
            let range = run.finish()?;
            runs.end_run(range);
            jobs = rest;
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
        let games_min = self.limits.games_min;
        let jobs = self.take_jobs(pool);
        if self.runs.is_none() && self.parts_count(&jobs) == 1 {
            let of = move |mut pairs: Vec<Pair<ChessKey>>| {
                pairs.retain(|pair| pair.sums.games >= games_min);
                of_chess(sorted(&pairs))
            };
            each_bucket(jobs, self.seed, pool, of, &mut write)?;
        } else {
            self.jobs = jobs;
            self.write_runs(pool)?;
            let Some(runs) = self.runs.take() else { return Ok(()) };
            let merged = Merged { sorted: runs.finish()?, next: None };
            let of_chess = Arc::new(of_chess);
            let mut in_flight = Ordered::new(pool.threads() + 1);
            batches(merged, games_min, ChessKey::has_position_of, |batch| {
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
        }
        let merged = Merged { sorted: self.others.finish()?, next: None };
        batches(merged, games_min, OtherKey::has_position_of, |batch| write(of_others(batch)))
    }
}

/// Adds up all buckets of jobs on the workers; calls `take` with what `of` makes of each, in order.
fn each_bucket<T: Send + 'static>(
    jobs: Vec<JobPairs>,
    seed: u64,
    pool: &Pool,
    of: impl Fn(Vec<Pair<ChessKey>>) -> T + Send + Sync + 'static,
    mut take: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let (jobs, of) = (Arc::new(jobs), Arc::new(of));
    let mut in_flight = Ordered::new(pool.threads() + 1);
    for bucket in 0..BUCKETS_COUNT {
        if is_stopped() {
            return Err(Error::interrupted());
        }
        while in_flight.is_full() {
            in_flight.take().map_or(Ok(()), &mut take)?;
        }
        let (jobs, of) = (Arc::clone(&jobs), Arc::clone(&of));
        in_flight.give(pool, move || of(added_up(&jobs, bucket, seed)));
    }
    while let Some(made) = in_flight.take() {
        take(made)?;
    }
    Ok(())
}

/// Sorted pairs, of which equal ones are added up.
struct Merged<K> {
    sorted: Sorted<Pair<K>>,
    next: Option<Pair<K>>,
}

impl<K: Ord> Iterator for Merged<K>
where
    Pair<K>: Stored,
{
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
fn batches<K>(
    pairs: impl Iterator<Item = Result<Pair<K>>>,
    games_min: u64,
    is_same: fn(&K, &K) -> bool,
    mut write: impl FnMut(Vec<Pair<K>>) -> Result<()>,
) -> Result<()> {
    let mut batch: Vec<Pair<K>> = Vec::new();
    for pair in pairs {
        let pair = pair?;
        if pair.sums.games < games_min {
            continue;
        }
        let is_full = batch.len() >= BATCH_PAIRS;
        if is_full && batch.last().is_some_and(|last| !is_same(&last.key, &pair.key)) {
            if is_stopped() {
                return Err(Error::interrupted());
            }
            write(std::mem::take(&mut batch))?;
        }
        batch.push(pair);
    }
    if batch.is_empty() { Ok(()) } else { write(batch) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Color, Position};

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

    fn sums(offset: u64) -> Sums {
        let game = GameEntry { offset, date: None, ratings: [Some(2000), None], outcome: None };
        Sums::of(&game, Color::White, 3, (0, 0))
    }

    /// Positions of one hash, looked up with any number of bits, are as many pairs as they are.
    #[test]
    fn pairs_do_not_depend_on_hashes() {
        let keys = occurrences(3_000);
        let mut games = std::collections::BTreeMap::<(String, String), u64>::new();
        for key in &keys {
            let [uci, _] = key.moves(&key.position());
            *games.entry((key.fen(), uci)).or_default() += 1;
        }
        assert!(games.len() > 500 && games.values().any(|&games| games > 15));
        for bits in [0, 3, 255, u64::MAX] {
            let mut table = Table { pairs: Vec::new(), places: Vec::new(), seed: 3, bits };
            table.resize(1);
            for (number, key) in keys.iter().enumerate() {
                table.add(*key, &sums(number as u64));
            }
            let mut pairs = table.pairs;
            pairs.sort_unstable();
            let records: Vec<String> = pairs.iter().map(|pair| pair.key.fen()).collect();
            assert!(records.is_sorted(), "of one hash they are in the order of the records");
            let found = pairs.iter().map(|Pair { key, sums }| {
                ((key.fen(), key.moves(&key.position())[0].clone()), sums.games)
            });
            let found: std::collections::BTreeMap<_, _> = found.collect();
            assert!(pairs.len() == games.len() && found == games, "{bits}");
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
            let mut pairs = Pairs::new(Limits { spill, games_min: 2 });
            for (number, keys) in keys.chunks(60).enumerate() {
                let mut part = Counted::default();
                let (date, outcome) = (None, None);
                part.games.push(GameEntry { offset: 0, date, ratings: [None; 2], outcome });
                for key in keys {
                    let occurrence = Occurrence { key: *key, ply: number as u16, game: 0 };
                    part.chess.push(occurrence);
                }
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
}
