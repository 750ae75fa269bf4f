//! The output file of a conversion: plain, or independent zstd frames of complete games with a seek table.
//!
//! In: rewritten text in order. Out: a file. Invariant: the file is the same for any number of threads, because the
//! division into frames depends on the text alone ([`pgnmill_io::archive::seekable`]). Cost: frames are compressed on
//! the workers, with threads + 2 in flight. When the process is requested to stop, frames of slow levels are given up:
//! the state that is saved contains their text.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::engine::Pool;
use pgnmill_io::archive::is_zstd_name;
use pgnmill_io::archive::seekable::{Cutter, EncodedFrame, FrameEncoder, SeekTable, Slice};
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Reservation, Sink, Snapshot, is_stopped, not_a_state};
use pgnmill_state::Loader;

use crate::engine::{Base, JobResult, Joiner, Ordered};

use super::rewritten::Rewritten;

/// The text of a frame.
type Text = Arc<[Slice]>;

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
    in_flight: Option<Ordered<io::Result<Option<EncodedFrame>>>>,
    /// The text of the frames that are not written: those given up, and then those in flight.
    texts: VecDeque<Text>,
    /// The number of frames of `texts` that were given up.
    given_up_count: usize,
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
        let compressed = is_zstd_name(sink.path());
        let frames = compressed.then(|| Frames {
            level,
            cutter: Cutter::new(),
            table: SeekTable::new(),
            in_flight: None,
            texts: VecDeque::new(),
            given_up_count: 0,
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
        pool: &Pool,
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
    pub fn finish(&mut self, pool: &Pool) -> Result<()> {
        let Some(frames) = &mut self.frames else { return Ok(()) };
        frames.go_on(&mut self.sink, pool)?;
        if let Some(slices) = frames.cutter.finish() {
            frames.add(slices, &mut self.sink, pool)?;
        }
        frames.write_all(&mut self.sink)?;
        // The run is ending: its last state goes on.
        if frames.given_up_count > 0 {
            return Err(Error::interrupted());
        }
        self.sink.add(&frames.table.to_bytes())
    }

    /// Saves the state; waits for the frames that are being compressed, but for those that are given up.
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
            let joined =
                |text: &Text| text.iter().flat_map(|slice| slice.as_ref().to_vec()).collect();
            out.add(&frames.texts.iter().map(joined).collect::<Vec<Vec<u8>>>());
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
            let texts: Vec<Vec<u8>> = from.value().ok_or_else(damaged)?;
            frames.texts = texts.into_iter().map(|text| [Slice::from(text)].into()).collect();
            frames.given_up_count = frames.texts.len();
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
    /// Adds the text of a frame.
    fn add(&mut self, slices: Vec<Slice>, sink: &mut Sink, pool: &Pool) -> Result<()> {
        self.go_on(sink, pool)?;
        self.give(slices.into(), sink, pool)
    }

    /// Compresses what the run that was stopped gave up.
    fn go_on(&mut self, sink: &mut Sink, pool: &Pool) -> Result<()> {
        if self.given_up_count == 0 || is_stopped() {
            return Ok(());
        }
        // What is in flight follows what was given up, and is compressed again too.
        self.write_all(sink)?;
        self.given_up_count = 0;
        let given_up = std::mem::take(&mut self.texts);
        given_up.into_iter().try_for_each(|text| self.give(text, sink, pool))
    }

    /// Compresses a frame on a worker; writes the oldest one first if too many are in flight.
    fn give(&mut self, text: Text, sink: &mut Sink, pool: &Pool) -> Result<()> {
        let mut in_flight =
            self.in_flight.take().unwrap_or_else(|| Ordered::new(pool.threads() + 2));
        if in_flight.is_full() {
            self.write(in_flight.take(), sink)?;
        }
        self.texts.push_back(Arc::clone(&text));
        let (level, encoders) = (self.level, Arc::clone(&self.encoders));
        in_flight.give(pool, move || compress(&text, level, &encoders));
        self.in_flight = Some(in_flight);
        Ok(())
    }

    fn write(
        &mut self,
        frame: Option<io::Result<Option<EncodedFrame>>>,
        sink: &mut Sink,
    ) -> Result<()> {
        let Some(frame) = frame else { return Ok(()) };
        match frame.map_err(|error| Error::io("compress", sink.path(), error))? {
            Some(frame) if self.given_up_count == 0 => {
                self.texts.pop_front();
                self.table.push(&frame);
                sink.add(&frame.stored)
            }
            // It follows one that is not written, or was given up.
            Some(_) | None => {
                self.given_up_count += 1;
                Ok(())
            }
        }
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
) -> io::Result<Option<EncodedFrame>> {
    let kept = encoders.lock().ok().and_then(|mut kept| kept.pop());
    let mut encoder = kept.map_or_else(|| FrameEncoder::new(level), Ok)?;
    let frame = encoder.encode_unless(is_stopped, slices);
    if let Ok(mut kept) = encoders.lock() {
        kept.push(encoder);
    }
    frame
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI32, Ordering};

    use super::*;

    /// The number of frames in flight bounds the memory, however long the output is.
    #[test]
    fn few_frames_are_in_flight() {
        let path = std::env::temp_dir().join(format!("pgnmill-frames-{}.zst", std::process::id()));
        let game = vec![b'a'; 3 << 20];
        for threads in [1, 2] {
            let pool = Pool::new(threads).expect("threads");
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

    /// A frame that is given up at any piece of any frame, and what follows it, is written later: by a run that goes on
    /// from the saved state, or by the same one.
    #[test]
    fn frames_that_are_given_up_are_written_later() {
        /// The number of the call that is answered with "stop"; all are if it is very small.
        static CALL: AtomicI32 = AtomicI32::new(0);
        pgnmill_io::sink::stops_when(|| {
            matches!(CALL.fetch_sub(1, Ordering::Relaxed), 1 | ..=-1_000_000)
        });
        let directory = std::env::temp_dir().join(format!("pgnmill-stop-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a directory");
        let [whole, stopped] = ["whole.zst", "stopped.zst"].map(|name| directory.join(name));
        let pool = Pool::new(1).expect("threads");
        let mut given_up = 0;
        // The last game ends a frame, or does not.
        for (games, game_bytes) in [(6, 2 << 20), (5, 1_500_000), (1, 3 << 20)] {
            let add_all = |output: &mut Output| {
                for game in 0..games {
                    let text: Vec<u8> = (0..game_bytes).map(|at| (at / 9 + game) as u8).collect();
                    let game_ends = vec![text.len() as u64];
                    let part = Rewritten { text, game_ends, ..Rewritten::default() };
                    let mut result = JobResult { part, ..JobResult::default() };
                    output.add(Base::default(), &mut result, &pool).expect("room on the disk");
                }
            };
            let mut output = Output::create(&whole, true, 13).expect("a file");
            add_all(&mut output);
            output.finish(&pool).expect("room on the disk");
            output.publish().expect("a name");
            for call in (1..=games * 13).step_by(pgnmill_dice::trials(19, 5, 1)) {
                let mut output = Output::create(&stopped, true, 13).expect("a file");
                CALL.store(call, Ordering::Relaxed);
                add_all(&mut output);
                let mut saved = Snapshot::default();
                output.save(&mut saved).expect("a state");
                if output.frames.as_ref().is_some_and(|frames| frames.given_up_count > 0) {
                    given_up += 1;
                    saved.keep();
                    // They are not written: an output without them has no end.
                    CALL.store(-1_000_000, Ordering::Relaxed);
                    assert!(output.finish(&pool).is_err());
                    // Both have the lock of the file.
                    let bytes = std::mem::take(&mut saved.bytes);
                    drop((output, saved));
                    CALL.store(0, Ordering::Relaxed);
                    output = Output::load(&mut Loader::new(&bytes), true, 13).expect("the state");
                }
                CALL.store(0, Ordering::Relaxed);
                output.finish(&pool).expect("room on the disk");
                output.publish().expect("a name");
                let read = |path| std::fs::read(path).expect("a file");
                assert!(read(&whole) == read(&stopped), "{games} games, stopped by call {call}");
            }
        }
        assert!(given_up > pgnmill_dice::trials(3, 15, 80), "{given_up}");
        std::fs::remove_dir_all(&directory).expect("it is there");
    }
}
