//! Many output files, of which few are open.
//!
//! In: bytes for files, which are created one after the other. Out: complete files, in the order in which they were
//! created. Invariants: each file has its bytes in order; descriptors and waiting bytes are bounded. Bytes wait in
//! memory until their file has many, or all files together too many; then those of the file with the most are written.
//! Of the open files the one that was written least recently is closed when another has to be opened: it is *at rest*,
//! and is opened again if its path still names that file ([`super::temporary`]). Whether it is open or at rest, the
//! lock of its series shows that a run is writing it ([`super::series`]).
//!
//! Cost: a copy of the bytes; O(log n) per addition to one of n files; about 1 KB per file; at most one opening per
//! written piece, and one more to sync the file to disk. Many files are synced by several threads at once
//! ([`super::publish`]). An error of the disk that the system meets while a file is at rest is reported by the sync at
//! the end, or shows in the length of the file; this is weaker than for a file that stays open.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::error::Shown as _;
use crate::error::{Error, Result};

use super::series::Series;
use super::temporary::Target;
use super::{Out, Sink, is_stream};

/// What many files may need together.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Open files, at most.
    pub open_files: usize,
    /// The memory of bytes that wait for all files.
    pub waiting_bytes: usize,
    /// The bytes that wait for one file.
    pub file_waiting_bytes: usize,
}

/// Many output files.
#[derive(Debug)]
pub struct ManyFiles {
    overwrite: bool,
    bounds: Bounds,
    /// By directory: an output that is a link is written where the link leads.
    series: HashMap<PathBuf, Series>,
    files: Vec<OneOfMany>,
    /// The memory of what waits, with the index of the file; of several the first is the last one here.
    waiting: BTreeSet<(usize, Reverse<usize>)>,
    waiting_bytes: usize,
    /// The open files, by the time at which they were last written.
    open: BTreeMap<u64, usize>,
    time: u64,
}

/// One of them.
#[derive(Debug)]
struct OneOfMany {
    sink: Sink,
    waiting: Vec<u8>,
    /// If it is open: when it was last written.
    opened: Option<u64>,
}

impl ManyFiles {
    /// No file yet.
    pub fn new(overwrite: bool, bounds: Bounds) -> ManyFiles {
        ManyFiles {
            overwrite,
            bounds,
            series: HashMap::new(),
            files: Vec::new(),
            waiting: BTreeSet::new(),
            waiting_bytes: 0,
            open: BTreeMap::new(),
            time: 0,
        }
    }

    /// The number of files.
    pub fn count(&self) -> usize {
        self.files.len()
    }

    /// Creates a file; its index is the number of those before it.
    ///
    /// # Errors
    /// As [`super::Reservation::all`].
    pub fn create(&mut self, path: &Path) -> Result<()> {
        self.rest_until(self.bounds.open_files.saturating_sub(1))?;
        let (index, sink) = (self.files.len(), self.begin(path)?);
        let is_file = sink.is_file();
        self.files.push(OneOfMany { sink, waiting: Vec::new(), opened: None });
        if is_file {
            self.touch(index);
        }
        Ok(())
    }

    /// Begins an output.
    fn begin(&mut self, path: &Path) -> Result<Sink> {
        if is_stream(path) {
            return Sink::create(path, self.overwrite);
        }
        if path.is_dir() {
            return Err(Error::usage(format!("{} is a directory", path.shown())));
        }
        let refuse_existing = |there: &Path| match fs::symlink_metadata(there) {
            Ok(_) if !self.overwrite => Err(Error::exists(path)),
            _ => Ok(()),
        };
        refuse_existing(path)?;
        let target = Target::of(path)?;
        if !self.series.contains_key(target.directory()) {
            let series = Series::begin(target.directory())?;
            self.series.insert(target.directory().to_path_buf(), series);
        }
        let Some(series) = self.series.get_mut(target.directory()) else {
            return Err(Error::io("write", path, io::ErrorKind::NotFound.into()));
        };
        let (temporary, file) = series.create(target)?;
        // Another run may have ended since the first check.
        refuse_existing(temporary.target().path())?;
        let out = Out::File(BufWriter::with_capacity(0, file));
        Ok(Sink::begin(path.to_path_buf(), out, Some(temporary), self.overwrite))
    }

