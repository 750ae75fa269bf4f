//! Frames: a run of zstd frames, decoded by one worker without its neighbours.
//!
//! In: a mapped file and the stored range of some whole frames. Out: the blocks between the first
//! start that is certain in their text and the last one, and the two [`Edges`] that only the
//! neighbours can complete.
//!
//! Invariants: head, interior and tail joined are the text. Memory is bounded: frames whose edges
//! or whose text would be too long to hold are given up, with the way to read them in order instead
//! ([`Rerun`]).
//!
//! Cost: each byte is decoded once (at most twice when given up), in pieces of about a block.

use super::games::Scanner;
use super::inflate::{Inflate, Source, decoder};
use super::map::Map;
use super::split::{Sizes, Splitter};
use super::stitch::{Edges, Stitcher};
use super::{Options, Visit};
use crate::error::Result;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use zstd::stream::raw::Decoder;

/// What a worker keeps from job to job: a text buffer and a decoder.
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

/// What has become of a job.
#[derive(Debug)]
#[must_use]
pub enum Outcome {
    /// Its blocks were all visited; these are its edges.
    Done(Edges),
    /// Too much to hold. Whatever was made of the blocks visited must be thrown away; the drain
    /// reads the job again when its turn comes.
    TooLarge(Rerun),
}

/// A job that must be read in order.
#[derive(Debug)]
pub struct Rerun(Frames);

impl Rerun {
    /// Reads the job through `stitcher`, in place of [`Stitcher::before`] and [`Stitcher::after`].
    /// The offsets of the blocks are absolute.
    ///
    /// # Errors
    /// A damaged frame, after the whole games before it were visited; or that of `visit`.
    pub fn run(
        self,
        buffers: &mut Buffers,
        stitcher: &mut Stitcher,
        visit: &mut Visit<'_>,
    ) -> Result<()> {
        let mut inflate = self.0.inflate(buffers)?;
        while stitcher.read_on(&mut inflate, visit)? > 0 {}
        buffers.decoder = Some(inflate.into_decoder());
        Ok(())
    }
}

/// Some whole frames of a mapped file.
pub(super) struct Frames {
    map: Arc<Map>,
    path: Arc<Path>,
    stored: Range<usize>,
    /// The archive begins here.
    at_start: bool,
    sizes: Sizes,
    text_bytes_max: u64,
}

impl Frames {
    /// All the frames of `stored`, under the limits of `options`.
    pub(super) fn new(
        map: Arc<Map>,
        path: Arc<Path>,
        stored: Range<usize>,
        options: &Options,
    ) -> Frames {
        let at_start = stored.start == 0;
        let sizes = Sizes::new(options);
        Frames { map, path, stored, at_start, sizes, text_bytes_max: options.frame_text_bytes_max }
    }

    fn inflate(&self, buffers: &mut Buffers) -> Result<Inflate<&[u8]>> {
        let decoder = match buffers.decoder.take() {
            Some(decoder) => decoder,
            None => decoder(&self.path)?,
        };
        let stored = &self.map[self.stored.clone()];
        Inflate::new(decoder, stored, Arc::clone(&self.path), self.stored.start as u64)
    }

    /// Decodes the frames and visits the blocks of their interior.
    pub(super) fn run(self, buffers: &mut Buffers, visit: &mut Visit<'_>) -> Result<Outcome> {
        let mut inflate = self.inflate(buffers)?;
        let mut splitter = Splitter::new(self.sizes, std::mem::take(&mut buffers.text));
        let edges = self.read(&mut inflate, &mut splitter, visit);
        buffers.decoder = Some(inflate.into_decoder());
        buffers.text = splitter.into_buffer();
        // A buffer that a long game has stretched is let go.
        buffers.text.clear();
        buffers.text.shrink_to(4 * self.sizes.block_bytes);
        Ok(match edges? {
            Some(edges) => Outcome::Done(edges),
            None => Outcome::TooLarge(Rerun(self)),
        })
    }

    /// The edges, or `None` when there is too much to hold.
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
        Ok(Some(Edges { head, tail, split, text_bytes }))
    }
}

impl fmt::Debug for Frames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frames").field("stored", &self.stored).finish_non_exhaustive()
    }
}
