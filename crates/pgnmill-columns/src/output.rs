//! The file of an export: rows in, groups encoded on the workers, written in order.
//!
//! In: the rows of jobs, in order. Out: a file. Invariant: the file is the same for any number of threads. Cost: the
//! calling thread divides and writes; at most two groups are being encoded, or one per thread and two more where a
//! group is one piece of work, and of these no more than [`BYTES_IN_FLIGHT_MAX`].

use std::collections::VecDeque;
use std::sync::Arc;

use pgnmill_core::engine::Ordered;
use pgnmill_core::engine::Pool;
use pgnmill_core::tasks::export::PlacedRows;
use pgnmill_core::tasks::export::{Cutter, Group};
use pgnmill_core::tasks::export::{Export, METADATA_PREFIX};
use pgnmill_io::error::Result;
use pgnmill_io::sink::{Reservation, Sink, Snapshot, not_a_state};
use pgnmill_state::Loader;

use super::file::{self, EncodeError, Fact, Format, Piece, TableWriter};

/// Groups that are being encoded, where a group is many pieces of work.
const GROUPS_IN_FLIGHT: usize = 2;
/// The memory of rows that are being encoded, per thread and for two threads at least, unless it is one group: nearly
/// a group of plies with all columns.
const BYTES_IN_FLIGHT_MAX: u64 = 48 << 20;

/// A file that is being written.
#[derive(Debug)]
pub struct Output {
    path: std::path::PathBuf,
    writer: Box<dyn TableWriter>,
    cutter: Cutter,
    /// Created with the first group, when the number of threads is known.
    in_flight: Option<Ordered<Result<Piece, EncodeError>>>,
    /// The memory of the rows of each piece that is in flight.
    bytes_in_flight: VecDeque<u64>,
    rows_count: u64,
    games_count: u64,
}

impl Output {
    /// Begins a file that was reserved. `level`: the compression level of Parquet.
    ///
    /// # Errors
    /// As [`Reservation::open`].
    pub fn open(
        reservation: Reservation,
        format: Format,
        export: &Arc<Export>,
        level: i32,
    ) -> Result<Output> {
        let sink = reservation.open()?;
        let path = sink.path().to_path_buf();
        let writer = file::begin(sink, format, export, level)?;
        Ok(Output::of(path, writer, Cutter::default(), [0, 0]))
    }

    fn of(
        path: std::path::PathBuf,
        writer: Box<dyn TableWriter>,
        cutter: Cutter,
        [rows_count, games_count]: [u64; 2],
    ) -> Output {
        let (in_flight, bytes_in_flight) = (None, VecDeque::new());
        Output { path, writer, cutter, in_flight, bytes_in_flight, rows_count, games_count }
    }

    /// Adds the rows of the next job.
    ///
    /// # Errors
    /// An output that cannot be written.
    pub fn add(&mut self, rows: PlacedRows, pool: &Pool) -> Result<()> {
        self.games_count += rows.rows.games_ended() as u64;
        self.rows_count += rows.rows.rows_count() as u64;
        let mut ready = Vec::new();
        self.cutter.push(rows, &mut ready);
        ready.into_iter().try_for_each(|group| self.encode(group, pool))
    }

    /// Adds a group that another than this has divided.
    ///
    /// # Errors
    /// An output that cannot be written.
    pub fn add_group(&mut self, group: Group, pool: &Pool) -> Result<()> {
        self.rows_count += group.rows_count() as u64;
        self.encode(group, pool)
    }

    /// Writes the rest, with this metadata and the number of rows; returns the file, to be published with others.
    ///
    /// # Errors
    /// An output that cannot be written.
    pub fn finish(mut self, mut metadata: Vec<Fact>, pool: &Pool) -> Result<Sink> {
        self.end_rows(pool)?;
        metadata.push((format!("{METADATA_PREFIX}rows"), self.rows_count.to_string()));
        self.writer.finish(metadata)
    }

