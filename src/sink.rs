//! Files that appear whole or not at all.
//!
//! What enters are bytes; what leaves is a file at its path. It is written aside, as `NAME.part`, brought to the disk
//! and renamed when all is done; if the run fails, what was written aside is removed. Standard output is written as it
//! comes, there being nothing to rename, and so is a device or a pipe that is named; a reader that went away is
//! [`crate::error::ErrorKind::PipeClosed`].

mod ahead;
mod limit;

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

pub(crate) use limit::fail_writes;

/// How much is gathered before the system is asked to write.
const BUFFER_BYTES: usize = 256 << 10;

/// After so many bytes the disk begins with them, so that the end of the run waits for the last ones only.
const BEGUN_BYTES: u64 = 4 << 20;

/// A file being written aside, or standard output.
#[derive(Debug)]
pub struct Sink {
    target: PathBuf,
    aside: Option<PathBuf>,
    out: Option<Out>,
    /// Bytes added, and those of them that the system was told to bring to the disk.
    added_bytes: u64,
    begun_bytes: u64,
}

#[derive(Debug)]
enum Out {
    File(BufWriter<File>),
    /// A device or a pipe.
    Special(BufWriter<File>),
    Stdout(BufWriter<io::Stdout>),
}

impl Sink {
    /// Begins a file; `-` is standard output.
    ///
    /// # Errors
    /// If the file exists and may not be replaced, or cannot be created.
    pub fn create(path: &Path, overwrite: bool) -> Result<Sink> {
        if path == Path::new("-") {
            let out = Some(Out::Stdout(BufWriter::with_capacity(BUFFER_BYTES, io::stdout())));
            return Ok(Sink::new(path, None, out));
        }
        let there = fs::metadata(path).ok().map(|there| there.file_type());
        if there.is_some_and(|there| !there.is_file() && !there.is_dir()) {
            let file = OpenOptions::new().write(true).open(path);
            let file = file.map_err(|error| Error::io("write", path, error))?;
            let out = Some(Out::Special(BufWriter::with_capacity(BUFFER_BYTES, file)));
            return Ok(Sink::new(path, None, out));
        }
        if !overwrite && path.exists() {
            return Err(Error::exists(path));
        }
        if path.is_dir() {
            return Err(Error::usage(format!("{} is a directory", path.display())));
        }
        let mut name = path
            .file_name()
            .map(OsString::from)
            .ok_or_else(|| Error::usage(format!("{} is no name for a file", path.display())))?;
        name.push(".part");
        let aside = path.with_file_name(name);
        let file = File::create(&aside).map_err(|error| Error::io("write", &aside, error))?;
        let out = Some(Out::File(BufWriter::with_capacity(BUFFER_BYTES, file)));
        Ok(Sink::new(path, Some(aside), out))
    }

    fn new(path: &Path, aside: Option<PathBuf>, out: Option<Out>) -> Sink {
        Sink { target: path.to_path_buf(), aside, out, added_bytes: 0, begun_bytes: 0 }
    }

    /// Where the file will be.
    pub fn path(&self) -> &Path {
        &self.target
    }

    fn error(&self, error: io::Error) -> Error {
        if error.kind() == io::ErrorKind::BrokenPipe && self.aside.is_none() {
            return Error::pipe_closed();
        }
        Error::io("write", self.aside.as_ref().unwrap_or(&self.target), error)
    }

    /// Adds bytes.
    ///
    /// # Errors
    /// What the system says, with the path.
    pub fn add(&mut self, bytes: &[u8]) -> Result<()> {
        let written = match &mut self.out {
            Some(Out::File(file) | Out::Special(file)) => file.write_all(bytes),
            Some(Out::Stdout(stdout)) => stdout.write_all(bytes),
            None => Ok(()),
        };
        written.map_err(|error| self.error(error))?;
        self.added_bytes += bytes.len() as u64;
        if let Some(Out::File(file)) = &self.out
            && self.added_bytes - self.begun_bytes >= BEGUN_BYTES
        {
            ahead::begin(file.get_ref(), self.begun_bytes, self.added_bytes);
            self.begun_bytes = self.added_bytes;
        }
        Ok(())
    }

    /// Brings everything to the disk and gives the file its name.
    ///
    /// # Errors
    /// What the system says, with the path; the file is then not there.
    pub fn publish(mut self) -> Result<()> {
        let finished = match self.out.take() {
            Some(Out::File(file)) => {
                file.into_inner().map_err(|error| error.into_error()).and_then(|f| f.sync_all())
            }
            Some(Out::Special(mut file)) => file.flush(),
            Some(Out::Stdout(mut stdout)) => stdout.flush(),
            None => Ok(()),
        };
        finished.map_err(|error| self.error(error))?;
        if let Some(aside) = &self.aside {
            fs::rename(aside, &self.target)
                .map_err(|error| Error::io("publish", &self.target, error))?;
        }
        self.aside = None;
        Ok(())
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.out = None;
        if let Some(aside) = self.aside.take() {
            // Nothing more can be done about a file that cannot be removed either.
            let _ = fs::remove_file(aside);
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Some(Out::File(file) | Out::Special(file)) => file.write(bytes),
            Some(Out::Stdout(stdout)) => stdout.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Some(Out::File(file) | Out::Special(file)) => file.flush(),
            Some(Out::Stdout(stdout)) => stdout.flush(),
            None => Ok(()),
        }
    }
}

/// A table: a [`Sink`] that takes records.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    writer: csv::Writer<Sink>,
}

impl Table {
    /// Begins a table with its header.
    ///
    /// # Errors
    /// As [`Sink::create`].
    pub fn create<S: AsRef<[u8]>>(path: &Path, overwrite: bool, header: &[S]) -> Result<Table> {
        let sink = Sink::create(path, overwrite)?;
        let mut table = Table { path: path.to_path_buf(), writer: csv::Writer::from_writer(sink) };
        table.row(header)?;
        Ok(table)
    }

    /// Adds a record.
    ///
    /// # Errors
    /// What the system says, with the path.
    pub fn row<S: AsRef<[u8]>>(&mut self, fields: &[S]) -> Result<()> {
        let written = self.writer.write_record(fields);
        written.map_err(|error| Error::io("write", &self.path, error.into()))
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// As [`Sink::publish`].
    pub fn publish(self) -> Result<()> {
        let path = self.path;
        let sink = self
            .writer
            .into_inner()
            .map_err(|error| Error::io("write", path, io::Error::other(error.to_string())))?;
        sink.publish()
    }
}

/// Writes a whole table at once.
///
/// # Errors
/// What the system says, with the path.
pub fn write_table(
    path: &Path,
    overwrite: bool,
    fill: impl FnOnce(&mut csv::Writer<Vec<u8>>) -> csv::Result<()>,
) -> Result<()> {
    let mut sink = Sink::create(path, overwrite)?;
    let mut writer = csv::Writer::from_writer(Vec::new());
    fill(&mut writer).map_err(|error| Error::io("write", path, error.into()))?;
    let bytes = writer
        .into_inner()
        .map_err(|error| Error::io("write", path, io::Error::other(error.to_string())))?;
    sink.add(&bytes)?;
    sink.publish()
}
