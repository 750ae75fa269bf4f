//! The pairs of several tables of sums.
//!
//! In: the rows of tables, each in the order of a table. Out: the pairs with their sums, in the order of their keys, in
//! batches of whole positions: those that [`super::Pairs`] gives of the games of all tables. Invariant: they do not
//! depend on how games are divided among tables. Memory: a row group and the moves of one position for each of at most
//! [`STREAMED_MAX`] tables; of more tables one at a time is read into a sorted run on disk. Cost: a way through a heap
//! for each row.

use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BinaryHeap, VecDeque};
use std::fmt;

use pgnmill_io::error::{Error, Result};

use super::super::sorter::{Sorter, Spill};
use super::key::{ChessKey, OtherKey};
use super::pair::Pair;
use super::pairs::{Limits, Merged, batches, write_chess};
use super::stored_row::StoredPair;
use crate::engine::Pool;

/// Why the rows of a table cannot be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disorder {
    /// A position is not after the one before.
    Position,
    /// A position has a move twice, or more moves than any has.
    Moves,
}

impl fmt::Display for Disorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Disorder::Position => "its positions are not in order",
            Disorder::Moves => "a position has a move twice",
        })
    }
}

/// Tables that are read at the same time, at most: a row group takes some 30 MB.
const STREAMED_MAX: usize = 32;
/// Rows between two looks at whether the run is stopped.
const ROWS_BETWEEN: u64 = 1 << 14;
/// Moves of a position, at most: more than any position has.
const MOVES_MAX: usize = 4_096;

/// The rows of a table, one by one.
pub trait TableRows: fmt::Debug {
    /// The next row, in the order of the table.
    ///
    /// # Errors
    /// A table that cannot be read, or is damaged.
    fn next_pair(&mut self) -> Result<Option<StoredPair>>;

    /// The error of rows in another order.
    fn disorder(&self, what: Disorder) -> Error;
}

/// A table, position by position.
#[derive(Debug)]
struct Source {
    rows: Box<dyn TableRows>,
    /// The pairs of the current position, in the order of their keys.
    position: VecDeque<StoredPair>,
    /// The first pair of the next one.
    next: Option<StoredPair>,
    has_begun: bool,
}

/// Has a pair the position of another?
fn is_same(one: &StoredPair, other: &StoredPair) -> bool {
    match (one, other) {
        (StoredPair::Chess(one), StoredPair::Chess(other)) => one.key.has_position_of(&other.key),
        (StoredPair::Other(one), StoredPair::Other(other)) => one.key.has_position_of(&other.key),
        _ => false,
    }
}

/// Is the key of a pair smaller?
fn is_before(one: &StoredPair, other: &StoredPair) -> bool {
    match (one, other) {
        (StoredPair::Chess(one), StoredPair::Chess(other)) => one < other,
        (StoredPair::Other(one), StoredPair::Other(other)) => one < other,
        (one, _) => matches!(one, StoredPair::Chess(_)),
    }
}

impl Source {
    /// Reads the moves of the next position, if none are left of the one before.
    fn fill(&mut self) -> Result<()> {
        if !self.position.is_empty() {
            return Ok(());
        }
        if !std::mem::replace(&mut self.has_begun, true) {
            self.next = self.rows.next_pair()?;
        }
        let Some(first) = self.next.take() else { return Ok(()) };
        let mut moves = vec![first];
        while let Some(pair) = self.rows.next_pair()? {
            if is_same(&moves[0], &pair) {
                if moves.len() == MOVES_MAX {
                    return Err(self.rows.disorder(Disorder::Moves));
                }
                moves.push(pair);
                continue;
            }
            if !is_before(&moves[0], &pair) {
                return Err(self.rows.disorder(Disorder::Position));
            }
            self.next = Some(pair);
            break;
        }
        moves.sort_unstable_by(|a, b| match (a, b) {
            (StoredPair::Chess(a), StoredPair::Chess(b)) => a.cmp(b),
            (StoredPair::Other(a), StoredPair::Other(b)) => a.cmp(b),
            // They are of one position.
            _ => std::cmp::Ordering::Equal,
        });
        if moves.windows(2).any(|pair| !is_before(&pair[0], &pair[1])) {
            return Err(self.rows.disorder(Disorder::Moves));
        }
        self.position = moves.into();
        Ok(())
    }

    /// The next pair, if it is one of these keys.
    fn next<K: OfTable>(&mut self) -> Result<Option<Pair<K>>> {
        self.fill()?;
        let pair = self.position.pop_front_if(|pair| K::is_of(pair));
        Ok(pair.and_then(K::of))
    }
}

/// The key of a pair of a table.
trait OfTable: Ord + Sized {
    fn is_of(pair: &StoredPair) -> bool;

    /// The pair, if it has such a key.
    fn of(pair: StoredPair) -> Option<Pair<Self>>;
}

