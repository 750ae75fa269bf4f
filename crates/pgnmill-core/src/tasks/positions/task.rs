//! Games become occurrences: the pairs of each game, once each.
//!
//! In: games. Out: for each block its occurrences, in buckets, and what all pairs of a game have in common. Invariants:
//! a rejected game has no occurrence; a null move ends what is counted of a line, as what follows is no game; a pair
//! that a game repeats counts once, with its first ply. Cost: the replay; a key and 48 bytes per ply; for a game in
//! which positions can have been repeated a comparison with those since the last capture or pawn move, or a sort if
//! they are many. Memory: the pairs of a block twice; however often a long game repeats its pairs, once each. Plies of
//! a main line are taken as lines where the machine has them, and one by one otherwise, with the same result.

use std::ops::Range;

use super::block_pairs::{BlockPairs, GameEntry, Occurrence, OtherOccurrence, Unsorted};
use super::key::{ChessKey, OtherKey};
use crate::chess::Color;
use crate::chess::rules::RulesKind;
use crate::engine::{BlockGames, BlockVisitor, GamePlace, Part, Task};
use crate::notation::{AnyPly, Notation, OtherPly, Ply};
use crate::pgn::deviation::Deviation;
use crate::pgn::{Tag, tag_numbers};
use crate::replay::{
    BoardLine, Game, KeyedPly, LineRequest, MoveLine, NonPly, PliesOrLines, TagSection, Verdict,
};

/// Earlier plies that a ply is compared with, at most; beyond that the plies of the game are sorted.
const COMPARED_MAX: usize = 64;
/// The pairs of a game that has more are compared with each other before it ends.
const UNSORTED_MAX: usize = 1 << 14;
/// Pairs that are put into buckets at once, at least: fewer wait for those of the next blocks of the job.
const SORTED_MIN: usize = 1 << 12;
/// Pairs that are put into buckets before the block ends.
const SORTED_MAX: usize = 1 << 14;
/// The memory that a worker keeps from block to block, in pairs.
const KEPT_MAX: usize = 1 << 17;

/// Counts pairs of positions and moves.
#[derive(Clone, Copy, Debug)]
pub struct CountPositions {
    /// The last ply that is counted, from 1.
    pub plies_max: u32,
    /// Are variations counted too?
    pub variations: bool,
}

impl CountPositions {
    /// The last ply that is counted where none is given.
    pub const PLIES_MAX: u32 = 60;
}

impl Default for CountPositions {
    fn default() -> CountPositions {
        CountPositions { plies_max: CountPositions::PLIES_MAX, variations: false }
    }
}

/// The pairs of the games of a job.
#[derive(Debug, Default)]
pub struct Counted {
    blocks: Vec<BlockPairs>,
    /// Those of blocks with few games: of a game without tag pairs, for example.
    waiting: Unsorted,
}

impl Part for Counted {
    fn clear(&mut self) {
        self.blocks.clear();
        self.waiting.clear();
    }
}

impl Counted {
    /// Takes all pairs.
    pub(super) fn take(&mut self) -> impl Iterator<Item = BlockPairs> {
        let blocks = std::mem::take(&mut self.blocks);
        blocks.into_iter().chain(self.waiting.take())
    }

    /// The pairs of one block.
    #[cfg(test)]
    pub(super) fn of(block: BlockPairs) -> Counted {
        Counted { blocks: vec![block], waiting: Unsorted::default() }
    }

    fn add(&mut self, block: &mut Unsorted) {
        if block.chess.len() >= SORTED_MIN {
            self.blocks.extend(block.take());
            return;
        }
        self.waiting.append(block);
        if self.waiting.chess.len() >= SORTED_MIN {
            self.blocks.extend(self.waiting.take());
        }
    }
}

/// The pairs of the current block. Those of the current game are the last ones.
#[derive(Debug, Default)]
pub struct CurrentBlock {
    unsorted: Unsorted,
    /// The plies of the current line.
    line: Vec<KeyedPly>,
}

/// Counts the games of a block.
#[derive(Debug)]
struct PairVisitor<'b> {
    task: CountPositions,
    block: &'b mut Unsorted,
    line: &'b mut Vec<KeyedPly>,
    part: &'b mut Counted,
    /// Where the pairs of the current game begin.
    chess_start: usize,
    others_start: usize,
    /// Pairs of the current game with which they are compared next.
    unsorted_max: usize,
    /// The key of the position before the next ply of the main line, without its en passant square.
    key: Option<u64>,
    /// Plies of the main line that were visited.
    plies: u32,
    /// Plies before the first position of the game, by its move number.
    start_plies: Option<u32>,
    /// The depth of the line that a null move has ended.
    ended_depth: usize,
    /// May pairs be repeated that were not found to be?
    may_repeat: bool,
}