    /// Writes all rows that were added; none can be added any more. Returns how many the file has: of positions that
    /// are written once each, fewer than were added.
    ///
    /// # Errors
    /// An output, or a temporary file, that cannot be written.
    pub fn end_rows(&mut self, pool: &Pool) -> Result<u64> {
        self.write_waiting(pool)?;
        self.rows_count = self.writer.end_rows()?.unwrap_or(self.rows_count);
        Ok(self.rows_count)
    }

    /// Saves the state; waits for the groups that are being encoded.
    ///
    /// # Errors
    /// As [`Sink::save`].
    pub fn save(&mut self, out: &mut Snapshot) -> Result<()> {
        self.wait()?;
        self.writer.save(out)?;
        out.add(&self.cutter);
        out.add(&[self.rows_count, self.games_count]);
        Ok(())
    }

    /// Continues a file that was saved, of the same format and columns.
    ///
    /// # Errors
    /// As [`Sink::load`].
    pub fn load(
        from: &mut Loader<'_>,
        overwrite: bool,
        format: Format,
        export: &Arc<Export>,
        level: i32,
    ) -> Result<Output> {
        let writer = file::load(from, overwrite, format, export, level)?;
        let path = writer.path().to_path_buf();
        let damaged = || not_a_state(&path);
        let cutter = from.value().ok_or_else(damaged)?;
        let counts = from.value().ok_or_else(damaged)?;
        Ok(Output::of(path, writer, cutter, counts))
    }

    /// Writes the rows that wait for their group to be complete.
    ///
    /// # Errors
    /// An output that cannot be written.
    pub fn write_waiting(&mut self, pool: &Pool) -> Result<()> {
        if let Some(group) = self.cutter.finish() {
            self.encode(group, pool)?;
        }
        self.wait()
    }

    /// Writes what is being encoded.
    ///
    /// # Errors
    /// An output that cannot be written.
    pub fn wait(&mut self) -> Result<()> {
        while self.in_flight.as_ref().is_some_and(|in_flight| !in_flight.is_empty()) {
            self.write_oldest()?;
        }
        Ok(())
    }

    /// The memory of the rows that wait for their group to be complete.
    pub fn waiting_bytes(&self) -> u64 {
        self.cutter.waiting_bytes()
    }

    /// The rows that were added.
    pub fn rows_count(&self) -> u64 {
        self.rows_count
    }

    /// The games whose rows were added.
    pub fn games_count(&self) -> u64 {
        self.games_count
    }

    /// Encodes a group on the workers; writes the oldest pieces first if too many are in flight.
    fn encode(&mut self, group: Group, pool: &Pool) -> Result<()> {
        let pieces = self.writer.pieces_per_group();
        let in_flight_max = if pieces > 1 { pieces * GROUPS_IN_FLIGHT } else { pool.threads() + 2 };
        self.in_flight.get_or_insert_with(|| Ordered::new(in_flight_max));
        let group_bytes = group.bytes();
        let works = self.writer.encode(group)?;
        let bytes = group_bytes / works.len().max(1) as u64;
        for work in works {
            while self.has_no_room_for(bytes, pool) {
                self.write_oldest()?;
            }
            if let Some(in_flight) = &mut self.in_flight {
                in_flight.give(pool, work);
                self.bytes_in_flight.push_back(bytes);
            }
        }
        Ok(())
    }

    /// Are so many pieces in flight that one with rows of so many bytes waits?
    fn has_no_room_for(&self, bytes: u64, pool: &Pool) -> bool {
        let is_full = self.in_flight.as_ref().is_some_and(Ordered::is_full);
        let all: u64 = self.bytes_in_flight.iter().sum();
        let bytes_max = BYTES_IN_FLIGHT_MAX * pool.threads().max(2) as u64;
        is_full || all > 0 && all + bytes > bytes_max
    }

    fn write_oldest(&mut self) -> Result<()> {
        self.bytes_in_flight.pop_front();
        let Some(piece) = self.in_flight.as_mut().and_then(Ordered::take) else { return Ok(()) };
        self.writer.write(piece.map_err(|error| error.of(&self.path))?)
    }
}
