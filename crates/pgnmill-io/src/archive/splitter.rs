//! Splitter: text that arrives in order, piece by piece, becomes blocks of whole games.
//!
//! In: pieces of text of any size. Out: [`Block`]s; at most one unfinished game is held.
//!
//! Invariants: the blocks joined are the text; a block of whole games is about `block_bytes` long, a run of
//! games without tag pairs that is longer than `game_bytes_max` is divided after its [`results`](super::results), into
//! a block per game; a game is divided if and only if it is longer than `game_bytes_max`, whatever the pieces of text
//! were, and never within a line end or a UTF-8 character. Memory: `game_bytes_max` and one or two pieces.
//!
//! Cost: the last start is searched for backwards from the end, so that a game is read about once and most of a block
//! not at all; a game that is divided is read forwards, once. Example: the law of splitting in
//! `tests/reading/seams.rs`.

use pgnmill_state::state;

use super::deliver::{Run, Sizes, piece_end};
use super::games::{first_start, last_start};
use super::inflate::Source;
use super::results::{FIRST_MOVE, RESULT_EDGE_BYTES, first_after_result, last_after_result};
use super::scanner::Scanner;
use super::text_lines::{first_end, last_end};
use super::{Part, Visit};
use crate::error::Result;

/// Text that is divided into blocks. It begins where an archive or a game begins, or within a long game.
#[derive(Debug)]
pub(super) struct Splitter {
    sizes: Sizes,
    text: Vec<u8>,
    /// The offset of the first byte of `text`.
    offset: u64,
    /// There is no start before this but the one at 0.
    floor: usize,
    /// The text begins within a run without tag pairs that is too long to be one game, at one of its games.
    is_divided: bool,
    /// The game at the beginning, if it is too long to hold.
    long: Option<LongGame>,
    /// Of lines: the part of the next piece, if the text begins within a line that is too long to hold, or after
    /// damage.
    long_line: Option<Part>,
}

/// What is kept of a splitter between two jobs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SplitterState {
    /// The offset of the text held, the text, and the part of it in which no start was found.
    offset: u64,
    text: Vec<u8>,
    floor: usize,
    is_divided: bool,
}
state!(SplitterState { offset, text, floor, is_divided });

/// A game that is delivered in pieces, before its end is found.
#[derive(Debug)]
struct LongGame {
    scanner: Scanner,
    /// The part of its next piece.
    part: Part,
    /// It is the text after damage, and only whitespace of it was read.
    at_damage: bool,
    /// No game begins after a result before this; `None` for the text after damage, whose first bytes can be of a
    /// comment.
    results_from: Option<usize>,
}

impl LongGame {
    /// Where it ends, if that is in `text`, which is the text of the last call, perhaps with more at the end; and
    /// whether a tag pair follows.
    fn end(&mut self, text: &[u8], more: bool) -> Option<(usize, bool)> {
        let start = self.scanner.next(text, more);
        let result = self.results_from.and_then(|from| first_after_result(text, from));
        if let Some(from) = &mut self.results_from {
            // What is before was decided with more of the text than may be left of it.
            *from = (*from).max(text.len().saturating_sub(FIRST_MOVE.len()));
        }
        // The later of the two is found again from the earlier one on.
        let start = start.map(|start| (start, true));
        start.into_iter().chain(result.map(|result| (result, false))).min()
    }

    /// How much of the `len` bytes of text is not needed to find the end.
    fn understood(&self, len: usize) -> usize {
        let understood = self.scanner.understood(len);
        match self.results_from {
            Some(_) => understood.min(len.saturating_sub(RESULT_EDGE_BYTES)),
            None => understood,
        }
    }

    /// The first `len` bytes of the text were dropped.
    fn forget(&mut self, len: usize) {
        self.scanner.forget(len);
        self.results_from = self.results_from.map(|from| from.saturating_sub(len));
    }
}

impl Splitter {
    /// A splitter at the beginning of an archive; `spare` is a buffer that is reused.
    pub(super) fn new(sizes: Sizes, mut spare: Vec<u8>) -> Splitter {
        spare.clear();
        Splitter {
            sizes,
            text: spare,
            offset: 0,
            floor: 0,
            is_divided: false,
            long: None,
            long_line: None,
        }
    }

    /// The state; `None` within a long game.
    pub(super) fn save(&self) -> Option<SplitterState> {
        let Splitter { offset, floor, is_divided, .. } = *self;
        let state = || SplitterState { offset, text: self.text.clone(), floor, is_divided };
        (self.long.is_none() && self.long_line.is_none()).then(state)
    }

