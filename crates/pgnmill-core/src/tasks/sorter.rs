//! A sort in bounded memory: what exceeds it is written to disk in sorted runs, which are merged.
//!
//! In: items in any order. Out: the same items in their order. Invariant: the result does not depend on the bound.
//! Memory: the bound, and an item; where the runs are so many that a block and an item of each exceed it, groups of
//! them are merged into one first. Disk: the items that exceed the bound, once for each time that they are merged, in
//! compressed blocks of a file without a name (on Unix), so that a run that is killed leaves nothing.
//!
//! ```
//! # use pgnmill_core::tasks::{duplicates::ClassMember, sorter::{Sorter, Spill}};
//! let spill = Spill { directory: std::env::temp_dir(), name: "sorted.csv".into(), bytes_max: 64 };
//! let mut sorter = Sorter::new(&spill);
//! for id in [3, 1, 2] {
//!     sorter.push(ClassMember { id, leader: 0 })?;
//! }
//! let ids: Result<Vec<u64>, _> = sorter.finish()?.map(|item| item.map(|item| item.id)).collect();
//! assert_eq!(ids?, [1, 2, 3]);
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pgnmill_io::error::{Error, Result};
use pgnmill_state::{Loader, State};

/// The memory of a sort: four at most are in memory at once.
pub const SORT_BYTES: usize = 128 << 20;
/// Items of a run are written and read in blocks of so many bytes, and the rest of an item.
const BLOCK_BYTES: usize = 64 << 10;
/// The compression level of blocks: a fast one, because they are read once.
const LEVEL: i32 = -3;
/// Items between two questions whether a merge is to end.
const ITEMS_BETWEEN: usize = 1 << 12;
/// So many runs are merged at once, however large their items are.
const RUNS_MIN: usize = 2;

/// An item that can be written to disk.
pub trait Stored: Ord + State {
    /// The bytes of memory that it occupies.
    fn memory_bytes(&self) -> usize {
        size_of::<Self>()
    }
}

/// Where sorts write what exceeds their memory.
#[derive(Clone, Debug)]
pub struct Spill {
    /// The directory of the temporary files.
    pub directory: PathBuf,
    /// The name of an output of the run: those of temporary files begin with it.
    pub name: String,
    /// The memory of a sort, in bytes.
    pub bytes_max: usize,
}

/// Items that are being collected.
#[derive(Debug)]
pub struct Sorter<T> {
    spill: Spill,
    items: Vec<T>,
    items_bytes: usize,
    /// The bytes of the largest item.
    largest_bytes: usize,
    file: Option<Arc<RunFile>>,
    /// The sorted runs in the file.
    runs: Vec<Range<u64>>,
}

impl<T: Stored> Sorter<T> {
    /// No items.
    pub fn new(spill: &Spill) -> Sorter<T> {
        let (items, runs) = (Vec::new(), Vec::new());
        Sorter { spill: spill.clone(), items, items_bytes: 0, largest_bytes: 0, file: None, runs }
    }

    /// Adds an item.
    ///
    /// # Errors
    /// A temporary file that cannot be written.
    pub fn push(&mut self, item: T) -> Result<()> {
        let bytes = item.memory_bytes();
        if !self.items.is_empty() && self.items_bytes + bytes > self.spill.bytes_max {
            self.write_run()?;
        }
        // The capacity of a vector that grows by doubling could exceed the bound by a factor of two.
        if self.items.len() == self.items.capacity() {
            let most = (self.spill.bytes_max / size_of::<T>().max(1)).max(1);
            let more = self.items.len().max(64).min(most.saturating_sub(self.items.len()).max(1));
            self.items.reserve_exact(more);
        }
        self.items_bytes += bytes;
        self.largest_bytes = self.largest_bytes.max(bytes);
        self.items.push(item);
        Ok(())
    }

