//! The end of what was written to one output, and the joints for what follows.
//!
//! In: the text of each job with its [`TextSeams`], in order. Out: the text with the joints. Invariant: that of
//! `joint.rs`. Cost: that of the joints; a text is moved only where there is one.

use pgnmill_io::archive::GAME_BYTES_MAX;
use pgnmill_state::state;

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
        if let Some(before) = self.tail {
            let is_unbounded = before.end == End::Unbounded;
            // With text between games it becomes part of the game before, up to what certainly starts one.
            let has_followed = is_unbounded && seams.follow_unbounded();
            let is_separated = has_followed || joint.starts || joint.separates_braces;
            if before.unpaired_braces && !is_separated {
                seams.follow_unpaired_braces();
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::text_piece::{Kind, TextPiece};
    use pgnmill_io::archive::games::Starts;

    /// A text with what a replay finds of it: its kind and its end.
    const TEXTS: &[(&str, Kind, End)] = &[
        ("[Event \"a\"]\n\n1. c4 0-1\n\n", Kind::Game { rejected: false }, End::Closed),
        ("[Event \"b\"]\n\n1. c4\n\n", Kind::Game { rejected: false }, End::Open("*")),
        ("[Event \"c\"]\n\n1. Zz }\n\n", Kind::Game { rejected: true }, End::Unbounded),
        ("1. c4 c5 0-1\n", Kind::Game { rejected: false }, End::Closed),
        ("1. c4 } c5 0-1\n", Kind::Game { rejected: false }, End::Closed),
        ("{c} 1. c4 0-1", Kind::Game { rejected: false }, End::Closed),
        ("{c} 1. Zz 0-1", Kind::Game { rejected: true }, End::Closed),
        ("1. c4 c5\n", Kind::Game { rejected: false }, End::Open("1-0")),
        ("1. Zz {\n", Kind::Game { rejected: true }, End::Unbounded),
        ("prose\r\n", Kind::Between, End::Between),
        ("a } brace\n", Kind::Between, End::Between),
        ("% an escape\n", Kind::Between, End::Between),
        (" ", Kind::Between, End::Between),
    ];

    /// The text of the pieces that are kept, in jobs that end where `ends` has `true`.
    fn joined(pieces: &[(usize, bool)], ends: &[bool]) -> String {
        let source: String = pieces.iter().map(|&(index, _)| TEXTS[index].0).collect();
        let starts: Vec<usize> = Starts::new(source.as_bytes()).collect();
        let (mut joiner, mut out) = (Joiner::default(), Vec::new());
        let (mut text, mut seams) = (Vec::new(), TextSeams::default());
        let (mut job, mut at, mut last) = (0, 0, b'\n');
        for (&(index, is_kept), &ends_job) in pieces.iter().zip(ends) {
            let (bytes, kind, end) = TEXTS[index];
            if is_kept {
                let piece = TextPiece {
                    kind,
                    end,
                    followed: false,
                    usual_start: true,
                    source: at - job..at - job + bytes.len() as u64,
                    starts: bytes.starts_with('[') && starts.contains(&(at as usize)),
                    first_column: last == b'\n',
                };
                let start = text.len();
                text.extend_from_slice(bytes.as_bytes());
                seams.piece(&text, start, &piece);
            }
            at += bytes.len() as u64;
            last = bytes.bytes().last().unwrap_or(b'\n');
            if ends_job {
                joiner.join(job, &mut text, &mut seams, &mut []);
                out.append(&mut text);
                (seams, job) = (TextSeams::default(), at);
            }
        }
        joiner.join(job, &mut text, &mut seams, &mut []);
        out.append(&mut text);
        String::from_utf8(out).unwrap()
    }

    /// Any pieces, any of them left out, in any jobs: the same text.
    #[test]
    fn the_joined_text_does_not_depend_on_the_jobs() {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % limit as u64) as usize
        };
        for _ in 0..20_000 {
            let count = 2 + below(8);
            let pieces: Vec<(usize, bool)> =
                (0..count).map(|_| (below(TEXTS.len()), below(4) > 0)).collect();
            let whole = joined(&pieces, &vec![false; count]);
            for _ in 0..4 {
                let ends: Vec<bool> = (0..count).map(|_| below(3) == 0).collect();
                assert_eq!(joined(&pieces, &ends), whole, "{pieces:?} {ends:?}");
            }
        }
    }
}
