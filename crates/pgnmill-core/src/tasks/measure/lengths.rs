//! The visitor that measures: it converts plies to lengths and adds the games that are not rejected to their groups.
//!
//! In: the replay of a block. Out: [`Measured`]. Invariant: a game is added at its end, when its verdict is known.

use std::ops::Range;

use pgnmill_simd::Level;

use crate::chess::rules::RulesKind;
use crate::engine::{BlockGames, BlockVisitor, GamePlace, Task};
use crate::facts::{Played, ReadGame};
use crate::notation::{Notation, OtherPly, Ply};
use crate::openings::Tracker;
use crate::pgn::Outcome;
use crate::pgn::deviation::Deviation;
use crate::replay::{Game, History, LineRequest, MoveLine, PliesOrLines, TagSection, Verdict};

use super::options::{Buffers, Measure, Measured};
use super::repeats::PLIES_MIN;
use super::study::{BpeTokens, Characters, Errors, GameMoves, Information, Units};
use super::tally::{GameLengths, GameRow, Labels, OtherGame};
use crate::tables::Dimension;

/// Measures the games of a block.
#[derive(Debug)]
struct LengthVisitor<'b> {
    task: &'b Measure,
    part: &'b mut Measured,
    lengths: &'b mut GameLengths,
    moves: &'b mut GameMoves,
    other: &'b mut OtherGame,
    units: &'b mut Units,
    /// The moves of a long game before those in `moves`.
    parts: Vec<GameMoves>,
    level: Level,
    /// Are the moves required, besides their lengths?
    keeps_moves: bool,
    /// Is the opening required?
    tracks_opening: bool,
    /// One of the two.
    requires_more: bool,
    opening: Tracker,
}

impl<'b> LengthVisitor<'b> {
    pub(super) fn new(
        task: &'b Measure,
        level: Level,
        buffers: &'b mut Buffers,
        part: &'b mut Measured,
    ) -> LengthVisitor<'b> {
        let keeps_texts = task.information || task.writing || !task.vocabularies.is_empty();
        let keeps_moves = keeps_texts || task.moves || task.errors.is_some();
        let tracks_opening = task.keys.needs_openings();
        let Buffers { lengths, moves, other, units } = buffers;
        lengths.configure(task.selection, task.keys);
        LengthVisitor {
            task,
            part,
            lengths,
            moves,
            other,
            units,
            parts: Vec::new(),
            level,
            keeps_moves,
            tracks_opening,
            requires_more: keeps_moves || tracks_opening,
            opening: Tracker::default(),
        }
    }

    /// Adds the moves of the game to the counts, or keeps them.
    #[cold]
    #[inline(never)]
    fn add_moves(&mut self, result: &str) {
        let part = &mut *self.part;
        if self.task.information {
            let none = || Information::of(self.task.studied());
            let information = part.information.get_or_insert_with(none);
            let half = self.parts.first().unwrap_or(self.moves).half();
            let parts = self.parts.iter().chain([&*self.moves]);
            parts.for_each(|part| information.add(part, half));
        }
        if self.task.writing {
            let none = || Characters::of(self.task.selection);
            let characters = part.characters.get_or_insert_with(none);
            self.parts.iter().chain([&*self.moves]).for_each(|part| characters.add(part));
        }
        if let Some(draws) = self.task.errors {
            let errors = part.errors.get_or_insert_with(|| Errors::of(draws));
            let game: Vec<&GameMoves> = self.parts.iter().chain([&*self.moves]).collect();
            errors.add(&game, draws);
        }
        if !self.task.vocabularies.is_empty() {
            let (selection, vocabularies) = (self.task.selection, &self.task.vocabularies);
            let tokens = part.tokens.get_or_insert_with(|| BpeTokens::of(selection, vocabularies));
            let game: Vec<&GameMoves> = self.parts.iter().chain([&*self.moves]).collect();
            let has_history = self.lengths.has_history();
            tokens.add(&game, has_history, result, vocabularies, self.units);
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
        let played = Some(Played::of(text, game, self.opening.opening()));
        let (tags, text_bytes) = (game.tags.index.values(text), game.span.len());
        // The archive has its rows where its games are merged.
        let game = ReadGame { tags, archive: "", text_bytes, played };
        let labels = Labels::of(&game, self.task.keys);
        match self.task.clusters.has_random_groups() {
            true => labels.with_clusters(&game),
            false => labels,
        }
    }
}

