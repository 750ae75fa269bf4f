//! The text at an offset: the game that contains a byte of an archive.
//!
//! In: an archive and a byte offset in its text. Out: the item of [`games::Games`](super::games::Games) that contains
//! the byte, the same as in a run over the archive.
//!
//! Cost: a mapped text is read from the byte back to the nearest start and forward to the next one, no more. A
//! compressed archive is decoded up to the byte, on one thread.
//!
//! ```
//! use pgnmill_io::archive::Archive;
//! use pgnmill_io::archive::Options;
//! let stored = b"[Event \"a\"]\n\n*\n\n[Event \"b\"]\n\n*\n".as_slice();
//! let archive = Archive::from_reader("memory", stored, &Options::default())?;
//! assert_eq!(archive.seek(20)?.map(|found| found.offset), Some(16));
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

use memchr::memchr2;
use pgnmill_simd::Level;
use std::ops::{ControlFlow, Range};

use super::games::{Games, first_start, last_start};
use super::jobs::Plan;
use super::results::{RESULT_EDGE_BYTES, first_after_result, last_after_result};
use super::text_lines::TextLines;
use super::{Archive, Block, Options, Part, RecordKind};
use crate::error::Result;

/// The text around a byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextAt {
    /// The text, from a game start to the next one.
    pub text: Vec<u8>,
    /// Its offset in the text of the archive.
    pub offset: u64,
    /// Is it a game, or a piece of one that is too long to hold?
    pub part: Part,
}

impl Archive {
    /// The game that contains byte `at` of the text; `None` if the text ends before it.
    ///
    /// # Errors
    /// What the system refuses; a damaged frame before the byte.
    pub fn seek(self, at: u64) -> Result<Option<TextAt>> {
        let options = self.options.clone();
        if let (Plan::Ranges(map, _), RecordKind::Games) = (&self.plan, options.records) {
            return Ok(usize::try_from(at).ok().and_then(|at| in_text(map, at, &options)));
        }
        let mut found = None;
        self.visit_in_order(&mut |block| {
            let end = block.offset + block.text.len() as u64;
            if !(block.offset..end).contains(&at) {
                return Ok(ControlFlow::Continue(()));
            }
            found = Some(in_block(options.level, &block, (at - block.offset) as usize));
            Ok(ControlFlow::Break(()))
        })?;
        Ok(found)
    }
}

/// The game that contains byte `at` of a whole text.
fn in_text(text: &[u8], at: usize, options: &Options) -> Option<TextAt> {
    if at >= text.len() {
        return None;
    }
    // The line of the byte is read whole: it may start a game.
    let line_end = memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |length| at + length + 1);
    let start = last_start(&text[..line_end], 0).0.unwrap_or(0);
    let end = first_start(options.level, text, start + 1, text.len()).unwrap_or(text.len());
    let (start, end) = match end - start > options.game_bytes_max {
        true => between_results(text, start..end, at),
        false => (start, end),
    };
    let part = if end - start > options.game_bytes_max { Part::OversizeFirst } else { Part::Games };
    Some(TextAt { text: text[start..end].to_vec(), offset: start as u64, part })
}

/// The game that contains byte `at` of a run that is too long to be one game.
fn between_results(text: &[u8], run: Range<usize>, at: usize) -> (usize, usize) {
    let run_text = &text[run.clone()];
    let inside = at - run.start;
    // The first move number may be the one that contains the byte.
    let mut start = 0;
    let before = &run_text[..run_text.len().min(inside + RESULT_EDGE_BYTES)];
    for last in
        std::iter::successors(last_after_result(before), |&last| last_after_result(&before[..last]))
    {
        if last <= inside {
            start = last;
            break;
        }
    }
    let end = first_after_result(run_text, start.max(inside.saturating_sub(RESULT_EDGE_BYTES)));
    let end = std::iter::successors(end, |&end| first_after_result(run_text, end));
    let end = end.into_iter().find(|&end| end > inside).unwrap_or(run_text.len());
    (run.start + start, run.start + end)
}