    /// A splitter with a state that was saved.
    pub(super) fn load(sizes: Sizes, state: SplitterState) -> Splitter {
        let SplitterState { offset, text, floor, is_divided } = state;
        let floor = floor.min(text.len());
        Splitter { sizes, text, offset, floor, is_divided, long: None, long_line: None }
    }

    /// The text held.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The offset of the text held.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the buffer.
    pub(super) fn into_buffer(self) -> Vec<u8> {
        self.text
    }

    /// Is the text held part of a game, or of a run of games without tag pairs, that is too long to hold?
    pub(super) fn is_too_long(&self) -> bool {
        self.long.is_some() || self.is_divided || self.text.len() > self.sizes.game_bytes_max
    }

    /// Adds text at the end.
    pub(super) fn push(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
    }

    /// Adds about a block of text from `source`; returns its length: 0 at the end.
    pub(super) fn fill(&mut self, source: &mut dyn Source) -> Result<usize> {
        let len = self.text.len();
        self.text.resize(len + self.sizes.block_bytes, 0);
        let added = source.fill(&mut self.text[len..]);
        self.text.truncate(len + added.as_ref().map_or(0, |&added| added));
        added
    }

    /// The run that can be delivered from the front; `more`: text may follow, and what it could change is held.
    ///
    /// The caller removes the run, with [`drop_front`](Self::drop_front) or [`take_front`](Self::take_front), before
    /// the next call.
    pub(super) fn next_run(&mut self, more: bool) -> Option<Run> {
        if self.sizes.records.of_lines() {
            return self.next_lines(more);
        }
        if let Some(run) = self.next_piece(more) {
            return (run.len > 0).then_some(run);
        }
        let run = |len, is_divided| Some(Run { len, part: Part::Games, is_divided });
        if !more {
            let len = self.text.len();
            let is_divided = std::mem::take(&mut self.is_divided);
            let first = if is_divided { self.first_start() } else { None };
            return if len > 0 { run(first.unwrap_or(len), is_divided) } else { None };
        }
        let (last, floor) = last_start(&self.text, self.floor);
        self.floor = floor;
        if let Some(last) = last {
            if std::mem::take(&mut self.is_divided) {
                // Starts after the first are searched again.
                self.floor = 0;
                return run(self.first_start().unwrap_or(last), true);
            }
            return run(last, false);
        }
        // The game continues at least to the floor.
        if !self.is_divided && floor <= self.sizes.game_bytes_max {
            return None;
        }
        // About a block at once: all that is held would be one job, and its output as much larger as games are small.
        let held = &self.text[..floor];
        let block = first_after_result(held, self.sizes.block_bytes);
        if let Some(len) = block.or_else(|| last_after_result(held)) {
            self.is_divided = true;
            return run(len, true);
        }
        // A game that ends at the limit shows its end only with the move number of the next one.
        if floor < self.sizes.game_bytes_max.saturating_add(FIRST_MOVE.len()) {
            return None;
        }
        let mut scanner = Scanner::at_start();
        while scanner.next(&self.text, true).is_some() {}
        self.long = Some(LongGame {
            scanner,
            part: Part::OversizeFirst,
            at_damage: false,
            results_from: Some(0),
        });
        self.next_piece(true).filter(|run| run.len > 0)
    }

    /// Of lines: all whole ones, or a piece of one that is too long to hold.
    fn next_lines(&mut self, more: bool) -> Option<Run> {
        let held = self.text.len();
        let run = |len, part| (len > 0).then_some(Run { len, part, is_divided: false });
        if let Some(part) = self.long_line {
            let end = first_end(&self.text, more);
            let len = end.unwrap_or(if more { piece_end(&self.text, held) } else { held });
            self.long_line = match end {
                None if more && len == 0 => Some(part),
                None if more => Some(Part::OversizeRest),
                _ => None,
            };
            return run(len, part);
        }
        if !more {
            return run(held, Part::Lines);
        }
        // The last byte that was searched may be the first one of a line end.
        let last = last_end(&self.text, self.floor.saturating_sub(1));
        self.floor = held;
        if let Some(end) = last {
            return run(end, Part::Lines);
        }
        if held <= self.sizes.game_bytes_max {
            return None;
        }
        self.long_line = Some(Part::OversizeFirst);
        self.next_lines(more)
    }

    /// Of lines: what is left of the last one before damage, once the whole ones were taken.
    pub(super) fn cut_line(&self) -> Option<Run> {
        let is_cut = self.sizes.records.of_lines() && !self.text.is_empty();
        let part = self.long_line.unwrap_or(Part::Fragment);
        is_cut.then_some(Run { len: self.text.len(), part, is_divided: false })
    }