impl BlockVisitor for LengthVisitor<'_> {
    type Reads = PliesOrLines;

    fn line_request(&self) -> Option<LineRequest> {
        let takes_lines = !self.requires_more && self.lengths.takes_lines();
        let boards = self.task.keys.needs_cells();
        takes_lines.then_some(LineRequest::Candidates { boards })
    }

    fn line(&mut self, _: &[u8], line: &MoveLine<'_>) {
        if let MoveLine::Candidates(line) = line {
            self.lengths.observe_line(self.level, line);
        }
    }

    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {
        self.lengths.clear();
        self.other.clear();
        self.moves.clear();
        self.parts.clear();
        self.opening = Tracker::default();
    }

    #[inline(always)]
    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if depth == 0 {
            self.lengths.observe(ply);
            // One branch in the usual case, that a measurement requires the lengths alone.
            if self.requires_more {
                if self.tracks_opening {
                    self.opening.visit(ply.after());
                }
                if self.keeps_moves {
                    keep_ply(self.moves, &mut self.parts, *ply);
                }
            }
        }
    }

    /// Games of other rules are counted in the table by rules alone.
    fn other_ply(
        &mut self,
        _: &[u8],
        _: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        if depth == 0 && self.task.keys.has(Dimension::Rules) {
            self.other.observe(ply, self.task.selection);
        }
        Ok(())
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>, place: GamePlace) {
        if game.verdict == Verdict::Rejected {
            return;
        }
        let rules = game.tags.rules;
        if !matches!(rules, RulesKind::Chess | RulesKind::Chess960) {
            if self.task.keys.has(Dimension::Rules) {
                let tally = self.part.tally.get_or_insert_with(|| self.task.new_tally());
                tally.add_other(rules, self.other);
            }
            return;
        }
        if self.task.keys.has(Dimension::Source) {
            self.part.archive.add(text, game, self.lengths);
        }
        if self.lengths.plies_count() >= PLIES_MIN
            && self.lengths.is_sampled(self.task.repeats_of_one_in)
        {
            self.part.fingerprints.push(self.lengths.fingerprint());
        }
        let labels = self.labels(text, game);
        let Measure { selection, per_game, .. } = *self.task;
        let tally = self.part.tally.get_or_insert_with(|| self.task.new_tally());
        tally.add_on(self.level, self.lengths, &labels);
        if per_game {
            let GamePlace { offset, number } = place;
            self.part.rows.add(&GameRow::of(offset, number, self.lengths, selection));
        }
        if self.keeps_moves {
            // As the result is counted in the whole movetext.
            self.add_moves(game.outcome(text).unwrap_or(Outcome::Unknown).canonical());
        }
    }
}

impl Task for Measure {
    type Context = Buffers;
    type Part = Measured;

    fn history(&self) -> History {
        if self.selection.needs_history() { History::Optional } else { History::Ignored }
    }

    fn visit(&self, games: BlockGames<'_, '_>, context: &mut Buffers, part: &mut Measured) {
        let settings = games.settings();
        games.visit(LengthVisitor::new(self, settings.level, context, part));
    }
}

/// Keeps a ply. By value, so that it can stay in registers where no plies are kept.
#[cold]
#[inline(never)]
fn keep_ply(moves: &mut GameMoves, parts: &mut Vec<GameMoves>, ply: Ply<'_>) {
    if moves.is_whole() {
        parts.push(moves.take_part());
    }
    moves.push(&ply);
}