impl Task for CountPositions {
    type Context = CurrentBlock;
    type Part = Counted;

    fn visit(&self, games: BlockGames<'_, '_>, block: &mut CurrentBlock, part: &mut Counted) {
        games.visit(PairVisitor {
            task: *self,
            block: &mut block.unsorted,
            line: &mut block.line,
            part,
            chess_start: 0,
            others_start: 0,
            unsorted_max: UNSORTED_MAX,
            key: None,
            plies: 0,
            start_plies: None,
            ended_depth: usize::MAX,
            may_repeat: false,
        });
        part.add(&mut block.unsorted);
        block.unsorted.chess.shrink_to(KEPT_MAX);
    }
}

impl PairVisitor<'_> {
    /// Is a ply of this depth counted? `number`: plies before it.
    #[inline(always)]
    fn is_counted(&mut self, depth: usize, number: u32) -> bool {
        if depth < self.ended_depth {
            self.ended_depth = usize::MAX;
        }
        depth < self.ended_depth
            && number < self.task.plies_max
            && (depth == 0 || self.task.variations)
    }

    /// Adds a pair, unless it is found among those since the last capture or pawn move.
    #[inline(always)]
    fn add(&mut self, key: ChessKey, reversible_plies: u32, number: u32) {
        let line = &mut self.block.chess;
        if reversible_plies >= 4 {
            let reversible = reversible_plies as usize;
            self.may_repeat |= reversible > COMPARED_MAX;
            let mut earlier =
                line[self.chess_start..].iter().rev().take(reversible.min(COMPARED_MAX));
            if earlier.any(|it| it.is_of(&key)) {
                return;
            }
        }
        self.push(key, number);
    }

    #[inline(always)]
    fn push(&mut self, key: ChessKey, number: u32) {
        let Some(game) = self.game_index() else { return };
        self.block.chess.push(Occurrence::new(key, plies_of(number), game));
        if self.block.chess.len() - self.chess_start > self.unsorted_max {
            self.remove_repeated();
            // So that a pair is sorted a few times, however long the game is.
            self.unsorted_max = UNSORTED_MAX.max(2 * (self.block.chess.len() - self.chess_start));
        }
    }

    /// The index of the current game among those that are counted.
    fn game_index(&self) -> Option<u32> {
        u32::try_from(self.block.games.len()).ok()
    }

    /// Removes the pairs that the current game repeats.
    #[cold]
    fn remove_repeated(&mut self) {
        // What is sorted is no longer the line that led here.
        self.may_repeat = true;
        let line = &mut self.block.chess;
        line[self.chess_start..].sort_unstable_by_key(Occurrence::order);
        let mut last = None;
        let mut kept = self.chess_start;
        for at in self.chess_start..line.len() {
            let key = line[at].key();
            if last != Some(key) {
                line[kept] = line[at];
                kept += 1;
                last = Some(key);
            }
        }
        line.truncate(kept);
    }

    /// Plies of the game before a position of it, in a variation too.
    fn number_of(&mut self, fullmove: u32, turn: Color) -> u32 {
        let plies = plies_before(fullmove, turn);
        plies.saturating_sub(*self.start_plies.get_or_insert(plies))
    }

    /// Plies of the main line that follow each other, from the next one on.
    fn add_line(&mut self, line: &BoardLine<'_>) {
        let (number, first) = (self.plies, line.first);
        self.plies = number.saturating_add(line.plies() as u32);
        self.key = None;
        if self.ended_depth == 0 || number >= self.task.plies_max {
            return;
        }
        self.ended_depth = usize::MAX;
        self.number_of(first.fullmove_number(), first.turn());
        let mut plies = std::mem::take(self.line);
        plies.clear();
        line.extend_keyed((self.task.plies_max - number) as usize, &mut plies);
        let mut reversible_plies = first.halfmove_clock();
        for (number, ply) in (number..).zip(&plies) {
            self.add(ChessKey::of_line(ply), reversible_plies, number);
            reversible_plies = if ply.is_irreversible { 0 } else { reversible_plies + 1 };
        }
        *self.line = plies;
    }

    /// A ply in a variation.
    #[cold]
    fn ply_of_variation(&mut self, ply: &Ply<'_>, depth: usize) {
        let before = ply.before();
        let number = self.number_of(before.fullmove_number(), before.turn());
        if self.is_counted(depth, number) {
            self.push(ChessKey::new(before, ply.mv(), before.key_without_en_passant()), number);
            self.may_repeat = true;
        }
    }
}

