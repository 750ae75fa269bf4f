//! The files of a journal: its lines, and the saved states beside it.
//!
//! In: records, states. Out: files that are on disk before the next step. Invariants: the journal is created with its
//! first record, and locked as long as the run lives; a state is written to a temporary name, synced and renamed; two
//! of them are kept; the user alone can read and write them, and none that is writable by others is used. Cost:
//! two or three syncs per checkpoint.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Digest, Snapshot, open_own, private, sync_names};

use super::records::{self, CheckpointFact, OutputFact, Record, RunFact};

/// Ends the program, as a crash does, after some steps: for tests.
#[derive(Debug, Default)]
pub(crate) struct Steps(AtomicU64);

impl Steps {
    /// After so many steps; 0 is never.
    pub(crate) fn new(count: u64) -> Steps {
        Steps(AtomicU64::new(count))
    }

    /// Do steps count?
    pub(super) fn are_counted(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    /// A step.
    pub(crate) fn step(&self) {
        if self.are_counted() && self.0.fetch_sub(1, Ordering::Relaxed) == 1 {
            std::process::abort();
        }
    }
}

/// Longer names of outputs are replaced by a number: file systems allow 255 bytes.
const NAME_BYTES_MAX: usize = 200;

/// Where a journal and its states are.
#[derive(Clone, Debug)]
pub(super) struct Names {
    directory: PathBuf,
    stem: String,
}

impl Names {
    /// Of a run that writes a directory, or a file.
    pub(super) fn of(output: &Path, is_directory: bool) -> Names {
        if is_directory {
            return Names { directory: output.to_path_buf(), stem: ".pgnmill-run".to_string() };
        }
        let directory = output.parent().unwrap_or(Path::new("")).to_path_buf();
        let name = output.file_name().unwrap_or_default();
        let stem = match name.to_str() {
            Some(name) if name.len() <= NAME_BYTES_MAX => format!(".{name}.pgnmill-run"),
            _ => format!(".output-{}.pgnmill-run", Digest::of(name.as_encoded_bytes())),
        };
        Names { directory, stem }
    }

    pub(super) fn journal(&self) -> PathBuf {
        self.directory.join(format!("{}.jsonl", self.stem))
    }

    /// The name of the file of a state; there are two, which alternate.
    pub(super) fn state_name(&self, number: u64) -> String {
        format!("{}.state-{}", self.stem, number % 2)
    }

    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// The files of states.
    pub(super) fn states(&self) -> [PathBuf; 2] {
        [0, 1].map(|number| self.beside(&self.state_name(number)))
    }

    pub(super) fn sync(&self) {
        let is_here = self.directory.as_os_str().is_empty();
        sync_names(if is_here { Path::new(".") } else { &self.directory });
    }

    /// Removes the states.
    pub(super) fn remove_states(&self) {
        for path in self.states() {
            // They are of no use any more; a later run replaces them.
            drop(fs::remove_file(&path));
            drop(fs::remove_file(temporary(&path)));
        }
    }
}

/// The name under which a state is written.
fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".new");
    name.into()
}

/// A journal, which is shared with the thread that writes a checkpoint.
#[derive(Debug)]
pub(super) struct Log {
    pub(super) names: Names,
    pub(super) run: RunFact,
    /// Open and locked after the first record.
    file: Mutex<Option<File>>,
    /// Temporary files that states refer to. Those of inputs that failed later remain, and go at the end.
    kept: Mutex<HashSet<PathBuf>>,
    pub(super) steps: Steps,
}

/// Opens a journal that was left, if it is the user's: see [`open_own`].
pub(super) fn open_journal(path: &Path) -> io::Result<File> {
    open_own(OpenOptions::new().read(true).append(true), path)
}

/// What became of the attempt to write a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Appended {
    Yes,
    /// Another run has the journal.
    Lost,
}

impl Log {
    pub(super) fn new(names: Names, run: RunFact, file: Option<File>, steps: Steps) -> Log {
        Log { names, run, file: Mutex::new(file), kept: Mutex::default(), steps }
    }

