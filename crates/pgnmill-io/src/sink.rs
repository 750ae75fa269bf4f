//! Sinks: output files that appear whole or not at all.
//!
//! In: bytes. Out: a file at its path. An output is reserved before the run reads any input: from then on no other run
//! writes it. It is written to a temporary file in the same directory (`sink/temporary.rs`). Complete outputs are
//! synced to disk and then get their names ([`publish_all`]); if the run fails, they are removed, unless a saved state
//! refers to them (`sink/saved.rs`). Standard output, a device and a pipe are written directly; a broken pipe is
//! [`crate::error::ErrorKind::PipeClosed`].
//!
//! ```
//! use pgnmill_io::sink::Sink;
//! let path = std::env::temp_dir().join(format!("pgnmill-doc-sink-{}", std::process::id()));
//! let mut sink = Sink::create(&path, false)?;
//! sink.add(b"[Event \"a\"]\n")?;
//! assert!(!path.exists());
//! sink.publish()?;
//! assert_eq!(std::fs::read(&path).ok().as_deref(), Some(&b"[Event \"a\"]\n"[..]));
//! # let _ = std::fs::remove_file(&path);
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

mod access;
mod ahead;
mod csv_sink;
mod digest;
mod directory;
mod file_id;
mod identity;
mod limit;
mod many;
mod pipe;
mod publish;
mod saved;
mod series;
mod set;
mod standard;
mod stream;
mod temporary;
mod xz;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::Shown as _;
use crate::error::{Error, Result};

pub use access::{open_own, private};
pub use csv_sink::CsvSink;
pub use digest::Digest;
pub use directory::NewDirectories;
pub use directory::sync as sync_names;
pub use file_id::FileId;
pub use identity::{FileKey, input_keys, output_keys, stdin_keys};
pub use limit::fail_writes;
pub use many::{Bounds, ManyFiles};
use pipe::{Pipe, Stopped, is_pipe};
pub use pipe::{is_stopped, stops_when};
pub use publish::publish_all;
pub use publish::publish_left;
pub use saved::Snapshot;
pub use saved::not_a_state;
pub use set::FileSet;
use standard::StandardOutput;
pub use standard::process_output;
pub use stream::{is_stream, stdout_is_kept};
use temporary::{Groups, Target, Temporary};
pub use temporary::{LeftOver, Parts, left_overs, lock_soon};
pub use xz::{HAS_XZ, xz};

/// The size of the write buffer.
const BUFFER_BYTES: usize = 256 << 10;

/// After this many bytes the system begins to write them to disk, so that the end of the run waits for the last ones
/// only.
const BEGUN_BYTES: u64 = 4 << 20;

/// An output that no other run writes from now on, and that is not yet open. Dropping it releases it.
#[derive(Debug)]
pub struct Reservation {
    path: PathBuf,
    /// None for a stream.
    temporary: Option<Temporary>,
    overwrite: bool,
    /// What is written if the path is `-`; by default that of the process.
    standard_output: Option<StandardOutput>,
}

impl Reservation {
    /// The path of the output.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reserves several outputs; `-` is standard output. Outputs that do not exist may not appear during the run, those
    /// that exist may only be replaced with `overwrite`.
    ///
    /// # Errors
    /// An output that exists and may not be replaced, that another run is writing, or that cannot be created.
    pub fn all(paths: &[PathBuf], overwrite: bool) -> Result<Vec<Reservation>> {
        let reserve = |path: &PathBuf| {
            let path = path.clone();
            Reservation { path, temporary: None, overwrite, standard_output: None }
        };
        let mut reserved: Vec<Reservation> = paths.iter().map(reserve).collect();
        let mut groups = Groups::new();
        for (index, path) in paths.iter().enumerate().filter(|(_, path)| !is_stream(path)) {
            if path.is_dir() {
                return Err(Error::usage(format!("{} is a directory", path.shown())));
            }
            let exists = !overwrite && fs::symlink_metadata(path).is_ok();
            let target = if exists { Err(Error::exists(path)) } else { Target::of(path) }?;
            let directory = target.directory().to_path_buf();
            groups.add(directory, (index, target));
        }
        for (_, group) in groups.groups {
            let (indexes, targets): (Vec<usize>, Vec<Target>) = group.into_iter().unzip();
            for (index, temporary) in indexes.into_iter().zip(Temporary::create_all(targets)?) {
                reserved[index].temporary = Some(temporary);
            }
        }
        // Another run may have ended since the first check.
        for reservation in reserved.iter().filter(|_| !overwrite) {
            let target = reservation.temporary.as_ref().map(|file| file.target().path());
            if target.is_some_and(|target| fs::symlink_metadata(target).is_ok()) {
                return Err(Error::exists(&reservation.path));
            }
        }
        Ok(reserved)
    }