    fn write_run(&mut self) -> Result<()> {
        self.items.sort_unstable();
        let mut run = self.begin_run()?;
        self.items.iter().try_for_each(|item| run.push(item))?;
        let range = run.finish()?;
        self.runs.push(range);
        self.items.clear();
        self.items_bytes = 0;
        Ok(())
    }

    /// Begins a run of items that are in order already; [`Sorter::end_run`] must follow.
    ///
    /// # Errors
    /// A temporary file that cannot be written.
    pub fn begin_run(&mut self) -> Result<RunWriter> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(Arc::new(RunFile::create(&self.spill)?)),
        };
        Ok(RunWriter::new(file, &self.spill.directory))
    }

    /// Adds the items of a run that was finished.
    pub fn end_run(&mut self, run: Range<u64>) {
        self.runs.push(run);
    }

    /// The items in order.
    ///
    /// # Errors
    /// A temporary file that cannot be written or read.
    pub fn finish(self) -> Result<Sorted<T>> {
        self.finish_unless(&|| Ok(()))
    }

    /// As [`Sorter::finish`], unless `check` fails meanwhile.
    ///
    /// # Errors
    /// As there; that of `check`.
    pub fn finish_unless(mut self, check: &dyn Fn() -> Result<()>) -> Result<Sorted<T>> {
        if self.runs.is_empty() {
            self.items.sort_unstable();
            return Ok(Sorted { memory: self.items.into_iter(), merge: None });
        }
        if !self.items.is_empty() {
            self.write_run()?;
        }
        let Sorter { spill, mut items, largest_bytes, file, mut runs, .. } = self;
        // The memory is that of the merge now.
        items.shrink_to_fit();
        let memory = items.into_iter();
        let Some(file) = file else { return Ok(Sorted { memory, merge: None }) };
        // In memory a run has a block, which ends with a whole item, and the item that was read of it.
        let run_bytes = BLOCK_BYTES + 2 * largest_bytes;
        let runs_max = (spill.bytes_max / run_bytes).max(RUNS_MIN);
        while runs.len() > runs_max {
            // As many that the next merge has all that it can have.
            let count = (runs.len() - runs_max + 1).clamp(RUNS_MIN, runs_max);
            let mut merge: Merge<T> = Merge::of(&file, runs.drain(..count), &spill.directory)?;
            let mut run = RunWriter::new(&file, &spill.directory);
            for (number, item) in merge.by_ref().enumerate() {
                if number.is_multiple_of(ITEMS_BETWEEN) {
                    check()?;
                }
                run.push(&item?)?;
            }
            runs.push(run.finish()?);
        }
        Ok(Sorted { memory, merge: Some(Merge::of(&file, runs, &spill.directory)?) })
    }
}

/// Items in order.
#[derive(Debug)]
pub struct Sorted<T> {
    memory: std::vec::IntoIter<T>,
    merge: Option<Merge<T>>,
}

impl<T: Stored> Iterator for Sorted<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        match &mut self.merge {
            None => self.memory.next().map(Ok),
            Some(merge) => merge.next(),
        }
    }
}

/// Runs that are being merged; the heap has the first item of each.
#[derive(Debug)]
struct Merge<T> {
    directory: PathBuf,
    readers: Vec<Run>,
    heap: BinaryHeap<Reverse<(T, usize)>>,
}

impl<T: Stored> Merge<T> {
    /// The items of some runs of a file.
    fn of(
        file: &Arc<RunFile>,
        runs: impl IntoIterator<Item = Range<u64>>,
        directory: &Path,
    ) -> Result<Merge<T>> {
        let reader = |range| Run { file: Arc::clone(file), range, block: Vec::new(), left: 0 };
        let readers = runs.into_iter().map(reader).collect();
        let mut merge = Merge { directory: directory.into(), readers, heap: BinaryHeap::new() };
        for run in 0..merge.readers.len() {
            let item = merge.item_of(run)?;
            merge.heap.extend(item.map(|item| Reverse((item, run))));
        }
        Ok(merge)
    }

