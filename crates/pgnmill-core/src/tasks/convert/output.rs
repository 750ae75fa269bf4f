//! The output file of a conversion: plain, or independent zstd frames of complete games with a seek table.
//!
//! In: rewritten text in order. Out: a file. Invariant: the file is the same for any number of threads, because the
//! division into frames depends on the text alone ([`pgnmill_io::archive::seekable`]). Cost: frames are compressed on
//! the workers, with threads + 2 in flight.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use pgnmill_io::archive::seekable::{Cutter, EncodedFrame, FrameEncoder, SeekTable, Slice};
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Reservation, Sink, Snapshot, not_a_state};
use pgnmill_state::Loader;
use rayon::ThreadPool;

use crate::engine::{Base, JobResult, Joiner, Ordered};

use super::rewrite::Rewritten;

/// An output file.
#[derive(Debug)]
pub struct Output {
    sink: Sink,
    frames: Option<Frames>,
    joiner: Joiner,
}

/// Text that is divided into frames and compressed.
#[derive(Debug)]
struct Frames {
    level: i32,
    cutter: Cutter,
    table: SeekTable,
    /// Created with the first frame, when the number of threads is known.
    in_flight: Option<Ordered<io::Result<EncodedFrame>>>,
    encoders: Arc<Mutex<Vec<FrameEncoder>>>,
}

impl Output {
    /// Begins an output; if its name ends in `.zst`, it is compressed at `level`.
    ///
    /// # Errors
    /// As `Reservation::all`.
    pub fn create(path: &Path, overwrite: bool, level: i32) -> Result<Output> {
        Output::begin(Sink::create(path, overwrite)?, level)
    }

    /// Begins an output that was reserved; if its name ends in `.zst`, it is compressed at `level`.
    ///
    /// # Errors
    /// As `Reservation::open`.
    pub fn open(reservation: Reservation, level: i32) -> Result<Output> {
        Output::begin(reservation.open()?, level)
    }

    fn begin(sink: Sink, level: i32) -> Result<Output> {
        let compressed = sink.path().extension().is_some_and(|ending| ending == "zst");
        let frames = compressed.then(|| Frames {
            level,
            cutter: Cutter::new(),
            table: SeekTable::new(),
            in_flight: None,
            encoders: Arc::default(),
        });
        Ok(Output { sink, frames, joiner: Joiner::default() })
    }

    /// The next text is of another archive.
    pub fn archive_begins(&mut self) {
        self.joiner.archive_begins();
    }

    /// Adds the new text of the next job of the archive. Takes the buffer of the text if it is to be compressed.
    ///
    /// # Errors
    /// An output that cannot be written.
    pub fn add(
        &mut self,
        base: Base,
        result: &mut JobResult<Rewritten>,
        pool: &ThreadPool,
    ) -> Result<()> {
        let Rewritten { text, seams, game_ends } = &mut result.part;
        self.joiner.join(base.offset, text, seams, game_ends);
        if result.facts.counted.damaged_bytes > 0 {
            self.joiner.breaks();
        }
        let Some(frames) = &mut self.frames else { return self.sink.add(text) };
        let mut cuts = Vec::new();
        frames.cutter.push(std::mem::take(text), game_ends, &mut cuts);
        cuts.into_iter().try_for_each(|slices| frames.add(slices, &mut self.sink, pool))
    }

    /// Writes the rest. The file has no name before [`Output::publish`].
    ///
    /// # Errors
    /// An output that cannot be written.
    pub fn finish(&mut self, pool: &ThreadPool) -> Result<()> {
        let Some(frames) = &mut self.frames else { return Ok(()) };
        if let Some(slices) = frames.cutter.finish() {
            frames.add(slices, &mut self.sink, pool)?;
        }
        frames.write_all(&mut self.sink)?;
        self.sink.add(&frames.table.to_bytes())
    }

    /// Saves the state; waits for the frames that are being compressed.
    ///
    /// # Errors
    /// As [`Sink::save`].
    pub fn save(&mut self, out: &mut Snapshot) -> Result<()> {
        if let Some(frames) = &mut self.frames {
            frames.write_all(&mut self.sink)?;
        }
        self.sink.save(out)?;
        out.add(&self.joiner);
        if let Some(frames) = &self.frames {
            out.add(&frames.cutter);
            out.add(&frames.table);
        }
        Ok(())
    }

