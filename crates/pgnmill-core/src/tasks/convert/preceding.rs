//! The text before a game in the output: is a game from which tag pairs were removed still read as one game?
//!
//! In: the pieces that are written, each with its span in the archive. Out: yes or no. Invariant: the answer does not
//! depend on the division into blocks, because it depends only on text of the same run of games
//! ([`Games`](pgnmill_io::archive::games::Games)), back to the last omitted piece: a joint separates the texts there.
//! Cost: a scan of the text after the last result, and of the lines of the game; linear for all games together.
//!
//! ```text
//! x[MoveNotation "uci"]5        without the pair: x5, a word and no game
//! x "]                          closes a tag pair: no game starts after it
//! ; c
//! [C "d"][MoveNotation "uci"] * without the pair no game starts in this line either
//! ```

use std::ops::Range;

use pgnmill_io::archive::games::starts_within;
use pgnmill_simd::Level;

use crate::replay::{GameHead, Resume, UnendedEnd, first_game};

/// The piece that was written last.
#[derive(Debug, Default)]
pub(super) struct Preceding(Option<WrittenPiece>);

/// A piece of the output.
#[derive(Clone, Debug)]
struct WrittenPiece {
    /// Its span in the text of the job.
    source: Range<u64>,
    /// Its offset in the output.
    start: usize,
    /// The state of a reader after it.
    context: Context,
}

/// What the reading of the next game depends on, as offsets in the output.
#[derive(Clone, Copy, Debug)]
struct Context {
    /// Lines before this offset have no influence.
    start: usize,
    resume: Resume,
    /// The last piece is a game without a result, whose end is where the next one begins.
    unended: Option<Unended>,
}

/// A game without a result.
#[derive(Clone, Copy, Debug)]
struct Unended {
    /// Its offset in the output.
    start: usize,
    /// It is of chess, from its starting position.
    is_usual: bool,
}

impl Preceding {
    /// Records text that belongs to no game, written from `start` on.
    pub(super) fn text(&mut self, source: Range<u64>, start: usize) {
        let before = self.0.take().filter(|last| last.source.end == source.start);
        let context_start = before.map_or(start, |last| last.context.start);
        let resume = Resume::Text(start);
        let context = Context { start: context_start, resume, unended: None };
        self.0 = Some(WrittenPiece { source, start, context });
    }

    /// Records a game of the run that begins at `run`, written from `start` on; `result` is the offset of its result,
    /// if any. `is_usual`: it is of chess, from its starting position.
    #[inline]
    pub(super) fn game(
        &mut self,
        run: u64,
        source: Range<u64>,
        start: usize,
        result: Option<usize>,
        is_usual: bool,
    ) {
        let before = self.context(start, run..source.start);
        // A game without a result ends with its run, or where the next one begins.
        let unended = if result.is_none() { Some(Unended { start, is_usual }) } else { None };
        let resume = Resume::Result(result.unwrap_or(start));
        let context = Context { start: before.start, resume, unended };
        self.0 = Some(WrittenPiece { source, start, context });
    }

    /// Is the text from `start` on, after the text before it, read as one game? `before` is the span of the job's
    /// text from the beginning of the game's run to the game.
    #[cold]
    pub(super) fn reads_as_one(
        &self,
        level: Level,
        output: &[u8],
        start: usize,
        before: Range<u64>,
    ) -> bool {
        let context = self.context(start, before);
        let text = &output[context.start..];
        let start = start - context.start;
        let begins = match context.unended {
            None => true,
            Some(Unended { start: game, is_usual }) => {
                let end = UnendedEnd::of(&text[..start], game - context.start, is_usual);
                GameHead::of(text, start).is_some_and(|head| end.ends_before(head))
            }
        };
        let resume = match context.resume {
            Resume::Text(at) => Resume::Text(at - context.start),
            Resume::Result(at) => Resume::Result(at - context.start),
        };
        let game = first_game(text, Resume::Text(start));
        let spaces = text[start..].iter().take_while(|&&byte| byte <= b' ').count();
        let is_found = || {
            context.unended.is_some()
                || resume == Resume::Text(start)
                || first_game(text, resume) == game
        };
        game.is_some()
            && begins
            && is_found()
            && !starts_within(level, text, start + spaces + 1..text.len())
    }

    /// The context of a game that begins at `start` in the output.
    fn context(&self, start: usize, before: Range<u64>) -> Context {
        match &self.0 {
            Some(last) if last.source.end == before.end && last.source.start >= before.start => {
                // Only now is it known whether a run begins with this text.
                let begins_run = last.source.start == before.start;
                let context_start = if begins_run { last.start } else { last.context.start };
                Context { start: context_start, ..last.context }
            }
            _ => Context { start, resume: Resume::Text(start), unended: None },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes text without a game, optionally a game, and a game, all of one run. Is the last one read as one game?
    fn reads(between: &str, first: Option<&str>, game: &str) -> bool {
        let (mut preceding, mut output) = (Preceding::default(), String::new());
        let end = |output: &String| output.len() as u64;
        if !between.is_empty() {
            output.push_str(between);
            preceding.text(0..end(&output), 0);
        }
        if let Some(first) = first {
            let start = output.len();
            output.push_str(first);
            let result = output.find('*');
            preceding.game(0, start as u64..end(&output), start, result, true);
        }
        let start = output.len();
        output.push_str(game);
        preceding.reads_as_one(Level::best(), output.as_bytes(), start, 0..start as u64)
    }

    #[test]
    fn a_game_is_read_after_the_preceding_word() {
        assert!(reads("", None, "5\n"));
        assert!(!reads("", None, "x\n"));
        assert!(reads("E ", None, "5\n"));
        assert!(!reads("E", None, "5\n"));
        assert!(!reads("[E", None, " \"5\"]\n"));
        assert!(reads("", Some("1. e4 *"), " 5"));
        assert!(!reads("", Some("1. e4 *"), "5"));
        assert!(reads("", Some("1. e4 * $1"), "e4"));
        assert!(!reads("", Some("1. e4 * $1"), "5"));
        // The comment would be one of the game before.
        assert!(!reads("", Some("1. e4 * "), "{c} 5"));
        assert!(reads("", Some("1. e4 * "), "5 {c}"));
        // After a game without a result.
        assert!(reads("", Some("1. e4 c5\n"), "1. d4"));
        assert!(reads("", Some("1. e4 c5\n{c} "), "1. d4"));
        assert!(reads("", Some("1. e4 c5\n"), "[White \"A\"] 1. d4"));
        for (first, game) in
            [("1. e4 c5 ", "1. d4"), ("1. e4 c5\n", "2. d4"), ("1. e4 c5\n", "1... d5")]
        {
            assert!(!reads("", Some(first), game), "{first}{game}");
        }
    }

    #[test]
    fn a_tag_pair_is_read_after_the_preceding_line() {
        assert!(reads("x \"]\n", None, "; c\n[C \"d\"] *"));
        assert!(!reads("x\n", None, "; c\n[C \"d\"] *"));
        assert!(reads("x\n", None, "  \n[C \"d\"] *"));
        assert!(!reads("x \"]\n", None, "; c\n\n[Event \"d\"] *"));
    }
}
