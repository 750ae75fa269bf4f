//! The text before a game in the output: a game whose text has become shorter is judged on the text as it will be read.
//!
//! In: the pieces that are written, each with its place in the archive. Out: is a game still read as that one game?
//! Invariants: what counts is text of the same run of games ([`Games`](crate::archive::games::Games)), back to where a piece
//! was left out, because there a joint separates the texts; therefore the answer does not depend on blocks. Cost: the text
//! since the last result, and the lines of the game; linear for all games together.
//!
//! ```text
//! x[MoveNotation "uci"]5        without the pair: x5, a word and no game
//! x "]                          closes a tag pair: no game starts behind it
//! ; c
//! [C "d"][MoveNotation "uci"] * without the pair no game starts here either
//! ```

use std::ops::Range;

use crate::archive::games::starts_within;
use crate::machine::Level;
use crate::replay::{Resume, first_token};

/// The piece that was written last.
#[derive(Debug, Default)]
pub(super) struct Preceding(Option<Piece>);

/// A piece of the output.
#[derive(Clone, Debug)]
struct Piece {
    /// Its place in the text of the job.
    source: Range<u64>,
    /// Where it begins in the output.
    start: usize,
    /// Where reading goes on behind it.
    context: Context,
}

/// What the reading of the next game depends on, as places in the output.
#[derive(Clone, Copy, Debug)]
struct Context {
    /// Lines before do not matter.
    start: usize,
    resume: Resume,
}

impl Preceding {
    /// Text of no game was written from `start` on.
    pub(super) fn text(&mut self, source: Range<u64>, start: usize) {
        let before = self.0.take().filter(|last| last.source.end == source.start);
        let context_start = before.map_or(start, |last| last.context.start);
        let context = Context { start: context_start, resume: Resume::Text(start) };
        self.0 = Some(Piece { source, start, context });
    }

    /// A game of the run that begins at `run` was written from `start` on; its result stands at `result`, if it has one.
    #[inline]
    pub(super) fn game(
        &mut self,
        run: u64,
        source: Range<u64>,
        start: usize,
        result: Option<usize>,
    ) {
        let before = self.context(start, run..source.start);
        // A game without a result ends with its run.
        let resume = Resume::Result(result.unwrap_or(start));
        let context = Context { start: before.start, resume };
        self.0 = Some(Piece { source, start, context });
    }

    /// Is what begins at `start` in the output one game, read behind what stands before it? `before` are the places of the job
    /// from the game's run to the game.
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
        let resume = match context.resume {
            Resume::Text(at) => Resume::Text(at - context.start),
            Resume::Result(at) => Resume::Result(at - context.start),
        };
        let token = first_token(text, Resume::Text(start));
        let spaces = text[start..].iter().take_while(|&&byte| byte <= b' ').count();
        token.is_some()
            && (resume == Resume::Text(start) || first_token(text, resume) == token)
            && !starts_within(level, text, start + spaces + 1..text.len())
    }

    /// The context of a game that begins at `start` in the output.
    fn context(&self, start: usize, before: Range<u64>) -> Context {
        match &self.0 {
            Some(last) if last.source.end == before.end && last.source.start >= before.start => {
                // Of text between games it is not known before whether a run begins with it.
                let begins_run = last.source.start == before.start;
                let context_start = if begins_run { last.start } else { last.context.start };
                Context { start: context_start, ..last.context }
            }
            _ => Context { start, resume: Resume::Text(start) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes text of no game, perhaps a game, and a game, all of one run; is the last read as one?
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
            preceding.game(0, start as u64..end(&output), start, result);
        }
        let start = output.len();
        output.push_str(game);
        preceding.reads_as_one(Level::best(), output.as_bytes(), start, 0..start as u64)
    }

    #[test]
    fn a_game_is_read_behind_the_word_before_it() {
        assert!(reads("", None, "5\n"));
        assert!(!reads("", None, "x\n"));
        assert!(reads("E ", None, "5\n"));
        assert!(!reads("E", None, "5\n"));
        assert!(!reads("[E", None, " \"5\"]\n"));
        assert!(reads("", Some("1. e4 *"), " 5"));
        assert!(!reads("", Some("1. e4 *"), "5"));
        assert!(reads("", Some("1. e4 * $1"), "e4"));
        assert!(!reads("", Some("1. e4 * $1"), "5"));
        assert!(reads("", Some("1. e4 * "), "{c} 5"));
    }

    #[test]
    fn a_tag_pair_is_read_behind_the_line_before_it() {
        assert!(reads("x \"]\n", None, "; c\n[C \"d\"] *"));
        assert!(!reads("x\n", None, "; c\n[C \"d\"] *"));
        assert!(reads("x\n", None, "  \n[C \"d\"] *"));
        assert!(!reads("x \"]\n", None, "; c\n\n[Event \"d\"] *"));
    }
}
