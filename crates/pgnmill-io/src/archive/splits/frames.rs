//! Splits of zstd frames: the text that a split owns.
//!
//! In: the stored bytes as [`RangedBytes`], a [`Split`]. Out: the text from the first game start that is certain in the
//! text of the split's frames to the first one in the text of later frames that another split owns.
//!
//! Invariants: a start is searched for in the text of one range alone, never in that of two, so that every split finds
//! the same starts. The ends of frames are those that the decoder finds: a range that does not end at the first of them
//! with the target or more is refused, so that sizes stored beside the frames can be wrong, but never lose a game.
//!
//! Cost: frames are decoded in pieces of [`PIECE_BYTES`]; what is held is a piece and the head of a line. The range is
//! read in large pieces, what follows it in small ones, which grow.

use super::super::inflate::{Inflate, Source, decoder};
use super::super::scanner::Scanner;
use super::Split;
use super::held::{Held, Steps};
use super::ranged::{RangeReader, RangedBytes};
use crate::error::{Error, Result};
use std::path::Path;
use std::sync::Arc;

/// Text is searched for starts in pieces of this length.
const PIECE_BYTES: usize = 64 << 10;

/// What is done with the text that is decoded.
enum State {
    /// The split's own frames, before the first certain start: the text is dropped.
    Before(Scanner),
    /// The split's own frames: the text is given.
    Own,
    /// The frames of a later split, before its first certain start: the text is given.
    After(Scanner),
}

/// The text that a split owns.
pub(super) struct FrameText {
    inflate: Inflate<RangeReader<Arc<dyn RangedBytes>>>,
    path: Arc<Path>,
    split: Split,
    state: State,
}

impl FrameText {
    /// The text of a split; it fits the source.
    pub(super) fn new(
        source: Arc<dyn RangedBytes>,
        path: Arc<Path>,
        split: &Split,
    ) -> Result<FrameText> {
        let is_first = split.begin == 0;
        let state = if is_first { State::Own } else { State::Before(Scanner::unknown()) };
        let reader = RangeReader::new(source, split.begin, split.end);
        let mut inflate = Inflate::new(decoder(&path)?, reader, Arc::clone(&path), split.begin)?;
        inflate.pause_from(split.begin.saturating_add(split.target_bytes));
        Ok(FrameText { inflate, path, split: split.clone(), state })
    }

    /// The decoder has come to the end of a range: begins the next one. `false`: there is none for this split.
    fn range_ended(&mut self, held: &mut Held) -> Result<bool> {
        let at = self.inflate.offset();
        let Split { begin, end, stored_bytes, target_bytes, .. } = self.split;
        let is_own = !matches!(self.state, State::After(_));
        if is_own && (at != end || (at - begin < target_bytes && at != stored_bytes)) {
            let detail = format!("its frames end at stored byte {at}, its range at {end}");
            return Err(self.split.wrong(&self.path, detail));
        }
        if matches!(self.state, State::Before(_)) {
            // The split before reads through this one.
            held.text.clear();
            return Ok(false);
        }
        held.ready = held.text.len();
        if at >= stored_bytes {
            return Ok(false);
        }
        if is_own {
            self.inflate.reader().extend(stored_bytes, target_bytes);
        }
        self.inflate.pause_from(at.saturating_add(target_bytes));
        self.state = State::After(Scanner::unknown());
        Ok(true)
    }

    /// The error with the number of the frame in the archive; that of a frame which does not end within the range.
    fn error(&self, error: Error) -> Error {
        let Split { end, stored_bytes, frames, .. } = self.split;
        let is_own = !matches!(self.state, State::After(_));
        if is_own && self.inflate.is_cut() && end < stored_bytes {
            let detail = format!(
                "no frame ends at stored byte {end}, where its range ends: a frame is damaged, or the sizes that the \
                 archive stores are wrong"
            );
            return self.split.wrong(&self.path, detail);
        }
        error.after_frames(frames)
    }
}

impl Steps for FrameText {
    /// Decodes a piece and decides how much of the text held may be given.
    fn step(&mut self, held: &mut Held) -> Result<bool> {
        if let State::After(scanner) = &mut self.state {
            scanner.forget(held.given);
        }
        held.drop_front(held.given);
        let before = held.text.len();
        held.text.resize(before + PIECE_BYTES, 0);
        let added = self.inflate.fill(&mut held.text[before..]);
        held.text.truncate(before + added.as_ref().map_or(0, |&added| added));
        match added {
            Ok(0) => return self.range_ended(held),
            Ok(_) => {}
            Err(error) => {
                // The text held is that of the split's last game, cut by the damage.
                if !matches!(self.state, State::Before(_)) {
                    held.ready = held.text.len();
                }
                return Err(self.error(error));
            }
        }
        match &mut self.state {
            State::Before(scanner) => match scanner.next(&held.text, true) {
                Some(start) => {
                    held.text.drain(..start);
                    held.ready = held.text.len();
                    self.state = State::Own;
                }
                None => {
                    let understood = scanner.understood(held.text.len());
                    scanner.forget(understood);
                    held.text.drain(..understood);
                }
            },
            State::Own => held.ready = held.text.len(),
            State::After(scanner) => match scanner.next(&held.text, true) {
                Some(start) => {
                    held.text.truncate(start);
                    held.ready = start;
                    return Ok(false);
                }
                None => held.ready = scanner.understood(held.text.len()),
            },
        }
        Ok(true)
    }

    fn stored(&self) -> u64 {
        self.inflate.stored()
    }

    fn frames(&self) -> u64 {
        self.inflate.frames()
    }
}
