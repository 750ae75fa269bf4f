//! Text that is found step by step, as a source.
//!
//! In: [`Steps`], each of which adds text and decides how much of it belongs to a split. Out: a [`Source`] of that
//! text. Invariants: text before a failure is returned before it; the stored bytes of the source are those of the
//! split's range in the end, and never more: what is read beyond the range counts for the next split. Cost: one copy.
//! Example: the text of a split of frames.

use super::super::inflate::Source;
use crate::error::{Error, Result};

/// Text that was read; `given..ready` belongs to the split and was not returned yet.
#[derive(Default)]
pub(super) struct Held {
    pub(super) text: Vec<u8>,
    pub(super) given: usize,
    pub(super) ready: usize,
}

impl Held {
    /// Drops the first bytes, which were given.
    pub(super) fn drop_front(&mut self, len: usize) {
        self.text.drain(..len);
        (self.given, self.ready) = (self.given - len, self.ready - len);
    }
}

/// Finds the text of a split.
pub(super) trait Steps: Send {
    /// Called when all that was ready is given: makes more text ready, or none yet. `false`: there is no more.
    ///
    /// # Errors
    /// What the system or the decoder refuses; what is ready is returned before the error.
    fn step(&mut self, held: &mut Held) -> Result<bool>;

    /// How many stored bytes were consumed, about.
    fn stored(&self) -> u64;

    /// How many frames have begun.
    fn frames(&self) -> u64 {
        0
    }
}

/// Steps as a source.
pub(super) struct Stepped<S> {
    steps: S,
    held: Held,
    more: bool,
    failure: Option<Error>,
    stored_bytes: u64,
}

impl<S: Steps> Stepped<S> {
    /// The source of a split of so many stored bytes, with the text that is held; `more`: steps may find more.
    pub(super) fn new(steps: S, held: Held, more: bool, stored_bytes: u64) -> Stepped<S> {
        Stepped { steps, held, more, failure: None, stored_bytes }
    }
}

impl<S: Steps> Source for Stepped<S> {
    fn fill(&mut self, out: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        loop {
            let held = &mut self.held;
            let count = (held.ready - held.given).min(out.len() - filled);
            out[filled..filled + count].copy_from_slice(&held.text[held.given..][..count]);
            held.given += count;
            filled += count;
            if filled == out.len() || held.given < held.ready {
                return Ok(filled);
            }
            if filled == 0
                && let Some(failure) = self.failure.take()
            {
                return Err(failure);
            }
            if self.failure.is_some() || !self.more {
                return Ok(filled);
            }
            match self.steps.step(held) {
                Ok(more) => self.more = more,
                Err(failure) => (self.more, self.failure) = (false, Some(failure)),
            }
        }
    }

    fn stored(&self) -> u64 {
        let is_ended = !self.more && self.held.given == self.held.ready && self.failure.is_none();
        if is_ended { self.stored_bytes } else { self.steps.stored().min(self.stored_bytes) }
    }

    fn frames(&self) -> u64 {
        self.steps.frames()
    }
}
