//! The visitor that measures: plies become lengths, and games that are not rejected are counted in their groups.
//!
//! In: the replay of a block. Out: [`Measured`]. A game is counted at its end, when its verdict is known. Cost: the tag pairs are
//! read a second time, for the dimensions of games alone.

use std::ops::Range;

use crate::engine::{BlockVisitor, GamePlace, Settings, Task};
use crate::machine::{self, Level, Machine};
use crate::notation::{Notation, Ply};
use crate::pgn::{BYTE_ORDER_MARK, Outcome, TagPair};
use crate::replay::{Game, History, TagSection, Verdict};

use super::options::{Buffers, Measure, Measured};
use super::study::{GameMoves, Information};
use super::tally::{GameLengths, GameRow, GameTags, Labels, Tally};

/// So much of a game's movetext says whether it is in the sample, besides its tag pairs.
const DRAWN_BYTES: usize = 1024;

/// Adds a game to a tally with what the processor can do.
struct Add<'a> {
    tally: &'a mut Tally,
    lengths: &'a GameLengths,
    labels: &'a Labels,
}

impl machine::Kernel for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        self.tally.add(self.lengths, self.labels);
    }
}

/// Measures the games of a block.
#[derive(Debug)]
pub struct LengthVisitor<'b> {
    task: &'b Measure,
    part: &'b mut Measured,
    lengths: &'b mut GameLengths,
    moves: &'b mut GameMoves,
    /// Of a long game the moves before those of `moves`.
    parts: Vec<GameMoves>,
    level: Level,
    /// Are the moves wanted, besides their lengths?
    studied: bool,
    /// Is the game at hand outside the sample?
    passed: bool,
}

impl<'b> LengthVisitor<'b> {
    pub(super) fn new(
        task: &'b Measure,
        level: Level,
        buffers: &'b mut Buffers,
        part: &'b mut Measured,
    ) -> LengthVisitor<'b> {
        let studied = task.information || task.moves;
        let Buffers { lengths, moves } = buffers;
        lengths.configure(task.selection, task.keys);
        LengthVisitor {
            task,
            part,
            lengths,
            moves,
            parts: Vec::new(),
            level,
            studied,
            passed: false,
        }
    }

    /// What is asked for besides lengths.
    #[cold]
    #[inline(never)]
    fn end_study(&mut self) {
        let part = &mut *self.part;
        if self.task.information {
            let none = || Information::of(self.task.studied());
            let information = part.information.get_or_insert_with(none);
            self.parts.iter().chain([&*self.moves]).for_each(|part| information.add(part));
        }
        if self.task.moves {
            part.moves.append(&mut self.parts);
            if self.moves.plies_count() > 0 {
                part.moves.push(std::mem::take(self.moves));
            }
        }
    }

    /// The groups that a game belongs to.
    fn labels(&self, text: &[u8], game: &Game<'_>) -> Labels {
        let mut tags = GameTags::default();
        if self.task.keys.needs_tags() {
            visit_tags(text, game.span.start, game.tags.end, |name, value| {
                let slot = match name {
                    b"WhiteElo" => &mut tags.ratings[0],
                    b"BlackElo" => &mut tags.ratings[1],
                    b"WhiteTitle" => &mut tags.titles[0],
                    b"BlackTitle" => &mut tags.titles[1],
                    b"TimeControl" => &mut tags.time_control,
                    b"Date" => &mut tags.date,
                    b"UTCDate" => &mut tags.utc_date,
                    b"ECO" => &mut tags.eco,
                    _ => return,
                };
                *slot = Some(value);
            });
        }
        let said = game.result.clone().or_else(|| game.tags.result());
        let outcome = said.and_then(|place| Outcome::from_any(&text[place]));
        tags.result = outcome.map(Outcome::canonical);
        Labels::of(&tags, self.task.keys)
    }
}

impl BlockVisitor for LengthVisitor<'_> {
    fn begin(&mut self, text: &[u8], start: usize, tags: &TagSection, _: &'static dyn Notation) {
        self.lengths.clear();
        self.moves.clear();
        self.parts.clear();
        let sample = self.task.sample;
        self.passed = sample > 1 && !draw(text, start, tags.end).is_multiple_of(sample);
    }

    #[inline(always)]
    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if depth == 0 && !self.passed {
            self.lengths.observe(ply);
            if self.studied {
                keep_ply(self.moves, &mut self.parts, *ply);
            }
        }
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>, place: GamePlace) {
        if game.verdict == Verdict::Rejected || self.passed {
            return;
        }
        let labels = self.labels(text, game);
        let Measure { keys, selection, per_game, .. } = *self.task;
        let tally = self.part.tally.get_or_insert_with(|| Tally::new(keys, selection));
        self.level.run(Add { tally, lengths: self.lengths, labels: &labels });
        if per_game {
            let GamePlace { offset, number } = place;
            self.part.rows.add(&GameRow::of(offset, number, self.lengths, selection));
        }
        if self.studied {
            self.end_study();
        }
    }
}

