//! Runs of games become blocks.
//!
//! In: a run of games, a part of one, or a game that is too long to hold. Out: [`Block`]s, in order. Invariants: the
//! blocks joined are the run; a game is divided if and only if it is longer than `game_bytes_max`, never within a line
//! end or a UTF-8 character; a run of games without tag pairs that is longer than that is divided after its
//! [`results`](super::results), into a block per game. Cost: most of a block is not read.

use pgnmill_simd::Level;

use super::games::{first_start, last_start};
use super::results::first_after_result;
use super::{Block, Options, Part, RecordKind, Visit};
use crate::error::Result;

/// The sizes of blocks and games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) block_bytes: usize,
    pub(super) game_bytes_max: usize,
    pub(super) level: Level,
    pub(super) records: RecordKind,
}

impl Sizes {
    /// A block has one byte at least, and no more than the longest game: see [`deliver`].
    pub(super) fn new(options: &Options) -> Sizes {
        let game_bytes_max = options.game_bytes_max.max(1);
        let block_bytes = options.block_bytes.clamp(1, game_bytes_max);
        let Options { level, records, .. } = *options;
        Sizes { block_bytes, game_bytes_max, level, records }
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
    // The beginning of a line that is too long is of one piece, whatever the blocks are.
    if sizes.records.of_lines() {
        return visit(Block { text: run, offset, part });
    }
    if !matches!(part, Part::Games | Part::Cut) {
        return deliver_long_game(run, offset, part, sizes, visit);
    }
    let Sizes { block_bytes, game_bytes_max, level, .. } = sizes;
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
        let part = if end == run.len() { part } else { Part::Games };
        deliver_divided(&run[games_end..end], offset + games_end as u64, part, sizes, visit)?;
        at = end;
    }
    Ok(())
}

/// Delivers a run in which no tag pair starts a game but the first, and that is longer than a game may be, or a part of
/// it that begins and ends where its games do: each game after a result is a block, so that the games do not depend on
/// the parts. `part`: that of the last one.
pub(super) fn deliver_divided(
    run: &[u8],
    offset: u64,
    part: Part,
    sizes: Sizes,
    visit: &mut Visit<'_>,
) -> Result<()> {
    let mut at = 0;
    while at < run.len() {
        let end = first_after_result(run, at).unwrap_or(run.len());
        let (text, offset) = (&run[at..end], offset + at as u64);
        if text.len() > sizes.game_bytes_max {
            deliver_long_game(text, offset, Part::OversizeFirst, sizes, visit)?;
        } else {
            let part = if end == run.len() { part } else { Part::Games };
            visit(Block { text, offset, part })?;
        }
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
pub(super) fn piece_end(text: &[u8], len: usize) -> usize {
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
    /// It is of a run without tag pairs that is too long to be one game: see [`deliver_divided`].
    pub(super) is_divided: bool,
}

impl Run {
    /// Delivers its text, as [`deliver`] does.
    pub(super) fn deliver(
        self,
        text: &[u8],
        offset: u64,
        sizes: Sizes,
        visit: &mut Visit<'_>,
    ) -> Result<()> {
        if self.is_divided && matches!(self.part, Part::Games | Part::Cut) {
            return deliver_divided(text, offset, self.part, sizes, visit);
        }
        deliver(text, text.len(), offset, self.part, sizes, visit)
    }
}