    /// Adds bytes to a file.
    ///
    /// # Errors
    /// What the system refuses, with the path; a file that was replaced while it was at rest.
    pub fn add(&mut self, index: usize, bytes: &[u8]) -> Result<()> {
        let mut waiting = self.take(index);
        waiting.extend_from_slice(bytes);
        let is_full = waiting.len() > self.bounds.file_waiting_bytes;
        self.put(index, waiting);
        if is_full {
            self.write(index)?;
        }
        while self.waiting_bytes > self.bounds.waiting_bytes
            && let Some(&(_, Reverse(largest))) = self.waiting.last()
        {
            self.write(largest)?;
        }
        Ok(())
    }

    /// Takes what waits for a file.
    fn take(&mut self, index: usize) -> Vec<u8> {
        let waiting = std::mem::take(&mut self.files[index].waiting);
        self.waiting.remove(&(waiting.capacity(), Reverse(index)));
        self.waiting_bytes -= waiting.capacity();
        waiting
    }

    /// Sets what waits for a file for which nothing does.
    fn put(&mut self, index: usize, waiting: Vec<u8>) {
        if waiting.capacity() > 0 {
            self.waiting.insert((waiting.capacity(), Reverse(index)));
            self.waiting_bytes += waiting.capacity();
        }
        self.files[index].waiting = waiting;
    }

    /// Writes what waits for a file.
    fn write(&mut self, index: usize) -> Result<()> {
        let waiting = self.take(index);
        if waiting.is_empty() {
            return Ok(());
        }
        if self.files[index].sink.is_file() {
            if self.files[index].opened.is_none() {
                self.rest_until(self.bounds.open_files.saturating_sub(1))?;
            }
            self.touch(index);
        }
        self.files[index].sink.add(&waiting)
    }

    /// The file is written now.
    fn touch(&mut self, index: usize) {
        self.time += 1;
        if let Some(before) = self.files[index].opened.replace(self.time) {
            self.open.remove(&before);
        }
        self.open.insert(self.time, index);
    }

    /// Closes the files that were written least recently until only so many are open.
    fn rest_until(&mut self, count: usize) -> Result<()> {
        while self.open.len() > count
            && let Some((_, index)) = self.open.pop_first()
        {
            let file = &mut self.files[index];
            file.opened = None;
            file.sink.rest()?;
        }
        Ok(())
    }

    /// Writes everything, and returns the complete files. As many stay open as there were; the others are opened again
    /// to be synced to disk.
    ///
    /// # Errors
    /// What the system refuses, with the path; an output that another run is writing.
    pub fn finish(&mut self) -> Result<Vec<Sink>> {
        self.series.values_mut().try_for_each(Series::check)?;
        (0..self.files.len()).try_for_each(|index| self.write(index))?;
        self.open.clear();
        // Their lock is released with the last of the files.
        self.series.clear();
        let complete = |OneOfMany { mut sink, .. }| {
            sink.complete(true)?;
            Ok(sink)
        };
        self.files.drain(..).map(complete).collect()
    }
}

