//! Jobs: an archive as a sequence of parts that workers can process in any order.
//!
//! In: an opened archive. Out: [`Job`]s in the order of the text; a worker [runs](Job::run) one into blocks.
//!
//! * A mapped text is divided into ranges. A job owns the games that start in its range: the worker finds the first
//!   start in the range and the first one at or after its end, without knowledge of other jobs.
//! * Mapped frames become jobs as they are stored, small ones several at a time.
//! * Anything else, and frames too long for one worker, are read in order: `next` then reads and decodes, and should
//!   run on a thread of its own.
//!
//! Cost: a range reads its own bytes and those up to the next start; over an archive that is two passes at most. To
//! find the end of a frame only its block headers are read. Example: the driver.

use pgnmill_simd::Level;
use std::io::{BufRead, Cursor};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::damage::Damage;
use super::deliver::{Run, Sizes, deliver};
use super::frames::{Buffers, FrameJob, JobOutcome};
use super::games::first_start;
use super::inflate::{Inflate, Plain, Source, decoder};
use super::map::Map;
use super::peek_buffer::Mapped;
use super::place::Place;
use super::salvage::Salvage;
use super::seams::Edges;
use super::stream::{Pool, Stream, StreamPiece};
use super::zstd_headers::{frame_len, unit_len};
use super::{Options, Part, Visit, coded_container, coded_source};
use crate::error::Result;
use crate::error::Shown as _;

/// The jobs of an archive, in the order of its text. After an error the iterator ends.
#[derive(Debug)]
pub struct Jobs {
    plan: Plan,
    options: Options,
    path: Arc<Path>,
    gap: Arc<Gap>,
}

/// A range of text without game starts that a worker has found: from the end of its range to the next start. The next
/// range is then not searched again. This changes the time alone, most where games are long.
#[derive(Debug, Default)]
struct Gap(Mutex<Range<usize>>);

impl Gap {
    /// The first start in `from..until`: see [`first_start`].
    fn first_start(&self, level: Level, text: &[u8], from: usize, until: usize) -> Option<usize> {
        let known = self.0.lock().map_or(0..0, |gap| gap.clone());
        let from = if known.contains(&from) { known.end } else { from };
        if from >= until { None } else { first_start(level, text, from, until) }
    }

    /// No game starts in this range.
    fn set(&self, range: Range<usize>) {
        if let Ok(mut gap) = self.0.lock() {
            *gap = range;
        }
    }
}

#[derive(Debug)]
pub(super) enum Plan {
    /// Ranges of a mapped text, from the offset on.
    Ranges(Arc<Map>, usize),
    /// Frames of a mapped file, from the offset on.
    Frames(Arc<Map>, usize),
    /// One reader for all that is left.
    Stream(Box<Stream>),
    /// No text is left.
    Done,
}

impl Plan {
    /// This plan; a mapped text that begins with more than a game may be long, in which no tag pair starts a game, is
    /// read in order: games without tag pairs are found from the beginning on only, and all in one job would need all
    /// the memory. So is a text of lines: to find their ends is faster than to be divided.
    fn in_order_without_starts(self, path: &Arc<Path>, options: &Options) -> Plan {
        match self {
            Plan::Ranges(map, at) if options.records.of_lines() => {
                Plan::Stream(Box::new(plain_stream(map, at, options)))
            }
            Plan::Ranges(map, 0) if map.len() > options.game_bytes_max => {
                match first_start(options.level, &map, 1, options.game_bytes_max) {
                    Some(_) => Plan::Ranges(map, 0),
                    None => {
                        let source = Plain::new(Cursor::new(Shared(map)), Arc::clone(path));
                        let stream = Stream::new(Box::new(source), true, Sizes::new(options));
                        Plan::Stream(Box::new(stream))
                    }
                }
            }
            plan => plan,
        }
    }
}

impl Jobs {
    pub(super) fn new(plan: Plan, options: Options, path: Arc<Path>) -> Jobs {
        let plan = plan.in_order_without_starts(&path, &options);
        Jobs { plan, options, path, gap: Arc::default() }
    }

