//! Where rewritten text goes: a plain file, or independent zstd frames of whole games.
//!
//! Frames are cut by the text alone ([`crate::archive::seekable`]) and compressed on the workers, in order and with a
//! bounded number in flight, so that the file is the same for any number of threads.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use crossbeam_channel::{Receiver, bounded};
use rayon::ThreadPool;

use crate::archive::seekable::{Cutter, EncodedFrame, FrameEncoder, SeekTable, Slice};
use crate::error::{Error, Result};
use crate::sink::{Reservation, Sink};

use crate::engine::{Base, Joiner, Report};

/// An output file.
#[derive(Debug)]
pub struct Output {
    sink: Sink,
    frames: Option<Frames>,
    joiner: Joiner,
}

/// Text on its way into frames.
#[derive(Debug)]
struct Frames {
    level: i32,
    cutter: Cutter,
    table: SeekTable,
    in_flight: VecDeque<Receiver<io::Result<EncodedFrame>>>,
    encoders: Arc<Mutex<Vec<FrameEncoder>>>,
}

impl Output {
    /// Begins an output; a name that ends in `.zst` is compressed at the level.
    ///
    /// # Errors
    /// As [`Reservation::all`].
    pub fn create(path: &Path, overwrite: bool, level: i32) -> Result<Output> {
        Output::begin(Sink::create(path, overwrite)?, level)
    }

    /// Begins an output that was reserved; a name that ends in `.zst` is compressed at the level.
    ///
    /// # Errors
    /// As [`Reservation::open`].
    pub fn open(reservation: Reservation, level: i32) -> Result<Output> {
        Output::begin(reservation.open()?, level)
    }

    fn begin(sink: Sink, level: i32) -> Result<Output> {
        let compressed = sink.path().extension().is_some_and(|ending| ending == "zst");
        let frames = compressed.then(|| Frames {
            level,
            cutter: Cutter::new(),
            table: SeekTable::new(),
            in_flight: VecDeque::new(),
            encoders: Arc::default(),
        });
        Ok(Output { sink, frames, joiner: Joiner::default() })
    }

    /// What is added next is of another archive.
    pub fn archive_begins(&mut self) {
        self.joiner.archive_begins();
    }

    /// Adds the new text of a report, the next of its archive. Takes the text if it keeps it.
    ///
    /// # Errors
    /// An output that cannot be written.
    pub fn add(&mut self, base: Base, report: &mut Report, pool: &ThreadPool) -> Result<()> {
        let Report { out: text, out_seams, game_ends, .. } = report;
        self.joiner.join(base.offset, text, out_seams, game_ends);
        if report.damaged_bytes > 0 {
            self.joiner.breaks();
        }
        let Some(frames) = &mut self.frames else { return self.sink.add(text) };
        let mut cuts = Vec::new();
        frames.cutter.push(std::mem::take(text), game_ends, &mut cuts);
        for slices in cuts {
            frames.start(slices, pool);
            while frames.in_flight.len() > pool.current_num_threads() + 2 {
                frames.write_oldest(&mut self.sink)?;
            }
        }
        Ok(())
    }

    /// Writes what is left; the file still has no name.
    ///
    /// # Errors
    /// An output that cannot be written.
    pub fn finish(&mut self, pool: &ThreadPool) -> Result<()> {
        let Some(frames) = &mut self.frames else { return Ok(()) };
        if let Some(slices) = frames.cutter.finish() {
            frames.start(slices, pool);
        }
        while !frames.in_flight.is_empty() {
            frames.write_oldest(&mut self.sink)?;
        }
        self.sink.add(&frames.table.to_bytes())
    }

    /// Gives the finished file its name.
    ///
    /// # Errors
    /// As [`Sink::publish`].
    pub fn publish(self) -> Result<()> {
        self.sink.publish()
    }

    /// The file, finished; to be published with others.
    pub fn into_sink(self) -> Sink {
        self.sink
    }
}

impl Frames {
    fn start(&mut self, slices: Vec<Slice>, pool: &ThreadPool) {
        let (send, receive) = bounded(1);
        let (level, encoders) = (self.level, Arc::clone(&self.encoders));
        pool.spawn(move || {
            let kept = encoders.lock().ok().and_then(|mut kept| kept.pop());
            let frame =
                kept.map_or_else(|| FrameEncoder::new(level), Ok).and_then(|mut encoder| {
                    let frame = encoder.encode(&slices);
                    if let Ok(mut kept) = encoders.lock() {
                        kept.push(encoder);
                    }
                    frame
                });
            // The receiver is gone only when the run has failed already.
            drop(send.send(frame));
        });
        self.in_flight.push_back(receive);
    }

    fn write_oldest(&mut self, sink: &mut Sink) -> Result<()> {
        let Some(oldest) = self.in_flight.pop_front() else { return Ok(()) };
        let gone = || io::Error::other("a worker gave no frame");
        let frame = oldest.recv().unwrap_or_else(|_| Err(gone()));
        let frame = frame.map_err(|error| Error::io("compress", sink.path(), error))?;
        self.table.push(&frame);
        sink.add(&frame.stored)
    }
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::*;

    /// However long an output is, few frames wait for their turn: their number bounds the memory.
    #[test]
    fn few_frames_are_in_flight() {
        let path = std::env::temp_dir().join(format!("pgnmill-frames-{}.zst", std::process::id()));
        let game = vec![b'a'; 3 << 20];
        for threads in [1, 2] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let mut output = Output::create(&path, true, 1).expect("a file");
            for _ in 0..30 {
                let game_ends = vec![game.len() as u32];
                let mut report = Report { out: game.clone(), game_ends, ..Report::default() };
                output.add(Base::default(), &mut report, &pool).expect("room on the disk");
                let in_flight = output.frames.as_ref().map_or(0, |frames| frames.in_flight.len());
                assert!(in_flight <= threads + 2, "{in_flight} with {threads} threads");
            }
            output.finish(&pool).expect("room on the disk");
            assert!(output.frames.is_some_and(|frames| frames.in_flight.is_empty()));
        }
    }
}
