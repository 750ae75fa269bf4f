//! Splitter: text that arrives in order, piece by piece, becomes blocks of whole games.
//!
//! In: pieces of text of any size. Out: [`Block`]s; at most one unfinished game is held.
//!
//! Invariants: the blocks joined are the text; a block of whole games is about `block_bytes` long; a game is divided if
//! and only if it is longer than `game_bytes_max`, whatever the pieces of text were, and never within a line end or a
//! UTF-8 character. Memory: `game_bytes_max` and one or two pieces.
//!
//! Cost: the last start is searched for backwards from the end, so that a game is read about once and most of a block
//! not at all; a game that is divided is read forwards, once. Example: the law of splitting in
//! `tests/reading/seams.rs`.

use super::games::{first_start, last_start};
use super::inflate::Source;
use super::scanner::Scanner;
use super::{Block, Options, Part, Visit};
use crate::error::Result;
use crate::machine::Level;

/// The sizes of blocks and games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) block_bytes: usize,
    pub(super) game_bytes_max: usize,
    pub(super) level: Level,
}

impl Sizes {
    /// A block has one byte at least, and no more than the longest game: see [`deliver`].
    pub(super) fn new(options: &Options) -> Sizes {
        let game_bytes_max = options.game_bytes_max.max(1);
        let block_bytes = options.block_bytes.clamp(1, game_bytes_max);
        Sizes { block_bytes, game_bytes_max, level: options.level }
    }
}

/// Delivers a run as blocks of about `block_bytes`.
///
/// A run of [`Part::Games`] or [`Part::Cut`] begins where an archive or a game begins and ends where one ends;
/// none starts in it from `starts_end` on. `offset` is that of its first byte.
pub(super) fn deliver(
    run: &[u8],
    starts_end: usize,
    offset: u64,
    part: Part,
    sizes: Sizes,
    visit: &mut Visit<'_>,
) -> Result<()> {
    if !matches!(part, Part::Games | Part::Cut) {
        return deliver_long_game(run, offset, part, sizes, visit);
    }
    let Sizes { block_bytes, game_bytes_max, level } = sizes;
    let mut at = 0;
    while at < run.len() {
        let rest = run.len() - at;
        let end = if rest <= game_bytes_max.min(block_bytes.saturating_add(block_bytes / 2)) {
            run.len()
        } else {
            let from = at.saturating_add(block_bytes);
            first_start(level, run, from, starts_end.min(run.len())).unwrap_or(run.len())
        };
        let mut games_end = end;
        if end - at > game_bytes_max {
            // Only the last game can be too long: it begins within `block_bytes`, which are no more
            // than a game may have.
            let within = &run[at..at + block_bytes];
            let last = at + last_sure_start(level, within, &run[at..end]);
            if end - last > game_bytes_max {
                games_end = last;
            }
        }
        if games_end > at {
            let text = &run[at..games_end];
            let part = if games_end == run.len() { part } else { Part::Games };
            visit(Block { text, offset: offset + at as u64, part })?;
        }
        let long = &run[games_end..end];
        deliver_long_game(long, offset + games_end as u64, Part::OversizeFirst, sizes, visit)?;
        at = end;
    }
    Ok(())
}

/// The last start in `whole` that is in its beginning `within`; 0 if there is none but the first.
fn last_sure_start(level: Level, within: &[u8], whole: &[u8]) -> usize {
    let (found, floor) = last_start(within, 0);
    // The line in which `within` ends may start a game as well.
    if floor < within.len() && first_start(level, whole, floor, floor + 1).is_some() {
        return floor;
    }
    found.unwrap_or(0)
}

fn deliver_long_game(
    text: &[u8],
    mut offset: u64,
    mut part: Part,
    sizes: Sizes,
    visit: &mut Visit<'_>,
) -> Result<()> {
    let mut rest = text;
    while !rest.is_empty() {
        // If even the first character is longer than a block, the piece is too.
        let mut lens = (sizes.block_bytes..rest.len()).map(|len| piece_end(rest, len));
        let len = lens.find(|&len| len > 0).unwrap_or(rest.len());
        let (text, after) = rest.split_at(len);
        visit(Block { text, offset, part })?;
        offset += len as u64;
        part = Part::OversizeRest;
        rest = after;
    }
    Ok(())
}

/// The most bytes of a UTF-8 character.
const CHARACTER_BYTES_MAX: usize = 4;

/// The end of a piece of a long game, at `len` or a few bytes before: neither within a line end nor within a UTF-8
/// character that may continue, so that pieces have the lines and characters of the whole.
fn piece_end(text: &[u8], len: usize) -> usize {
    let text = &text[..len.min(text.len())];
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let follows = |byte: &&u8| (0x80..0xC0).contains(*byte);
    let ahead = text.iter().rev().take(CHARACTER_BYTES_MAX - 1).take_while(follows).count();
    match text[..text.len() - ahead].last() {
        Some(0xC0..) => text.len() - ahead - 1,
        _ => text.len(),
    }
}