    /// States refer to these temporary files.
    pub(super) fn keep<'p>(&self, parts: impl Iterator<Item = &'p Path>) {
        if let Ok(mut kept) = self.kept.lock() {
            kept.extend(parts.map(Path::to_path_buf));
        }
    }

    /// The temporary files that states refer to, some of which may be outputs now.
    pub(super) fn kept(&self) -> Vec<PathBuf> {
        self.kept.lock().map_or_else(|_| Vec::new(), |kept| kept.iter().cloned().collect())
    }

    /// Removes the temporary files that are of no use when all outputs have their names.
    pub(super) fn remove_kept(&self) {
        let Ok(mut kept) = self.kept.lock() else { return };
        for part in kept.drain() {
            // Most are outputs now, under other names.
            drop(fs::remove_file(part));
        }
    }

    /// Was a record written?
    pub(super) fn is_open(&self) -> bool {
        self.file.lock().is_ok_and(|file| file.is_some())
    }

    /// Adds records and syncs them to disk.
    pub(super) fn append(&self, records: &[Record]) -> Result<Appended> {
        let path = self.names.journal();
        let failed = |error| Error::io("write", &path, error);
        let mut text: String = records.iter().map(Record::line).collect();
        let Ok(mut file) = self.file.lock() else { return Ok(Appended::Lost) };
        if file.is_none() {
            let Some(new) = self.create(&path).map_err(failed)? else { return Ok(Appended::Lost) };
            *file = Some(new);
            text.insert_str(0, &Record::Run(self.run.clone()).line());
            self.names.sync();
        }
        if let Some(file) = file.as_mut() {
            file.write_all(text.as_bytes()).and_then(|()| file.sync_data()).map_err(failed)?;
        }
        self.steps.step();
        Ok(Appended::Yes)
    }

    /// Creates the journal, or empties that of a run that is complete. `None`: another run writes it.
    fn create(&self, path: &Path) -> io::Result<Option<File>> {
        let mut options = OpenOptions::new();
        let new = private(options.read(true).append(true).create_new(true)).open(path);
        let file = match new {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                match open_journal(path) {
                    Ok(file) => file,
                    Err(_) => return Ok(None),
                }
            }
            Err(error) => return Err(error),
        };
        // A file that cannot be locked could not be protected from other runs.
        if file.try_lock().is_err() {
            return Ok(None);
        }
        let is_of_others = match records::read(&file, path) {
            Ok((records, _)) => !matches!(records.last(), None | Some(Record::Done(_))),
            Err(_) => true,
        };
        if is_of_others {
            return Ok(None);
        }
        file.set_len(0)?;
        Ok(Some(file))
    }

    /// Makes a state durable: first the files that it refers to, then the state, then its record.
    pub(super) fn commit(
        &self,
        number: u64,
        input: usize,
        snapshot: &Snapshot,
        publish: Vec<OutputFact>,
    ) -> Result<Appended> {
        snapshot.sync()?;
        self.steps.step();
        let state = self.names.state_name(number);
        let path = self.names.beside(&state);
        let new = temporary(&path);
        let written = write_synced(&new, &snapshot.bytes);
        self.steps.step();
        let written = written.and_then(|()| fs::rename(&new, &path));
        if written.is_err() {
            // What was written of it is of no use.
            drop(fs::remove_file(&new));
        }
        written.map_err(|error| Error::io("write", &path, error))?;
        self.names.sync();
        self.steps.step();
        let appended = self.append(&[Record::Checkpoint(CheckpointFact {
            number,
            input,
            state,
            bytes: snapshot.bytes.len() as u64,
            digest: Digest::of(&snapshot.bytes),
            parts: snapshot.parts().map(Path::to_path_buf).collect(),
            publish,
        })])?;
        if appended == Appended::Yes {
            snapshot.keep();
            self.keep(snapshot.parts());
        }
        Ok(appended)
    }
}

/// Writes a new file; what an ended run left there is removed, and never followed.
fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    drop(fs::remove_file(path));
    let mut options = OpenOptions::new();
    let mut file = private(options.write(true).create_new(true)).open(path)?;
    file.write_all(bytes)?;
    file.sync_data()
}
