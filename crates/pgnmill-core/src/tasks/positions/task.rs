//! Games become occurrences: the pairs of each game, once each.
//!
//! In: games. Out: for each job its occurrences, in the order of the games, and what all pairs of a game have in
//! common. Invariants: a rejected game has no occurrence; a null move ends what is counted of a line, as what follows
//! is no game; a pair that a game repeats counts once, with its first ply. Cost: the replay; a key and 48 bytes per
//! ply; for a game in which positions can have been repeated a comparison with those since the last capture or pawn
//! move, or a sort if they are many.

use std::ops::Range;

use super::key::{ChessKey, OtherKey};
use crate::chess::Color;
use crate::chess::rules::RulesKind;
use crate::engine::{BlockGames, BlockVisitor, GamePlace, Part, Task};
use crate::notation::{AnyPly, Notation, OtherPly, Ply};
use crate::pgn::deviation::Deviation;
use crate::pgn::{Outcome, Tag, tag_numbers};
use crate::replay::{EachPly, Game, NonPly, TagSection, Verdict};

/// Earlier plies that a ply is compared with, at most; beyond that the plies of the game are sorted.
const COMPARED_MAX: usize = 64;

/// Counts pairs of positions and moves.
#[derive(Clone, Copy, Debug)]
pub struct CountPositions {
    /// The last ply that is counted, from 1.
    pub plies_max: u32,
    /// Are variations counted too?
    pub variations: bool,
}

/// What all pairs of a game have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameEntry {
    /// Offset in the text of the job, in bytes.
    pub(super) offset: u64,
    /// The complete date, in days since 1970-01-01.
    pub(super) date: Option<i32>,
    /// White's and Black's.
    pub(super) ratings: [Option<i16>; 2],
    /// The result.
    pub(super) outcome: Option<Outcome>,
}

/// A pair of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence<K> {
    pub(super) key: K,
    /// Plies before it.
    pub(super) ply: u16,
    /// The index of its game in the job.
    pub(super) game: u32,
}

/// The pairs of the games of a job.
#[derive(Debug, Default)]
pub struct Counted {
    pub(super) games: Vec<GameEntry>,
    pub(super) chess: Vec<Occurrence<ChessKey>>,
    pub(super) others: Vec<Occurrence<OtherKey>>,
    pub(super) has_chess960: bool,
}

impl Part for Counted {
    fn clear(&mut self) {
        self.games.clear();
        self.chess.clear();
        self.others.clear();
        self.has_chess960 = false;
    }
}

/// The pairs of the current game.
#[derive(Debug, Default)]
pub struct CurrentGame {
    chess: Vec<Occurrence<ChessKey>>,
    others: Vec<Occurrence<OtherKey>>,
}

/// Counts the games of a block.
#[derive(Debug)]
struct PairVisitor<'b> {
    task: CountPositions,
    game: &'b mut CurrentGame,
    part: &'b mut Counted,
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
    type Context = CurrentGame;
    type Part = Counted;

    fn visit(&self, games: BlockGames<'_, '_>, context: &mut CurrentGame, part: &mut Counted) {
        games.visit(PairVisitor {
            task: *self,
            game: context,
            part,
            key: None,
            plies: 0,
            start_plies: None,
            ended_depth: usize::MAX,
            may_repeat: false,
        });
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
        let line = &mut self.game.chess;
        if reversible_plies >= 4 {
            let reversible = reversible_plies as usize;
            self.may_repeat |= reversible > COMPARED_MAX;
            let mut earlier = line.iter().rev().take(reversible.min(COMPARED_MAX));
            if earlier.any(|it| it.key == key) {
                return;
            }
        }
        let ply = number.min(u16::MAX.into()) as u16;
        line.push(Occurrence { key, ply, game: 0 });
    }

    /// Plies of the game before a position of it, in a variation too.
    fn number_of(&mut self, fullmove: u32, turn: Color) -> u32 {
        let plies = plies_before(fullmove, turn);
        plies.saturating_sub(*self.start_plies.get_or_insert(plies))
    }

    /// A ply in a variation.
    #[cold]
    fn ply_of_variation(&mut self, ply: &Ply<'_>, depth: usize) {
        let before = ply.before();
        let number = self.number_of(before.fullmove_number(), before.turn());
        if self.is_counted(depth, number) {
            let key = ChessKey::new(before, ply.mv(), before.key_without_en_passant());
            let ply = number.min(u16::MAX.into()) as u16;
            self.game.chess.push(Occurrence { key, ply, game: 0 });
            self.may_repeat = true;
        }
    }
}

/// Plies before a position in a game that begins with White's first move.
fn plies_before(fullmove: u32, turn: Color) -> u32 {
    fullmove.saturating_sub(1).saturating_mul(2).saturating_add(turn as u32)
}

impl BlockVisitor for PairVisitor<'_> {
    type Reads = EachPly;

    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {
        self.game.chess.clear();
        self.game.others.clear();
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
        {
            let ply = number.min(u16::MAX.into()) as u16;
            self.game.others.push(Occurrence { key, ply, game: 0 });
        }
        Ok(())
    }

    fn non_ply(&mut self, _: &[u8], _: Range<usize>, kind: NonPly) {
        if let NonPly::NullMove(depth) = kind {
            self.ended_depth = self.ended_depth.min(depth);
        }
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>, place: GamePlace) {
        let CurrentGame { chess, others } = &mut *self.game;
        if game.verdict == Verdict::Rejected || chess.is_empty() && others.is_empty() {
            return;
        }
        if self.may_repeat {
            chess.sort_unstable_by_key(|it| (it.key, it.ply));
            chess.dedup_by_key(|it| it.key);
        }
        others.sort_unstable_by(|a, b| (&a.key, a.ply).cmp(&(&b.key, b.ply)));
        others.dedup_by(|a, b| a.key == b.key);
        let tags = game.tags.index.values(text);
        let index = self.part.games.len() as u32;
        self.part.games.push(GameEntry {
            offset: place.offset,
            date: tags.date().and_then(|date| tag_numbers::date(date).value()),
            ratings: [Tag::WhiteElo, Tag::BlackElo].map(|tag| tags.rating(tag)),
            outcome: game.outcome(text),
        });
        self.part.has_chess960 |= game.tags.rules == RulesKind::Chess960
            || chess.first().is_some_and(|it| it.key.rules() == RulesKind::Chess960);
        self.part.chess.extend(chess.iter().map(|it| Occurrence { game: index, ..*it }));
        let others = others.drain(..);
        self.part.others.extend(others.map(|it| Occurrence { game: index, ..it }));
    }
}