impl Part {
    /// The part of the last run before damage.
    pub(super) fn before_damage(self) -> Part {
        if self == Part::Games { Part::Cut } else { self }
    }
}

/// The beginning of a splitter's text, ready to be delivered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) len: usize,
    pub(super) part: Part,
}

/// Text that is divided into blocks. It begins where an archive or a game begins, or within a long game.
#[derive(Debug)]
pub(super) struct Splitter {
    sizes: Sizes,
    text: Vec<u8>,
    /// The offset of the first byte of `text`.
    offset: u64,
    /// There is no start before this but the one at 0.
    floor: usize,
    /// The game at the beginning, if it is too long to hold.
    long: Option<LongGame>,
}

/// A game that is delivered in pieces, before its end is found.
#[derive(Debug)]
struct LongGame {
    scanner: Scanner,
    /// The part of its next piece.
    part: Part,
    /// It is the text after damage, and only whitespace of it was read.
    at_damage: bool,
}

impl Splitter {
    /// A splitter at the beginning of an archive; `spare` is a buffer that is reused.
    pub(super) fn new(sizes: Sizes, mut spare: Vec<u8>) -> Splitter {
        spare.clear();
        Splitter { sizes, text: spare, offset: 0, floor: 0, long: None }
    }

    /// The offset of the text held, the text, and the part of it without a start; `None` within a long game.
    pub(super) fn save(&self) -> Option<(u64, Vec<u8>, usize)> {
        self.long.is_none().then(|| (self.offset, self.text.clone(), self.floor))
    }

    /// A splitter with a state that was saved.
    pub(super) fn load(sizes: Sizes, offset: u64, text: Vec<u8>, floor: usize) -> Splitter {
        let floor = floor.min(text.len());
        Splitter { sizes, text, offset, floor, long: None }
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

    /// Is the text held part of a game that is too long to hold?
    pub(super) fn is_too_long(&self) -> bool {
        self.long.is_some() || self.text.len() > self.sizes.game_bytes_max
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
        if let Some(run) = self.next_piece(more) {
            return (run.len > 0).then_some(run);
        }
        if !more {
            let len = self.text.len();
            return (len > 0).then_some(Run { len, part: Part::Games });
        }
        let (last, floor) = last_start(&self.text, self.floor);
        self.floor = floor;
        if let Some(len) = last {
            return Some(Run { len, part: Part::Games });
        }
        // The game continues at least to the floor.
        if floor <= self.sizes.game_bytes_max {
            return None;
        }
        let mut scanner = Scanner::at_start();
        while scanner.next(&self.text, true).is_some() {}
        self.long = Some(LongGame { scanner, part: Part::OversizeFirst, at_damage: false });
        self.next_piece(true).filter(|run| run.len > 0)
    }

    /// The next piece of a long game; `None` if no such game is at the front.
    fn next_piece(&mut self, more: bool) -> Option<Run> {
        if let Some(run) = self.after_damage(more) {
            return Some(run);
        }
        let long = self.long.as_mut()?;
        let part = long.part;
        if let Some(len) = long.scanner.next(&self.text, more) {
            self.end_long_game();
            return (len > 0).then_some(Run { len, part });
        }
        let mut len = self.text.len();
        if more {
            len = piece_end(&self.text, long.scanner.understood(len));
        }
        if len > 0 {
            long.part = Part::OversizeRest;
        }
        Some(Run { len, part })
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
            return Some(Run { len, part: Part::Games });
        }
        long.at_damage = false;
        if is_event {
            self.end_long_game();
        }
        None
    }

    fn end_long_game(&mut self) {
        self.long = None;
        self.floor = 0;
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
            long.scanner.forget(len);
        }
    }

    /// Delivers the runs that are ready.
    pub(super) fn visit_runs(&mut self, more: bool, visit: &mut Visit<'_>) -> Result<()> {
        while let Some(Run { len, part }) = self.next_run(more) {
            deliver(&self.text[..len], len, self.offset, part, self.sizes, visit)?;
            self.drop_front(len);
        }
        Ok(())
    }

    /// Delivers all text held, whose last game may lack its end, and begins again after damage.
    pub(super) fn cut(&mut self, visit: &mut Visit<'_>) -> Result<()> {
        while let Some(Run { len, part }) = self.next_run(false) {
            deliver(&self.text[..len], len, self.offset, part.before_damage(), self.sizes, visit)?;
            self.drop_front(len);
        }
        self.restart_after_damage();
        Ok(())
    }

    /// Begins again after damage; no text is held.
    pub(super) fn restart_after_damage(&mut self) {
        self.restart(self.offset);
        let scanner = Scanner::unknown();
        self.long = Some(LongGame { scanner, part: Part::Fragment, at_damage: true });
    }

    /// Begins again at a game start; no text is held.
    pub(super) fn restart(&mut self, offset: u64) {
        debug_assert!(self.text.is_empty(), "the text held was delivered");
        self.text.clear();
        self.offset = offset;
        self.end_long_game();
    }
}