/// The game that contains byte `at` of a block.
fn in_block(level: Level, block: &Block<'_>, at: usize) -> TextAt {
    let all = (0, block.text);
    let (start, text) = match block.part {
        Part::Games | Part::Cut => {
            let mut games = Games::on(level, block.text);
            games.find(|(start, text)| (*start..start + text.len()).contains(&at)).unwrap_or(all)
        }
        Part::Lines => {
            let line = TextLines::new(block.text).find(|line| line.contains(&at));
            line.map_or(all, |line| (line.start, &block.text[line]))
        }
        _ => all,
    };
    // Only the last game of a block can be cut.
    let part = match block.part {
        Part::Cut if start + text.len() < block.text.len() => Part::Games,
        part => part,
    };
    TextAt { text: text.to_vec(), offset: block.offset + start as u64, part }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte of texts of every kind is found in the game that contains it in the whole text, in a mapped text and
    /// in frames that divide it anywhere.
    #[test]
    fn a_byte_is_found_in_its_game() {
        let texts: [&[u8]; 6] = [
            b"[Event \"a\"]\n[Site \"b\"]\n\n1. e4 *\n\n[Event \"c\"]\n\n*\n",
            b"junk\n\n[White \"a\"]\r\n\r\n1. e4 (1. d4 *\r\n[White \"b\"]\r\n\r\n1. d4 *",
            b"[A \"b\"]\n\n[Event \"c\"]\n1. e4 {x\n[Event \"d\"]\n\n",
            b"\n\n% [Event \"a\"]\n1. e4 *\r\r[Event \"a\"]\r1. d4",
            b"\xEF\xBB\xBF[Event \"a\"]\n\n*\n\xEF\xBB\xBF[Event \"b\"]\n\n*\n[Event \"c\"",
            b"no game",
        ];
        let options = Options::default();
        for text in texts {
            let expected: Vec<(usize, &[u8])> = Games::new(text).collect();
            let frames: Vec<u8> =
                text.chunks(7).flat_map(|part| zstd::encode_all(part, 1).unwrap()).collect();
            for at in 0..text.len() {
                let (start, game) = expected
                    .iter()
                    .rev()
                    .find(|(start, _)| *start <= at)
                    .expect("they tile the text");
                let name = format!("{} at {at}", text.escape_ascii());
                let found = in_text(text, at, &options).expect("within");
                assert_eq!((found.offset, found.text.as_slice()), (*start as u64, *game), "{name}");
                let reader = std::io::Cursor::new(frames.clone());
                let archive = Archive::from_reader("frames", reader, &options).unwrap();
                let again = archive.seek(at as u64).unwrap().expect("within");
                assert_eq!(again, found, "{name}");
            }
            assert_eq!(in_text(text, text.len(), &options), None);
        }
    }

    /// Of a block before damage the last game alone may be cut.
    #[test]
    fn the_last_game_before_damage_is_cut() {
        let text = b"[White \"a\"]\n\n1. e4\n\n[White \"b\"]\n\n1. d4\n\n[White \"c\"]\n[Bl";
        let last = Games::new(text).last().expect("a game").0;
        let block = Block { text, offset: 7, part: Part::Cut };
        for at in 0..text.len() {
            let expected = if at < last { Part::Games } else { Part::Cut };
            let found = in_block(Options::default().level, &block, at);
            assert_eq!(found.part, expected, "{at}");
        }
    }

    /// In a run without tag pairs that is too long to be one game, a byte is found in its game, mapped and in order.
    #[test]
    fn a_byte_of_a_long_run_is_found_in_its_game() {
        let text = b"1. e4 e5 1-0\n1. d4 {1-0 and more} *\r\n\r\n1. c4 1/2-1/2 1. Nf3 0-1\n[Event \"a\"]\n\n*\n";
        let options = Options { game_bytes_max: 30, block_bytes: 8, ..Options::default() };
        for at in 0..text.len() {
            let found = in_text(text, at, &options).expect("within");
            let archive = Archive::from_reader("stream", &text[..], &options).unwrap();
            assert_eq!(archive.seek(at as u64).unwrap(), Some(found), "{at}");
        }
    }
}