    /// The next item of a run.
    fn item_of(&mut self, run: usize) -> Result<Option<T>> {
        let failed = |error| Error::io("read a temporary file in", self.directory.as_path(), error);
        self.readers[run].next().map_err(failed)
    }
}

impl<T: Stored> Iterator for Merge<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let run = self.heap.peek()?.0.1;
        let after = match self.item_of(run) {
            Ok(after) => after,
            Err(error) => return Some(Err(error)),
        };
        let mut first = self.heap.peek_mut()?;
        // The next item of a run takes the place of the one before: one way through the heap in place of two.
        let Reverse((item, _)) = match after {
            Some(after) => std::mem::replace(&mut *first, Reverse((after, run))),
            None => PeekMut::pop(first),
        };
        Some(Ok(item))
    }
}

/// A sorted run in a temporary file, block by block.
#[derive(Debug)]
struct Run {
    file: Arc<RunFile>,
    /// The blocks that are not read yet.
    range: Range<u64>,
    block: Vec<u8>,
    /// Bytes at the end of the block that are not loaded yet.
    left: usize,
}

impl Run {
    /// The next item, if there is one.
    fn next<T: State>(&mut self) -> io::Result<Option<T>> {
        if self.left == 0 {
            if self.range.is_empty() {
                return Ok(None);
            }
            self.file.read_block(&mut self.range, &mut self.block)?;
            self.left = self.block.len();
        }
        let mut from = Loader::new(&self.block[self.block.len() - self.left..]);
        let item = from.value().ok_or(io::ErrorKind::InvalidData)?;
        self.left = from.left();
        Ok(Some(item))
    }
}

/// Writes a run.
#[derive(Debug)]
pub struct RunWriter {
    file: Arc<RunFile>,
    directory: PathBuf,
    block: Vec<u8>,
    range: Option<Range<u64>>,
}

impl RunWriter {
    fn new(file: &Arc<RunFile>, directory: &Path) -> RunWriter {
        let (file, directory) = (Arc::clone(file), directory.to_path_buf());
        RunWriter { file, directory, block: Vec::new(), range: None }
    }

    /// Adds the next item.
    ///
    /// # Errors
    /// A temporary file that cannot be written.
    pub fn push(&mut self, item: &impl State) -> Result<()> {
        item.save(&mut self.block);
        if self.block.len() >= BLOCK_BYTES { self.write_block() } else { Ok(()) }
    }

    /// Writes the rest; returns where the run is.
    ///
    /// # Errors
    /// As [`RunWriter::push`].
    pub fn finish(mut self) -> Result<Range<u64>> {
        if !self.block.is_empty() {
            self.write_block()?;
        }
        Ok(self.range.unwrap_or_default())
    }

    fn write_block(&mut self) -> Result<()> {
        let directory = self.directory.as_path();
        let failed = |error| Error::io("write a temporary file in", directory, error);
        let own = self.file.write_block(&self.block).map_err(failed)?;
        let start = self.range.as_ref().map_or(own.start, |range| range.start);
        self.range = Some(start..own.end);
        self.block.clear();
        Ok(())
    }
}

/// A temporary file, which has no name on systems that allow it.
#[derive(Debug)]
struct RunFile {
    /// The file, and where it ends.
    file: Mutex<(File, u64)>,
    /// Its name, where an open file cannot be removed.
    path: Option<PathBuf>,
}

impl RunFile {
    fn create(spill: &Spill) -> Result<RunFile> {
        let Spill { directory, name, .. } = spill;
        // The name of a temporary file of an output, so that the same rules apply to what a killed run leaves.
        let token = RandomState::new().build_hasher().finish();
        let path = directory.join(format!("{name}.pgnmill-{token:016x}.part"));
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create_new(true).open(&path);
        let failed = |error| Error::io("write a temporary file in", directory, error);
        let file = file.map_err(failed)?;
        let removed = cfg!(unix) && fs::remove_file(&path).is_ok();
        Ok(RunFile { file: Mutex::new((file, 0)), path: (!removed).then_some(path) })
    }

