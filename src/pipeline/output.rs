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

use crate::archive::seekable::{Cutter, Frame, FrameEncoder, SeekTable, Slice};
use crate::error::{Error, Result};
use crate::sink::Sink;

/// An output file.
#[derive(Debug)]
pub struct Output {
    sink: Sink,
    frames: Option<Frames>,
}

/// Text on its way into frames.
#[derive(Debug)]
struct Frames {
    level: i32,
    cutter: Cutter,
    table: SeekTable,
    in_flight: VecDeque<Receiver<io::Result<Frame>>>,
    encoders: Arc<Mutex<Vec<FrameEncoder>>>,
}

impl Output {
    /// Begins an output; a name that ends in `.zst` is compressed at the level.
    ///
    /// # Errors
    /// As [`Sink::create`].
    pub fn create(path: &Path, overwrite: bool, level: i32) -> Result<Output> {
        let compressed = path.extension().is_some_and(|ending| ending == "zst");
        let frames = compressed.then(|| Frames {
            level,
            cutter: Cutter::new(),
            table: SeekTable::new(),
            in_flight: VecDeque::new(),
            encoders: Arc::default(),
        });
        Ok(Output { sink: Sink::create(path, overwrite)?, frames })
    }

    /// Adds a piece of text in which games end at `game_ends`. Takes the text if it keeps it.
    ///
    /// # Errors
    /// An output that cannot be written.
    pub fn add(&mut self, text: &mut Vec<u8>, game_ends: &[u32], pool: &ThreadPool) -> Result<()> {
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
                let ends = [game.len() as u32];
                output.add(&mut game.clone(), &ends, &pool).expect("room on the disk");
                let in_flight = output.frames.as_ref().map_or(0, |frames| frames.in_flight.len());
                assert!(in_flight <= threads + 2, "{in_flight} with {threads} threads");
            }
            output.finish(&pool).expect("room on the disk");
            assert!(output.frames.is_some_and(|frames| frames.in_flight.is_empty()));
        }
    }
}
