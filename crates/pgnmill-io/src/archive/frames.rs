//! Frames: some zstd frames, decoded by one worker without their neighbours.
//!
//! In: a mapped file and the stored range of some whole frames. Out: the blocks between the first certain game start in
//! their text and the last one, and the two [`Edges`], which only the neighbours can complete.
//!
//! Invariants: head, interior and tail joined are the text. Memory is bounded: frames with edges or text that are too
//! long to hold are not completed, and are read again in order ([`Rerun`]). So are damaged frames, if damage is
//! skipped.
//!
//! Cost: each byte is decoded once, or twice if it is read again; in pieces of about a block.

use super::damage::Damage;
use super::deliver::Sizes;
use super::inflate::{Inflate, Source, decoder};
use super::map::Map;
use super::peek_buffer::Mapped;
use super::salvage::Salvage;
use super::scanner::Scanner;
use super::seams::{Edges, Seams};
use super::splitter::Splitter;
use super::{Options, Visit};
use crate::error::{Error, Result};
use std::fmt;
use std::io::Cursor;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use zstd::stream::raw::Decoder;

/// The buffers that a worker keeps from job to job: a text buffer and a decoder.
#[derive(Default)]
pub struct Buffers {
    text: Vec<u8>,
    decoder: Option<Decoder<'static>>,
}

impl fmt::Debug for Buffers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffers")
            .field("text_capacity", &self.text.capacity())
            .finish_non_exhaustive()
    }
}

/// The outcome of a job.
#[derive(Debug)]
#[must_use]
pub enum JobOutcome {
    /// Its blocks were all visited; these are its edges.
    Done(Edges),
    /// Too much to hold, or damaged where damage is skipped. What was made of its blocks must be discarded; the driver
    /// reads the job again, in order.
    InOrder(Rerun),
    /// The job is not text but damage, which is skipped: see `Seams::cut`. Its frame is counted from
    /// `Seams::frames`.
    Damaged(Damage),
}

/// A job that must be read again, in order.
pub struct Rerun {
    frames: FrameJob,
    source: Option<Box<dyn Source>>,
}

impl Rerun {
    /// Reads the job through `seams`, in place of [`Seams::before`] and [`Seams::after`], up to damage that is skipped,
    /// or to its end (`None`). The offsets of the blocks are absolute.
    ///
    /// # Errors
    /// A damaged frame, after the whole games before it were visited; the error of `visit`.
    pub(crate) fn run(
        &mut self,
        seams: &mut Seams,
        visit: &mut Visit<'_>,
    ) -> Result<Option<Damage>> {
        let source = match &mut self.source {
            Some(source) => source,
            none => none.insert(self.frames.source()?),
        };
        let frames = seams.frames();
        let number = |error: Error| error.after_frames(frames);
        while seams.read_on(&mut **source, visit).map_err(number)? > 0 {}
        if let Some(mut damage) = source.damage() {
            seams.cut(visit)?;
            damage.frame += seams.frames();
            return Ok(Some(damage));
        }
        seams.add_frames(source.frames());
        Ok(None)
    }
}

impl fmt::Debug for Rerun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rerun").field("frames", &self.frames).finish_non_exhaustive()
    }
}

/// Some whole frames of a mapped file.
pub(super) struct FrameJob {
    map: Arc<Map>,
    path: Arc<Path>,
    stored: Range<usize>,
    /// The archive begins here.
    at_start: bool,
    sizes: Sizes,
    text_bytes_max: u64,
    skip_damaged: bool,
}

impl FrameJob {
    /// All the frames of `stored`, under the limits of `options`.
    pub(super) fn new(
        map: Arc<Map>,
        path: Arc<Path>,
        stored: Range<usize>,
        options: &Options,
    ) -> FrameJob {
        let at_start = stored.start == 0;
        let sizes = Sizes::new(options);
        FrameJob {
            map,
            path,
            stored,
            at_start,
            sizes,
            text_bytes_max: options.frame_text_bytes_max,
            skip_damaged: options.skip_damaged,
        }
    }

