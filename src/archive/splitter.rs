//! Splitting: text that arrives in order, piece by piece, becomes blocks of whole games.
//!
//! In: pieces of text of any size. Out: [`Block`]s, and at most one unfinished game kept back.
//!
//! Invariants: the blocks joined are the text; a block of whole games is about `block_bytes` long;
//! a game is cut in pieces if and only if it is longer than `game_bytes_max`, wherever the pieces
//! of text were cut, and never within a line end; no more than `game_bytes_max` and one or two pieces are held.
//!
//! Cost: the last start is looked for backwards from the end, so that a game is read about once and
//! most of a block not at all; a game that is cut in pieces is read forwards, once.

use super::games::{first_start, last_start};
use super::inflate::Source;
use super::scanner::Scanner;
use super::{Block, Options, Part, Visit};
use crate::error::Result;
use crate::machine::Level;

/// The sizes that splitting goes by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) block_bytes: usize,
    pub(super) game_bytes_max: usize,
    pub(super) level: Level,
}

impl Sizes {
    /// A block is at least a byte long, and no longer than the longest game: see [`deliver`].
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
            // Only the last game can be too long: it begins within `block_bytes`, which are not
            // more.
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

/// The last start in `whole` that lies in its beginning `within`; 0 if there is none but the first.
fn last_sure_start(level: Level, within: &[u8], whole: &[u8]) -> usize {
    let (found, floor) = last_start(within, 0);
    // The line that `within` stops in may start a game as well.
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
        // Where even the first sign is longer than a block, the piece is too.
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

/// A sign of UTF-8 has no more bytes.
const CHARACTER_BYTES_MAX: usize = 4;

/// Where a piece of a long game ends, at `len` or a few bytes before: neither within a line end nor within a sign of UTF-8
/// that may go on, so that whoever looks at pieces finds the lines and signs of the whole.
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
    /// What the last run before damage is.
    pub(super) fn before_damage(self) -> Part {
        if self == Part::Games { Part::Cut } else { self }
    }
}

/// The front of a splitter's text, ready to be delivered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) len: usize,
    pub(super) part: Part,
}

/// Text on its way to become blocks. It begins where an archive or a game begins, or within a long
/// game.
#[derive(Debug)]
pub(super) struct Splitter {
    sizes: Sizes,
    text: Vec<u8>,
    /// Of the first byte of `text`.
    offset: u64,
    /// No start but the one at 0 lies before this.
    floor: usize,
    /// The game at the front is too long to hold.
    long: Option<LongGame>,
}

/// A game that is delivered in pieces, before its end is found.
#[derive(Debug)]
struct LongGame {
    scanner: Scanner,
    /// What its next piece is.
    part: Part,
    /// It is what stands after damage, and nothing but blanks has been seen of it.
    at_damage: bool,
}

impl Splitter {
    /// A splitter at the beginning of an archive; `spare` is a buffer to use again.
    pub(super) fn new(sizes: Sizes, mut spare: Vec<u8>) -> Splitter {
        spare.clear();
        Splitter { sizes, text: spare, offset: 0, floor: 0, long: None }
    }

    /// The text held.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The offset of the text held.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Gives the buffer back.
    pub(super) fn into_buffer(self) -> Vec<u8> {
        self.text
    }

    /// Whether the text held is part of a game that is too long to hold.
    pub(super) fn is_too_long(&self) -> bool {
        self.long.is_some() || self.text.len() > self.sizes.game_bytes_max
    }

    /// Adds text at the end.
    pub(super) fn push(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
    }

    /// Adds about a block of text from `source`; returns how much: 0 at its end.
    pub(super) fn fill(&mut self, source: &mut dyn Source) -> Result<usize> {
        let len = self.text.len();
        self.text.resize(len + self.sizes.block_bytes, 0);
        let added = source.fill(&mut self.text[len..]);
        self.text.truncate(len + added.as_ref().map_or(0, |&added| added));
        added
    }

    /// What can be delivered from the front; `more`: text may follow, what it could change is kept
    /// back.
    ///
    /// The caller removes the run, with [`drop_front`](Self::drop_front) or
    /// [`take_front`](Self::take_front), before it asks again.
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
        // The game goes on at least to the floor.
        if floor <= self.sizes.game_bytes_max {
            return None;
        }
        let mut scanner = Scanner::at_start();
        while scanner.next(&self.text, true).is_some() {}
        self.long = Some(LongGame { scanner, part: Part::OversizeFirst, at_damage: false });
        self.next_piece(true).filter(|run| run.len > 0)
    }

    /// The next piece of a long game; `None` if there is no such game at the front, or no longer.
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

    /// After damage: the blanks in front are of no game, and an `Event` after them begins one. What
    /// is left is the end of a game, which is then treated as a long one.
    ///
    /// The scanner goes over the blanks as well: they can end the line that the damage has cut, and
    /// whoever decodes the text without knowing of the damage must find the same starts in it.
    fn after_damage(&mut self, more: bool) -> Option<Run> {
        const EVENT: &[u8] = b"[Event \"";
        let long = self.long.as_mut().filter(|long| long.at_damage)?;
        let blanks = self.text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = &self.text[blanks..];
        let start = long.scanner.next(&self.text[..self.text.len().min(blanks + 1)], true);
        debug_assert_eq!(start, None, "blanks and a byte start nothing");
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

    /// Takes `len` bytes from the front, with the buffer they are in; the rest goes on in `spare`.
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

    /// Delivers whatever is ready.
    pub(super) fn visit_runs(&mut self, more: bool, visit: &mut Visit<'_>) -> Result<()> {
        while let Some(Run { len, part }) = self.next_run(more) {
            deliver(&self.text[..len], len, self.offset, part, self.sizes, visit)?;
            self.drop_front(len);
        }
        Ok(())
    }

    /// Delivers all that is held, the last game of which may lack its end, and begins anew after
    /// damage.
    pub(super) fn cut(&mut self, visit: &mut Visit<'_>) -> Result<()> {
        while let Some(Run { len, part }) = self.next_run(false) {
            deliver(&self.text[..len], len, self.offset, part.before_damage(), self.sizes, visit)?;
            self.drop_front(len);
        }
        self.restart_after_damage();
        Ok(())
    }

    /// Begins anew after damage; nothing is held.
    pub(super) fn restart_after_damage(&mut self) {
        self.restart(self.offset);
        let scanner = Scanner::unknown();
        self.long = Some(LongGame { scanner, part: Part::Fragment, at_damage: true });
    }

    /// Begins anew at a game start; nothing is held.
    pub(super) fn restart(&mut self, offset: u64) {
        debug_assert!(self.text.is_empty(), "what was held has been delivered");
        self.text.clear();
        self.offset = offset;
        self.end_long_game();
    }
}