    /// Continues an output that was saved.
    ///
    /// # Errors
    /// As [`Sink::load`].
    pub fn load(from: &mut Loader<'_>, overwrite: bool, level: i32) -> Result<Output> {
        let mut output = Output::begin(Sink::load(from, overwrite)?, level)?;
        let damaged = || not_a_state(output.sink.path());
        let joiner = from.value().ok_or_else(damaged)?;
        if let Some(frames) = &mut output.frames {
            let damaged = || not_a_state(output.sink.path());
            frames.cutter = from.value().ok_or_else(damaged)?;
            frames.table = from.value().ok_or_else(damaged)?;
        }
        output.joiner = joiner;
        Ok(output)
    }

    /// Gives the finished file its name.
    ///
    /// # Errors
    /// As `Sink::publish`.
    pub fn publish(self) -> Result<()> {
        self.sink.publish()
    }

    /// The finished file, to be published with others.
    pub fn into_sink(self) -> Sink {
        self.sink
    }
}

impl Frames {
    /// Compresses a frame on a worker; writes the oldest one first if too many are in flight.
    fn add(&mut self, slices: Vec<Slice>, sink: &mut Sink, pool: &ThreadPool) -> Result<()> {
        let mut in_flight =
            self.in_flight.take().unwrap_or_else(|| Ordered::new(pool.current_num_threads() + 2));
        if in_flight.is_full() {
            self.write(in_flight.take(), sink)?;
        }
        let (level, encoders) = (self.level, Arc::clone(&self.encoders));
        in_flight.give(pool, move || compress(&slices, level, &encoders));
        self.in_flight = Some(in_flight);
        Ok(())
    }

    fn write(&mut self, frame: Option<io::Result<EncodedFrame>>, sink: &mut Sink) -> Result<()> {
        let Some(frame) = frame else { return Ok(()) };
        let frame = frame.map_err(|error| Error::io("compress", sink.path(), error))?;
        self.table.push(&frame);
        sink.add(&frame.stored)
    }

    fn write_all(&mut self, sink: &mut Sink) -> Result<()> {
        let Some(mut in_flight) = self.in_flight.take() else { return Ok(()) };
        while !in_flight.is_empty() {
            self.write(in_flight.take(), sink)?;
        }
        Ok(())
    }
}

/// Compresses a frame; the encoder is used again.
fn compress(
    slices: &[Slice],
    level: i32,
    encoders: &Mutex<Vec<FrameEncoder>>,
) -> io::Result<EncodedFrame> {
    let kept = encoders.lock().ok().and_then(|mut kept| kept.pop());
    let mut encoder = kept.map_or_else(|| FrameEncoder::new(level), Ok)?;
    let frame = encoder.encode(slices);
    if let Ok(mut kept) = encoders.lock() {
        kept.push(encoder);
    }
    frame
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::*;

    /// The number of frames in flight bounds the memory, however long the output is.
    #[test]
    fn few_frames_are_in_flight() {
        let path = std::env::temp_dir().join(format!("pgnmill-frames-{}.zst", std::process::id()));
        let game = vec![b'a'; 3 << 20];
        for threads in [1, 2] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let mut output = Output::create(&path, true, 1).expect("a file");
            for _ in 0..30 {
                let game_ends = vec![game.len() as u64];
                let part = Rewritten { text: game.clone(), game_ends, ..Rewritten::default() };
                let mut result = JobResult { part, ..JobResult::default() };
                output.add(Base::default(), &mut result, &pool).expect("room on the disk");
                let in_flight = output.frames.as_ref().and_then(|frames| frames.in_flight.as_ref());
                let in_flight = in_flight.map_or(0, Ordered::len);
                assert!(in_flight <= threads + 2, "{in_flight} with {threads} threads");
            }
            output.finish(&pool).expect("room on the disk");
            assert!(output.frames.is_some_and(|frames| frames.in_flight.is_none()));
        }
    }
}