    /// Adds a block; returns its range.
    fn write_block(&self, block: &[u8]) -> io::Result<Range<u64>> {
        let mut file = self.file.lock().map_err(|_| io::Error::other("a reader panicked"))?;
        let (file, end) = &mut *file;
        file.seek(SeekFrom::Start(*end))?;
        let stored = zstd::bulk::compress(block, LEVEL)?;
        let lengths = [stored.len(), block.len()].map(|length| (length as u64).to_le_bytes());
        file.write_all(lengths.as_flattened())?;
        file.write_all(&stored)?;
        let start = std::mem::replace(end, file.stream_position()?);
        Ok(start..*end)
    }

    /// Reads the first block of a range, which begins after it then.
    fn read_block(&self, range: &mut Range<u64>, block: &mut Vec<u8>) -> io::Result<()> {
        let mut file = self.file.lock().map_err(|_| io::Error::other("a reader panicked"))?;
        let (file, _) = &mut *file;
        file.seek(SeekFrom::Start(range.start))?;
        let mut lengths = [[0; 8]; 2];
        file.read_exact(lengths.as_flattened_mut())?;
        let [stored_bytes, bytes] = lengths.map(u64::from_le_bytes);
        let mut stored = Vec::new();
        file.take(stored_bytes).read_to_end(&mut stored)?;
        range.start += size_of_val(&lengths) as u64 + stored_bytes;
        // A block is little longer than the longest item, which was in memory.
        *block = zstd::bulk::decompress(&stored, usize::try_from(bytes).unwrap_or(0))?;
        if block.len() as u64 == bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

impl Drop for RunFile {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // Nothing more can be done about a file that cannot be removed.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::duplicates::{CandidateLine, ClassMember};

    fn spill(bytes_max: usize) -> Spill {
        Spill { directory: std::env::temp_dir(), name: "sorted.csv".into(), bytes_max }
    }

    #[test]
    fn the_order_does_not_depend_on_the_memory() {
        let ids: Vec<u64> = (0..5_000).map(|at| at * 7_919 % 4_001).collect();
        let mut expected: Vec<u64> = ids.clone();
        expected.sort_unstable();
        for bytes_max in [0, 1, 100, 1_000, 40_000, 1 << 20] {
            let spill = spill(bytes_max);
            let mut sorter = Sorter::new(&spill);
            for &id in &ids {
                sorter.push(ClassMember { id, leader: id / 2 }).unwrap();
                assert!(sorter.items.capacity() * 16 <= bytes_max.max(2_048));
            }
            let sorted: Vec<u64> = sorter.finish().unwrap().map(|item| item.unwrap().id).collect();
            assert!(sorted == expected, "{bytes_max}");
        }
    }

    #[test]
    fn items_of_any_length_are_read_again() {
        let spill = spill(1_000);
        let mut sorter = Sorter::new(&spill);
        for length in (0..300_usize).rev() {
            let moves = vec![7; length * length];
            sorter.push(CandidateLine { group: 1, moves, node: length as u64 }).unwrap();
        }
        // Some five runs, of which two are merged at a time.
        assert!(sorter.runs.len() > RUNS_MIN);
        for (length, line) in sorter.finish().unwrap().enumerate() {
            assert_eq!(line.unwrap().moves.len(), length * length);
        }
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_named() {
        let spill = Spill { directory: "/no/such/directory".into(), ..spill(0) };
        let mut sorter = Sorter::new(&spill);
        let results = [1, 2].map(|id| sorter.push(ClassMember { id, leader: 0 }));
        let error = results.into_iter().find_map(Result::err).unwrap().to_string();
        assert!(error.contains("/no/such/directory"), "{error}");
    }
}
