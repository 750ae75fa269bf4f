//! The end of what was written to one output, and the joints for what follows.
//!
//! In: the text of each job with its [`TextSeams`], in order. Out: the text with the joints. Invariant: that of
//! `joint.rs`. Cost: that of the joints; a text is moved only where there is one.

use crate::archive::GAME_BYTES_MAX;
use crate::state::state;

use super::insertions::splice;
use super::joint::{Joint, TextTail, joint_between};
use super::text_piece::End;
use super::text_seams::TextSeams;

/// The end of what was written to one output, and the joints for what follows.
#[derive(Debug, Default)]
pub struct Joiner {
    tail: Option<TextTail>,
    /// The end of the last piece's source in its archive; `None` if the next piece cannot be adjacent to it.
    source_end: Option<u64>,
    is_new_archive: bool,
}

state!(Joiner { tail, source_end, is_new_archive });

impl Joiner {
    /// The next piece is of another archive.
    pub fn archive_begins(&mut self) {
        (self.source_end, self.is_new_archive) = (None, true);
    }

    /// The next piece is not adjacent to the last one.
    pub fn breaks(&mut self) {
        self.source_end = None;
    }

    /// Inserts the joints into `text`, including the one between the text written before and the first piece. `offset`:
    /// that of the job in its archive; `ends`: offsets in the text, which are adjusted.
    pub fn join(
        &mut self,
        offset: u64,
        text: &mut Vec<u8>,
        seams: &mut TextSeams,
        ends: &mut [u64],
    ) {
        let Some((head, source)) = seams.first else { return };
        let is_adjacent = self.source_end == Some(offset + source);
        let lead_bytes = seams.starts.map_or(text.len(), |(first, _)| first) as u64;
        let joint = match &self.tail {
            Some(tail) => {
                let long = tail.run_bytes + lead_bytes > GAME_BYTES_MAX as u64;
                joint_between(tail, &head, is_adjacent, self.is_new_archive && long)
            }
            None if head.percent => Joint { bytes: vec![b' '], ..Joint::default() },
            None => Joint::default(),
        };
        match self.tail {
            Some(before) if before.end == End::Unbounded => seams.follow_unbounded(),
            Some(before) if before.unpaired_braces && !joint.starts && !joint.separates_braces => {
                seams.follow_unpaired_braces();
            }
            _ => {}
        }
        let Some(mut tail) = seams.tail(text) else { return };
        let before = self.tail.filter(|_| !joint.starts && seams.starts.is_none());
        if let Some(before) = before {
            let separates = joint.separates_braces || seams.separates_braces;
            tail.unpaired_braces |= before.unpaired_braces && !separates;
            tail.run_bytes += before.run_bytes;
            if seams.no_game && before.end == End::Unbounded {
                tail.end = End::Unbounded;
            }
        }
        // The continuation of a piece.
        if seams.no_game && seams.end == Some(End::Unbounded) {
            tail.line_end = tail.line_end.or(self.tail.and_then(|before| before.line_end));
        }
        self.tail = Some(tail);
        (self.source_end, self.is_new_archive) = (Some(offset + seams.source_end), false);
        if !joint.bytes.is_empty() || !seams.joints.is_empty() {
            splice(text, (joint.at, &joint.bytes), &seams.joints, ends);
        }
    }
}