    /// Is all that is left one job, whose bytes are at hand: a range of a mapped text, or a batch of frames?
    pub fn is_one_job(&self) -> bool {
        match &self.plan {
            Plan::Ranges(map, at) => map.len() - at <= self.options.range_bytes,
            Plan::Frames(map, at) if !self.options.records.of_lines() => {
                let end = batch_end(map, *at, &self.options);
                end.is_ok_and(|end| end == Some(map.len()))
            }
            _ => false,
        }
    }

    fn next_job(&mut self) -> Result<Option<Job>> {
        if let Plan::Frames(map, at) = &self.plan {
            let (map, at) = (Arc::clone(map), *at);
            let of_lines = self.options.records.of_lines();
            let end = if of_lines { None } else { batch_end(&map, at, &self.options)? };
            if let Some(end) = end {
                self.plan = Plan::Frames(Arc::clone(&map), end);
                let frames = FrameJob::new(map, Arc::clone(&self.path), at..end, &self.options);
                return Ok(Some(Job {
                    stored_bytes: (end - at) as u64,
                    work: Work::Frames(frames),
                    next: Some(Place::Frames(end as u64)),
                }));
            }
            self.plan = if at == map.len() {
                Plan::Done
            } else {
                // A frame is too long for one worker, or damaged: the rest is read in order.
                log::debug!("{}: read in order from byte {at} on", self.path.shown());
                Plan::Stream(Box::new(stream_from(map, at, &self.path, &self.options)?))
            };
        }
        match &mut self.plan {
            Plan::Ranges(map, at) if *at < map.len() => {
                let end = at.saturating_add(self.options.range_bytes.max(1)).min(map.len());
                let range = std::mem::replace(at, end)..end;
                let stored_bytes = range.len() as u64;
                let sizes = Sizes::new(&self.options);
                let gap = Arc::clone(&self.gap);
                let work = Work::Range { map: Arc::clone(map), range, sizes, gap };
                Ok(Some(Job { stored_bytes, work, next: Some(Place::Range(end as u64)) }))
            }
            Plan::Stream(stream) => {
                let Some((piece, stored_bytes)) = stream.next_piece()? else { return Ok(None) };
                let work = match piece {
                    StreamPiece::Head { text, split } => Work::Head { text, split },
                    StreamPiece::Damage(damage) => Work::Damage(damage),
                    StreamPiece::Run { text, run } => {
                        let (sizes, pool) = (Sizes::new(&self.options), Arc::clone(stream.pool()));
                        Work::Text { text, run, sizes, pool }
                    }
                };
                Ok(Some(Job { stored_bytes, work, next: stream.place() }))
            }
            _ => Ok(None),
        }
    }
}

impl Iterator for Jobs {
    type Item = Result<Job>;

    fn next(&mut self) -> Option<Result<Job>> {
        let job = self.next_job().transpose();
        if !matches!(job, Some(Ok(_))) {
            self.plan = Plan::Done;
        }
        job
    }
}

/// The end of the batch of frames that begins at `at`; `None` if its first frame is too long for a worker.
fn batch_end(map: &Arc<Map>, at: usize, options: &Options) -> Result<Option<usize>> {
    let mut end = at;
    while end < map.len() && (end == at || end - at < options.batch_stored_bytes) {
        let Some(len) = worker_len(map, end, options)? else { break };
        end += len;
    }
    Ok((end > at).then_some(end))
}

/// The stored size of the frame that begins at `at`, if it is not too long for a worker.
///
/// If damage is skipped: up to the offset where the next frame seems to begin, so that invalid bytes belong to the
/// frame before them.
pub(super) fn worker_len(map: &Arc<Map>, at: usize, options: &Options) -> Result<Option<usize>> {
    let (stored, len_max) = (&map[at..], options.frame_stored_bytes_max);
    if !options.skip_damaged {
        return Ok(frame_len(&stored[..stored.len().min(len_max)]));
    }
    let len = unit_len(&mut Mapped::new(Arc::clone(map), at..map.len()))?;
    Ok(len.filter(|&len| len <= len_max))
}