    /// This reservation; if it is standard output, `out` is written in its place.
    pub fn with_standard_output(mut self, out: Box<dyn Write + Send>) -> Self {
        self.standard_output = (self.path == Path::new("-")).then(|| StandardOutput::new(out));
        self
    }

    /// Opens the output.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub fn open(self) -> Result<Sink> {
        let Reservation { path, temporary, overwrite, standard_output } = self;
        let standard_output = || standard_output.unwrap_or_else(StandardOutput::of_process);
        let out = match &temporary {
            Some(temporary) => temporary.open().map(|file| Out::File(buffered(file))),
            None if path == Path::new("-") => Ok(Out::Stdout(buffered(standard_output()))),
            None if is_pipe(&path) => Pipe::open(&path).map(|pipe| Out::Pipe(buffered(pipe))),
            None => stream::open(&path).map(|file| Out::Special(buffered(file))),
        };
        let out = out.map_err(|error| failed(&path, error))?;
        Ok(Sink::begin(path, out, temporary, overwrite))
    }
}

/// The error of an output.
fn failed(path: &Path, error: io::Error) -> Error {
    match error.get_ref().is_some_and(|error| error.is::<Stopped>()) {
        true => Error::interrupted(),
        false => Error::io("write", path, error),
    }
}

fn buffered<W: Write>(out: W) -> BufWriter<W> {
    BufWriter::with_capacity(BUFFER_BYTES, out)
}

/// A file that is written to its temporary file, or standard output.
#[derive(Debug)]
pub struct Sink {
    path: PathBuf,
    // Declared before the temporary file: it is closed, and then removed.
    out: Out,
    temporary: Option<Temporary>,
    overwrite: bool,
    /// Bytes added, and those of them that the system has begun to write to disk.
    added_bytes: u64,
    begun_bytes: u64,
    /// Bytes that are in the file already, and are added once more.
    skipped_bytes: u64,
    digest: Digest,
}

#[derive(Debug)]
enum Out {
    File(BufWriter<Arc<File>>),
    /// A file that is closed until more is added.
    AtRest,
    /// Complete, and not yet synced to disk.
    Complete(Arc<File>),
    /// Synced to disk and closed.
    Closed,
    /// A device or a pipe.
    Special(BufWriter<File>),
    /// A named pipe.
    Pipe(BufWriter<Pipe>),
    Stdout(BufWriter<StandardOutput>),
}

impl Sink {
    /// Begins a file; `-` is standard output.
    ///
    /// # Errors
    /// As [`Reservation::all`].
    pub fn create(path: &Path, overwrite: bool) -> Result<Sink> {
        let mut reserved = Reservation::all(&[path.to_path_buf()], overwrite)?;
        reserved.remove(0).open()
    }

    /// An output of which nothing is written.
    fn begin(path: PathBuf, out: Out, temporary: Option<Temporary>, overwrite: bool) -> Sink {
        let (added_bytes, begun_bytes, skipped_bytes) = (0, 0, 0);
        let digest = Digest::default();
        Sink { path, out, temporary, overwrite, added_bytes, begun_bytes, skipped_bytes, digest }
    }