impl Task for Measure {
    type Context = Buffers;
    type Part = Measured;
    type Visitor<'b> = LengthVisitor<'b>;

    fn history(&self) -> History {
        if self.selection.needs_history() { History::Optional } else { History::Ignored }
    }

    fn visitor<'b>(
        &'b self,
        settings: &'b Settings,
        context: &'b mut Buffers,
        part: &'b mut Measured,
    ) -> LengthVisitor<'b> {
        LengthVisitor::new(self, settings.level, context, part)
    }
}

/// Keeps a ply that is wanted besides its lengths. By value, so that nothing of it has to lie in memory where it is not.
#[cold]
#[inline(never)]
fn keep_ply(moves: &mut GameMoves, parts: &mut Vec<GameMoves>, ply: Ply<'_>) {
    if moves.is_whole() {
        parts.push(moves.take_part());
    }
    moves.push(&ply);
}

/// Shows the tag pairs of a game by name and value; what stands between them is passed over by lines.
fn visit_tags<'t>(
    text: &'t [u8],
    start: usize,
    end: usize,
    mut visit: impl FnMut(&[u8], &'t [u8]),
) {
    let mut at = start;
    while at < end {
        if text[at] <= b' ' {
            at += 1;
        } else if let Some(pair) = TagPair::read(text, at) {
            visit(&text[pair.name], &text[pair.value]);
            at = pair.end;
        } else {
            let line = memchr::memchr2(b'\n', b'\r', &text[at..end]);
            at = line.map_or(end, |length| at + length + 1);
        }
    }
}

/// A number that a game's tag pairs and the beginning of its movetext give, as good as drawn by lot: the same for any
/// cut of the archive, any container and any number of threads.
fn draw(text: &[u8], start: usize, tags_end: usize) -> u64 {
    let end = text.len().min(tags_end + DRAWN_BYTES);
    let game = text[start..end].trim_ascii();
    let game = game.strip_prefix(BYTE_ORDER_MARK).unwrap_or(game).trim_ascii();
    // The odd number nearest to 2^64 divided by the golden ratio.
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = game.len() as u64;
    let mut add = |word: u64| hash = (hash ^ word).wrapping_mul(MULTIPLIER).rotate_left(29);
    let (words, rest) = game.as_chunks::<8>();
    words.iter().for_each(|word| add(u64::from_le_bytes(*word)));
    rest.iter().for_each(|&byte| add(u64::from(byte)));
    // The low bits depend on every byte.
    (0..2).for_each(|_| add(0));
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tag_pairs_are_shown_whatever_stands_between_them() {
        let text = b"\n[A \"1\"] [B \"2\"]\n; [C \"3\"]\n% x\n[D \"4\"\r\n[E \"5\"]\n\n1. e4 *";
        let mut seen = Vec::new();
        visit_tags(text, 0, 52, |name, value| {
            seen.push(format!("{}{}", name.escape_ascii(), value.escape_ascii()));
        });
        assert_eq!(seen, ["A1", "B2", "D4", "E5"]);
    }

    #[test]
    fn a_sample_is_as_large_as_it_should_be() {
        for sample in [2, 3, 10, 64] {
            let draws = 20_000;
            let drawn = (0..draws).filter(|number| {
                let text = format!("[Event \"{number}\"]\n\n1. e4 e5 *\n");
                let tags_end = text.find(']').unwrap() + 1;
                draw(text.as_bytes(), 0, tags_end).is_multiple_of(sample)
            });
            let (drawn, expected) = (drawn.count() as f64, draws as f64 / sample as f64);
            assert!((drawn - expected).abs() < 5.0 * expected.sqrt(), "{drawn} of {expected}");
        }
        let (bare, dressed) = (b"[A \"1\"]\n\n*".as_slice(), b"\xef\xbb\xbf\n[A \"1\"]\n\n*\n\n");
        assert_eq!(draw(bare, 0, 7), draw(dressed, 0, 11));
    }
}