/// The text from stored byte `at` on, in order.
pub(super) fn stream_from(
    map: Arc<Map>,
    at: usize,
    path: &Arc<Path>,
    options: &Options,
) -> Result<Stream> {
    if at == 0
        && let Some(container) = coded_container(&map)
    {
        let source = coded_source(container, Cursor::new(Shared(map)), path, options)?;
        let stream = Stream::new(source, true, Sizes::new(options));
        return Ok(if options.skip_damaged { stream } else { stream.begun_at(0) });
    }
    if options.skip_damaged {
        let buffer = Mapped::new(Arc::clone(&map), at..map.len());
        let salvage = Salvage::new(Arc::clone(path), buffer, at as u64)?;
        return Ok(Stream::new(Box::new(salvage), at == 0, Sizes::new(options)));
    }
    let mut reader = Cursor::new(Shared(map));
    reader.set_position(at as u64);
    Ok(stream_zstd(reader, at, path, options)?.begun_at(at as u64))
}

/// The text of a map from this byte on, in order; a line begins there.
fn plain_stream(map: Arc<Map>, at: usize, options: &Options) -> Stream {
    let source = MappedText { map, begin: at, at };
    Stream::new(Box::new(source), true, Sizes::new(options)).begun_at(at as u64)
}

/// The text of a map, in order; pages that were read are released.
struct MappedText {
    map: Arc<Map>,
    begin: usize,
    at: usize,
}

impl Source for MappedText {
    fn fill(&mut self, out: &mut [u8]) -> Result<usize> {
        let read = self.at..self.map.len().min(self.at.saturating_add(out.len()));
        self.map.populate(read.clone());
        out[..read.len()].copy_from_slice(&self.map[read.clone()]);
        self.at = read.end;
        self.map.release(read.clone());
        Ok(read.len())
    }

    fn stored(&self) -> u64 {
        (self.at - self.begin) as u64
    }
}

/// The text of the frames from `reader`, which is at stored byte `at`.
pub(super) fn stream_zstd(
    reader: impl BufRead + Send + 'static,
    at: usize,
    path: &Arc<Path>,
    options: &Options,
) -> Result<Stream> {
    let inflate = Inflate::new(decoder(path)?, reader, Arc::clone(path), at as u64)?;
    Ok(Stream::new(Box::new(inflate), at == 0, Sizes::new(options)))
}