    /// Where the file will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn error(&self, error: io::Error) -> Error {
        if error.kind() == io::ErrorKind::BrokenPipe && self.temporary.is_none() {
            return Error::pipe_closed();
        }
        failed(&self.path, error)
    }

    /// Adds bytes.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub fn add(&mut self, bytes: &[u8]) -> Result<()> {
        self.write_all(bytes).map_err(|error| self.error(error))
    }

    /// The number of bytes and the digest of a complete file; `None` if it is no file.
    pub fn seal(&self) -> Option<(u64, String)> {
        self.temporary.as_ref().map(|_| (self.added_bytes, self.digest.text()))
    }

    /// Counts bytes that were written to a file.
    fn count(&mut self, bytes: &[u8]) {
        self.added_bytes += bytes.len() as u64;
        self.digest.add(bytes);
        if let Out::File(file) = &self.out
            && self.added_bytes - self.begun_bytes >= BEGUN_BYTES
        {
            ahead::begin(file.get_ref(), self.begun_bytes, self.added_bytes);
            self.begun_bytes = self.added_bytes;
        }
    }

    /// Ends the writing and frees the buffer. The file stays open, or is synced to disk now and closed: a run may write
    /// more files than it can have open.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub fn complete(&mut self, stay_open: bool) -> Result<()> {
        if let Out::File(file) = &mut self.out {
            let flushed = file.flush().map(|()| Arc::clone(file.get_ref()));
            let file = flushed.map_err(|error| self.error(error))?;
            ahead::begin(&file, self.begun_bytes, self.added_bytes);
            self.out = Out::Complete(file);
        }
        if stay_open { Ok(()) } else { self.finish() }
    }

    /// Syncs a complete file to disk and closes it.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub fn sync_to_disk(&mut self) -> Result<()> {
        self.finish()
    }

    /// Syncs the file to disk.
    fn finish(&mut self) -> Result<()> {
        self.wake().map_err(|error| self.error(error))?;
        let finished = match std::mem::replace(&mut self.out, Out::Closed) {
            Out::File(file) => {
                let file = file.into_inner().map_err(|error| error.into_error());
                file.and_then(|file| self.sync(&file))
            }
            Out::Complete(file) => self.sync(&file),
            Out::AtRest | Out::Closed => Ok(()),
            Out::Special(mut file) => file.flush(),
            Out::Pipe(mut pipe) => pipe.flush(),
            Out::Stdout(mut stdout) => stdout.flush(),
        };
        finished.map_err(|error| self.error(error))
    }

    /// Syncs a file to disk, with the permissions and the group of the one that it replaces.
    fn sync(&self, file: &File) -> io::Result<()> {
        if let Some(temporary) = &self.temporary
            && let Err(error) = temporary.access().give(file)
        {
            log::debug!("{} gets no permissions: {error}", self.path.shown());
        }
        file.sync_all()
    }

    /// Syncs the file to disk and gives it its name. Several files: [`publish_all`].
    ///
    /// # Errors
    /// What the system refuses, with the path; there is then no file.
    pub fn publish(self) -> Result<()> {
        publish_all(vec![self])
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.skipped_bytes > 0 {
            let skipped = self.skipped_bytes.min(bytes.len() as u64);
            self.skipped_bytes -= skipped;
            return Ok(skipped as usize);
        }
        self.wake()?;
        let written = match &mut self.out {
            Out::File(file) => file.write(bytes),
            Out::Special(file) => return file.write(bytes),
            Out::Pipe(pipe) => return pipe.write(bytes),
            Out::Stdout(stdout) => return stdout.write(bytes),
            Out::AtRest | Out::Complete(_) | Out::Closed => {
                Err(io::Error::other("the output is complete"))
            }
        }?;
        self.count(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::File(file) => file.flush(),
            Out::Special(file) => file.flush(),
            Out::Pipe(pipe) => pipe.flush(),
            Out::Stdout(stdout) => stdout.flush(),
            Out::AtRest | Out::Complete(_) | Out::Closed => Ok(()),
        }
    }
}