    /// The first start after the one at 0.
    fn first_start(&self) -> Option<usize> {
        first_start(self.sizes.level, &self.text, 1, self.text.len())
    }

    /// The next piece of a long game; `None` if no such game is at the front.
    fn next_piece(&mut self, more: bool) -> Option<Run> {
        if let Some(run) = self.after_damage(more) {
            return Some(run);
        }
        let long = self.long.as_mut()?;
        let part = long.part;
        if let Some((len, is_start)) = long.end(&self.text, more) {
            self.end_long_game();
            self.is_divided = !is_start;
            return (len > 0).then_some(Run { len, part, is_divided: false });
        }
        let mut len = self.text.len();
        if more {
            len = piece_end(&self.text, long.understood(len));
        }
        if len > 0 {
            long.part = Part::OversizeRest;
        }
        Some(Run { len, part, is_divided: false })
    }

    /// After damage: the whitespace at the front is of no game, and an `Event` after it begins one. Other text is the
    /// end of a game, which is then treated as a long one.
    ///
    /// The scanner reads the whitespace too: it can end the line that the damage has truncated, and a reader of the
    /// decoded text must find the same starts in it.
    fn after_damage(&mut self, more: bool) -> Option<Run> {
        const EVENT: &[u8] = b"[Event \"";
        let long = self.long.as_mut().filter(|long| long.at_damage)?;
        let blanks = self.text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = &self.text[blanks..];
        let start = long.scanner.next(&self.text[..self.text.len().min(blanks + 1)], true);
        debug_assert_eq!(start, None, "whitespace and a byte start no game");
        let is_event = rest.starts_with(EVENT) && long.scanner.can_see(blanks + EVENT.len());
        let is_all = rest.is_empty() && !more;
        let len = if is_event || is_all { blanks } else { long.scanner.passable(blanks) };
        let is_unknown = more && EVENT.starts_with(rest);
        if len > 0 || is_unknown {
            return Some(Run { len, part: Part::Games, is_divided: false });
        }
        long.at_damage = false;
        if is_event {
            self.end_long_game();
        }
        None
    }

    fn end_long_game(&mut self) {
        (self.long, self.long_line) = (None, None);
        self.floor = 0;
        self.is_divided = false;
    }

    /// Removes `len` bytes at the front.
    pub(super) fn drop_front(&mut self, len: usize) {
        self.text.copy_within(len.., 0);
        self.text.truncate(self.text.len() - len);
        self.advance(len);
    }

    /// Takes `len` bytes from the front, with the buffer they are in; the rest moves to `spare`.
    pub(super) fn take_front(&mut self, len: usize, mut spare: Vec<u8>) -> Vec<u8> {
        spare.clear();
        spare.extend_from_slice(&self.text[len..]);
        let mut taken = std::mem::replace(&mut self.text, spare);
        taken.truncate(len);
        self.advance(len);
        taken
    }

    fn advance(&mut self, len: usize) {
        self.offset += len as u64;
        self.floor = self.floor.saturating_sub(len);
        if let Some(long) = &mut self.long {
            long.forget(len);
        }
    }

    /// Delivers the runs that are ready.
    pub(super) fn visit_runs(&mut self, more: bool, visit: &mut Visit<'_>) -> Result<()> {
        while let Some(run) = self.next_run(more) {
            run.deliver(&self.text[..run.len], self.offset, self.sizes, visit)?;
            self.drop_front(run.len);
        }
        Ok(())
    }

    /// Delivers all text held, whose last game may lack its end, and begins again after damage.
    pub(super) fn cut(&mut self, visit: &mut Visit<'_>) -> Result<()> {
        while let Some(run) = self.next_run(false) {
            // Only the last run is before the damage.
            let is_last = run.len == self.text.len();
            let part = if is_last { run.part.before_damage() } else { run.part };
            let cut = Run { part, ..run };
            cut.deliver(&self.text[..run.len], self.offset, self.sizes, visit)?;
            self.drop_front(run.len);
        }
        self.restart_after_damage();
        Ok(())
    }

    /// Begins again after damage; no text is held.
    pub(super) fn restart_after_damage(&mut self) {
        self.restart(self.offset);
        if self.sizes.records.of_lines() {
            self.long_line = Some(Part::Fragment);
            return;
        }
        let scanner = Scanner::unknown();
        let part = Part::Fragment;
        self.long = Some(LongGame { scanner, part, at_damage: true, results_from: None });
    }

    /// Begins again at a game start; no text is held.
    pub(super) fn restart(&mut self, offset: u64) {
        debug_assert!(self.text.is_empty(), "the text held was delivered");
        self.text.clear();
        self.offset = offset;
        self.end_long_game();
    }
}