struct Shared(Arc<Map>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// A part of an archive for one worker.
#[derive(Debug)]
pub struct Job {
    stored_bytes: u64,
    work: Work,
    /// Where the next job begins, if the reading can go on there.
    next: Option<Place>,
}

#[derive(Debug)]
enum Work {
    Range { map: Arc<Map>, range: Range<usize>, sizes: Sizes, gap: Arc<Gap> },
    Frames(FrameJob),
    Text { text: Vec<u8>, run: Run, sizes: Sizes, pool: Arc<Pool> },
    Head { text: Vec<u8>, split: bool },
    Damage(Damage),
}

impl Job {
    /// The stored bytes of the job, for a progress display.
    pub fn stored_bytes(&self) -> u64 {
        self.stored_bytes
    }

    /// Where the next job begins, if the reading can go on there.
    pub fn next(&self) -> Option<Place> {
        self.next
    }

    /// Visits the blocks of the job's interior, in order. Their offsets are relative to the job's text.
    ///
    /// # Errors
    /// A damaged frame, after the whole games before it were visited; the error of `visit`.
    pub fn run(self, buffers: &mut Buffers, visit: &mut Visit<'_>) -> Result<JobOutcome> {
        match self.work {
            Work::Range { map, range, sizes, gap } => {
                map.populate(range.clone());
                let range_end = range.end;
                let games = games_of_range(sizes.level, &map, range.clone(), &gap);
                let starts_end = range_end.saturating_sub(games.start);
                deliver(&map[games.clone()], starts_end, 0, Part::Games, sizes, visit)?;
                map.release(range);
                Ok(JobOutcome::Done(Edges::none(games.len() as u64)))
            }
            Work::Frames(frames) => frames.run(buffers, visit),
            Work::Text { text, run, sizes, pool } => {
                run.deliver(&text, 0, sizes, visit)?;
                let edges = Edges::none(text.len() as u64);
                pool.give(text);
                Ok(JobOutcome::Done(edges))
            }
            Work::Damage(damage) => Ok(JobOutcome::Damaged(damage)),
            Work::Head { text, split } => {
                let text_bytes = text.len() as u64;
                let head = text;
                Ok(JobOutcome::Done(Edges { head, split, text_bytes, ..Edges::default() }))
            }
        }
    }
}

/// The text of the games that start in `range`; of the first range, with the text before them.
fn games_of_range(level: Level, text: &[u8], range: Range<usize>, gap: &Gap) -> Range<usize> {
    let first = match range.start {
        0 => Some(0),
        start => gap.first_start(level, text, start, range.end),
    };
    let Some(first) = first else { return range.end..range.end };
    let end = gap.first_start(level, text, range.end, text.len()).unwrap_or(text.len());
    gap.set(range.end..end);
    first..end
}

/// What is sent between threads can be.
const _: () = {
    const fn sent<T: Send>() {}
    sent::<Jobs>();
    sent::<Job>();
    sent::<JobOutcome>();
    sent::<Buffers>();
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Archive, Input};
    use crate::error::{Error, ErrorKind};
    use std::fs;

    fn mapped(name: &str, stored: &[u8], options: &Options) -> Archive {
        let path = std::env::temp_dir().join(format!("pgnmill-jobs-{name}-{}", std::process::id()));
        fs::write(&path, stored).unwrap();
        let archive = Archive::open(&Input::Path(path.clone()), options).unwrap();
        fs::remove_file(&path).unwrap();
        archive
    }

    #[test]
    fn an_error_of_the_visitor_ends_the_job() {
        let text = b"[Event \"a\"]\n\n*\n\n[Event \"b\"]\n\n*\n\n[Event \"c\"]\n\n*\n";
        let options = Options { block_bytes: 7, ..Options::default() };
        let frame = |text: &[u8]| zstd::encode_all(text, 1).unwrap();
        let frames = [frame(&text[..9]), frame(&text[9..])].concat();
        for (name, stored) in [("map", text.to_vec()), ("one", frame(text)), ("two", frames)] {
            let mut visits = 0;
            for job in mapped(name, &stored, &options).jobs() {
                let before = visits;
                let outcome = job.unwrap().run(&mut Buffers::default(), &mut |_| {
                    visits += 1;
                    Err(Error::interrupted())
                });
                assert!(visits <= before + 1, "{name}");
                let is_interrupted =
                    outcome.is_err_and(|error| matches!(error.kind(), ErrorKind::Interrupted));
                assert_eq!(is_interrupted, visits > before, "{name}");
            }
            assert!(visits > 0, "{name}");
        }
    }

    #[test]
    fn a_range_is_never_too_large_for_a_worker() {
        for line in ["[a \"b\"]\n", "\n", "%\n", "[", " ", "\"]\n\n", "[Event \"x\n\r"] {
            let text = line.repeat((1 << 20) / line.len());
            let options = Options {
                block_bytes: 4 << 10,
                range_bytes: 4 << 10,
                game_bytes_max: 1 << 16,
                ..Options::default()
            };
            let mut text_bytes = 0;
            for job in mapped("range", text.as_bytes(), &options).jobs() {
                let outcome = job.unwrap().run(&mut Buffers::default(), &mut |_| Ok(())).unwrap();
                let JobOutcome::Done(edges) = outcome else { panic!("{line:?}") };
                text_bytes += edges.text_bytes;
            }
            assert_eq!(text_bytes, text.len() as u64);
        }
    }
}