impl OfTable for ChessKey {
    fn is_of(pair: &StoredPair) -> bool {
        matches!(pair, StoredPair::Chess(_))
    }

    fn of(pair: StoredPair) -> Option<Pair<ChessKey>> {
        if let StoredPair::Chess(pair) = pair { Some(pair) } else { None }
    }
}

impl OfTable for OtherKey {
    fn is_of(pair: &StoredPair) -> bool {
        matches!(pair, StoredPair::Other(_))
    }

    fn of(pair: StoredPair) -> Option<Pair<OtherKey>> {
        if let StoredPair::Other(pair) = pair { Some(pair) } else { None }
    }
}

/// The pairs of all tables with these keys, in their order.
struct Sorted<'t, K> {
    sources: &'t mut [Source],
    heap: BinaryHeap<Reverse<(Pair<K>, usize)>>,
}

impl<'t, K: OfTable> Sorted<'t, K> {
    fn of(sources: &'t mut [Source]) -> Result<Sorted<'t, K>> {
        let mut heap = BinaryHeap::with_capacity(sources.len());
        for (index, source) in sources.iter_mut().enumerate() {
            heap.extend(source.next()?.map(|pair| Reverse((pair, index))));
        }
        Ok(Sorted { sources, heap })
    }
}

impl<K: OfTable> Iterator for Sorted<'_, K> {
    type Item = Result<Pair<K>>;

    fn next(&mut self) -> Option<Result<Pair<K>>> {
        let index = self.heap.peek()?.0.1;
        let after = match self.sources[index].next() {
            Ok(after) => after,
            Err(error) => {
                self.heap.clear();
                return Some(Err(error));
            }
        };
        let mut first = self.heap.peek_mut()?;
        let Reverse((pair, _)) = match after {
            Some(after) => std::mem::replace(&mut *first, Reverse((after, index))),
            None => PeekMut::pop(first),
        };
        Some(Ok(pair))
    }
}

/// All pairs, to be sorted.
type Runs = (Sorter<Pair<ChessKey>>, Sorter<Pair<OtherKey>>);

/// The pairs of tables.
#[derive(Debug)]
pub struct TablePairs {
    sources: Vec<Source>,
    limits: Limits,
}

impl TablePairs {
    /// Those of these tables.
    pub fn new(tables: Vec<Box<dyn TableRows>>, limits: Limits) -> TablePairs {
        let source =
            |rows| Source { rows, position: VecDeque::new(), next: None, has_begun: false };
        TablePairs { sources: tables.into_iter().map(source).collect(), limits }
    }

    /// As [`super::Pairs::finish`].
    ///
    /// # Errors
    /// A table that cannot be read or is damaged; a temporary file; those of `write`.
    pub fn finish<T: Send + 'static>(
        mut self,
        pool: &Pool,
        of_chess: impl Fn(Vec<Pair<ChessKey>>) -> T + Send + Sync + 'static,
        of_others: impl Fn(Vec<Pair<OtherKey>>) -> T,
        mut write: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        if self.sources.len() <= STREAMED_MAX {
            let merged = Merged::of(Sorted::of(&mut self.sources)?);
            write_chess(merged, &self.limits, pool, of_chess, &mut write)?;
            let merged = Merged::of(Sorted::of(&mut self.sources)?);
            return batches(merged, &self.limits, OtherKey::has_position_of, |it| {
                write(of_others(it))
            });
        }
        let (chess, others) = runs_of(self.sources, &self.limits)?;
        let check = || self.limits.stop.check();
        let chess = Merged::of(chess.finish_unless(&check)?);
        write_chess(chess, &self.limits, pool, of_chess, &mut write)?;
        let merged = Merged::of(others.finish_unless(&check)?);
        batches(merged, &self.limits, OtherKey::has_position_of, |it| write(of_others(it)))
    }
}

/// Reads one table after the other into sorted runs.
fn runs_of(sources: Vec<Source>, limits: &Limits) -> Result<Runs> {
    let spill = &limits.spill;
    let sorted = |part: usize| Spill { bytes_max: spill.bytes_max / part, ..spill.clone() };
    let (mut chess, mut others) = (Sorter::new(&sorted(2)), Sorter::new(&sorted(8)));
    let mut count = 0_u64;
    let mut check = || {
        count += 1;
        if count.is_multiple_of(ROWS_BETWEEN) { limits.stop.check() } else { Ok(()) }
    };
    for mut source in sources {
        let mut run = chess.begin_run()?;
        while let Some(pair) = source.next::<ChessKey>()? {
            check()?;
            run.push(&pair)?;
        }
        chess.end_run(run.finish()?);
        while let Some(pair) = source.next::<OtherKey>()? {
            check()?;
            others.push(pair)?;
        }
    }
    Ok((chess, others))
}
