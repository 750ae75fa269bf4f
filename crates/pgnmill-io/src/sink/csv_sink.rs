//! A CSV file that is written: a [`Sink`] that takes records.
//!
//! In: a header, and records. Out: the file, to be published. Cost: that of the CSV writer.

use std::io;
use std::path::{Path, PathBuf};

use pgnmill_state::Loader;

use crate::error::{Error, Result};

use super::{Sink, Snapshot};

/// A CSV file: a [`Sink`] that takes records.
#[derive(Debug)]
pub struct CsvSink {
    path: PathBuf,
    /// `None` after an error that closed the file.
    writer: Option<csv::Writer<Sink>>,
}

impl CsvSink {
    /// Begins a CSV file with its header.
    ///
    /// # Errors
    /// As [`Sink::create`].
    pub fn create<S: AsRef<[u8]>>(path: &Path, overwrite: bool, header: &[S]) -> Result<CsvSink> {
        CsvSink::begin(Sink::create(path, overwrite)?, header)
    }

    /// Begins a CSV file with its header in an open file.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub fn begin<S: AsRef<[u8]>>(sink: Sink, header: &[S]) -> Result<CsvSink> {
        let path = sink.path().to_path_buf();
        let mut table = CsvSink { path, writer: Some(csv::Writer::from_writer(sink)) };
        table.row(header)?;
        Ok(table)
    }

    /// Adds a record.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub fn row<S: AsRef<[u8]>>(&mut self, fields: &[S]) -> Result<()> {
        let writer = self.writer.as_mut().ok_or_else(|| closed(&self.path))?;
        let written = writer.write_record(fields);
        written.map_err(|error| Error::io("write", &self.path, error.into()))
    }

    /// Saves the state; the rows so far are passed to the system.
    ///
    /// # Errors
    /// As [`Sink::save`].
    pub fn save(&mut self, out: &mut Snapshot) -> Result<()> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        // The writer has no other way to lend its file.
        let mut sink = finished(writer, &self.path)?;
        let saved = sink.save(out);
        self.writer = Some(csv::Writer::from_writer(sink));
        saved
    }

    /// Continues a file that was saved.
    ///
    /// # Errors
    /// As [`Sink::load`].
    pub fn load(from: &mut Loader<'_>, overwrite: bool) -> Result<CsvSink> {
        let sink = Sink::load(from, overwrite)?;
        let path = sink.path().to_path_buf();
        Ok(CsvSink { path, writer: Some(csv::Writer::from_writer(sink)) })
    }

    /// Is it a file? See [`Sink::is_file`].
    pub fn is_file(&self) -> bool {
        self.writer.as_ref().is_some_and(|writer| writer.get_ref().is_file())
    }

    /// The file, with all rows; to be published.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub fn into_sink(mut self) -> Result<Sink> {
        let writer = self.writer.take().ok_or_else(|| closed(&self.path))?;
        finished(writer, &self.path)
    }
}

/// The file of a writer, with all rows.
fn finished(writer: csv::Writer<Sink>, path: &Path) -> Result<Sink> {
    let failed = |error: io::Error| Error::io("write", path, error);
    writer.into_inner().map_err(|error| failed(io::Error::other(error.to_string())))
}

/// The error of a file after one that ended its writer.
fn closed(path: &Path) -> Error {
    Error::io("write", path, io::Error::other("an earlier error has closed it"))
}