    fn inflate(&self, buffers: &mut Buffers) -> Result<Inflate<&[u8]>> {
        let decoder = match buffers.decoder.take() {
            Some(decoder) => decoder,
            None => decoder(&self.path)?,
        };
        let stored = &self.map[self.stored.clone()];
        Inflate::new(decoder, stored, Arc::clone(&self.path), self.stored.start as u64)
    }

    /// The text of the frames, with their damage.
    fn salvage(&self) -> Result<Salvage<Mapped>> {
        // The bytes after the frames are included: they decide where the last frame ends.
        let all = self.stored.start..self.map.len();
        let units = self.stored.start as u64..self.stored.end as u64;
        Salvage::of_units(Arc::clone(&self.path), Mapped::new(Arc::clone(&self.map), all), units)
    }

    /// The text of the frames, for reading in order.
    fn source(&self) -> Result<Box<dyn Source>> {
        if self.skip_damaged {
            return Ok(Box::new(self.salvage()?));
        }
        let (map, begin) = (Arc::clone(&self.map), self.stored.start as u64);
        let reader = Cursor::new(MapRange { map, range: self.stored.clone() });
        Ok(Box::new(Inflate::new(decoder(&self.path)?, reader, Arc::clone(&self.path), begin)?))
    }

    /// Decodes the frames and visits the blocks of their interior.
    pub(super) fn run(self, buffers: &mut Buffers, visit: &mut Visit<'_>) -> Result<JobOutcome> {
        let mut splitter = Splitter::new(self.sizes, std::mem::take(&mut buffers.text));
        let (edges, frames) = if self.skip_damaged {
            // Decoded as in order: if only one of two decoders accepted some bytes, the text would
            // depend on which frames are in one job.
            let mut salvage = self.salvage()?.for_worker();
            let edges = self.read(&mut salvage, &mut splitter, visit);
            let edges = edges.map(|edges| edges.filter(|_| !salvage.gave_up()));
            (edges, salvage.frames())
        } else {
            let mut inflate = self.inflate(buffers)?;
            let edges = self.read(&mut inflate, &mut splitter, visit);
            let frames = inflate.frames();
            buffers.decoder = Some(inflate.into_decoder());
            (edges, frames)
        };
        buffers.text = splitter.into_buffer();
        // A buffer that has grown with a long game is released.
        buffers.text.clear();
        buffers.text.shrink_to(4 * self.sizes.block_bytes);
        Ok(match edges? {
            Some(edges) => JobOutcome::Done(Edges { frames, ..edges }),
            None => JobOutcome::InOrder(Rerun { frames: self, source: None }),
        })
    }

    /// The edges, or `None` if there is too much to hold.
    fn read(
        &self,
        source: &mut dyn Source,
        splitter: &mut Splitter,
        visit: &mut Visit<'_>,
    ) -> Result<Option<Edges>> {
        let mut before_first = (!self.at_start).then(Scanner::unknown);
        let mut head = Vec::new();
        let mut text_bytes = 0;
        loop {
            let added = splitter.fill(source)? as u64;
            if added == 0 {
                break;
            }
            text_bytes += added;
            if text_bytes > self.text_bytes_max {
                return Ok(None);
            }
            if let Some(scanner) = &mut before_first {
                let found = scanner.next(splitter.text(), true);
                let len = found.unwrap_or(splitter.text().len());
                if len > self.sizes.game_bytes_max {
                    return Ok(None);
                }
                if found.is_none() {
                    continue;
                }
                head = splitter.text()[..len].to_vec();
                splitter.drop_front(len);
                before_first = None;
            }
            splitter.visit_runs(true, visit)?;
        }
        let split = before_first.is_none();
        if !split {
            head = splitter.text().to_vec();
            splitter.drop_front(head.len());
        }
        if splitter.is_too_long() {
            return Ok(None);
        }
        let tail = splitter.text().to_vec();
        Ok(Some(Edges { head, tail, split, text_bytes, frames: 0 }))
    }
}

/// Some bytes of a map.
struct MapRange {
    map: Arc<Map>,
    range: Range<usize>,
}

impl AsRef<[u8]> for MapRange {
    fn as_ref(&self) -> &[u8] {
        &self.map[self.range.clone()]
    }
}

impl fmt::Debug for FrameJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameJob").field("stored", &self.stored).finish_non_exhaustive()
    }
}