/// A number of plies as a pair has it.
fn plies_of(number: u32) -> u16 {
    number.min(u16::MAX.into()) as u16
}

/// Plies before a position in a game that begins with White's first move.
fn plies_before(fullmove: u32, turn: Color) -> u32 {
    fullmove.saturating_sub(1).saturating_mul(2).saturating_add(turn as u32)
}

impl BlockVisitor for PairVisitor<'_> {
    type Reads = PliesOrLines;

    fn line_request(&self) -> Option<LineRequest> {
        match self.plies < self.task.plies_max {
            true => Some(LineRequest::Boards { texts: false }),
            false => Some(LineRequest::Last),
        }
    }

    fn line(&mut self, _: &[u8], line: &MoveLine<'_>) {
        if let MoveLine::Boards(line) = line {
            self.add_line(line);
        }
    }

    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {
        // Those of a game that is not counted, too.
        self.block.chess.truncate(self.chess_start);
        self.block.others.truncate(self.others_start);
        self.unsorted_max = UNSORTED_MAX;
        (self.key, self.plies, self.start_plies) = (None, 0, None);
        (self.ended_depth, self.may_repeat) = (usize::MAX, false);
    }

    #[inline(always)]
    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if depth > 0 {
            if self.task.variations {
                self.ply_of_variation(ply, depth);
            }
            return;
        }
        let number = self.plies;
        self.plies += 1;
        if number >= self.task.plies_max || self.ended_depth == 0 {
            return;
        }
        self.ended_depth = usize::MAX;
        let (before, mv) = (ply.before(), ply.mv());
        let key = match self.key {
            Some(key) => key,
            None => {
                self.number_of(before.fullmove_number(), before.turn());
                before.key_without_en_passant()
            }
        };
        self.add(ChessKey::new(before, mv, key), before.halfmove_clock(), number);
        self.key = Some(before.key_after(key, mv, ply.after()));
    }

    fn other_ply(
        &mut self,
        _: &[u8],
        _: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        let before = AnyPly::Other(ply).before();
        let number = self.number_of(before.fullmove_number(), before.turn());
        if self.is_counted(depth, number)
            && let Some(key) = OtherKey::of(ply)
            && let Some(game) = self.game_index()
        {
            self.block.others.push(OtherOccurrence { key, ply: plies_of(number), game });
        }
        Ok(())
    }

    fn non_ply(&mut self, _: &[u8], _: Range<usize>, kind: NonPly) {
        if let NonPly::NullMove(depth) = kind {
            self.ended_depth = self.ended_depth.min(depth);
        }
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>, place: GamePlace) {
        if game.verdict == Verdict::Rejected {
            return;
        }
        if self.may_repeat {
            self.remove_repeated();
        }
        let Unsorted { chess, others, games, has_chess960 } = &mut *self.block;
        others[self.others_start..].sort_unstable_by(|a, b| (&a.key, a.ply).cmp(&(&b.key, b.ply)));
        let mut own = others.split_off(self.others_start);
        own.dedup_by(|a, b| a.key == b.key);
        others.append(&mut own);
        if chess.len() == self.chess_start && others.len() == self.others_start {
            return;
        }
        let tags = game.tags.index.values(text);
        games.push(GameEntry {
            offset: place.offset,
            date: tags.date().and_then(|date| tag_numbers::date(date).value()),
            ratings: [Tag::WhiteElo, Tag::BlackElo].map(|tag| tags.rating(tag)),
            outcome: game.outcome(text),
        });
        *has_chess960 |= game.tags.rules == RulesKind::Chess960
            || chess
                .get(self.chess_start)
                .is_some_and(|it| it.key().rules() == RulesKind::Chess960);
        if chess.len() >= SORTED_MAX {
            self.part.add(self.block);
        }
        (self.chess_start, self.others_start) = (self.block.chess.len(), self.block.others.len());
    }
}