impl Sink {
    /// Closes the file until more is added. What is no file stays open.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    fn rest(&mut self) -> Result<()> {
        if let Out::File(file) = &mut self.out {
            let flushed = file.flush();
            flushed.map_err(|error| self.error(error))?;
            self.out = Out::AtRest;
        }
        Ok(())
    }

    /// Opens a file that is at rest.
    pub(super) fn wake(&mut self) -> io::Result<()> {
        if let (Out::AtRest, Some(temporary)) = (&self.out, &self.temporary) {
            // Larger pieces are collected before they are written.
            self.out = Out::File(BufWriter::with_capacity(0, temporary.reopen(self.added_bytes)?));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::publish_all;
    use pgnmill_dice::Dice;

    fn scratch(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("pgnmill-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&path));
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn count(directory: &Path) -> usize {
        fs::read_dir(directory).unwrap().count()
    }

    /// Any additions, within any bounds: each file has its own in order, and at no time more is open or waits.
    #[test]
    fn files_have_their_bytes_within_any_bounds() {
        let (root, mut dice) = (scratch("many-bytes"), Dice::new(0x3a9));
        for (open_files, waiting_bytes, file_waiting_bytes) in
            [(1, 0, 0), (3, 300, 60), (3, 300, 1_000), (5, 4_000, 50), (100, 1 << 20, 1 << 20)]
        {
            let bounds = Bounds { open_files, waiting_bytes, file_waiting_bytes };
            let mut files = ManyFiles::new(false, bounds);
            let mut expected: Vec<Vec<u8>> = Vec::new();
            for number in 0..1_500 {
                let index = dice.below(40);
                let index = if index < 20 { index % 2 } else { index };
                while expected.len() <= index {
                    files.create(&root.join(expected.len().to_string())).unwrap();
                    expected.push(Vec::new());
                }
                let bytes = format!("{number} ").repeat(dice.below(6)).into_bytes();
                files.add(index, &bytes).unwrap();
                expected[index].extend_from_slice(&bytes);
                assert!(files.waiting_bytes <= waiting_bytes && files.open.len() <= open_files);
                let is_open = |file: &&OneOfMany| matches!(file.sink.out, Out::File(_));
                let open = files.files.iter().filter(is_open).count();
                let waiting: usize = files.files.iter().map(|file| file.waiting.capacity()).sum();
                assert_eq!((open, waiting), (files.open.len(), files.waiting_bytes));
            }
            let sinks = files.finish().unwrap();
            let open = sinks.iter().filter(|sink| matches!(sink.out, Out::Complete(_))).count();
            assert!(open <= open_files, "{open}");
            publish_all(sinks).unwrap();
            assert_eq!(count(&root), expected.len());
            for (index, bytes) in expected.iter().enumerate() {
                let path = root.join(index.to_string());
                assert!(fs::read(&path).unwrap() == *bytes, "{index}");
                fs::remove_file(path).unwrap();
            }
        }
        fs::remove_dir_all(&root).unwrap();
    }

    /// The file that is closed is the one that was written least recently; the text that is written is the longest.
    #[test]
    fn the_files_that_are_written_stay_open() {
        let root = scratch("many-open");
        let bounds = Bounds { open_files: 2, waiting_bytes: 100, file_waiting_bytes: 30 };
        let mut files = ManyFiles::new(false, bounds);
        for name in ["a", "b", "c"] {
            files.create(&root.join(name)).unwrap();
        }
        let open = |files: &ManyFiles| -> Vec<bool> {
            files.files.iter().map(|file| file.opened.is_some()).collect()
        };
        assert_eq!(open(&files), [false, true, true]);
        files.add(1, &[b'x'; 31]).unwrap();
        assert_eq!(open(&files), [false, true, true]);
        files.add(0, &[b'x'; 31]).unwrap();
        assert_eq!(open(&files), [true, true, false]);
        files.bounds.file_waiting_bytes = 100;
        for (index, bytes) in [(0, 20), (1, 40), (2, 30)] {
            files.add(index, &vec![b'y'; bytes]).unwrap();
        }
        files.add(0, &[b'y'; 30]).unwrap();
        let waiting: Vec<usize> = files.files.iter().map(|file| file.waiting.len()).collect();
        assert_eq!(waiting, [0, 40, 30]);
        drop(files);
        assert_eq!(count(&root), 0);
        fs::remove_dir_all(&root).unwrap();
    }

    /// What somebody puts in the place of a file at rest is not written to, and gets no name.
    #[cfg(unix)]
    #[test]
    fn a_file_that_was_replaced_at_rest_is_refused() {
        use std::os::unix::fs::symlink;
        let root = scratch("many-replaced");
        fs::write(root.join("victim"), "text").unwrap();
        type Replace<'r> = &'r dyn Fn(&Path);
        let replace: [(&str, Replace<'_>); 7] = [
            ("no file", &|part| {
                fs::remove_file(part).unwrap();
                symlink(root.join("victim"), part).unwrap();
            }),
            ("replaced", &|part| {
                fs::remove_file(part).unwrap();
                fs::hard_link(root.join("victim"), part).unwrap();
            }),
            ("replaced", &|part| {
                fs::copy(part, root.join("copy")).unwrap();
                fs::rename(root.join("copy"), part).unwrap();
            }),
            ("no file", &|part| {
                fs::remove_file(part).unwrap();
                fs::create_dir(part).unwrap();
            }),
            ("No such file", &|part| fs::remove_file(part).unwrap()),
            ("has 9 bytes, and 4 were written", &|part| fs::write(part, "textother").unwrap()),
            ("has 1 bytes, and 4 were written", &|part| fs::write(part, "t").unwrap()),
        ];
        let bounds = Bounds { open_files: 1, waiting_bytes: 0, file_waiting_bytes: 0 };
        for (why, replace) in replace {
            for is_written_again in [false, true] {
                let mut files = ManyFiles::new(true, bounds);
                for name in ["a", "b"] {
                    files.create(&root.join(name)).unwrap();
                }
                files.add(0, b"text").unwrap();
                files.add(1, b"text").unwrap();
                let part = files.files[0].sink.part().unwrap().to_path_buf();
                replace(&part);
                let ended = match is_written_again {
                    true => files.add(0, b"more"),
                    false => files.finish().and_then(publish_all),
                };
                let error = ended.unwrap_err().to_string();
                assert!(error.contains(why), "{error}");
                drop(files);
                drop(fs::remove_dir(&part));
                assert_eq!(fs::read_to_string(root.join("victim")).unwrap(), "text");
                assert_eq!(count(&root), 1, "{why}");
            }
        }
        fs::remove_dir_all(&root).unwrap();
    }

    /// Of many files that cannot be completed the first is named, whichever thread finds it.
    #[test]
    fn of_many_files_the_first_that_fails_is_named() {
        let root = scratch("many-first");
        let bounds = Bounds { open_files: 1, waiting_bytes: 0, file_waiting_bytes: 0 };
        for failing in [vec![3], vec![199, 70, 71, 130], (1..200).collect()] {
            let mut files = ManyFiles::new(false, bounds);
            for number in 0..201 {
                files.create(&root.join(format!("{number}.pgn"))).unwrap();
                files.add(number, b"text").unwrap();
            }
            let sinks = files.finish().unwrap();
            for &number in &failing {
                fs::remove_file(sinks[number].part().unwrap()).unwrap();
            }
            let error = publish_all(sinks).unwrap_err().to_string();
            let first = failing.iter().min().unwrap();
            assert!(error.contains(&format!("/{first}.pgn")), "{error}");
            assert_eq!(count(&root), 0);
        }
        fs::remove_dir_all(&root).unwrap();
    }

    /// Links lead to other directories, in which files of other runs are known too.
    #[cfg(unix)]
    #[test]
    fn links_are_followed_when_a_file_is_created() {
        let root = scratch("many-links");
        fs::create_dir(root.join("other")).unwrap();
        fs::write(root.join("other/x"), "old").unwrap();
        std::os::unix::fs::symlink("other/x", root.join("link")).unwrap();
        let bounds = Bounds { open_files: 1, waiting_bytes: 0, file_waiting_bytes: 0 };
        let mut files = ManyFiles::new(true, bounds);
        for name in ["a", "link", "b"] {
            files.create(&root.join(name)).unwrap();
        }
        let refused = Sink::create(&root.join("other/x"), true).unwrap_err().to_string();
        assert!(refused.contains("another run"), "{refused}");
        (0..3).try_for_each(|index| files.add(index, b"new")).unwrap();
        let sinks = files.finish().unwrap();
        drop(files);
        let refused = Sink::create(&root.join("a"), true).unwrap_err().to_string();
        assert!(refused.contains("another run"), "{refused}");
        publish_all(sinks).unwrap();
        assert_eq!(fs::read_to_string(root.join("other/x")).unwrap(), "new");
        assert!(root.join("link").is_symlink() && count(&root) == 4);
        assert_eq!(count(&root.join("other")), 1);
        fs::remove_dir_all(&root).unwrap();
    }
}
